package millrace.engine.reject;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.data.spelling.JsonCheck;
import millrace.data.spelling.RowRecord;
import millrace.fault.Shortened;
import millrace.plan.Plan;
import millrace.spi.read.RecordFile;
import org.jspecify.annotations.Nullable;

/// How a file of bad records is laid out: as the source is, or, if it has rows and no records, as
/// CSV with a header or as JSON Lines, by the file's name.
final class RejectLayout {

  /// What the lines of reasons call a file of rows.
  static final String CSV = "csv";

  static final String JSON_LINES = "jsonl";

  private static final int VALUE_CHARS_MAX = 60;
  private static final byte LF = '\n';

  private final RecordFile records;
  private final Schema schema;
  private final List<String> key;

  /// What the records are spelled as; empty if they are the source's own.
  private final String spelled;

  private RejectLayout(RecordFile records, Schema schema, List<String> key, String spelled) {
    this.records = records;
    this.schema = schema;
    this.key = key;
    this.spelled = spelled;
  }

  /// Of a source that has records.
  static RejectLayout of(RecordFile records) {
    return new RejectLayout(records, Schema.of(List.of()), List.of(), "");
  }

  /// Of a copy.
  static RejectLayout of(Plan plan) {
    RecordFile records = plan.source().reading().records();
    if (!records.ofRows()) {
      return of(records);
    }
    Schema schema = plan.source().schema();
    List<String> key = schema.key().isEmpty() ? plan.job().writeOptions().key() : schema.key();
    return ofRows(
        schema, schema.names().containsAll(key) ? key : List.of(), plan.job().rejects().file());
  }

  /// Of a source of rows.
  ///
  /// @param key names of the columns that name a row; empty if there are none
  /// @param file its name says how rows are spelled; null if nobody wants them
  static RejectLayout ofRows(Schema schema, List<String> key, @Nullable Path file) {
    String spelled = file == null ? CSV : spelled(file);
    byte[] head = spelled.equals(CSV) ? RowRecord.spell(schema.names()) : new byte[0];
    return new RejectLayout(new RecordFile(head, new byte[] {LF}, true), schema, key, spelled);
  }

  private static String spelled(Path file) {
    return file.toString().matches(".*\\.(jsonl|ndjson)") ? JSON_LINES : CSV;
  }

  /// What stands before the first record.
  byte[] head() {
    return records.head();
  }

  /// What rows are spelled as; empty if the records are the source's own.
  String spelled() {
    return spelled;
  }

  /// Whether no two rows have the same key.
  boolean hasPrimaryKey() {
    return !key.isEmpty() && key.equals(schema.key());
  }

  /// A record as it stands in the file, with a line end: the last of a source may have none.
  byte[] record(byte[] record) {
    if (spelled.equals(JSON_LINES) && record.length > 0) {
      return json(schema, record);
    }
    byte[] end = records.end();
    boolean complete =
        record.length == 0
            || end.length == 0
            || (record[record.length - 1] == LF && end[end.length - 1] == LF)
            || endsWith(record, end);
    if (complete) {
      return record;
    }
    byte[] longer = Arrays.copyOf(record, record.length + end.length);
    System.arraycopy(end, 0, longer, record.length, end.length);
    return longer;
  }

  private static boolean endsWith(byte[] record, byte[] end) {
    int from = record.length - end.length;
    return from >= 0 && Arrays.equals(record, from, record.length, end, 0, end.length);
  }

  /// The values of the key in a row, by name; empty if there is none, or one of them is missing.
  Map<String, String> key(byte[] record) {
    Map<String, String> found = new LinkedHashMap<>();
    List<@Nullable String> values = key.isEmpty() ? List.of() : RowRecord.values(record);
    if (values.size() != schema.width()) {
      return found;
    }
    for (String name : key) {
      int at = schema.indexOf(name);
      String value = values.get(at);
      if (value == null) {
        return Map.of();
      }
      found.put(name, value);
    }
    return found;
  }

  /// A key as the lines of reasons have it.
  ObjectNode keyNode(Map<String, String> values) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    values.forEach((name, value) -> {
      boolean isNumber = schema.column(schema.indexOf(name)).type() instanceof Type.Int;
      if (isNumber && value.matches("-?\\d{1,18}")) {
        node.put(name, Long.parseLong(value));
      } else {
        node.put(name, value);
      }
    });
    return node;
  }

  /// A key as a user reads it: `id = 5`; empty if there is none.
  static String words(Map<String, String> key) {
    return key.entrySet().stream()
        .map(each -> each.getKey() + " = " + Shortened.value(each.getValue(), VALUE_CHARS_MAX))
        .collect(Collectors.joining(", "));
  }

  /// A row as a line of JSON.
  ///
  /// @param record as {@link RowRecord} spells it
  static byte[] json(Schema schema, byte[] record) {
    List<@Nullable String> values = RowRecord.values(record);
    StringBuilder line = new StringBuilder("{");
    for (int i = 0; i < values.size(); i++) {
      line.append(i == 0 ? "" : ",")
          .append(quoted(schema.column(i).name()))
          .append(':')
          .append(json(schema.column(i).type(), values.get(i)));
    }
    return line.append("}\n").toString().getBytes(StandardCharsets.UTF_8);
  }

  private static String json(Type type, @Nullable String value) {
    if (value == null) {
      return "null";
    }
    boolean isBare =
        switch (type) {
          case Type.Bool _, Type.Numeric _, Type.Json _ -> {
            byte[] text = value.getBytes(StandardCharsets.UTF_8);
            boolean oneLine = value.indexOf('\n') < 0 && value.indexOf('\r') < 0;
            yield oneLine && JsonCheck.isValid(text, 0, text.length);
          }
          case Type.Text _, Type.Temporal _, Type.Uuid _, Type.Bytes _, Type.Opaque _ -> false;
        };
    return isBare ? value : quoted(value);
  }

  private static String quoted(String text) {
    return JsonNodeFactory.instance.textNode(text).toString();
  }
}
