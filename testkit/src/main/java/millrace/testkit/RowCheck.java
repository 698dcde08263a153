package millrace.testkit;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import millrace.data.Column;
import millrace.data.Columns;
import millrace.data.Decimals;
import millrace.data.Schema;
import millrace.data.Temporals;
import millrace.data.Type;
import org.jspecify.annotations.Nullable;

/// Compares rows, and shows those that differ as a small table.
public final class RowCheck {

  private static final int ROWS_SHOWN_MAX = 10;
  private static final int TEXT_SHOWN_MAX = 40;

  private RowCheck() {}

  /// Checks that both have the same rows, each as often, in whatever order.
  ///
  /// @throws AssertionError with the rows that only one of them has
  public static void sameRows(Schema schema, List<Row> expected, List<Row> actual) {
    Map<Row, Integer> balance = new HashMap<>();
    expected.forEach(row -> balance.merge(row, 1, Integer::sum));
    actual.forEach(row -> balance.merge(row, -1, Integer::sum));
    List<Row> missing = expected.stream().filter(row -> takes(balance, row, 1)).toList();
    List<Row> surplus = actual.stream().filter(row -> takes(balance, row, -1)).toList();
    if (!missing.isEmpty() || !surplus.isEmpty()) {
      throw new AssertionError(
          expected.size()
              + " rows expected, "
              + actual.size()
              + " found\n"
              + missing.size()
              + " missing:\n"
              + table(schema, missing)
              + surplus.size()
              + " that should not be there:\n"
              + table(schema, surplus));
    }
  }

  /// Checks that all rows found are among those expected, none more often than there.
  ///
  /// @throws AssertionError with the rows that should not be there
  public static void onlyRowsOf(Schema schema, List<Row> expected, List<Row> actual) {
    Map<Row, Integer> balance = new HashMap<>();
    expected.forEach(row -> balance.merge(row, 1, Integer::sum));
    actual.forEach(row -> balance.merge(row, -1, Integer::sum));
    List<Row> surplus = actual.stream().filter(row -> takes(balance, row, -1)).toList();
    if (!surplus.isEmpty()) {
      throw new AssertionError(
          surplus.size() + " rows that should not be there:\n" + table(schema, surplus));
    }
  }

  /// Checks that two batches hold the same rows in the same order.
  ///
  /// @throws AssertionError with the first rows that differ
  public static void sameBatch(Columns expected, Columns actual) {
    List<Row> left = Values.rows(expected);
    List<Row> right = Values.rows(actual);
    if (!left.equals(right)) {
      throw new AssertionError(
          "expected:\n"
              + table(expected.schema(), left)
              + "found:\n"
              + table(actual.schema(), right));
    }
  }

  /// The first rows as a table with a heading.
  public static String table(Schema schema, List<Row> rows) {
    List<List<String>> lines = new ArrayList<>();
    lines.add(schema.columns().stream().map(c -> c.name() + " " + c.type().label()).toList());
    for (Row row : rows.subList(0, Math.min(rows.size(), ROWS_SHOWN_MAX))) {
      List<String> line = new ArrayList<>();
      for (int column = 0; column < schema.width(); column++) {
        line.add(shown(schema.column(column), row.value(column)));
      }
      lines.add(line);
    }
    StringBuilder table = new StringBuilder();
    int[] widths = widths(lines);
    for (List<String> line : lines) {
      StringBuilder cells = new StringBuilder("  ");
      for (int column = 0; column < widths.length; column++) {
        String cell = line.get(column);
        cells.append(column == 0 ? "" : " | ").append(cell);
        cells.repeat(' ', widths[column] - cell.length());
      }
      table.append(cells.toString().stripTrailing()).append('\n');
    }
    int more = rows.size() - ROWS_SHOWN_MAX;
    return more > 0
        ? table.append("  ... and ").append(more).append(" more\n").toString()
        : table.toString();
  }

  /// A value as a person would write it.
  public static String shown(Column column, @Nullable Object value) {
    return switch (value) {
      case null -> "null";
      case Long number -> number(column.type(), number);
      case String text when text.length() > TEXT_SHOWN_MAX ->
          quoted(text.substring(0, TEXT_SHOWN_MAX)) + "... (" + text.length() + ")";
      case String text -> quoted(text);
      default -> value.toString();
    };
  }

  private static boolean takes(Map<Row, Integer> balance, Row row, int sign) {
    int left = balance.getOrDefault(row, 0);
    if (left * sign <= 0) {
      return false;
    }
    balance.put(row, left - sign);
    return true;
  }

  private static String number(Type type, long value) {
    boolean temporal = type instanceof Type.Date || type instanceof Type.Timestamp;
    if (temporal && (value == Temporals.INFINITY || value == Temporals.MINUS_INFINITY)) {
      return value > 0 ? "infinity" : "-infinity";
    }
    return switch (type) {
      case Type.Bool _ -> value == 0 ? "false" : value == 1 ? "true" : "boolean " + value;
      case Type.Date _ -> LocalDate.ofEpochDay(value + Temporals.EPOCH_DAYS).toString();
      case Type.Time _ -> timeOfDay(value);
      case Type.Timestamp _ ->
          LocalDate.ofEpochDay(Math.floorDiv(value, Temporals.DAY_MICROS) + Temporals.EPOCH_DAYS)
              + " "
              + timeOfDay(Math.floorMod(value, Temporals.DAY_MICROS));
      case Type.Decimal(int _, int scale) ->
          value == Decimals.NAN ? "NaN" : BigDecimal.valueOf(value, scale).toPlainString();
      case Type.Int _, Type.Float _, Type.Uuid _, Type.Textual _, Type.Bytes _ ->
          Long.toString(value);
    };
  }

  private static String timeOfDay(long micros) {
    long seconds = micros / 1_000_000;
    return String.format(
        "%02d:%02d:%02d.%06d", seconds / 3600, seconds / 60 % 60, seconds % 60, micros % 1_000_000);
  }

  private static String quoted(String text) {
    StringBuilder quoted = new StringBuilder("'");
    text.chars()
        .forEach(c -> {
          if (c < ' ' || c == 0x7F) {
            quoted.append(String.format("\\u%04x", c));
          } else {
            quoted.append((char) c);
          }
        });
    return quoted.append('\'').toString();
  }

  private static int[] widths(List<List<String>> lines) {
    int[] widths = new int[lines.getFirst().size()];
    for (List<String> line : lines) {
      for (int column = 0; column < widths.length; column++) {
        widths[column] = Math.max(widths[column], line.get(column).length());
      }
    }
    return widths;
  }
}
