package millrace.connectors.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import millrace.spi.Connector;
import millrace.spi.Endpoint;
import millrace.spi.Secret;
import millrace.testkit.suite.Behaviour;
import millrace.testkit.suite.MemoryFixture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;

abstract class FileFixture extends MemoryFixture {

  private static final Pattern FIELD =
      Pattern.compile("(?:\"((?:[^\"]|\"\")*+)\"|([^\",\r\n]*+))(,|\r?\n)");

  @TempDir Path folder;

  @Override
  public Connector connector() {
    return new FileConnector();
  }

  @Override
  public Endpoint table(String name) {
    return new Endpoint("file", folder.resolve(name + ".csv").toString(), Map.of(), Secret.NONE);
  }

  /// Its bytes, by the rules of RFC 4180; a field without anything is a missing value.
  @Override
  public List<List<@Nullable Object>> independently(String name, List<String> columns)
      throws IOException {
    String text = Files.readString(folder.resolve(name + ".csv"));
    assertThat(text).as("ends with its last record").endsWith("\n");
    List<List<@Nullable Object>> records = new ArrayList<>();
    List<@Nullable Object> record = new ArrayList<>();
    Matcher fields = FIELD.matcher(text);
    int end = 0;
    while (end < text.length()) {
      assertThat(fields.find() && fields.start() == end).as("a field at %d", end).isTrue();
      String quoted = fields.group(1);
      String bare = fields.group(2);
      record.add(quoted != null ? quoted.replace("\"\"", "\"") : bare.isEmpty() ? null : bare);
      end = fields.end();
      if (!fields.group(3).equals(",")) {
        records.add(record);
        record = new ArrayList<>();
      }
    }
    assertThat(records.removeFirst()).isEqualTo(columns);
    return records;
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
