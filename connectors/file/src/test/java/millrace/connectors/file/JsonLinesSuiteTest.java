package millrace.connectors.file;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import millrace.spi.Connector;
import millrace.spi.Endpoint;
import millrace.spi.Secret;
import millrace.testkit.suite.MemoryFixture;
import millrace.testkit.suite.SetAsideSuite;
import millrace.testkit.suite.SourceSuite;
import org.junit.jupiter.api.io.TempDir;

/// Files of JSON Lines whose members are read as columns.
class JsonLinesSuiteTest extends MemoryFixture implements SetAsideSuite, SourceSuite {

  private static final int ROWS = 2_500;

  @TempDir private Path folder;

  @Override
  public Connector connector() {
    return new FileConnector();
  }

  @Override
  public Endpoint filled() {
    Path file = folder.resolve("filled.jsonl");
    StringBuilder lines = new StringBuilder();
    for (int i = 1; i <= ROWS; i++) {
      lines
          .append(
              "{\"id\":%d,\"name\":\"n\\u00e9 \\n%d\",\"more\":[%d,{}]}".formatted(i, i % 77, i))
          .append(i % 3 == 0 ? "\r\n" : "\n");
    }
    try {
      Files.writeString(file, lines);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return end(file.toString());
  }

  private static Endpoint end(String path) {
    return new Endpoint("file", path, Map.of("fields", "id,name,more"), Secret.NONE);
  }

  @Override
  public Endpoint missing() {
    return end(folder.resolve("no_such.jsonl").toString());
  }

  @Override
  public String missingName() {
    return "no_such.jsonl";
  }
}
