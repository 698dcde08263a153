package millrace.connectors.oracle;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import millrace.io.Wire;
import millrace.spi.Counters.Count;
import millrace.spi.Counters.Scope;
import oracle.jdbc.DatabaseFunction;
import oracle.jdbc.OracleConnection;
import oracle.jdbc.TraceEventListener;
import oracle.jdbc.internal.NetStat;
import org.jspecify.annotations.Nullable;

/// What the driver says that the connections of one end do. No right is needed for it. Any thread.
final class DriverCounts {

  private static final String INSERTS = "inserts";

  private final Wire wire = new Wire();
  private final LongAdder executes = new LongAdder();
  private final LongAdder rows = new LongAdder();
  private final LongAdder lobCalls = new LongAdder();

  /// The counters: those of {@link Wire}, `executes` and `rows` of inserts (the driver sends a
  /// batch in several executes if its binds change), and `lob_calls` for LOBs that did not come
  /// with their rows.
  List<Count> counts() {
    List<Count> counts = new ArrayList<>(wire.counts());
    counts.add(new Count(INSERTS, "executes", Scope.RUN, executes.sum()));
    counts.add(new Count(INSERTS, "rows", Scope.RUN, rows.sum()));
    counts.add(new Count("lobs", "lob_calls", Scope.RUN, lobCalls.sum()));
    return counts;
  }

  /// One that is about to be opened.
  Line line() {
    return new Line();
  }

  /// One connection, whose thread the driver tells of each round trip.
  final class Line implements TraceEventListener {

    private volatile long sinceNanos;
    private @Nullable NetStat bytes;
    private long sent;
    private long received;

    /// The connection is open: its bytes count from now on, those of the log-on included.
    void opened(OracleConnection connection) {
      if (connection instanceof oracle.jdbc.internal.OracleConnection open) {
        bytes = open.getNetworkStat();
      }
    }

    @Override
    public @Nullable Object roundTrip(
        Sequence sequence, TraceContext context, @Nullable Object traceId) {
      if (sequence == Sequence.BEFORE) {
        sinceNanos = System.nanoTime();
        return null;
      }
      wire.answered(System.nanoTime() - sinceNanos);
      DatabaseFunction function = context.databaseFunction();
      if (function == DatabaseFunction.EXECUTE_QUERY) {
        wire.called();
        if (isOfRows(context.originalSqlText())) {
          executes.increment();
          rows.add(context.getNumRows());
        }
      } else if (function == DatabaseFunction.DIRECT_PATH_LOAD_STREAM) {
        wire.called();
      } else if (function == DatabaseFunction.LOB_FILE_CALL) {
        lobCalls.increment();
      }
      NetStat now = bytes;
      if (now != null) {
        long sentBefore = sent;
        long receivedBefore = received;
        sent = now.getTotalBytesSent();
        received = now.getTotalBytesReceived();
        wire.messageSent(sent - sentBefore);
        wire.answerReceived(received - receivedBefore);
      }
      return null;
    }
  }

  /// Whether rows of the copy are inserted, and not what the journal notes of them.
  private static boolean isOfRows(@Nullable String sql) {
    return sql != null
        && sql.startsWith("INSERT ")
        && sql.contains(" VALUES (")
        && !sql.contains("MILLRACE_JOURNAL")
        && !sql.contains("MILLRACE_LOCK");
  }
}
