package millrace.connectors.sql.write;

import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.Statements.Savepoints;
import millrace.connectors.sql.sink.LaneLoad;
import millrace.connectors.sql.sink.RowSink;
import millrace.connectors.sql.sink.SqlInserts;
import millrace.data.Batch;
import millrace.data.Columns;
import millrace.data.Frames;
import millrace.fault.Fault;
import millrace.spi.journal.Receipt;
import millrace.spi.read.Split;
import millrace.spi.write.RecoverableWriter;
import millrace.spi.write.WriteContext;
import org.jspecify.annotations.Nullable;

/// Writes splits within the one transaction of the load; one that fails is undone.
final class SqlWriter implements RecoverableWriter {

  private static final String SPLIT = "millrace_split";

  private final SqlSession session;
  private final RowSink sink;
  private final Savepoints savepoints;
  private final @Nullable TakenRows taken;
  private final EmptyTextCounter empty;
  private @Nullable Split split;
  private long rowsRead;
  private boolean sent;
  private RowSink.Took took = RowSink.Took.NOTHING;

  /// @param taken is told of each split that is written
  /// @param places where rows of a merge note where they stood; null of other loads
  SqlWriter(
      SqlLoad plan,
      SqlSession session,
      TakenRows taken,
      @Nullable StagedPlaces places,
      WriteContext context) {
    this.session = session;
    this.taken = places == null ? taken : null;
    empty = taken.empty();
    savepoints = plan.dialect().statements().savepoints();
    sink = SqlInserts.BY_ALL.sink(new LaneLoad(plan, null, session, places, true, context));
  }

  @Override
  public void start(Split next) {
    split = next;
    rowsRead = 0;
    sent = false;
    took = RowSink.Took.NOTHING;
    session.setSavepoint(savepoints, SPLIT);
  }

  @Override
  public void write(Batch batch) {
    Columns columns = columns(batch);
    sent = true;
    try {
      took = took.plus(sink.take(columns, current(), rowsRead));
      rowsRead += columns.rows();
    } finally {
      columns.release();
    }
  }

  /// The batch as columns, which is all that SQL takes.
  static Columns columns(Batch batch) {
    return switch (batch) {
      case Columns columns -> columns;
      case Frames frames -> {
        frames.release();
        throw new Fault.Bug("SQL takes columns, not " + frames.form().name(), null);
      }
    };
  }

  @Override
  public Receipt finish() {
    session.releaseSavepoint(savepoints, SPLIT);
    if (taken != null) {
      taken.add(took.rows(), took.ignored());
    }
    empty.add(took.empty());
    Receipt receipt = new Receipt(current(), took.rows(), took.bytes(), false);
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
    sink.close();
    if (split != null && savepoints.exist() && !session.isCancelled()) {
      session.undo(savepoints, SPLIT);
    }
  }

  /// Without savepoints, rows that were sent are in a transaction with all others.
  @Override
  public Leftover leftover(boolean committing) {
    return !sent || (savepoints.exist() && !session.isCancelled())
        ? Leftover.NOTHING
        : Leftover.ROWS;
  }
}
