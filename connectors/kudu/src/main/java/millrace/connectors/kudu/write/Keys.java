package millrace.connectors.kudu.write;

import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.apache.kudu.ColumnSchema;
import org.apache.kudu.Schema;
import org.apache.kudu.Type;
import org.apache.kudu.client.KuduTable;
import org.apache.kudu.client.Operation;
import org.apache.kudu.client.PartialRow;

/// Values of keys as a user reads them. Times are in UTC.
public final class Keys {

  private static final long MICROS = 1_000_000;

  private Keys() {}

  /// The key of a row, such as `id = 7, day = 2026-01-01`.
  static String key(Operation operation) {
    Schema schema = operation.getRow().getSchema();
    return values(operation.getRow(), schema.getPrimaryKeyColumns());
  }

  /// The values by which a row belongs to a range.
  public static String range(KuduTable table, Operation operation) {
    return values(operation.getRow(), rangeColumns(table));
  }

  /// The columns that a table's ranges go by; empty if it has none.
  static List<ColumnSchema> rangeColumns(KuduTable table) {
    Schema schema = table.getSchema();
    return table.getPartitionSchema().getRangeSchema().getColumnIds().stream()
        .map(id -> schema.getColumnByIndex(schema.getColumnIndex(id)))
        .toList();
  }

  private static String values(PartialRow row, List<ColumnSchema> columns) {
    List<String> parts = new ArrayList<>();
    for (ColumnSchema column : columns) {
      int index = row.getSchema().getColumnIndex(column.getName());
      if (row.isSet(index)) {
        parts.add(column.getName() + " = " + value(row, index, column.getType()));
      }
    }
    return String.join(", ", parts);
  }

  private static String value(PartialRow row, int index, Type type) {
    return switch (type) {
      case UNIXTIME_MICROS -> shown(row.getLong(index), type);
      case BINARY -> "(bytes)";
      default -> String.valueOf(row.getObject(index));
    };
  }

  /// A value of a column that ranges can go by: microseconds or days since 1970, or a number.
  static String shown(long value, Type type) {
    return switch (type) {
      case UNIXTIME_MICROS -> {
        String text =
            LocalDateTime.ofEpochSecond(
                    Math.floorDiv(value, MICROS),
                    (int) Math.floorMod(value, MICROS) * 1_000,
                    ZoneOffset.UTC)
                .toString()
                .replace('T', ' ');
        yield text.length() == "2026-01-01 00:00".length() ? text + ":00" : text;
      }
      case DATE -> LocalDate.ofEpochDay(value).toString();
      default -> Long.toString(value);
    };
  }
}
