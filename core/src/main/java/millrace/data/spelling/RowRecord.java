package millrace.data.spelling;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import millrace.data.Columns;
import millrace.data.ReadRows;
import millrace.data.Records;
import millrace.data.Schema;
import millrace.data.Vector;
import org.jspecify.annotations.Nullable;

/// Spells rows of a source that has no records of its own as records of CSV, with values as a text
/// file gets them: nothing for a missing value, `""` for a text without characters.
///
/// A speller is made once for many rows. Threads may share it.
public final class RowRecord {

  private static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

  private final ValueFormatter[] formatters;

  private RowRecord(Schema schema) {
    formatters =
        schema.columns().stream()
            .map(column -> Spelling.formatter(column.type(), SpellingStyle.ISO))
            .toArray(ValueFormatter[]::new);
  }

  /// For rows of that schema.
  public static RowRecord of(Schema schema) {
    return new RowRecord(schema);
  }

  /// The record that a row was parsed from, or else the row as it was read, spelled.
  public static byte[] of(Columns batch, int row) {
    Records origin = batch.origin();
    ReadRows read = batch.asRead();
    return origin == null ? of(read.schema()).spell(read.vectors(), row) : origin.record(row);
  }

  /// One row.
  public byte[] spell(Vector[] vectors, int row) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int i = 0; i < formatters.length; i++) {
      begin(out, i);
      if (!vectors[i].nulls[row]) {
        byte[] text = new byte[formatters[i].lengthMax(vectors[i], row)];
        put(out, text, formatters[i].format(vectors[i], row, text, 0));
      }
    }
    out.write('\n');
    return out.toByteArray();
  }

  /// One row whose values are spelled already; null for a missing one.
  public static byte[] spell(List<? extends @Nullable String> values) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int i = 0; i < values.size(); i++) {
      begin(out, i);
      String value = values.get(i);
      if (value != null) {
        byte[] text = value.getBytes(StandardCharsets.UTF_8);
        put(out, text, text.length);
      }
    }
    out.write('\n');
    return out.toByteArray();
  }

  private static void begin(ByteArrayOutputStream out, int column) {
    if (column > 0) {
      out.write(',');
    }
  }

  private static void put(ByteArrayOutputStream out, byte[] text, int length) {
    if (length > 0 && !needsQuotes(text, length)) {
      out.write(text, 0, length);
      return;
    }
    out.write('"');
    for (int i = 0; i < length; i++) {
      if (text[i] == '"') {
        out.write('"');
      }
      out.write(text[i]);
    }
    out.write('"');
  }

  private static boolean needsQuotes(byte[] text, int length) {
    for (int i = 0; i < length; i++) {
      byte each = text[i];
      if (each == ',' || each == '"' || each == '\n' || each == '\r' || each == 0) {
        return true;
      }
    }
    return text[0] == ' '
        || text[length - 1] == ' '
        || (length >= BYTE_ORDER_MARK.length
            && text[0] == BYTE_ORDER_MARK[0]
            && text[1] == BYTE_ORDER_MARK[1]
            && text[2] == BYTE_ORDER_MARK[2]);
  }

  /// The values of a record that was spelled here; null for a missing one.
  public static List<@Nullable String> values(byte[] record) {
    String text = new String(record, StandardCharsets.UTF_8);
    List<@Nullable String> values = new ArrayList<>();
    StringBuilder value = new StringBuilder();
    boolean quoted = false;
    boolean wasQuoted = false;
    for (int i = 0; i < text.length(); i++) {
      char each = text.charAt(i);
      if (each == '"') {
        // The second of a pair stands for itself.
        if (!quoted && i > 0 && text.charAt(i - 1) == '"' && wasQuoted) {
          value.append(each);
        }
        quoted = !quoted;
        wasQuoted = true;
      } else if (!quoted && (each == ',' || each == '\n')) {
        values.add(wasQuoted || !value.isEmpty() ? value.toString() : null);
        value.setLength(0);
        wasQuoted = false;
      } else {
        value.append(each);
      }
    }
    return values;
  }
}
