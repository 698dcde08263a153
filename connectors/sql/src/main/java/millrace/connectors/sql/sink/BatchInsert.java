package millrace.connectors.sql.sink;

import java.sql.BatchUpdateException;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.stream.IntStream;
import millrace.connectors.sql.SqlFaults;
import millrace.connectors.sql.SqlSavepoint;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.plan.SqlLoad;
import millrace.connectors.sql.types.RowParameters;
import millrace.data.Columns;
import millrace.fault.Fault;
import millrace.spi.Stage;
import millrace.spi.read.Split;
import millrace.spi.write.WriteContext;
import org.jspecify.annotations.Nullable;

/// Inserts rows in batches. If the database refuses one, its bad rows are found and set aside with
/// its own reason: by halves, or one behind the other if a batch stops at the first.
public final class BatchInsert implements RowSink {

  private static final int BATCH_ROWS = 1_000;
  private static final String BATCH = "millrace_batch";

  private final SqlLoad plan;
  private final SqlSession session;
  private final RowBinder binder;
  private final WriteContext context;
  private final PreparedStatement statement;
  private final RowParameters parameters;
  private final SqlSavepoint savepoint;
  private boolean stops;

  /// @param binder hands the rows over, of which another sink may have set some aside
  /// @param binding how values are given to the statement
  public BatchInsert(LaneLoad lane, RowBinder binder, SqlInserts.Binding binding) {
    plan = lane.plan();
    session = lane.session();
    context = lane.context();
    savepoint = new SqlSavepoint(session, lane.savepoints(), BATCH);
    this.binder = binder;
    statement = session.run(connection -> connection.prepareStatement(plan.insert()));
    parameters = session.run(_ -> binding.of(statement));
  }

  @Override
  public Took take(Columns batch, Split split, long before) {
    binder.start(batch, split, before);
    return take(batch, IntStream.range(0, batch.rows()).toArray(), true);
  }

  /// Has the table take some rows of the batch that the binder was started with.
  ///
  /// @param reportsEach whether rows that can't be bound are set aside here; else they have been
  public Took take(Columns batch, int[] some, boolean reportsEach) {
    context.clock().enter(Stage.ENCODE);
    int[] good = new int[some.length];
    int count = 0;
    long each =
        context.writeUnit() == null
            ? BATCH_ROWS
            : context.writeUnit().rows(batch.sourceBytes() / Math.max(1, batch.rows()));
    long bytes = 0;
    Took took = Took.NOTHING;
    try {
      session.runs(statement);
      statement.clearBatch();
      for (int row : some) {
        if (binder.bind(batch, row, parameters, reportsEach)) {
          statement.addBatch();
          good[count++] = row;
          bytes += RowBinder.size(batch, row);
        }
        if (count == each) {
          took = took.plus(flush(batch, good, count));
          count = 0;
        }
      }
      if (count > 0) {
        took = took.plus(flush(batch, good, count));
      }
    } catch (SQLException e) {
      throw session.fault(e);
    } finally {
      session.runs(null);
    }
    context.clock().sent(bytes);
    return took.plus(new Took(0, 0, bytes, binder.takeEmpty()));
  }

  private Took flush(Columns batch, int[] good, int count) throws SQLException {
    context.clock().enter(Stage.SERVER_WAIT);
    long[] ignored = {0};
    long[] refused = {0};
    stops = IntStream.of(good).limit(count).allMatch(row -> isShort(batch, row));
    SQLException why = execute(ignored);
    if (why != null && stops) {
      refused[0] = resumeAfter(batch, good, count, why, ignored);
    } else if (why != null) {
      if (!savepoint.exists()) {
        throw session.fault(why);
      }
      RejectBisector.run(
          0,
          count,
          (from, to) ->
              from == 0 && to == count ? why : again(batch, good, (int) from, (int) to, ignored),
          (at, reason) -> {
            refused[0]++;
            binder.refuse(batch, good[(int) at], reason);
          });
    }
    statement.clearBatch();
    context.clock().refused(ignored[0]);
    context.clock().enter(Stage.ENCODE);
    return new Took(count - refused[0] - ignored[0], ignored[0], 0);
  }

  /// Whether a batch with that row stops at a bad one.
  private boolean isShort(Columns batch, int row) {
    int most = plan.dialect().capabilities().stopBytesMax();
    return most > 0 && RowBinder.longest(batch, row) <= most;
  }

  /// The rows before one that is refused are in the table: those behind it follow.
  ///
  /// @return how many are refused
  private long resumeAfter(
      Columns batch, int[] good, int count, SQLException first, long[] ignored) {
    long refused = 0;
    int from = 0;
    for (SQLException why = first; why != null; refused++) {
      int at = from + taken(why, count - from);
      binder.refuse(batch, good[at], why);
      from = at + 1;
      why = from == count ? null : again(batch, good, from, count, ignored);
    }
    return refused;
  }

  /// How many rows of a batch came before the one that is refused.
  private int taken(SQLException why, int count) {
    int taken = why instanceof BatchUpdateException batch ? batch.getUpdateCounts().length : -1;
    if (taken < 0 || taken >= count) {
      throw session.fault(why);
    }
    return taken;
  }

  private @Nullable SQLException again(
      Columns batch, int[] good, int from, int to, long[] ignored) {
    try {
      statement.clearBatch();
      for (int i = from; i < to; i++) {
        if (!binder.bind(batch, good[i], parameters, false)) {
          throw new Fault.Bug("a row that was good is bad now", null);
        }
        statement.addBatch();
      }
      return execute(ignored);
    } catch (SQLException e) {
      throw session.fault(e);
    }
  }

  /// Has the database take the batch: all of it or nothing, or what comes before a bad row. Returns
  /// why it refuses that.
  ///
  /// @param ignored gets how many rows have changed nothing: the table's own rules leave them out
  private @Nullable SQLException execute(long[] ignored) {
    if (!stops) {
      savepoint.set();
    }
    session.runs(statement);
    try {
      int[] changes = statement.executeBatch();
      if (!stops) {
        savepoint.release();
      }
      ignored[0] += Arrays.stream(changes).filter(changed -> changed == 0).count();
      return null;
    } catch (SQLException e) {
      if (plan.dialect().faults().kind(e) != SqlFaults.Kind.DATA) {
        throw session.fault(e);
      }
      if (!stops) {
        savepoint.undo();
      }
      return e;
    }
  }

  @Override
  public void close() {
    try {
      statement.close();
    } catch (SQLException e) {
      throw session.fault(e);
    }
  }
}
