package millrace.job;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import millrace.fault.Fault;
import millrace.spi.Endpoint;
import millrace.spi.Secret;
import millrace.spi.catalog.TableEntry;
import millrace.spi.catalog.TablePattern;

/// Whatever tables are called and templates hold, each table goes where the template says.
class NameTemplateFuzzTest {

  /// Of a database: the schema and the name that come of it, without quotes.
  private record Names(String template, String schema, String name) {}

  private static final List<Names> NAMES =
      List.of(
          new Names("{table}", "", "{table}"),
          new Names("{stem}_old", "", "{table}_old"),
          new Names("{stream_schema}.{stream_table}", "{schema}", "{table}"),
          new Names("{schema}.x_{table}", "{schema}", "x_{table}"),
          new Names("{schema}_{table}", "", "{schema}_{table}"),
          new Names("landing.{schema}_{table}", "landing", "{schema}_{table}"),
          new Names("\"to {table}\"", "", "to {table}"),
          new Names("\"a.{schema}\".\"{table}\"", "a.{schema}", "{table}"),
          new Names("{stream_name}", "{schema}", "{table}"),
          new Names("old_*", "", "old_{table}"));

  private static TableEntry entry(String schema, String name) {
    String table = TablePattern.quoted(schema) + "." + TablePattern.quoted(name);
    return new TableEntry(
        schema,
        name,
        TablePattern.isPlain(name) ? name : TablePattern.quoted(name),
        "table",
        -1,
        -1,
        List.of(),
        new Endpoint("x", "//h/db", Map.of("table", table), Secret.NONE));
  }

  /// The first byte chooses the template and whether both ends are of one system; the first line is
  /// the schema, the rest is the table.
  @FuzzTest
  void aTableHasTheNameThatTheTemplateMeans(byte[] data) {
    if (data.length < 1) {
      return;
    }
    int chosen = data[0] & 0x7F;
    Names names = NAMES.get(chosen % NAMES.size());
    String[] parts = new String(data, 1, data.length - 1, StandardCharsets.UTF_8).split("\n", 2);
    if (parts.length < 2 || parts[0].isEmpty() || parts[1].isEmpty()) {
      return;
    }
    Endpoint end = new Endpoint("x", "//h/db", Map.of("table", names.template()), Secret.NONE);
    String written =
        new NameTemplate(end)
            .of(entry(parts[0], parts[1]), data[0] < 0)
            .text("table")
            .orElseThrow();
    TablePattern found = TablePattern.parse(written);
    assertThat(found.schema()).as(written).isEqualTo(filled(names.schema(), parts));
    assertThat(found.bare()).as(written).isEqualTo(filled(names.name(), parts));
  }

  private static String filled(String name, String... parts) {
    int table = name.indexOf("{table}");
    String before = table < 0 ? name : name.substring(0, table);
    return before.replace("{schema}", parts[0])
        + (table < 0 ? "" : parts[1] + name.substring(table + "{table}".length()));
  }

  /// The first line is the template of a file's name, the second the schema, the rest the table.
  @FuzzTest
  void aFileIsNamedByItsTemplateOrRefused(byte[] data) {
    String[] parts = new String(data, StandardCharsets.UTF_8).split("\n", 3);
    if (parts.length < 3) {
      return;
    }
    TableEntry entry = entry(parts[1], parts[2]);
    Map<String, String> values =
        Map.of(
            "table", parts[2],
            "stem", parts[2],
            "schema", parts[1],
            "stream_table", parts[2],
            "stream_schema", parts[1],
            "stream_name", entry.label(),
            "stream_file_name", parts[2]);
    StringBuilder expected = new StringBuilder();
    boolean refused = false;
    int at = 0;
    while (at < parts[0].length()) {
      int close = parts[0].charAt(at) == '{' ? parts[0].indexOf('}', at) : -1;
      String name = close < 0 ? "" : parts[0].substring(at + 1, close);
      boolean isVariable = !name.isEmpty();
      for (int i = 0; i < name.length(); i++) {
        char letter = name.charAt(i);
        isVariable &=
            (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || letter == '_';
      }
      if (isVariable) {
        String value = values.get(name);
        refused |=
            value == null || value.contains("/") || value.contains("\0") || value.equals("..");
        expected.append(value);
        at = close + 1;
      } else {
        expected.append(parts[0].charAt(at++));
      }
    }
    try {
      String named = NameTemplate.expanded(parts[0], entry);
      assertThat(refused).as(named).isFalse();
      assertThat(named).isEqualTo(expected.toString());
    } catch (Fault.User fault) {
      assertThat(refused).as(fault.getMessage()).isTrue();
      assertThat(fault.getMessage())
          .matches(
              "(?s)\\{[A-Za-z_]+} is no variable \\(.*\\)\\.|The name \".*\" can't be part .*");
    }
  }
}
