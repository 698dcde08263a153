package millrace.connectors.kudu.online;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import millrace.connectors.kudu.KuduCalls;
import millrace.connectors.kudu.KuduCluster;
import millrace.connectors.kudu.read.Scans;
import millrace.connectors.kudu.read.SnapshotTime;
import millrace.fault.Fault;
import org.apache.kudu.client.AsyncKuduScanner.ReadMode;
import org.apache.kudu.client.AsyncKuduScanner.RowDataFormat;
import org.apache.kudu.client.KuduPredicate;
import org.apache.kudu.client.KuduScanToken;
import org.apache.kudu.client.KuduScanner;
import org.apache.kudu.client.KuduTable;
import org.apache.kudu.client.RowResult;
import org.apache.kudu.client.RowResultIterator;

/// Reads rows of a table as of one moment, by the thread that asks and a helper beside it, tablet
/// by tablet. Any thread.
final class WindowScan {

  private final KuduCluster cluster;
  private final ExecutorService helpers;
  private final RunningCalls running;

  /// Takes a row, which is another one when it returns.
  @FunctionalInterface
  interface Taker<T> {

    /// Takes it into what one thread collects.
    void take(T into, RowResult row);
  }

  /// What is read.
  ///
  /// @param columns in the order in which rows have them
  /// @param predicates what the tablet servers look at
  record Request(KuduTable table, List<String> columns, List<KuduPredicate> predicates) {

    Request {
      columns = List.copyOf(columns);
      predicates = List.copyOf(predicates);
    }
  }

  /// @param helpers starts a thread at once if all are busy
  WindowScan(KuduCluster cluster, ExecutorService helpers, RunningCalls running) {
    this.cluster = cluster;
    this.helpers = helpers;
    this.running = running;
  }

  /// Reads all that was written and acknowledged by now, whoever wrote it.
  ///
  /// @param collector makes what a thread collects rows in
  /// @return what was collected, by thread; at least one
  <T> List<T> read(Request request, Supplier<T> collector, Taker<T> taker) {
    return running.with(calls -> {
      Queue<KuduScanToken> tokens = new ConcurrentLinkedQueue<>(tokens(request, calls));
      AtomicBoolean failed = new AtomicBoolean();
      List<T> collected = new ArrayList<>();
      if (tokens.size() < 2) {
        collected.add(drain(tokens, collector, taker, failed, calls));
        return collected;
      }
      Future<T> helper =
          helpers.submit(() ->
              running.with(helperCalls -> drain(tokens, collector, taker, failed, helperCalls)));
      try {
        collected.add(drain(tokens, collector, taker, failed, calls));
      } catch (RuntimeException | Error e) {
        // The helper must not go on by itself, with nobody to wait for it.
        awaitAfter(e, helper, failed);
        throw e;
      }
      collected.add(await(helper, failed));
      return collected;
    });
  }

  private List<KuduScanToken> tokens(Request request, KuduCalls calls) {
    long moment = SnapshotTime.now(cluster.client(), request.table(), calls);
    return calls.get(() -> {
      KuduScanToken.KuduScanTokenBuilder builder =
          cluster
              .client()
              .newScanTokenBuilder(request.table())
              .setProjectedColumnNames(request.columns())
              .readMode(ReadMode.READ_AT_SNAPSHOT);
      if (moment >= 0) {
        builder.snapshotTimestampRaw(moment);
      }
      request.predicates().forEach(builder::addPredicate);
      return builder.build();
    });
  }

  /// Reads tablets until none is left, or the other thread has failed.
  private <T> T drain(
      Queue<KuduScanToken> tokens,
      Supplier<T> collector,
      Taker<T> taker,
      AtomicBoolean failed,
      KuduCalls calls) {
    T into = collector.get();
    boolean done = false;
    try {
      for (KuduScanToken token = tokens.poll();
          token != null && !failed.get();
          token = tokens.poll()) {
        drain(token, into, taker, failed, calls);
      }
      done = true;
      return into;
    } finally {
      if (!done) {
        failed.set(true);
      }
    }
  }

  private <T> void drain(
      KuduScanToken token, T into, Taker<T> taker, AtomicBoolean failed, KuduCalls calls) {
    KuduScanner scanner = calls.get(() -> Scans.open(token, cluster.client()));
    scanner.setReuseRowResult(true);
    scanner.setRowDataFormat(RowDataFormat.COLUMNAR);
    while (scanner.hasMoreRows() && !failed.get()) {
      RowResultIterator rows = calls.get(scanner::nextRows);
      while (rows.hasNext()) {
        taker.take(into, rows.next());
      }
    }
    if (!scanner.isClosed()) {
      calls.get(scanner::close);
    }
  }

  private static <T> T await(Future<T> helper, AtomicBoolean failed) {
    try {
      return helper.get();
    } catch (ExecutionException e) {
      throw Fault.of(Objects.requireNonNullElse(e.getCause(), e));
    } catch (InterruptedException _) {
      failed.set(true);
      Thread.currentThread().interrupt();
      throw new Fault.Cancelled("An aggregate was interrupted.");
    }
  }

  private static void awaitAfter(Throwable first, Future<?> helper, AtomicBoolean failed) {
    try {
      await(helper, failed);
    } catch (Fault second) {
      first.addSuppressed(second);
    }
  }
}
