package millrace.connectors.sql.write;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import millrace.connectors.sql.SqlFaults;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TypeTable.Cell;
import millrace.connectors.sql.TypeTable.Setter;
import millrace.data.Batch;
import millrace.data.BytesVector;
import millrace.data.Columns;
import millrace.data.Frames;
import millrace.data.Vector;
import millrace.data.spelling.Spelling;
import millrace.fault.Fault;
import millrace.spi.Stage;
import millrace.spi.journal.Receipt;
import millrace.spi.read.Split;
import millrace.spi.write.RecoverableWriter;
import millrace.spi.write.Rejects;
import millrace.spi.write.WriteContext;
import org.jspecify.annotations.Nullable;

/// Inserts rows in batches, within the transaction of the load. What the database refuses is set
/// aside row by row, with its own reason.
final class SqlWriter implements RecoverableWriter {

  private static final int BATCH_ROWS = 1_000;
  private static final int VALUE_BYTES = 8;
  private static final String SPLIT = "millrace_split";
  private static final String BATCH = "millrace_batch";

  private final SqlLoad plan;
  private final SqlSession session;
  private final @Nullable StagedPlaces places;
  private final WriteContext context;
  private final PreparedStatement statement;
  private final List<Slot> slots;
  private final Setter[] setters;
  private final int[] nullTypes;
  private final boolean savepoints;
  private final TakenRows taken;
  private @Nullable Split split;
  private long rowsRead;
  private long rows;
  private long ignored;
  private long bytes;

  /// @param taken is told of each split that is written
  /// @param places where rows of a merge note where they stood; null of other loads
  SqlWriter(
      SqlLoad plan,
      SqlSession session,
      TakenRows taken,
      @Nullable StagedPlaces places,
      WriteContext context) {
    this.plan = plan;
    this.taken = taken;
    this.session = session;
    this.places = places;
    this.context = context;
    slots = plan.columns().slots();
    setters = new Setter[slots.size()];
    nullTypes = new int[slots.size()];
    for (int i = 0; i < setters.length; i++) {
      Cell cell = slots.get(i).cell(plan.dialect().types());
      setters[i] = cell.setter().apply(slots.get(i).type());
      nullTypes[i] = cell.nullType();
    }
    savepoints = plan.dialect().capabilities().savepoints();
    statement = session.run(connection -> connection.prepareStatement(plan.insert()));
  }

  @Override
  public void start(Split split) {
    this.split = split;
    rowsRead = 0;
    rows = 0;
    ignored = 0;
    bytes = 0;
    savepoint("SAVEPOINT " + SPLIT);
  }

  private void savepoint(String sql) {
    if (savepoints) {
      session.execute(sql);
    }
  }

  @Override
  public void write(Batch batch) {
    switch (batch) {
      case Columns columns -> {
        try {
          write(columns);
        } finally {
          columns.release();
        }
      }
      case Frames frames -> {
        frames.release();
        throw new Fault.Bug("SQL takes columns, not " + frames.form().name(), null);
      }
    }
  }

  private void write(Columns batch) {
    context.clock().enter(Stage.ENCODE);
    int[] good = new int[batch.rows()];
    int count = 0;
    long size = 0;
    long each =
        context.writeUnit() == null
            ? BATCH_ROWS
            : context.writeUnit().rows(batch.sourceBytes() / Math.max(1, batch.rows()));
    if (places != null) {
      places.start(current(), batch);
    }
    try {
      session.runs(statement);
      statement.clearBatch();
      for (int row = 0; row < batch.rows(); row++) {
        if (bound(batch, row, true)) {
          statement.addBatch();
          good[count++] = row;
          size += size(batch, row);
        }
        if (count == each || (row == batch.rows() - 1 && count > 0)) {
          flush(batch, good, count);
          count = 0;
        }
      }
    } catch (SQLException e) {
      throw session.fault(e);
    } finally {
      session.runs(null);
    }
    rowsRead += batch.rows();
    bytes += size;
    context.clock().sent(size);
  }

  /// Sets the parameters to a row. Returns false if it is bad, and was set aside.
  private boolean bound(Columns batch, int row, boolean tells) throws SQLException {
    for (int i = 0; i < setters.length; i++) {
      Vector vector = batch.vector(i);
      String wrong = null;
      if (!vector.nulls[row]) {
        wrong = setters[i].set(statement, i + 1, vector, row);
      } else if (slots.get(i).required()) {
        wrong = "has no value, and the target demands one";
      } else {
        statement.setNull(i + 1, nullTypes[i]);
      }
      if (wrong != null && tells) {
        Slot slot = slots.get(i);
        boolean isMissing = vector.nulls[row];
        reject(
            batch,
            row,
            slot.name(),
            isMissing ? wrong + "." : value(vector, slot, row) + " " + wrong + ".");
      }
      if (wrong != null) {
        return false;
      }
    }
    if (places != null) {
      places.set(statement, setters.length + 1, rowsRead, row);
    }
    return true;
  }

  private static String value(Vector vector, Slot slot, int row) {
    return SqlLoad.shown(Spelling.text(slot.type(), vector, row));
  }

  private void reject(Columns batch, int row, String column, String reason) {
    context.rejects().reject(Rejects.Reject.of(batch, row, column, reason));
    context.clock().refused(1);
  }

  private void flush(Columns batch, int[] good, int count) throws SQLException {
    context.clock().enter(Stage.SERVER_WAIT);
    SQLException why = execute();
    rows += count;
    if (why != null) {
      if (!savepoints) {
        throw session.fault(why);
      }
      RejectBisector.run(
          0,
          count,
          (from, to) -> from == 0 && to == count ? why : again(batch, good, (int) from, (int) to),
          (at, reason) -> {
            rows--;
            int row = good[(int) at];
            reject(batch, row, "", refusal(reason, batch, row));
          });
    }
    statement.clearBatch();
    context.clock().enter(Stage.ENCODE);
  }

  /// What the database says against a row, and the values that it may mean.
  private String refusal(SQLException reason, Columns batch, int row) {
    List<String> names = plan.columns().names();
    return plan.refusal(
        reason,
        name -> {
          int column = names.indexOf(name);
          return value(batch.vector(column), slots.get(column), row);
        });
  }

  private @Nullable SQLException again(Columns batch, int[] good, int from, int to) {
    try {
      statement.clearBatch();
      for (int i = from; i < to; i++) {
        if (!bound(batch, good[i], false)) {
          throw new Fault.Bug("a row that was good is bad now", null);
        }
        statement.addBatch();
      }
      return execute();
    } catch (SQLException e) {
      throw session.fault(e);
    }
  }

  /// Has the database take the batch, all of it or nothing. Returns why it refuses it as bad.
  private @Nullable SQLException execute() {
    savepoint("SAVEPOINT " + BATCH);
    session.runs(statement);
    try {
      int[] changes = statement.executeBatch();
      savepoint("RELEASE SAVEPOINT " + BATCH);
      ignore(changes);
      return null;
    } catch (SQLException e) {
      if (plan.dialect().faults().kind(e) != SqlFaults.Kind.DATA) {
        throw session.fault(e);
      }
      undo(BATCH);
      return e;
    }
  }

  /// A row that has changed nothing is one that the table's own rules leave out.
  private void ignore(int[] changes) {
    long none = Arrays.stream(changes).filter(rowsChanged -> rowsChanged == 0).count();
    ignored += none;
    rows -= none;
    context.clock().refused(none);
  }

  private void undo(String savepoint) {
    savepoint("ROLLBACK TO SAVEPOINT " + savepoint);
    savepoint("RELEASE SAVEPOINT " + savepoint);
  }

  private static long size(Columns batch, int row) {
    long size = 0;
    for (int i = 0; i < batch.schema().width(); i++) {
      size +=
          batch.vector(i) instanceof BytesVector texts
              ? texts.nulls[row] ? 0 : texts.ends[row] - texts.starts[row]
              : VALUE_BYTES;
    }
    return size;
  }

  @Override
  public Receipt finish() {
    savepoint("RELEASE SAVEPOINT " + SPLIT);
    if (places == null) {
      taken.add(rows, ignored);
    }
    Receipt receipt = new Receipt(current(), rows, bytes, false);
    split = null;
    return receipt;
  }

  private Split current() {
    Split started = split;
    if (started == null) {
      throw new Fault.Bug("rows before the start of a split", null);
    }
    return started;
  }

  @Override
  public void cancel() {
    session.cancel();
  }

  @Override
  public void close() {
    try {
      statement.close();
      if (split != null && savepoints && !session.isCancelled()) {
        undo(SPLIT);
      }
    } catch (SQLException e) {
      throw session.fault(e);
    }
  }

  /// Without savepoints, rows that were sent are in a transaction with all others.
  @Override
  public Leftover leftover(boolean committing) {
    return rows == 0 || (savepoints && !session.isCancelled()) ? Leftover.NOTHING : Leftover.ROWS;
  }
}
