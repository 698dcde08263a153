package millrace.connectors.duckdb.load;

import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import millrace.connectors.duckdb.DuckDbTypes;
import millrace.data.Columns;
import millrace.data.Records;
import millrace.data.Type;
import millrace.data.spelling.RowRecord;
import millrace.fault.Fault;
import millrace.fault.Location;
import org.duckdb.DuckDBColumnType;
import org.duckdb.DuckDBDataChunkWriter;
import org.duckdb.DuckDBLogicalType;
import org.duckdb.DuckDBTableFunction;
import org.duckdb.DuckDBTableFunctionBindInfo;
import org.duckdb.DuckDBTableFunctionCallInfo;
import org.duckdb.DuckDBTableFunctionInitInfo;
import org.duckdb.DuckDBWritableVector;
import org.jspecify.annotations.Nullable;

/// The table function that DuckDB selects from while it loads: the batches of a hand-over, as rows.
///
/// DuckDB calls it on the thread that runs the statement and on threads of its own, each with a
/// position of its own. A thread that finds no batch waits; DuckDB's other statements go on
/// meanwhile on the threads that called them.
final class BatchFunction
    implements DuckDBTableFunction<BatchFunction, BatchFunction, BatchFunction.Position> {

  /// Where a thread of DuckDB's is.
  static final class Position {
    private Handover.@Nullable Parcel parcel;
    private int next;
    private long[] lines = {};
    private byte[] @Nullable [] texts = new byte[0] @Nullable [];

    /// An array for that many texts; used again if the column before had as many.
    byte[] @Nullable [] texts(int count) {
      if (texts.length != count) {
        texts = new byte[count] @Nullable [];
      }
      return texts;
    }
  }

  private final List<AppendColumn> slots;
  private final List<Filling> fillings;
  private final CarriedColumns carriedColumns;
  private final Handover handover;
  private final int threads;
  private final CountDownLatch started = new CountDownLatch(1);

  /// @param carriedColumns what further columns tell of each row
  /// @param threads most threads of DuckDB's that may call at once
  BatchFunction(
      List<AppendColumn> slots, CarriedColumns carriedColumns, Handover handover, int threads) {
    this.slots = slots;
    this.carriedColumns = carriedColumns;
    this.handover = handover;
    this.threads = threads;
    fillings = slots.stream().map(Filling::of).toList();
  }

  /// What comes to nought once DuckDB has planned the statement.
  CountDownLatch started() {
    return started;
  }

  /// The name of a column of the function.
  static String column(int index) {
    return "c" + index;
  }

  @Override
  public BatchFunction bind(DuckDBTableFunctionBindInfo info) throws SQLException {
    for (int i = 0; i < slots.size(); i++) {
      declare(info, column(i), slots.get(i));
    }
    for (CarriedColumns.Column column : carriedColumns.sent()) {
      info.addResultColumn(column.name(), column.type());
    }
    return this;
  }

  private static void declare(
      DuckDBTableFunctionBindInfo info, String name, AppendColumn appendColumn)
      throws SQLException {
    switch (appendColumn.writing().send()) {
      case BOOLEAN -> info.addResultColumn(name, DuckDBColumnType.BOOLEAN);
      case INT32 -> info.addResultColumn(name, DuckDBColumnType.INTEGER);
      case INT64 -> info.addResultColumn(name, DuckDBColumnType.BIGINT);
      case FLOAT -> info.addResultColumn(name, DuckDBColumnType.FLOAT);
      case DOUBLE -> info.addResultColumn(name, DuckDBColumnType.DOUBLE);
      case TEXT, UUID, HEX -> info.addResultColumn(name, DuckDBColumnType.VARCHAR);
      case DECIMAL -> {
        Type.Decimal decimal = DuckDbTypes.decimal(appendColumn.declared());
        try (DuckDBLogicalType type =
            DuckDBLogicalType.decimal(decimal.precision(), decimal.scale())) {
          info.addResultColumn(name, type);
        }
      }
    }
  }

  @Override
  public BatchFunction init(DuckDBTableFunctionInitInfo info) {
    info.setMaxThreads(threads);
    started.countDown();
    return this;
  }

  @Override
  public Position localInit(DuckDBTableFunctionInitInfo info) {
    return new Position();
  }

  @Override
  public long apply(DuckDBTableFunctionCallInfo info, DuckDBDataChunkWriter chunk) {
    try {
      return fill(info.getLocalInitData(), chunk);
    } catch (Fault fault) {
      handover.breakOff(fault);
      throw fault;
    } catch (RuntimeException e) {
      Fault bug = new Fault.Bug("handing rows to DuckDB failed: " + e, e);
      handover.breakOff(bug);
      throw bug;
    }
  }

  /// Fills the chunk, from several batches if they are small: those of a thousand columns have a
  /// hundred rows, and DuckDB takes a chunk of a hundred as long as a full one.
  private long fill(Position position, DuckDBDataChunkWriter chunk) {
    int capacity = (int) chunk.capacity();
    int filled = 0;
    while (filled < capacity) {
      Handover.Parcel parcel = position.parcel;
      if (parcel == null) {
        parcel = handover.take();
        if (parcel == null) {
          break;
        }
        position.parcel = parcel;
        position.next = 0;
        position.lines =
            carriedColumns == CarriedColumns.PLACE ? parcel.batch().lines() : position.lines;
      }
      int count = Math.min(capacity - filled, parcel.count() - position.next);
      for (int i = 0; i < fillings.size(); i++) {
        Filling.Rows rows = new Filling.Rows(parcel, i, position.next, count, filled);
        fillings.get(i).fill(rows, position, chunk.vector(i));
      }
      if (carriedColumns != CarriedColumns.NOTHING) {
        number(parcel, position.next, count, filled, chunk);
      }
      if (carriedColumns == CarriedColumns.PLACE) {
        place(parcel, position, count, filled, chunk);
      }
      filled += count;
      position.next += count;
      if (position.next == parcel.count()) {
        position.parcel = null;
        Columns batch = parcel.batch();
        batch.release();
      }
    }
    return filled;
  }

  private void number(
      Handover.Parcel parcel, int from, int count, int at, DuckDBDataChunkWriter chunk) {
    for (int i = 0; i < count; i++) {
      chunk.vector(slots.size()).setInt(at + i, parcel.split());
      chunk.vector(slots.size() + 1).setLong(at + i, parcel.firstRow() + parcel.position(from + i));
    }
  }

  private void place(
      Handover.Parcel parcel, Position position, int count, int at, DuckDBDataChunkWriter chunk) {
    Columns batch = parcel.batch();
    Location first = batch.location();
    Records origin = batch.origin();
    RowRecord spelling = RowRecord.of(batch.asRead().schema());
    byte[] @Nullable [] records = position.texts(count);
    int column = slots.size() + 2;
    DuckDBWritableVector rows = chunk.vector(column);
    DuckDBWritableVector lines = chunk.vector(column + 1);
    DuckDBWritableVector bytes = chunk.vector(column + 2);
    DuckDBWritableVector splitRows = chunk.vector(column + 4);
    for (int i = 0; i < count; i++) {
      int row = parcel.position(position.next + i);
      long number = first.firstRow() == 0 ? 0 : first.firstRow() + batch.offset(row);
      rows.setLong(at + i, number);
      lines.setLong(at + i, position.lines[row]);
      bytes.setLong(at + i, batch.byteOffset(row));
      splitRows.setLong(at + i, batch.rowOfSplit(row));
      byte[] record =
          origin == null ? spelling.spell(batch.asRead().vectors(), row) : origin.record(row);
      records[i] = asText(record);
    }
    chunk.vector(column + 3).setStringUtf8Batch(at, records);
  }

  /// The driver takes no bytes as they are: each becomes the character of its number.
  private static byte[] asText(byte[] record) {
    return new String(record, StandardCharsets.ISO_8859_1).getBytes(StandardCharsets.UTF_8);
  }
}
