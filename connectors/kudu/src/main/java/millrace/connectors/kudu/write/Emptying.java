package millrace.connectors.kudu.write;

import java.util.List;
import java.util.stream.IntStream;
import millrace.connectors.kudu.Calls;
import millrace.connectors.kudu.KuduFaults;
import org.apache.kudu.ColumnSchema;
import org.apache.kudu.client.Delete;
import org.apache.kudu.client.KuduClient;
import org.apache.kudu.client.KuduException;
import org.apache.kudu.client.KuduScanner;
import org.apache.kudu.client.KuduSession;
import org.apache.kudu.client.KuduTable;
import org.apache.kudu.client.OperationResponse;
import org.apache.kudu.client.RowResult;
import org.apache.kudu.client.SessionConfiguration.FlushMode;

/// Deletes all rows of a table: Kudu has no statement for it.
final class Emptying {

  private static final int ROWS_AT_ONCE = 10_000;

  private final KuduClient client;
  private final KuduTable table;
  private final Calls calls;

  Emptying(KuduClient client, KuduTable table, Calls calls) {
    this.client = client;
    this.table = table;
    this.calls = calls;
  }

  void run() {
    calls.get(() -> {
      delete();
      return true;
    });
  }

  private void delete() throws KuduException {
    int width = table.getSchema().getPrimaryKeyColumnCount();
    KuduScanner scanner =
        client
            .newScannerBuilder(table)
            .setProjectedColumnIndexes(IntStream.range(0, width).boxed().toList())
            .build();
    KuduSession session = client.newSession();
    session.setFlushMode(FlushMode.MANUAL_FLUSH);
    session.setMutationBufferSpace(ROWS_AT_ONCE + 1, 64 << 20);
    int pending = 0;
    while (scanner.hasMoreRows()) {
      for (RowResult row : scanner.nextRows()) {
        Delete delete = table.newDelete();
        for (int i = 0; i < width; i++) {
          delete.getRow().addObject(i, row.getObject(i));
        }
        session.apply(delete);
        if (++pending == ROWS_AT_ONCE) {
          check(session.flush());
          pending = 0;
        }
      }
    }
    check(session.close());
  }

  private void check(List<OperationResponse> responses) {
    for (OperationResponse response : responses) {
      if (response.hasRowError()) {
        throw KuduFaults.of(response.getRowError().getErrorStatus(), table.getName(), null);
      }
    }
  }

  /// Names of the key's columns, for messages.
  static List<String> key(KuduTable table) {
    return table.getSchema().getPrimaryKeyColumns().stream().map(ColumnSchema::getName).toList();
  }
}
