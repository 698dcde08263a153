package millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import millrace.testkit.PostgresServer;
import millrace.testkit.server.MariaDbServer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a copy loads comes from the cache that the launcher had made: each class that comes from a
/// jar is read and checked at each start. `Training` says which classes those are that only a copy
/// with a server needs.
final class CachedClassesIT {

  /// Some depend on what the server answers, and on the machine.
  private static final int FROM_JARS_MAX = 25;

  @TempDir private Path home;

  @BeforeAll
  static void startOnce(@TempDir Path elsewhere) throws IOException, InterruptedException {
    assertThat(new Launched(elsewhere).shell("$millrace --version").code()).isZero();
  }

  private List<String> fromJars(String target) throws IOException, InterruptedException {
    Files.writeString(home.resolve("from.csv"), "a,b\n1,x\n2,y\n");
    Cli.Result result =
        new Launched(home)
            .with("JAVA_TOOL_OPTIONS", "-Xlog:class+load:file=" + home + "/classes-%p.txt")
            .shell("$millrace copy from.csv '" + target + "' --mode create --quiet");
    assertThat(result.code()).as(result.err()).isZero();
    try (Stream<Path> files = Files.list(home)) {
      return files
          .filter(file -> file.getFileName().toString().startsWith("classes-"))
          .flatMap(CachedClassesIT::lines)
          .filter(line -> line.contains("source: file:"))
          .toList();
    }
  }

  private static Stream<String> lines(Path file) {
    try {
      return Files.readAllLines(file).stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void ofACopyBetweenFiles() throws IOException, InterruptedException {
    assertThat(fromJars("to.csv")).hasSizeLessThan(FROM_JARS_MAX);
  }

  @Test
  void ofACopyIntoPostgres() throws IOException, InterruptedException {
    PostgresServer server = PostgresServer.shared();
    String url = server.url(server.newDatabase());
    assertThat(fromJars(url + "?table=t")).hasSizeLessThan(FROM_JARS_MAX);
  }

  @Test
  void ofACopyIntoMariaDb() throws IOException, InterruptedException {
    MariaDbServer server = MariaDbServer.shared();
    String url = server.url("root", "", server.newDatabase());
    assertThat(fromJars(url + "?table=t")).hasSizeLessThan(FROM_JARS_MAX);
  }
}
