package millrace.connectors.kudu.write;

import java.util.List;
import java.util.stream.IntStream;
import millrace.connectors.kudu.KuduCalls;
import millrace.connectors.kudu.KuduCluster;
import millrace.connectors.kudu.KuduFaults;
import org.apache.kudu.client.AlterTableOptions;
import org.apache.kudu.client.Delete;
import org.apache.kudu.client.KuduClient;
import org.apache.kudu.client.KuduException;
import org.apache.kudu.client.KuduScanner;
import org.apache.kudu.client.KuduSession;
import org.apache.kudu.client.KuduTable;
import org.apache.kudu.client.OperationResponse;
import org.apache.kudu.client.PartialRow;
import org.apache.kudu.client.Partition;
import org.apache.kudu.client.PartitionSchema;
import org.apache.kudu.client.RowResult;
import org.apache.kudu.client.SessionConfiguration.FlushMode;

/// Removes all rows of a table, for which Kudu has no statement: its range partitions are dropped
/// and made again, or each row is deleted.
final class Truncate {

  private static final int ROWS_AT_ONCE = 10_000;

  private final KuduCluster cluster;
  private final KuduClient client;
  private final KuduTable table;
  private final KuduCalls calls;

  Truncate(KuduCluster cluster, KuduTable table, KuduCalls calls) {
    this.cluster = cluster;
    client = cluster.client();
    this.table = table;
    this.calls = calls;
  }

  /// Whether a table has ranges that can be made again as they are.
  static boolean dropsRanges(KuduTable table) {
    PartitionSchema partitions = table.getPartitionSchema();
    return !partitions.getRangeSchema().getColumnIds().isEmpty()
        && partitions.getRangesWithHashSchemas().isEmpty();
  }

  void run() {
    if (dropsRanges(table)) {
      makeRangesAgain();
      return;
    }
    calls.get(() -> {
      delete();
      return true;
    });
  }

  /// In one step of the master's.
  private void makeRangesAgain() {
    List<Partition> ranges = Ranges.list(table, cluster, calls);
    if (ranges.isEmpty()) {
      return;
    }
    AlterTableOptions alter = new AlterTableOptions();
    ranges.forEach(each -> alter.dropRangePartition(start(each), end(each)));
    ranges.forEach(each -> alter.addRangePartition(start(each), end(each)));
    calls.get(() -> client.alterTable(table.getName(), alter));
  }

  private PartialRow start(Partition range) {
    return range.getRangeKeyStart().length == 0
        ? table.getSchema().newPartialRow()
        : range.getDecodedRangeKeyStart(table);
  }

  private PartialRow end(Partition range) {
    return range.getRangeKeyEnd().length == 0
        ? table.getSchema().newPartialRow()
        : range.getDecodedRangeKeyEnd(table);
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
}
