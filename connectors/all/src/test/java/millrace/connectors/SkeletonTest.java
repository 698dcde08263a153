package millrace.connectors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import millrace.fault.Fault;
import millrace.spi.Connector;
import millrace.spi.Endpoint;
import millrace.spi.Secret;
import millrace.spi.write.Mode;
import millrace.testkit.Copying;
import millrace.testkit.SourceCompiler;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The connector of docs/new-connector.md, compiled as it stands there.
class SkeletonTest {

  private static final Path PAGE = Path.of("..", "..", "docs", "new-connector.md");
  private static final Pattern CODE = Pattern.compile("(?s)```java\n(.*?)```");

  @TempDir private Path folder;

  private Connector compiled() throws IOException, ReflectiveOperationException {
    Matcher code = CODE.matcher(Files.readString(PAGE));
    assertThat(code.find()).isTrue();
    Path source = folder.resolve("LinesConnector.java");
    Files.writeString(source, code.group(1));
    SourceCompiler.compile(List.of(source), folder);
    URLClassLoader loader = new URLClassLoader(new URL[] {folder.toUri().toURL()});
    return loader
        .loadClass("skeleton.LinesConnector")
        .asSubclass(Connector.class)
        .getDeclaredConstructor()
        .newInstance();
  }

  private Endpoint lines(String name) {
    return new Endpoint("lines", folder.resolve(name).toString(), Map.of(), Secret.NONE);
  }

  @Test
  void theSkeletonCopiesAndTheEngineSettlesItsModes()
      throws IOException, ReflectiveOperationException {
    Connector connector = compiled();
    Files.writeString(folder.resolve("from"), "one\ntwo\n\nfour\n".repeat(2_000));
    Copying copying = Copying.of(connector, lines("from"), connector, lines("to"));
    copying.run();
    assertThat(folder.resolve("to")).hasSameTextualContentAs(folder.resolve("from"));
    assertThatThrownBy(copying::run)
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("holds rows already");
    assertThatThrownBy(copying.mode(Mode.APPEND)::run)
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("lines are not added to");
    copying.mode(Mode.REPLACE).run();
    assertThat(folder.resolve("to.part")).doesNotExist();
  }
}
