package millrace.connectors.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import millrace.spi.Connector;
import millrace.spi.Endpoint;
import millrace.spi.Secret;
import millrace.testkit.CsvText;
import millrace.testkit.suite.Behaviour;
import millrace.testkit.suite.MemoryFixture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;

abstract class FileFixture extends MemoryFixture {

  @TempDir Path folder;

  @Override
  public Connector connector() {
    return new FileConnector();
  }

  @Override
  public Endpoint table(String name) {
    return new Endpoint("file", folder.resolve(name + ".csv").toString(), Map.of(), Secret.NONE);
  }

  /// Its bytes.
  @Override
  public List<List<@Nullable Object>> independently(String name, List<String> columns)
      throws IOException {
    return CsvText.records(Files.readString(folder.resolve(name + ".csv")), columns);
  }

  @Override
  public Map<Behaviour, String> cannot() {
    return Map.of(
        Behaviour.MERGE, "a file has no keys to find rows by",
        Behaviour.KEYS, "a file keeps no keys",
        Behaviour.EXISTING_COLUMNS, "every record has all of a file's columns",
        Behaviour.SQL, "a file takes none",
        Behaviour.WRITE_LOCKS, "a file that is read or written can be replaced at any time",
        Behaviour.READ_LOCKS, "a file can be read at any time",
        Behaviour.ROWS_LEFT_OUT, "a file has no keys");
  }
}
