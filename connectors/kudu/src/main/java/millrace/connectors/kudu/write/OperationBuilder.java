package millrace.connectors.kudu.write;

import java.util.List;
import millrace.data.BytesVector;
import millrace.data.Column;
import millrace.data.Columns;
import millrace.data.Schema;
import millrace.data.Vector;
import org.apache.kudu.client.KuduTable;
import org.apache.kudu.client.Operation;
import org.apache.kudu.client.PartialRow;
import org.jspecify.annotations.Nullable;

/// Makes operations of rows. One thread.
final class OperationBuilder {

  private static final int VALUE_BYTES = 8;

  private final KuduTable table;
  private final TableOptions.Operation kind;
  private final int[] positions;
  private final CellWriter[] puts;
  private final boolean[] nullable;
  private long bytes;
  private String badColumn = "";
  private String wrong = "";

  /// @param schema the columns that come, under the names that they have in the table
  OperationBuilder(KuduTable table, Schema schema, TableOptions.Operation kind) {
    this.table = table;
    this.kind = kind;
    positions = new int[schema.width()];
    puts = new CellWriter[schema.width()];
    nullable = new boolean[schema.width()];
    List<Column> columns = schema.columns();
    for (int i = 0; i < positions.length; i++) {
      positions[i] = table.getSchema().getColumnIndex(columns.get(i).name());
      puts[i] =
          CellWriter.of(table.getSchema().getColumnByIndex(positions[i]), columns.get(i).type());
      nullable[i] = table.getSchema().getColumnByIndex(positions[i]).isNullable();
    }
  }

  /// The operation that writes a row; null if a value is bad, which {@link #badColumn} and {@link
  /// #wrong} tell.
  @Nullable Operation make(Columns batch, int at) {
    Operation operation =
        switch (kind) {
          case INSERT -> table.newInsert();
          case INSERT_IGNORE -> table.newInsertIgnore();
          case UPSERT -> table.newUpsert();
        };
    PartialRow row = operation.getRow();
    bytes = 0;
    for (int i = 0; i < puts.length; i++) {
      Vector from = batch.vector(i);
      if (from.nulls[at]) {
        if (!nullable[i]) {
          return bad(batch, i, "it may not be missing");
        }
        row.setNull(positions[i]);
        continue;
      }
      String why = puts[i].put(row, positions[i], from, at);
      if (why != null) {
        return bad(batch, i, why);
      }
      bytes += from instanceof BytesVector text ? text.ends[at] - text.starts[at] : VALUE_BYTES;
    }
    return operation;
  }

  private @Nullable Operation bad(Columns batch, int column, String why) {
    badColumn = batch.schema().column(column).name();
    wrong = why;
    return null;
  }

  /// About how many bytes of values the row has that was made last.
  long bytes() {
    return bytes;
  }

  /// The column of the row that was refused last.
  String badColumn() {
    return badColumn;
  }

  /// What is wrong there, as the end of a sentence.
  String wrong() {
    return wrong;
  }
}
