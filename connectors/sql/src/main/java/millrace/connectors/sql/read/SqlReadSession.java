package millrace.connectors.sql.read;

import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import millrace.connectors.sql.SqlDatabase;
import millrace.connectors.sql.SqlSession;
import millrace.data.ColumnsPool;
import millrace.spi.read.ReadContext;
import millrace.spi.read.ReadPlan;
import millrace.spi.read.ReadSession;
import millrace.spi.read.Reader;
import millrace.spi.read.Split;
import millrace.spi.read.Splits;
import org.jspecify.annotations.Nullable;

/// A source whose rows are read, all of them in one state of the database.
final class SqlReadSession implements ReadSession {

  private static final int BATCH_ROWS_MAX = 1 << 20;
  private static final long SPLITS_MAX = 100_000;

  private final SqlDatabase database;
  private final SqlQuery query;
  private final SqlSession first;
  private final long rowBytes;
  private final ReadPlan plan;
  private @Nullable Snapshot snapshot;

  /// @param rowBytes about how many bytes a row has
  SqlReadSession(
      SqlDatabase database, SqlQuery query, SqlSession first, long rowBytes, ReadPlan plan) {
    this.database = database;
    this.query = query;
    this.first = first;
    this.rowBytes = rowBytes;
    this.plan = plan;
    snapshot = database.dialect().snapshot(database, first, query.cut() == null ? 1 : plan.lanes());
  }

  /// The rows in ranges.
  @Override
  public Splits splits() {
    Iterator<RowRange> ranges = ranges(Math.max(1, plan.splitBytes() / rowBytes)).iterator();
    return new Splits() {
      private int index;

      @Override
      public @Nullable Split next() {
        if (!ranges.hasNext()) {
          return null;
        }
        RowRange range = ranges.next();
        long firstRow = query.cut() == null ? 1 : 0;
        return new Split(index++, query.label(), range.from(), range.to(), firstRow, 0);
      }
    };
  }

  /// The state that all lanes see, until all is read.
  private synchronized Snapshot snapshot() {
    return Objects.requireNonNull(snapshot, "all has been read already");
  }

  private List<RowRange> ranges(long rowsEach) {
    String cut = query.cut();
    if (cut == null) {
      return List.of(RowRange.ALL);
    }
    String from = query.relation().from(database.dialect().names());
    // One statement for each end: databases find an end by the index, and both by reading all.
    List<Long> least = ends("SELECT min(" + cut + ") FROM " + from);
    List<Long> greatest = ends("SELECT max(" + cut + ") FROM " + from);
    if (least.isEmpty() || greatest.isEmpty()) {
      return List.of(RowRange.ALL);
    }
    long min = least.getFirst();
    long max = greatest.getFirst();
    long rows = max - min < 0 ? Long.MAX_VALUE : max - min + 1;
    long count = Math.clamp(Math.ceilDiv(Math.max(1, rows), rowsEach), 1, SPLITS_MAX);
    return RowRange.cut(min, max, count);
  }

  private List<Long> ends(String sql) {
    return first
        .query(
            sql,
            row -> {
              long end = row.getLong(1);
              return row.wasNull() ? List.<Long>of() : List.of(end);
            })
        .getFirst();
  }

  @Override
  public Reader reader(ReadContext context) {
    int rows =
        context.readUnit() == null
            ? ColumnsPool.rowsFor(query.schema())
            : Math.clamp(context.readUnit().rows(rowBytes), 1, BATCH_ROWS_MAX);
    return new SqlReader(query, snapshot().lane(context.lane()), context, rows, rowBytes);
  }

  @Override
  public void allRead() {
    close();
  }

  @Override
  public synchronized void close() {
    Snapshot open = snapshot;
    snapshot = null;
    if (open != null) {
      open.close();
    }
  }
}
