package millrace.connectors.kudu.write;

import java.util.ArrayList;
import java.util.List;
import millrace.connectors.kudu.KuduCalls;
import millrace.connectors.kudu.KuduCluster;
import org.apache.kudu.ColumnSchema;
import org.apache.kudu.Schema;
import org.apache.kudu.Type;
import org.apache.kudu.client.KuduTable;
import org.apache.kudu.client.PartialRow;
import org.apache.kudu.client.Partition;

/// What the user should know of a table before rows go into it: what makes Kudu slow, and what it
/// refuses (https://kudu.apache.org/docs/known_issues.html, schema_design.html).
final class Warnings {

  private static final int COLUMNS_MAX = 300;
  private static final int TABLETS_MAX = 60;
  private static final int CELL_MAX = 65_536;

  private Warnings() {}

  /// Of a table that is to be made.
  ///
  /// @param servers how many tablet servers there are
  static List<String> of(TableLayout table, int servers) {
    List<String> notes = new ArrayList<>();
    keyOrder(table.schema(), notes);
    boolean growsInOnePlace =
        !table.ranges().isEmpty()
            && table.hashes().isEmpty()
            && table.ranges().getLast().hashes().isEmpty()
            && table.ranges().getLast().column().getType() == Type.UNIXTIME_MICROS;
    if (growsInOnePlace) {
      notes.add(
          "Ranges of time alone send all new rows to one tablet: add hash(…) to --partition-by.");
    }
    long perServer = table.tablets() * table.replicas() / Math.max(1, servers);
    if (perServer > TABLETS_MAX) {
      notes.add(
          "The table has "
              + perServer
              + " tablets on each server; Kudu advises at most "
              + TABLETS_MAX
              + ". Wider ranges or fewer buckets make fewer.");
    }
    if (table.schema().getColumnCount() > COLUMNS_MAX) {
      notes.add(
          "The table has "
              + table.schema().getColumnCount()
              + " columns; servers refuse more than "
              + COLUMNS_MAX
              + " unless --max_num_columns says otherwise.");
    }
    return notes;
  }

  /// Of columns whose values may be longer than servers take.
  static List<String> cells(millrace.data.Schema incoming) {
    return incoming.columns().stream()
        .filter(column ->
            column.type() instanceof millrace.data.Type.Text text && text.lengthMax() > CELL_MAX)
        .map(column ->
            "Values of "
                + column.name()
                + " may be longer than 64 KiB, which servers refuse unless"
                + " --max_cell_size_bytes says otherwise.")
        .toList();
  }

  /// What the place of the time in the key costs.
  private static void keyOrder(Schema schema, List<String> notes) {
    List<ColumnSchema> key = schema.getPrimaryKeyColumns();
    for (int i = 0; i < key.size() && key.size() > 1; i++) {
      if (key.get(i).getType() == Type.UNIXTIME_MICROS) {
        notes.add(
            i == 0
                ? "The key begins with the time: rows that come in its order are cheap to write,"
                    + " and to read those of one "
                    + key.get(1).getName()
                    + " all of them are read."
                : "The key begins with "
                    + key.getFirst().getName()
                    + ": its rows are cheap to read, and the servers sort rows that come in the"
                    + " order of time.");
        return;
      }
    }
  }

  /// Of a table that is there: where its ranges of time end.
  static List<String> of(KuduTable table, KuduCluster cluster, KuduCalls calls) {
    List<ColumnSchema> columns = Keys.rangeColumns(table);
    if (columns.size() != 1 || columns.getFirst().getType() != Type.UNIXTIME_MICROS) {
      return List.of();
    }
    ColumnSchema column = columns.getFirst();
    List<Partition> ranges = Ranges.list(table, cluster, calls);
    if (ranges.isEmpty()) {
      return List.of("The table has no range yet: all rows are refused.");
    }
    PartialRow end =
        ranges.getLast().getRangeKeyEnd().length == 0
            ? null
            : ranges.getLast().getDecodedRangeKeyEnd(table);
    return end == null
        ? List.of()
        : List.of(
            "Its ranges of "
                + column.getName()
                + " end at "
                + Keys.shown(end.getLong(column.getName()), column.getType())
                + ": later rows are refused unless --partition-by says how wide ranges are to be"
                + " made.");
  }
}
