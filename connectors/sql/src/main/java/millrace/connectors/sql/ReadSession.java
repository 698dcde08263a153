package millrace.connectors.sql;

import java.util.Iterator;
import java.util.List;
import millrace.data.ColumnsPool;
import millrace.spi.read.ReadContext;
import millrace.spi.read.Reader;
import millrace.spi.read.Split;
import millrace.spi.read.Splits;
import org.jspecify.annotations.Nullable;

/// A source whose rows are read, all of them in one state of the database.
final class ReadSession implements AutoCloseable {

  private static final int BATCH_ROWS_MAX = 1 << 20;
  private static final long SPLITS_MAX = 100_000;

  private final SqlDatabase database;
  private final SqlQuery query;
  private final SqlSession first;
  private final long rowBytes;
  private @Nullable Snapshot snapshot;

  /// @param rowBytes about how many bytes a row has
  ReadSession(SqlDatabase database, SqlQuery query, SqlSession first, long rowBytes) {
    this.database = database;
    this.query = query;
    this.first = first;
    this.rowBytes = rowBytes;
  }

  /// Fixes the state, and cuts the rows into ranges.
  Splits splits(long splitBytes, int lanes) {
    snapshot(lanes);
    Iterator<KeyRange> ranges = ranges(Math.max(1, splitBytes / rowBytes)).iterator();
    return new Splits() {
      private int index;

      @Override
      public @Nullable Split next() {
        if (!ranges.hasNext()) {
          return null;
        }
        KeyRange range = ranges.next();
        long firstRow = query.cut() == null ? 1 : 0;
        return new Split(index++, query.label(), range.from(), range.to(), firstRow, 0);
      }
    };
  }

  /// The state that all lanes see, fixed when it is first asked for.
  private synchronized Snapshot snapshot(int lanes) {
    Snapshot open = snapshot;
    if (open == null) {
      open = database.dialect().snapshot(database, first, query.cut() == null ? 1 : lanes);
      snapshot = open;
    }
    return open;
  }

  private List<KeyRange> ranges(long rowsEach) {
    String cut = query.cut();
    if (cut == null) {
      return List.of(KeyRange.ALL);
    }
    String from = query.relation().from(database.dialect().names());
    // One statement for each end: databases find an end by the index, and both by reading all.
    List<Long> least = ends("SELECT min(" + cut + ") FROM " + from);
    List<Long> greatest = ends("SELECT max(" + cut + ") FROM " + from);
    if (least.isEmpty() || greatest.isEmpty()) {
      return List.of(KeyRange.ALL);
    }
    long min = least.getFirst();
    long max = greatest.getFirst();
    long rows = max - min < 0 ? Long.MAX_VALUE : max - min + 1;
    long count = Math.clamp(Math.ceilDiv(Math.max(1, rows), rowsEach), 1, SPLITS_MAX);
    return KeyRange.cut(min, max, count);
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

  Reader reader(ReadContext context) {
    int rows =
        context.readUnit() == null
            ? ColumnsPool.rowsFor(query.schema())
            : Math.clamp(context.readUnit().rows(rowBytes), 1, BATCH_ROWS_MAX);
    return new SqlReader(query, snapshot(1).lane(context.lane()), context, rows, rowBytes);
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
