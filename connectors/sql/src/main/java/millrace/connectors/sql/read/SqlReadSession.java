package millrace.connectors.sql.read;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import millrace.connectors.sql.Names;
import millrace.connectors.sql.SnapshotConnections;
import millrace.connectors.sql.SqlDatabase;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TableInfo.Cut;
import millrace.connectors.sql.TableInfo.Cut.RangeSize;
import millrace.data.ColumnsPool;
import millrace.spi.read.Position;
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

  private final SqlQuery query;
  private final SqlSession first;
  private final long rowBytes;
  private final ReadPlan plan;

  /// Whether the first connection looks for keys while lanes read by others.
  private final boolean looksInParallel;

  private @Nullable SnapshotConnections snapshot;
  private boolean closed;
  private final List<String> notes = new CopyOnWriteArrayList<>();

  /// @param rowBytes about how many bytes a row has
  SqlReadSession(SqlQuery query, SqlSession first, long rowBytes, ReadPlan plan) {
    this.query = query;
    this.first = first;
    this.rowBytes = rowBytes;
    this.plan = plan;
    boolean sharesState = query.database().dialect().capabilities().sharesState();
    looksInParallel = query.cut() != null && sharesState;
    if (sharesState) {
      snapshot();
    }
  }

  /// The rows in ranges of keys. If there is only one connection, it looks for all of them when the
  /// first is asked for: a target in the same database has made its tables by then, which would
  /// wait for the transaction.
  @Override
  public Splits splits() {
    Cut cut = query.cut();
    if (cut == null) {
      Queue<Split> one =
          new ArrayDeque<>(List.of(new Split(0, query.label(), KeyRanges.ALL, 1, 0)));
      return one::poll;
    }
    RangeSize wanted =
        new RangeSize(
            plan.splitBytes(), Math.max(1, plan.splitBytes() / rowBytes), plan.lanes(), notes::add);
    if (!cut.part().isEmpty()) {
      return parts(cut, Objects.requireNonNull(cut.keys().find(first, wanted)).toList());
    }
    KeyCutter cutter = new KeyCutter(query, first, cut, wanted);
    if (looksInParallel) {
      cutter.begin();
      return new KeySplits(query.label(), cutter::next);
    }
    Queue<String> keys = new ArrayDeque<>();
    boolean[] looked = {false};
    return new KeySplits(
        query.label(),
        () -> {
          if (!looked[0]) {
            looked[0] = true;
            snapshot();
            cutter.begin();
            for (String key = cutter.next(); key != null; key = cutter.next()) {
              keys.add(key);
            }
          }
          return keys.poll();
        });
  }

  /// One split for each part of the table. The part belongs to what a split is of: the order of the
  /// parts may be another in a later run.
  private Splits parts(Cut cut, List<String> parts) {
    Names names = query.database().dialect().names();
    Queue<Split> splits = new ArrayDeque<>();
    for (String part : parts) {
      Position position = KeyRanges.part(part);
      String of = query.label() + KeyRanges.partClause(cut, position, names);
      splits.add(new Split(splits.size(), of, position, 0, 0));
    }
    if (splits.isEmpty()) {
      splits.add(new Split(0, query.label(), KeyRanges.ALL, 0, 0));
    }
    return splits::poll;
  }

  /// Ranges from one key to the next, of which the first and the last have no bound: no row is in
  /// none of them, and none in two.
  private static final class KeySplits implements Splits {
    private final String label;
    private final Supplier<@Nullable String> keys;
    private @Nullable String from;
    private int index;
    private boolean ended;

    KeySplits(String label, Supplier<@Nullable String> keys) {
      this.label = label;
      this.keys = keys;
    }

    @Override
    public @Nullable Split next() {
      if (ended) {
        return null;
      }
      String to = keys.get();
      Split split = new Split(index++, label, KeyRanges.between(from, to), 0, 0);
      from = to;
      ended = to == null;
      return split;
    }
  }

  /// The state that all lanes see, until all is read.
  private synchronized SnapshotConnections snapshot() {
    SnapshotConnections open = snapshot;
    if (open == null) {
      if (closed) {
        throw new IllegalStateException("all has been read already");
      }
      int lanes = query.cut() == null ? 1 : plan.lanes();
      SqlDatabase database = query.database();
      open =
          database
              .dialect()
              .reads()
              .snapshot(database, first, looksInParallel ? lanes + 1 : lanes, query.relation());
      snapshot = open;
    }
    return open;
  }

  @Override
  public Reader reader(ReadContext context) {
    int rows =
        context.readUnit() == null
            ? ColumnsPool.rowsFor(query.schema())
            : Math.clamp(context.readUnit().rows(rowBytes), 1, BATCH_ROWS_MAX);
    SnapshotConnections open = snapshot();
    return new SqlReader(
        query.asOf(open.asOf()),
        open.lane(context.lane() + (looksInParallel ? 1 : 0)),
        context,
        rows,
        rowBytes);
  }

  @Override
  public List<String> notes() {
    return List.copyOf(notes);
  }

  @Override
  public void allRead() {
    close();
  }

  @Override
  public synchronized void close() {
    SnapshotConnections open = snapshot;
    snapshot = null;
    closed = true;
    if (open != null) {
      open.close();
    }
  }
}
