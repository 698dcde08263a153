package millrace.connectors.kudu.write;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import org.apache.kudu.ColumnSchema;
import org.apache.kudu.client.AsyncKuduScanner.ReadMode;
import org.apache.kudu.client.KuduClient;
import org.apache.kudu.client.KuduException;
import org.apache.kudu.client.KuduPredicate;
import org.apache.kudu.client.KuduScanner;
import org.apache.kudu.client.KuduTable;
import org.apache.kudu.client.Operation;
import org.apache.kudu.client.PartialRow;
import org.apache.kudu.client.RowResult;
import org.apache.kudu.client.RowResultIterator;
import org.jspecify.annotations.Nullable;

/// Tells whether a row that is written for the second time is there already, with the same values:
/// then it was this run that wrote it, or another row that nobody could tell from it.
final class RowCompare {

  private static final int TRIES_MAX = 40;
  private static final long WAIT_NANOS = 50_000_000;

  private final KuduClient client;
  private final KuduTable table;

  RowCompare(KuduClient client, KuduTable table) {
    this.client = client;
    this.table = table;
  }

  /// A row that has just been written may be refused as present before scans show it: it is waited
  /// for a little.
  boolean isThere(Operation operation) throws KuduException {
    for (int tries = 0; ; tries++) {
      Boolean same = compare(operation);
      if (same != null || tries == TRIES_MAX) {
        return Boolean.TRUE.equals(same);
      }
      LockSupport.parkNanos(WAIT_NANOS);
    }
  }

  /// Null if there is no such row.
  private @Nullable Boolean compare(Operation operation) throws KuduException {
    PartialRow wanted = operation.getRow();
    List<ColumnSchema> columns = table.getSchema().getColumns();
    KuduScanner.KuduScannerBuilder builder =
        client.newScannerBuilder(table).readMode(ReadMode.READ_LATEST);
    for (ColumnSchema key : table.getSchema().getPrimaryKeyColumns()) {
      builder.addPredicate(
          KuduPredicate.newComparisonPredicate(
              key, KuduPredicate.ComparisonOp.EQUAL, wanted.getObject(key.getName())));
    }
    KuduScanner scanner = builder.build();
    while (scanner.hasMoreRows()) {
      RowResultIterator rows = scanner.nextRows();
      if (rows.hasNext()) {
        return isSame(wanted, rows.next(), columns);
      }
    }
    return null;
  }

  private static boolean isSame(PartialRow wanted, RowResult found, List<ColumnSchema> columns) {
    for (int i = 0; i < columns.size(); i++) {
      if (wanted.isSet(i)) {
        Object mine = wanted.isNull(i) ? null : wanted.getObject(i);
        Object there = found.isNull(i) ? null : found.getObject(i);
        if (!Objects.deepEquals(mine, there)) {
          return false;
        }
      }
    }
    return true;
  }
}
