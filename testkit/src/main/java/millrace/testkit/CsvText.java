package millrace.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Reads CSV without any connector, by the rules of RFC 4180; a field without anything is a missing
/// value.
public final class CsvText {

  private static final Pattern FIELD =
      Pattern.compile("(?:\"((?:[^\"]|\"\")*+)\"|([^\",\r\n]*+))(,|\r?\n)");

  private CsvText() {}

  /// The records of a file behind its header, which has to name those columns.
  public static List<List<@Nullable Object>> records(String text, List<String> columns) {
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
}
