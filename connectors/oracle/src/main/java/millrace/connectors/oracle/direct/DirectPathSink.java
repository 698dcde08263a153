package millrace.connectors.oracle.direct;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Locale;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.sink.LaneLoad;
import millrace.connectors.sql.sink.RowBinder;
import millrace.connectors.sql.sink.RowSink;
import millrace.connectors.sql.types.RowParameters;
import millrace.connectors.sql.types.StatementParameters;
import millrace.data.Columns;
import millrace.fault.Fault;
import millrace.spi.Stage;
import millrace.spi.journal.Receipt;
import millrace.spi.read.Split;
import millrace.spi.write.WriteContext;
import org.jspecify.annotations.Nullable;

/// Sends rows by direct path. Values are checked before they are handed over: what the server does
/// with others is its own affair. One thread.
final class DirectPathSink implements RowSink {

  /// The driver sends longer values as streams.
  private static final int INSERTED_BYTES_MAX = 32_766;

  /// So much is held until the end of a transaction, if all of it has to be sent at once. The
  /// driver does not part a stream's array if a column's values change the way that they are sent
  /// in, as they do at a length above this that it does not tell: it loaded others of them.
  private static final int STREAMED_BYTES_MAX = 4_000;

  private static final long HELD_BYTES_MAX = 128L << 20;

  private final DirectPath load;
  private final StreamIntents announcements;
  private final LaneLoad lane;
  private final SqlSession session;
  private final RowBinder binder;
  private final WriteContext context;
  private @Nullable PreparedStatement stream;

  /// What takes rows since the server lets none in directly.
  private @Nullable RowSink inserts;

  private boolean tried;
  private long held;

  /// Rows that have not been sent.
  private long waiting;

  DirectPathSink(DirectPath load, StreamIntents announcements, LaneLoad lane) {
    this.load = load;
    this.announcements = announcements;
    this.lane = lane;
    session = lane.session();
    context = lane.context();
    binder = lane.binder(load.types());
  }

  @Override
  public Took take(Columns batch, Split split, long before) {
    if (load.isLeftOpen() && inserts == null && !tried && !letsIn(batch, split, before)) {
      close();
      inserts = load.inserts().sink(lane);
    }
    return inserts == null
        ? takeDirectly(batch, split, before)
        : inserts.take(batch, split, before);
  }

  /// Whether the server lets a row in directly: it may have rules that the user does not see, such
  /// as triggers of others and policies (VPD). Nothing else is in the transaction yet, so that all
  /// of it is undone.
  private boolean letsIn(Columns batch, Split split, long before) {
    binder.start(batch, split, before);
    try {
      PreparedStatement open = opened();
      for (int row = 0; !tried && row < batch.rows(); row++) {
        tried = binder.bind(batch, row, parameters(open), false);
      }
      if (tried) {
        open.addBatch();
        send(open);
      }
    } catch (SQLException e) {
      Fault fault = fault(e);
      if (fault instanceof Fault.Transient || fault instanceof Fault.Cancelled) {
        throw fault;
      }
      load.refused().set(fault.clause().replaceFirst("^.*?: (?=ORA-)", ""));
    }
    return session.run(connection -> {
      connection.rollback();
      return load.refused().get() == null;
    });
  }

  private Took takeDirectly(Columns batch, Split split, long before) {
    context.clock().enter(Stage.ENCODE);
    binder.start(batch, split, before);
    long count = 0;
    long bytes = 0;
    try {
      PreparedStatement open = opened();
      RowParameters parameters = parameters(open);
      for (int row = 0; row < batch.rows(); row++) {
        checkSize(batch, row);
        if (binder.bind(batch, row, parameters, true)) {
          open.addBatch();
          count++;
          bytes += RowBinder.size(batch, row);
          held += RowBinder.size(batch, row);
          waiting++;
        }
      }
      if (load.isStream()) {
        sendWaiting(open);
      }
    } catch (SQLException e) {
      throw fault(e);
    } finally {
      context.clock().enter(Stage.ENCODE);
    }
    if (held > HELD_BYTES_MAX) {
      throw new Fault.User(
          "A direct insert holds all rows until they are committed, and the source says nowhere"
              + " that they can be: "
              + (held >> 20)
              + " MB are waiting.",
          "Use another --method.");
    }
    context.clock().sent(bytes);
    return new Took(count, 0, bytes, binder.takeEmpty());
  }

  /// A batch of direct inserts is one statement only if no column's values change the way that they
  /// are sent in, as bytes do for longer texts; a second one the server refuses (ORA-12838).
  private RowParameters parameters(PreparedStatement open) throws SQLException {
    return load.isStream() ? load.inserts().binding().of(open) : StatementParameters.of(open);
  }

  private void checkSize(Columns batch, int row) {
    int most = load.isStream() ? STREAMED_BYTES_MAX : INSERTED_BYTES_MAX;
    int longest = RowBinder.longest(batch, row);
    if (longest > most) {
      throw new Fault.User(
          String.format(
              Locale.ROOT,
              "%s takes no value of more than %d bytes, and one here has %d.",
              load.isStream() ? "A stream" : "A direct insert",
              most,
              longest),
          "Use --method normal.");
    }
  }

  private PreparedStatement opened() {
    PreparedStatement open = stream;
    if (open == null) {
      open = session.run(connection -> load.open(connection, lane.plan(), lane.filled()));
      stream = open;
    }
    return open;
  }

  private void sendWaiting(PreparedStatement open) throws SQLException {
    if (waiting > 0) {
      send(open);
    }
  }

  private void send(PreparedStatement open) throws SQLException {
    context.clock().enter(Stage.SERVER_WAIT);
    session.runs(open);
    try {
      open.executeBatch();
    } finally {
      session.runs(null);
    }
    held = 0;
    waiting = 0;
  }

  @Override
  public boolean sharesCommits() {
    return false;
  }

  /// A stream is there at its own commit: it is announced before, and its receipt follows.
  @Override
  public void commit(Receipt receipt, Runnable transaction) {
    if (stream == null) {
      transaction.run();
    } else if (load.isStream()) {
      announcements.during(receipt, this::end, transaction);
    } else {
      end();
      transaction.run();
    }
  }

  /// Sends what is held back, and commits what is streamed.
  private void end() {
    PreparedStatement open = opened();
    try {
      sendWaiting(open);
      if (load.isStream()) {
        session.run(connection -> {
          connection.commit();
          return true;
        });
      }
      stream = null;
      open.close();
    } catch (SQLException e) {
      throw fault(e);
    }
  }

  /// What the server finds wrong with one of many rows, it does not say of which.
  private Fault fault(SQLException e) {
    Fault fault = session.fault(e);
    return fault instanceof Fault.Data && fault.advice().isEmpty()
        ? new Fault.Data(
            String.valueOf(fault.getMessage()),
            "Direct path does not tell which row it is. --method normal names it, or sets it"
                + " aside.",
            null)
        : fault;
  }

  /// What was not ended is lost, as it has to be.
  @Override
  public void close() {
    try (PreparedStatement open = stream;
        RowSink _ = inserts) {
      stream = null;
      if (open != null) {
        open.clearBatch();
      }
    } catch (SQLException e) {
      throw session.fault(e);
    }
  }
}
