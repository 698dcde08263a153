package millrace.connectors.kudu.online;

import java.util.List;
import millrace.spi.online.OnlineStore.Dirty;
import millrace.spi.online.OnlineStore.RowWriter;
import millrace.spi.online.Readings;
import org.apache.kudu.client.Operation;

/// Makes rows into the client's operations, and leaves it at that. One thread.
final class OperationEncoder implements RowWriter {

  private final ReadingTable table;

  /// The operations of the last write, as a session would hold them.
  private Operation[] operations = {};

  OperationEncoder(ReadingTable table) {
    this.table = table;
  }

  @Override
  public void write(String name, Readings rows, List<Dirty> marks) {
    operations = new Operation[rows.rows()];
    for (int i = 0; i < operations.length; i++) {
      operations[i] = table.insertIgnore(rows, i);
    }
  }

  /// How many operations the last write made.
  int size() {
    return operations.length;
  }

  @Override
  public void close() {
    operations = new Operation[0];
  }
}
