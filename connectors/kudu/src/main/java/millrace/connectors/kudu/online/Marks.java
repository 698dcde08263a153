package millrace.connectors.kudu.online;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import millrace.connectors.kudu.KuduCalls;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.spi.online.OnlineStore.Dirty;
import org.apache.kudu.client.KuduPredicate;
import org.apache.kudu.client.KuduPredicate.ComparisonOp;
import org.apache.kudu.client.KuduTable;
import org.apache.kudu.client.Operation;

/// The table that keeps which windows are to be aggregated again. Any thread.
///
/// Each mark is a row of its own, told apart by a random number. Kudu has no delete with a
/// condition: so who takes marks away deletes those alone that were there before the window was
/// aggregated.
final class Marks {

  private static final String LEVEL = "level";
  private static final String MARK = "mark";

  /// Its columns, which are its key.
  static final Schema SCHEMA =
      new Schema(
          List.of(
              ReadingTable.column(LEVEL, Type.Text.UNLIMITED),
              ReadingTable.column(ReadingTable.TIME, new Type.Timestamp(false)),
              ReadingTable.column(MARK, new Type.Int(64))),
          List.of(LEVEL, ReadingTable.TIME, MARK));

  /// By what its rows are spread over tablets.
  static final List<String> HASHED = List.of(LEVEL, ReadingTable.TIME);

  private final KuduOnlineTables tables;
  private final WindowScan scan;

  /// Marks that were there before their window was aggregated by this store the last time.
  private final Map<Dirty, List<Long>> settled = new ConcurrentHashMap<>();

  Marks(KuduOnlineTables tables, WindowScan scan) {
    this.tables = tables;
    this.scan = scan;
  }

  /// Marks windows, which is durable when it returns.
  ///
  /// @param random tells marks apart
  void add(List<Dirty> windows, SplittableRandom random, RowSender sender, KuduCalls calls) {
    if (windows.isEmpty()) {
      return;
    }
    tables.on(
        tables.dirty(),
        calls,
        table -> {
          sender.send(
              table,
              windows.size(),
              i -> withKey(table.newInsertIgnore(), windows.get(i), random.nextLong()));
          return null;
        });
  }

  private static Operation withKey(Operation operation, Dirty window, long mark) {
    operation.getRow().addString(LEVEL, window.level());
    operation.getRow().addLong(ReadingTable.TIME, window.start());
    operation.getRow().addLong(MARK, mark);
    return operation;
  }

  /// The windows that are marked.
  List<Dirty> windows(KuduCalls calls) {
    List<String> columns = List.of(LEVEL, ReadingTable.TIME);
    return tables.on(
        tables.dirty(),
        calls,
        table ->
            scan
                .<List<Dirty>>read(
                    new WindowScan.Request(table, columns, List.of()),
                    ArrayList::new,
                    (into, row) -> into.add(new Dirty(row.getString(0), row.getLong(1))))
                .stream()
                .flatMap(List::stream)
                .distinct()
                .sorted(Comparator.comparing(Dirty::level).thenComparingLong(Dirty::start))
                .toList());
  }

  /// The marks of a window that are there now. Asked before the window's rows are read.
  List<Long> of(Dirty window, KuduCalls calls) {
    return tables.on(
        tables.dirty(),
        calls,
        table -> {
          List<KuduPredicate> predicates =
              List.of(
                  KuduPredicate.newComparisonPredicate(
                      table.getSchema().getColumn(LEVEL), ComparisonOp.EQUAL, window.level()),
                  KuduPredicate.newComparisonPredicate(
                      table.getSchema().getColumn(ReadingTable.TIME),
                      ComparisonOp.EQUAL,
                      window.start()));
          Stream<List<Long>> parts =
              scan
                  .<List<Long>>read(
                      new WindowScan.Request(table, List.of(MARK), predicates),
                      ArrayList::new,
                      (into, row) -> into.add(row.getLong(0)))
                  .stream();
          return parts.flatMap(List::stream).toList();
        });
  }

  /// A window was aggregated.
  ///
  /// @param marks that were there before its rows were read
  void settle(Dirty window, List<Long> marks) {
    settled.put(window, marks);
  }

  /// Takes the marks of a window away: those that were there before this store aggregated it; all,
  /// if it has not.
  void clean(Dirty window, RowSender sender, KuduCalls calls) {
    List<Long> known = settled.get(window);
    List<Long> marks = known == null ? of(window, calls) : known;
    tables.on(
        tables.dirty(),
        calls,
        (KuduTable table) -> {
          sender.send(table, marks.size(), i -> withKey(table.newDelete(), window, marks.get(i)));
          return null;
        });
    settled.computeIfPresent(window, (_, now) -> now.equals(marks) ? List.of() : now);
  }
}
