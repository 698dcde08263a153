package millrace.connectors.kudu.online;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.function.Function;
import millrace.connectors.kudu.KuduCalls;
import millrace.connectors.kudu.KuduCluster;
import millrace.fault.Fault;
import millrace.spi.Counters;
import millrace.spi.Endpoint;
import millrace.spi.HasCounters;
import millrace.spi.online.OnlineLayout;
import millrace.spi.online.OnlineLayout.Level;
import millrace.spi.online.OnlineStore;
import millrace.spi.online.Readings;
import millrace.spi.online.Window;
import org.apache.kudu.client.KuduPredicate;
import org.apache.kudu.client.KuduTable;
import org.apache.kudu.client.RowResult;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Tables of Kudu that are written while windows of them are aggregated.
///
/// Kudu does not aggregate: rows are read at one moment, added up here, and the sums written back.
public final class KuduOnlineStore implements OnlineStore, HasCounters {

  private static final List<String> SUMMED =
      List.of(
          OnlineLayout.KEY.get(0),
          OnlineLayout.KEY.get(1),
          OnlineLayout.KEY.get(2),
          ReadingTable.LOAD,
          ReadingTable.TYPE);

  private static final Logger LOG = LoggerFactory.getLogger(KuduOnlineStore.class);

  private final KuduCluster cluster;
  private final KuduOnlineTables tables;
  private final RunningCalls running;
  private final ExecutorService helpers;
  private final WindowScan scan;
  private final Marks marks;
  private final RunClaim claim;

  /// Asks no server yet.
  ///
  /// @param cluster is closed with the store
  /// @throws Fault.User if Kudu has no such tables, or an option is not understood
  public KuduOnlineStore(KuduCluster cluster, Endpoint endpoint, OnlineLayout layout) {
    this.cluster = cluster;
    tables = new KuduOnlineTables(cluster, endpoint, layout);
    running = new RunningCalls(cluster.address().label());
    // One beside each aggregate that runs: a late one must not hold the next one back.
    helpers =
        Executors.newCachedThreadPool(
            Thread.ofPlatform().daemon().name("millrace-kudu-scan-", 0).factory());
    scan = new WindowScan(cluster, helpers, running);
    marks = new Marks(tables, scan);
    claim = tables.claim();
    ClientRetries.count();
  }

  @Override
  public Counters counters() {
    return new ClientRetries();
  }

  @Override
  public void claim() {
    run(calls -> {
      try (RowSender sender = sender(calls)) {
        claim.take(scan, sender, calls);
      }
    });
  }

  @Override
  public void create() {
    run(tables::create);
  }

  /// Kudu deletes rows by their keys alone: those that go are read first.
  @Override
  public void restore(long start, long devices) {
    run(calls -> {
      tables.empty(calls);
      for (Level level : tables.aggregated()) {
        tables.on(
            level.table(),
            calls,
            table -> {
              ReadingTable from = new ReadingTable(table);
              delete(from, from.since(level.startOf(start)), 0, calls);
              delete(from, from.beyond(devices), devices, calls);
              return null;
            });
      }
    });
  }

  /// Deletes rows that the predicates find, of one device and those behind it.
  private void delete(
      ReadingTable from, List<KuduPredicate> predicates, long firstDevice, KuduCalls calls) {
    WindowScan.Request request = new WindowScan.Request(from.table(), ReadingTable.KEY, predicates);
    try (RowSender sender = sender(calls)) {
      for (ReadingKeys found :
          scan.read(request, () -> new ReadingKeys(firstDevice), ReadingKeys::add)) {
        Readings rows = found.rows();
        sender.send(from.table(), rows.rows(), i -> from.delete(rows, i));
      }
    }
  }

  private void run(Consumer<KuduCalls> work) {
    running.with(calls -> {
      work.accept(calls);
      return null;
    });
  }

  @Override
  public List<Long> addPartitions(Window span) {
    return running.with(calls -> tables.cover(span, calls));
  }

  @Override
  public RowWriter writer() {
    KuduCalls calls = running.begin();
    return new KuduRowWriter(tables, marks, running, calls, sender(calls));
  }

  @Override
  public RowWriter encoder() {
    ReadingTable raw =
        running.with(calls -> tables.on(tables.raw(), calls, table -> new ReadingTable(table)));
    return new OperationEncoder(raw);
  }

  private RowSender sender(KuduCalls calls) {
    return new RowSender(cluster.client(), cluster.address().withTable("").label(), calls);
  }

  @Override
  public long aggregate(Level below, Level level, Window window) {
    return running.with(calls -> {
      Dirty target = new Dirty(level.name(), window.start());
      List<Long> before = marks.of(target, calls);
      DeviceSums sums = tables.on(below.table(), calls, table -> sumsByDevice(table, window));
      tables.on(
          level.table(),
          calls,
          table -> {
            ReadingTable into = new ReadingTable(table);
            try (RowSender sender = sender(calls)) {
              sender.send(table, sums.size(), i -> into.upsert(sums, i, window.start()));
            }
            return null;
          });
      marks.settle(target, before);
      return (long) sums.size();
    });
  }

  private DeviceSums sumsByDevice(KuduTable table, Window window) {
    WindowScan.Request request =
        new WindowScan.Request(table, SUMMED, new ReadingTable(table).within(window));
    List<DeviceSums> parts = scan.read(request, DeviceSums::new, KuduOnlineStore::add);
    parts.sort(Comparator.comparingInt(DeviceSums::size).reversed());
    DeviceSums all = parts.getFirst();
    parts.stream().skip(1).forEach(all::addAll);
    return all;
  }

  @Override
  public long differing(Level below, Level level, Window window) {
    return running.with(calls -> {
      DeviceSums wanted = tables.on(below.table(), calls, table -> sumsByDevice(table, window));
      DeviceSums found = tables.on(level.table(), calls, table -> sumsByDevice(table, window));
      return wanted.differing(found);
    });
  }

  private static void add(DeviceSums into, RowResult row) {
    into.add(row.getInt(0), row.getInt(1), row.getInt(2), row.getLong(3), row.getInt(4));
  }

  @Override
  public Sums sums(String table, Window span) {
    Total total = new Total();
    List<Total> parts =
        scanned(
            table,
            from -> from.within(span),
            List.of(ReadingTable.LOAD),
            (into, row) -> into.add(1, row.getLong(0)));
    parts.forEach(part -> total.add(part.rows, part.watts));
    return new Sums(total.rows, total.watts);
  }

  private List<Total> scanned(
      String table,
      Function<ReadingTable, List<KuduPredicate>> predicates,
      List<String> columns,
      WindowScan.Taker<Total> taker) {
    return running.with(calls ->
        tables.on(
            table,
            calls,
            opened -> {
              List<KuduPredicate> chosen = predicates.apply(new ReadingTable(opened));
              return scan.read(new WindowScan.Request(opened, columns, chosen), Total::new, taker);
            }));
  }

  /// Rows and watts of one thread.
  private static final class Total {

    private long rows;
    private long watts;

    void add(long moreRows, long moreWatts) {
      rows += moreRows;
      try {
        watts = Math.addExact(watts, moreWatts);
      } catch (ArithmeticException _) {
        throw new Fault.Data(
            "The sum of all " + ReadingTable.LOAD + " is beyond what an int64 holds.",
            "Ask for a shorter span.",
            null);
      }
    }
  }

  @Override
  public long probe(Level level, long device, Window span) {
    List<String> all = new ArrayList<>(SUMMED);
    all.add(ReadingTable.TIME);
    List<Total> parts =
        scanned(
            level.table(),
            from -> {
              List<KuduPredicate> predicates = new ArrayList<>(from.within(span));
              if (device >= 0) {
                predicates.addAll(from.ofDevice(device));
              }
              return predicates;
            },
            all,
            (into, _) -> into.add(1, 0));
    return parts.stream().mapToLong(part -> part.rows).sum();
  }

  @Override
  public List<Dirty> dirty() {
    return running.with(marks::windows);
  }

  @Override
  public void clean(Dirty window) {
    run(calls -> {
      try (RowSender sender = sender(calls)) {
        marks.clean(window, sender, calls);
      }
    });
  }

  @Override
  public void cancel() {
    running.cancel();
  }

  /// Ends what is under way, and the connection with it.
  @Override
  public void close() {
    running.cancel();
    try {
      claim.release(new KuduCalls(cluster.address().label()));
    } catch (Fault e) {
      LOG.warn("the mark of this run stays: {}", e.getMessage());
    }
    helpers.shutdown();
    cluster.close();
  }
}
