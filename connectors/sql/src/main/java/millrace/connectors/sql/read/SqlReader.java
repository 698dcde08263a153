package millrace.connectors.sql.read;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TableInfo.Cut;
import millrace.connectors.sql.types.TypeTable.Fetch;
import millrace.connectors.sql.types.TypeTable.Getter;
import millrace.connectors.sql.types.TypeTable.MappedType;
import millrace.data.Batch;
import millrace.data.BatchFill;
import millrace.data.BytesVector;
import millrace.data.Columns;
import millrace.data.ColumnsPool;
import millrace.data.Schema;
import millrace.data.Vector;
import millrace.data.spelling.RowRecord;
import millrace.data.spelling.Spelling;
import millrace.fault.Fault;
import millrace.spi.Stage;
import millrace.spi.read.ReadContext;
import millrace.spi.read.Reader;
import millrace.spi.read.Split;
import millrace.spi.write.Rejects;
import org.jspecify.annotations.Nullable;

/// Reads splits by one statement each.
final class SqlReader implements Reader {

  /// About how many bytes a batch holds, so that rows with long texts fit a small heap.
  private static final long BATCH_BYTES = 2L << 20;

  private static final int VALUE_BYTES = 8;
  private static final int FETCH_ROWS_MAX = 10_000;

  private final SqlQuery query;
  private final SqlSession session;
  private final ReadContext context;
  private final Schema schema;
  private final Fetch[] fetches;
  private final Getter[] getters;
  private final int fetchRows;
  private final BatchFill batches;
  private @Nullable Statement statement;
  private int index;
  private @Nullable ResultSet rows;
  private boolean atEnd;
  private volatile boolean cancelled;
  private volatile boolean closed;

  SqlReader(
      SqlQuery query, SqlSession session, ReadContext context, int capacity, long bytesPerRow) {
    this.query = query;
    this.session = session;
    this.context = context;
    schema = query.schema();
    List<MappedType> found = query.found();
    fetches = found.stream().map(each -> each.cell().fetch()).toArray(Fetch[]::new);
    getters =
        found.stream().map(each -> each.cell().getter().apply(each.type())).toArray(Getter[]::new);
    batches = new BatchFill(new ColumnsPool(schema, capacity), BATCH_BYTES);
    fetchRows = Math.clamp(BATCH_BYTES / Math.max(1, bytesPerRow), 1, FETCH_ROWS_MAX);
  }

  @Override
  public void start(Split split) {
    endSplit();
    // Ranges of keys don't tell how many rows come before them.
    index = split.index();
    batches.start(query.label(), index, split.firstRow());
    context.clock().enter(Stage.SERVER_WAIT);
    // To drivers, at most no rows are all.
    atEnd = query.limit() == 0;
    String sql = query.sql(split.position(), query.limit());
    rows =
        session.run(connection -> {
          stopIfCancelled();
          PreparedStatement made = connection.prepareStatement(sql);
          statement = made;
          made.setFetchSize(Math.clamp(query.limit(), 1, fetchRows));
          if (query.limit() <= Integer.MAX_VALUE) {
            made.setMaxRows((int) query.limit());
          }
          query.bind(made, split.position());
          session.runs(made);
          return made.executeQuery();
        });
  }

  @Override
  public @Nullable Batch next() {
    ResultSet open = rows;
    if (open == null) {
      throw new Fault.Bug("rows before the start of a split", null);
    }
    context.clock().enter(Stage.READ);
    try {
      session.runs(statement);
      while (batches.hasRoom() && !cancelled && !atEnd) {
        if (open.next()) {
          fill(open, batches.batch(), batches.rows());
        } else {
          atEnd = true;
        }
      }
    } catch (SQLException e) {
      throw session.fault(e);
    } finally {
      session.runs(null);
    }
    stopIfCancelled();
    Batch batch = batches.finish();
    if (batch == null) {
      endSplit();
    }
    return batch;
  }

  private void stopIfCancelled() {
    if (cancelled) {
      throw new Fault.Cancelled(query.label() + ": reading was stopped");
    }
  }

  /// Gets a row, or sets it aside.
  private void fill(ResultSet row, Columns batch, int at) throws SQLException {
    long size = 0;
    for (int i = 0; i < getters.length; i++) {
      Vector vector = batch.vector(i);
      Object value = fetches[i].from(row, i + 1);
      vector.nulls[at] = value == null;
      if (value == null) {
        continue;
      }
      String wrong = getters[i].get(value, row, i + 1, vector, at);
      LongAdder cut = context.cut();
      if (wrong != null && cut != null && hasNanoseconds(wrong)) {
        cut.increment();
        wrong = null;
      }
      if (wrong != null) {
        reject(row, i, batch, at, wrong);
        batches.leaveOut(0);
        return;
      }
      size += vector instanceof BytesVector text ? text.ends[at] - text.starts[at] : VALUE_BYTES;
    }
    batches.add(1, Math.max(1, size));
  }

  private static boolean hasNanoseconds(String wrong) {
    return wrong.endsWith(Getter.WITH_NANOSECONDS);
  }

  private void reject(ResultSet row, int column, Columns batch, int at, String wrong)
      throws SQLException {
    Cut cut = query.cut();
    long number = cut == null ? batches.read() + 1 : 0;
    String which = "";
    if (cut != null) {
      Object key = row.getObject(getters.length + 1);
      number = key instanceof Long || key instanceof Integer ? ((Number) key).longValue() : 0;
      which = " (row with " + cut.sql() + " " + row.getString(getters.length + 1) + ")";
    }
    String name = schema.column(column).name();
    String declared = schema.column(column).declaration();
    Object value = row.getObject(column + 1);
    Rejects.Reject reject =
        new Rejects.Reject(
            query.label(),
            Math.max(0, number),
            0,
            -1,
            name,
            wrong
                + (hasNanoseconds(wrong)
                    ? "; --truncate-nanoseconds cuts them"
                    : ", which is not a valid " + declared)
                + which
                + ".",
            RowRecord.spell(values(row, batch, at)),
            new Rejects.Reject.InSplit(index, batches.read() + 1));
    try {
      context.rejects().reject(reject);
    } catch (Fault.Data e) {
      throw advised(
          e, query.database().dialect().reads().advice(query.columns().get(column), value));
    }
  }

  /// The column as a whole may be declared as something else than it holds: then there is more to
  /// do than to mend a record.
  private Fault.Data advised(Fault.Data e, String advice) {
    if (advice.isEmpty() || context.rejects().allowed()) {
      return e;
    }
    Fault.Data advised =
        new Fault.Data(
            String.valueOf(e.getMessage()),
            context.rejects().adviceIfNever().isEmpty()
                ? advice + " Or have copy set such rows aside: --max-rejects N --rejects FILE."
                : advice,
            e.location());
    advised.addSuppressed(e);
    return advised;
  }

  /// A row as it was read: a value that is none of its column's type, as the database spells it.
  private List<@Nullable String> values(ResultSet row, Columns batch, int at) throws SQLException {
    List<@Nullable String> values = new ArrayList<>();
    for (int i = 0; i < getters.length; i++) {
      Vector vector = batch.vector(i);
      Object value = fetches[i].from(row, i + 1);
      vector.nulls[at] = value == null;
      boolean isOfType = value != null && getters[i].get(value, row, i + 1, vector, at) == null;
      values.add(isOfType ? Spelling.text(batch, i, at) : raw(row, i + 1));
    }
    return values;
  }

  private static @Nullable String raw(ResultSet row, int column) throws SQLException {
    Object value = row.getObject(column);
    return value instanceof byte[] bytes
        ? "\\x" + HexFormat.of().formatHex(bytes)
        : value == null ? null : row.getString(column);
  }

  private void endSplit() {
    Statement ended = statement;
    statement = null;
    boolean isCutOff =
        rows != null
            && !atEnd
            && query.database().dialect().statements().reading().fetchesAllOnClose();
    rows = null;
    if (ended == null) {
      return;
    }
    try {
      if (isCutOff) {
        ended.cancel();
      }
      ended.close();
    } catch (SQLException e) {
      Fault fault = session.fault(e);
      // A statement that was asked to end says that it did.
      if (!isCutOff || !(fault instanceof Fault.Cancelled)) {
        throw fault;
      }
    }
  }

  /// Another reader may go on with the connection.
  @Override
  public void cancel() {
    cancelled = true;
    session.interrupt();
    session.cutUnless(() -> closed);
  }

  @Override
  public void close() {
    try {
      endSplit();
    } finally {
      closed = true;
    }
  }
}
