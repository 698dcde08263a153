package millrace.connectors.postgres.write;

import java.sql.SQLException;
import millrace.connectors.postgres.codec.BinaryEncoder;
import millrace.connectors.postgres.load.LoadFaults;
import millrace.connectors.postgres.load.LoadPlan;
import millrace.connectors.postgres.net.PostgresFaults;
import millrace.connectors.postgres.net.Session;
import millrace.fault.Fault;
import millrace.spi.Stage;
import millrace.spi.write.WriteContext;
import org.jspecify.annotations.Nullable;
import org.postgresql.copy.CopyIn;

/// Sets aside the rows that the server refuses out of a COPY, and sends the others again, each
/// exactly once and in their order.
///
/// A COPY is taken whole or not at all, and each is tried behind a savepoint. If the server names
/// the line, the rows before it are sent, then that row by itself, then the rest in halves;
/// otherwise all is halved until single rows are left. What the server named is never believed
/// without trying: a row is refused only by itself. So a COPY of n rows with k bad ones takes about
/// k·log(n) more. One thread, the writer's.
public final class CopyRejectBisector {

  private static final String SAVEPOINT = "SAVEPOINT millrace_rows";
  private static final String RELEASE = "RELEASE SAVEPOINT millrace_rows";
  private static final String ROLL_BACK = "ROLLBACK TO SAVEPOINT millrace_rows";

  private final Session session;
  private final LoadPlan plan;
  private final WriteContext context;
  private final CopyReplayBuffer held;
  private String copySql = "";
  private boolean binary;
  private long taken;
  private int refused;

  public CopyRejectBisector(
      Session session, LoadPlan plan, WriteContext context, CopyReplayBuffer held) {
    this.session = session;
    this.plan = plan;
    this.context = context;
    this.held = held;
  }

  /// A COPY is about to begin in the transaction.
  public void begin(String statement, boolean inBinary) {
    copySql = statement;
    binary = inBinary;
    session.execute(SAVEPOINT);
  }

  /// The server has taken the COPY.
  public void end() {
    session.execute(RELEASE);
    held.clear();
  }

  /// Whether a failure is about a row of the COPY, so that there is something to be narrowed down.
  public static boolean isAboutRows(SQLException e) {
    return PostgresFaults.of(e) instanceof Fault.Data;
  }

  /// The COPY of all rows held has failed: sends the good ones, sets the bad ones aside.
  ///
  /// @throws SQLException what is no fault of a row
  /// @throws Fault.Data if no more may be set aside
  public void run(SQLException failure) throws SQLException {
    taken = 0;
    refused = 0;
    session.execute(ROLL_BACK);
    narrow(0, held.rows(), failure);
    end();
  }

  /// How many rows the server said that it took, since {@link #run}.
  public long taken() {
    return taken;
  }

  /// How many rows were set aside, since {@link #run}.
  public int refused() {
    return refused;
  }

  private void load(int from, int to) throws SQLException {
    if (from < to) {
      SQLException failure = tryOut(from, to);
      if (failure != null) {
        narrow(from, to, failure);
      }
    }
  }

  private void narrow(int from, int to, SQLException failure) throws SQLException {
    session.checkCancelled();
    if (to - from == 1) {
      refused++;
      context.clock().refused(1);
      context
          .rejects()
          .reject(
              held.reject(from, CopyRows.column(failure, plan), CopyRows.reason(failure, plan)));
      return;
    }
    int rest = from;
    long line = held.linesAreRows() ? CopyRows.line(failure, plan) : 0;
    if (line > 0 && line <= to - from) {
      int named = from + (int) line - 1;
      load(from, named);
      load(named, named + 1);
      rest = named + 1;
    }
    int middle = (rest + to) >>> 1;
    load(rest, middle);
    load(middle, to);
  }

  /// Sends rows in a COPY of their own.
  ///
  /// @return why the server refused them, or null if it took them
  private @Nullable SQLException tryOut(int from, int to) throws SQLException {
    context.clock().enter(Stage.SERVER_WAIT);
    try {
      CopyIn copy = session.copyIn(copySql);
      if (binary) {
        byte[] header = BinaryEncoder.header();
        copy.writeToCopy(header, 0, header.length);
      }
      held.send(from, to, copy::writeToCopy);
      if (binary) {
        byte[] trailer = BinaryEncoder.trailer();
        copy.writeToCopy(trailer, 0, trailer.length);
      }
      long rows = copy.endCopy();
      LoadFaults.checkTaken(rows, to - from, plan);
      taken += rows;
      session.execute(RELEASE);
      session.execute(SAVEPOINT);
      return null;
    } catch (SQLException e) {
      if (!isAboutRows(e)) {
        throw e;
      }
      session.execute(ROLL_BACK);
      return e;
    }
  }
}
