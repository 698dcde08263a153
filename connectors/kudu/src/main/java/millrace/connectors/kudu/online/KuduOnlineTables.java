package millrace.connectors.kudu.online;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import millrace.connectors.kudu.KuduCalls;
import millrace.connectors.kudu.KuduCluster;
import millrace.connectors.kudu.write.KeyedTables;
import millrace.connectors.kudu.write.KeyedTables.Partitions;
import millrace.connectors.kudu.write.Ranges;
import millrace.connectors.kudu.write.TableOptions;
import millrace.data.Schema;
import millrace.fault.Fault;
import millrace.spi.Endpoint;
import millrace.spi.online.OnlineLayout;
import millrace.spi.online.OnlineLayout.Level;
import millrace.spi.online.Window;
import org.apache.kudu.client.KuduTable;
import org.jspecify.annotations.Nullable;

/// The tables of an online run, in the database of the endpoint's table. Any thread.
///
/// Only what arrives has ranges. The other tables get a row of each device for a minute at most.
final class KuduOnlineTables {

  private static final int BUCKETS = 4;
  private static final int BUCKETS_OF_OTHERS = 2;

  private final KuduCluster cluster;
  private final OnlineLayout layout;
  private final KeyedTables maker;
  private final Map<String, KuduTable> open = new ConcurrentHashMap<>();
  private @Nullable Ranges ranges;

  /// The id of the table whose ranges they are.
  private String rangesOf = "";

  /// @throws Fault.User if Kudu has no such tables, or an option is not understood
  KuduOnlineTables(KuduCluster cluster, Endpoint endpoint, OnlineLayout layout) {
    this.cluster = cluster;
    this.layout = layout;
    maker = new KeyedTables(cluster, endpoint);
    Duration partition = layout.partition();
    if (partition.isNegative() || !partition.equals(Duration.ofSeconds(partition.toSeconds()))) {
      throw new Fault.User(
          "Range partitions of " + partition + " can't be made: they are whole seconds wide.",
          "Give them an hour or a day; without ranges, nothing.");
    }
    for (String option : List.of("partition-by", "primary-key")) {
      if (endpoint.text(option).isPresent()) {
        throw new Fault.User(
            endpoint.label() + " has " + option + ", which an online run decides itself.",
            "Leave it out, and name partitions and keys in the job.");
      }
    }
  }

  /// Makes all tables; those of an earlier run are removed first.
  ///
  /// @throws Fault.User if a table is there that no such run has made
  synchronized void create(KuduCalls calls) {
    open.clear();
    checkNotForeign(calls);
    ranges = null;
    layout.tables().forEach(table -> make(table, calls));
  }

  /// Makes anew what is not a level's: what arrives, what came too late, and the marks.
  synchronized void empty(KuduCalls calls) {
    open.clear();
    ranges = null;
    layout.tables().stream()
        .filter(table -> !layout.isAggregated(table))
        .forEach(table -> make(table, calls));
  }

  private void make(String table, KuduCalls calls) {
    Schema schema = ReadingTable.schema(layout.timeFirst());
    if (table.equals(raw())) {
      int buckets = layout.hashBuckets() > 0 ? layout.hashBuckets() : BUCKETS;
      String rangeColumn = layout.partition().isZero() ? null : ReadingTable.TIME;
      make(table, schema, new Partitions(OnlineLayout.KEY, buckets, rangeColumn), calls);
    } else if (table.equals(layout.dirtyTable())) {
      Partitions marks = new Partitions(Marks.HASHED, BUCKETS_OF_OTHERS, null);
      make(table, Marks.SCHEMA, marks, calls);
    } else {
      make(table, schema, new Partitions(OnlineLayout.KEY, BUCKETS_OF_OTHERS, null), calls);
    }
  }

  /// The levels above what arrives.
  List<Level> aggregated() {
    return layout.levels().subList(1, layout.levels().size());
  }

  private void checkNotForeign(KuduCalls calls) {
    List<String> there =
        layout.tables().stream()
            .filter(table -> cluster.find(nameOf(table), calls) != null)
            .toList();
    layout.checkNotForeign(cluster.address().label(), there);
  }

  private void make(String table, Schema schema, Partitions partitions, KuduCalls calls) {
    String name = nameOf(table);
    maker.drop(name, calls);
    open.put(name, maker.make(name, schema, partitions, calls));
  }

  /// Makes the ranges of what arrives that are missing.
  ///
  /// @return where those begin that were made
  synchronized List<Long> cover(Window span, KuduCalls calls) {
    if (layout.partition().isZero()) {
      return List.of();
    }
    // Looked up each time: ranges of a table that somebody has made again are not known here.
    KuduTable raw = find(nameOf(layout.levels().getFirst().table()), calls);
    Ranges known = ranges;
    if (known == null || !rangesOf.equals(raw.getTableId())) {
      known = Ranges.since1970(cluster, raw, ReadingTable.TIME, layout.partition(), calls);
      ranges = known;
      rangesOf = raw.getTableId();
    }
    return known.cover(span.start(), span.end(), calls);
  }

  /// The mark by which a run keeps others off the tables.
  RunClaim claim() {
    String raw = layout.levels().getFirst().table();
    return new RunClaim(cluster, maker, nameOf(raw + "_run"));
  }

  /// The name of the table of what arrives.
  String raw() {
    return layout.levels().getFirst().table();
  }

  /// The name of the table of windows that are to be aggregated again.
  String dirty() {
    return layout.dirtyTable();
  }

  /// Does something with a table that may be done twice: once more, if somebody has made the table
  /// again since it was opened here.
  ///
  /// @param table as the layout names it
  <T extends @Nullable Object> T on(String table, KuduCalls calls, Function<KuduTable, T> work) {
    String name = nameOf(table);
    KuduTable known = open.get(name);
    if (known == null) {
      return work.apply(find(name, calls));
    }
    try {
      return work.apply(known);
    } catch (Fault.User e) {
      KuduTable now = find(name, calls);
      if (now.getTableId().equals(known.getTableId())) {
        throw e;
      }
      return work.apply(now);
    }
  }

  private KuduTable find(String name, KuduCalls calls) {
    KuduTable found = cluster.find(name, calls);
    if (found == null) {
      throw new Fault.User(
          cluster.address().withTable(name).label() + ": there is no such table.",
          "The tables of an online run are made before rows are written.");
    }
    open.put(name, found);
    return found;
  }

  private String nameOf(String table) {
    return TableOptions.beside(cluster.address().table(), table);
  }
}
