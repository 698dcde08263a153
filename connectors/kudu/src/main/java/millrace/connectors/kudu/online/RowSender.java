package millrace.connectors.kudu.online;

import java.util.List;
import java.util.function.IntFunction;
import millrace.connectors.kudu.KuduCalls;
import millrace.connectors.kudu.KuduFaults;
import millrace.connectors.kudu.write.Keys;
import millrace.fault.Fault;
import org.apache.kudu.client.Delete;
import org.apache.kudu.client.KuduClient;
import org.apache.kudu.client.KuduSession;
import org.apache.kudu.client.KuduTable;
import org.apache.kudu.client.Operation;
import org.apache.kudu.client.OperationResponse;
import org.apache.kudu.client.RowError;
import org.apache.kudu.client.SessionConfiguration.FlushMode;
import org.apache.kudu.client.Status;

/// Sends operations by a session of its own, and looks at each answer. One thread.
final class RowSender implements AutoCloseable {

  private static final int FLUSH_ROWS = 10_000;
  private static final long BUFFER_BYTES = 64L << 20;

  private final String cluster;
  private final KuduSession session;
  private final KuduCalls calls;

  /// @param cluster how tables are named in faults, up to the table's own name
  /// @param calls may be cancelled by other threads
  RowSender(KuduClient client, String cluster, KuduCalls calls) {
    this.cluster = cluster;
    this.calls = calls;
    session = client.newSession();
    session.setFlushMode(FlushMode.MANUAL_FLUSH);
    // Above what is flushed: a full buffer would refuse rows.
    session.setMutationBufferSpace(FLUSH_ROWS + 1, BUFFER_BYTES);
  }

  /// Sends operations on one table, which are durable when it returns. It may be repeated after it
  /// has failed.
  ///
  /// @param make makes each, from 0 on
  /// @throws Fault if any was refused for another reason than that it was done before
  void send(KuduTable table, int count, IntFunction<Operation> make) {
    for (int from = 0; from < count; from += FLUSH_ROWS) {
      int start = from;
      int end = Math.min(count, from + FLUSH_ROWS);
      List<OperationResponse> responses =
          calls.get(() -> {
            for (int i = start; i < end; i++) {
              session.apply(make.apply(i));
            }
            return session.flush();
          });
      if (responses.size() != end - start) {
        throw new Fault.Bug(
            responses.size() + " answers for " + (end - start) + " rows of " + table.getName(),
            null);
      }
      for (OperationResponse response : responses) {
        if (response.hasRowError()) {
          check(table, response.getRowError());
        }
      }
    }
  }

  private void check(KuduTable table, RowError error) {
    Status status = error.getErrorStatus();
    Operation operation = error.getOperation();
    boolean gone = status.isNotFound() && operation instanceof Delete;
    if (status.isAlreadyPresent() || gone) {
      return;
    }
    String label = cluster + table.getName();
    if (status.isNotFound()
        && !table.getPartitionSchema().getRangeSchema().getColumnIds().isEmpty()) {
      throw new Fault.User(
          label + ": no range partition covers " + Keys.range(table, operation) + ".",
          "Ranges are made before their rows are written; how far ahead, the job says.");
    }
    throw KuduFaults.of(status, label, null);
  }

  @Override
  public void close() {
    KuduCalls.end(session);
  }
}
