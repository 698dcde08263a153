package millrace.connectors.kudu.online;

import java.util.List;
import millrace.spi.Counters;
import org.apache.kudu.client.KuduMetrics;

/// How many calls Kudu's client has made again since what went wrong might pass. It tells nobody of
/// them: a write only takes longer.
///
/// They are the client's own count, of all clients of this process: it gives nobody the name under
/// which it counts. Whoever asks takes the difference since a run began, and a process has one run
/// at a time. A search or a sweep makes theirs one after the other, and closes each one's client
/// before the next begins; the one by which a search keeps its tables makes no call meanwhile.
final class ClientRetries implements Counters {

  private static final Alarm ALARM =
      new Alarm(
          0,
          "calls that Kudu's client made again by itself",
          "a server was down, moved or too busy, and the rows were held up until it took them");

  /// Has clients count from now on.
  static void count() {
    KuduMetrics.setEnabled(true);
  }

  @Override
  public Reading read() {
    long retries = Math.round(KuduMetrics.totalCount(KuduMetrics.RPC_RETRIES_METRIC));
    return new Reading(
        List.of(new Count("client", "rpc_retries", Scope.RUN, retries, ALARM)), List.of());
  }

  @Override
  public void close() {
    // Nothing is open.
  }
}
