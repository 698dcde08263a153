package millrace.online.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import millrace.fault.Fault;
import millrace.online.Jobs;
import millrace.online.MemoryStore;
import millrace.online.job.JobFile;
import millrace.online.job.OnlineJob;
import millrace.online.report.OnlineReport;
import millrace.online.report.OnlineReport.Criterion;
import millrace.online.report.OnlineReport.State;
import millrace.online.report.OnlineReport.Sum;
import millrace.online.report.OnlineText;
import millrace.online.report.Series.WindowRun;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/// Whole runs against tables in memory: sums agree to the last watt whatever fails meanwhile, and
/// every run ends with a report.
@Timeout(120)
@Execution(ExecutionMode.CONCURRENT)
final class OnlineRunTest {

  private static final String RAW = "load_per_sec";
  private static final OnlineRun.Listener NOBODY = new OnlineRun.Listener(null, _ -> {}, _ -> {});

  private final MemoryStore store = new MemoryStore();

  private OnlineRun run(OnlineJob job) {
    return new OnlineRun(job, store, store::aggregate, NOBODY);
  }

  private static OnlineJob seconds(int seconds) {
    return Jobs.of(
        "rows: 200\nclients: 4\nduration: " + seconds + "s",
        "share: 20 %\ndelay: 2s\nallowed: 4s\nevery: 1s");
  }

  private static List<String> failed(OnlineReport report) {
    return report.outcome().criteria().stream()
        .filter(Criterion::isBroken)
        .map(Criterion::name)
        .toList();
  }

  private static Criterion criterion(OnlineReport report, String name) {
    return report.outcome().criteria().stream()
        .filter(each -> each.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private void assertThatSumsAgree(OnlineReport report) {
    assertThat(report.sums()).extracting(Sum::place).contains("sent", "raw", "small", "large");
    assertThat(report.sums()).allMatch(Sum::agrees);
    Sum sent = report.sums().getFirst();
    long aside =
        report.sums().stream()
            .filter(sum -> sum.place().equals("too late"))
            .mapToLong(Sum::sum)
            .sum();
    assertThat(sent.rows()).isPositive();
    long given = 0;
    for (Sum level : report.sums().subList(1, report.sums().size())) {
      if (!level.place().equals("too late")) {
        given += watts(store.sent("load_per_sec_" + level.place()));
        assertThat(level.sum()).as(level.place()).isEqualTo(sent.sum() - aside + given);
      }
    }
    assertThat(store.dirty()).as("marks that are left").isEmpty();
    ExpectedTables.check(store, report.sums());
  }

  @Test
  void lateRowsAreInEveryWindowAndThoseThatAreTooLateAside() {
    store.amidAggregate = _ -> store.pause(300);
    OnlineReport report = run(seconds(11)).execute();
    assertThat(report.outcome().state()).as("%s", report).isEqualTo(State.UNTESTED);
    assertThat(report.outcome().criteria())
        .filteredOn(each -> !each.holds())
        .as("so short a run does not tell it")
        .extracting(Criterion::name)
        .containsExactly("the backlog does not grow");
    assertThatSumsAgree(report);
    assertThat(report.sums()).extracting(Sum::place).contains("too late");
    assertThat(report.notes()).anyMatch(note -> note.contains("see load_per_sec_too_late"));
    List<WindowRun> windows = report.series().windows();
    for (String level : List.of("small", "middle", "large")) {
      assertThat(windows).anyMatch(each -> each.level().equals(level) && !each.again());
    }
    assertThat(windows).anyMatch(each -> each.level().equals("small") && each.again());
    // By the clock: a second after its end, not before.
    assertThat(windows)
        .filteredOn(each -> each.window().endsWith("23:59:52") && !each.again())
        .extracting(WindowRun::atSecond)
        .allMatch(at -> at >= 3);
    assertThat(report.outcome().latencies().getFirst().count()).isPositive();
  }

  /// No call fails: Kudu's client waits for a server that is down, and tells nobody.
  @Test
  void whatTheClientOfATargetTriesAgainByItselfIsTold() {
    store.retries.set(7);
    AtomicInteger writes = new AtomicInteger();
    store.beforeWrite =
        table -> {
          if (table.equals("load_per_sec") && writes.incrementAndGet() == 4) {
            store.retries.addAndGet(3);
          }
        };
    OnlineReport report = run(seconds(5)).execute();
    Criterion errors = criterion(report, "no write error");
    assertThat(errors.holds()).isTrue();
    assertThat(errors.measured()).isEqualTo("none, but its client tried 3 times again");
    assertThat(report.notes())
        .filteredOn(note -> note.startsWith("There were calls that the client made again: 3, "))
        .hasSize(1)
        .allMatch(note -> note.matches(".*: 3, at 0:0\\d; rows were held up\\."));
  }

  private static long watts(Map<MemoryStore.Key, Long> rows) {
    return rows.values().stream().mapToLong(Long::longValue).sum();
  }

  /// In the middle of a window of each length but the shortest, so that there is something to fill.
  @Test
  void windowsThatWereOpenBeforeTheStartAreFilledAndAddUpToo() {
    String text =
        Jobs.text("null:", "rows: 50\nclients: 2\nduration: 4s", "share: 10 %\ndelay: 1s");
    OnlineReport report =
        run(JobFile.parse("job.yaml", text.replace("23:59:52", "23:59:58"))).execute();
    assertThat(store.sent("load_per_sec_small")).as("given").hasSize(50);
    assertThat(store.sent("load_per_sec_middle")).as("given").hasSize(50);
    assertThatSumsAgree(report);
  }

  @Test
  void windowsAreBegunByTheClockThoughOneStillRuns() {
    CountDownLatch both = new CountDownLatch(2);
    store.beforeAggregate =
        level -> {
          if (level.equals("small")) {
            both.countDown();
            store.pause(both.getCount() == 0 ? 0 : 4_000);
          }
        };
    AtomicLong writes = new AtomicLong();
    store.afterWrite = table -> writes.addAndGet(table.equals(RAW) ? 1 : 0);
    OnlineJob job = Jobs.of("rows: 20\nclients: 2\nduration: 7s", "every: 1h");
    OnlineReport report = run(job).execute();
    assertThatSumsAgree(report);
    assertThat(report.outcome().latencies())
        .as("each write once")
        .extracting(OnlineReport.Latency::count)
        .containsOnly(writes.get());
    List<WindowRun> small =
        report.series().windows().stream()
            .filter(each -> each.level().equals("small") && !each.again())
            .toList();
    WindowRun first =
        small.stream().filter(each -> each.window().endsWith(":52")).findFirst().orElseThrow();
    assertThat(small)
        .anyMatch(each ->
            !each.window().endsWith(":52") && each.atSecond() < first.atSecond() + first.seconds());
  }

  /// All three levels of the first 8 seconds are due at once: a window of the highest is begun
  /// before the one below it is done, lacks its rows, and is done again.
  @Test
  void aWindowThatIsBegunBeforeTheOneBelowIsDoneCountsAsAgain() {
    AtomicBoolean begun = new AtomicBoolean();
    store.beforeAggregate =
        level -> {
          if (level.equals("large")) {
            begun.set(true);
          }
          while (level.equals("middle") && !begun.get()) {
            store.pause(20);
          }
        };
    OnlineJob job =
        Jobs.of("rows: 20\nclients: 2\nduration: 14s\nprefill: no", "share: 0 %\nevery: 1s");
    OnlineReport report = run(job).execute();
    assertThatSumsAgree(report);
    List<WindowRun> day =
        report.series().windows().stream()
            .filter(each -> each.level().equals("large") && each.window().endsWith("23:59:52"))
            .toList();
    assertThat(day).as("%s", report.series().windows()).hasSizeGreaterThan(1);
    assertThat(day.getFirst().again()).isFalse();
    assertThat(day.subList(1, day.size())).allMatch(WindowRun::again);
    assertThat(String.join("\n", OnlineText.lines(report)))
        .containsPattern("large +[2-9] +[1-9] +0 +0 ");
  }

  @Test
  void aggregatesThatFailAreCountedAndDoneAgain() {
    AtomicInteger calls = new AtomicInteger();
    store.amidAggregate =
        _ -> {
          if (calls.incrementAndGet() % 3 == 1) {
            throw new Fault.Transient("a lock is held.", "", 0, null);
          }
        };
    OnlineReport report = run(seconds(5)).execute();
    assertThat(report.outcome().state()).isEqualTo(State.FAILED);
    assertThat(failed(report)).contains("no aggregate error").doesNotContain("no write error");
    assertThatSumsAgree(report);
    assertThat(report.notes()).anyMatch(note -> note.contains("a lock is held"));
  }

  @Test
  void writesThatFailAreCountedAndMadeAgain() {
    AtomicInteger calls = new AtomicInteger();
    store.beforeWrite =
        _ -> {
          if (calls.incrementAndGet() % 5 == 0) {
            throw new Fault.External("the disk is full.", "", null);
          }
        };
    store.afterWrite =
        _ -> {
          if (calls.incrementAndGet() % 7 == 0) {
            throw new Fault.Transient("the connection was lost.", "", 0, null);
          }
        };
    OnlineJob job =
        Jobs.of(
            "rows: 200\nclients: 4\nduration: 5s\nprefill: no",
            "share: 20 %\ndelay: 2s\nallowed: 3s\nevery: 1s");
    OnlineReport report = run(job).execute();
    assertThat(report.outcome().state()).isEqualTo(State.FAILED);
    assertThat(failed(report)).contains("no write error").doesNotContain("the sums agree");
    assertThatSumsAgree(report);
    assertThat(report.series().seconds()).anyMatch(each -> each.errors() > 0);
    assertThat(report.notes()).anyMatch(note -> note.contains("the disk is full"));
  }

  @Test
  void aTargetThatIsAwayAtTheEndIsWaitedFor() {
    AtomicLong until = new AtomicLong(Long.MAX_VALUE);
    Runnable away =
        () -> {
          if (System.nanoTime() < until.get()) {
            throw Fault.Transient.unreachable("nobody listens.", "", null);
          }
        };
    store.beforeAggregate =
        _ -> {
          until.compareAndSet(Long.MAX_VALUE, System.nanoTime() + TimeUnit.SECONDS.toNanos(3));
          away.run();
        };
    AtomicInteger sums = new AtomicInteger();
    store.beforeSums =
        _ -> {
          if (sums.incrementAndGet() % 2 == 1) {
            throw Fault.Transient.unreachable("nobody listens.", "", null);
          }
        };
    OnlineReport report = run(seconds(2)).execute();
    assertThat(failed(report)).contains("no aggregate error");
    assertThatSumsAgree(report);
  }

  @Test
  void aggregatesThatFailForGoodEndWithAReport() {
    store.beforeAggregate =
        level -> {
          if (level.equals("middle")) {
            throw new Fault.User("There is no such column.", "");
          }
        };
    OnlineReport report = run(seconds(2)).execute();
    assertThat(report.outcome().state()).isEqualTo(State.FAILED);
    assertThat(failed(report)).contains("no aggregate error", "the sums agree");
    assertThat(criterion(report, "the sums agree").measured()).contains("middle");
    assertThat(report.sums().get(1).agrees()).as("raw").isTrue();
    assertThat(report.notes()).contains("Some windows could not be aggregated.");
  }

  @Test
  void aClientThatDiesEndsTheRunAndAllIsReconciled() {
    AtomicInteger calls = new AtomicInteger();
    store.afterWrite =
        table -> {
          if (table.equals(RAW) && calls.incrementAndGet() == 6) {
            throw new Fault.Bug("a client is broken", null);
          }
        };
    OnlineReport report = run(seconds(30)).execute();
    assertThat(report.elapsedSeconds()).as("the run ends with it").isLessThan(29);
    assertThat(report.outcome().state()).isEqualTo(State.FAILED);
    assertThat(failed(report)).contains("no write error", "the sums agree");
    assertThat(report.notes())
        .anyMatch(note -> note.matches("\\d of 4 clients ended.*may be there.*"));
    assertThat(report.sums())
        .as("what nobody knows of is told by the sum of what arrived, and by no other")
        .filteredOn(sum -> !sum.agrees())
        .extracting(Sum::place)
        .contains("raw")
        .doesNotContain("small", "middle", "large");
  }

  @Test
  void whoStopsARunGetsTheReportSoFar() {
    OnlineRun run = run(seconds(60));
    CompletableFuture<OnlineReport> report =
        CompletableFuture.supplyAsync(run::execute, task -> Thread.ofPlatform().start(task));
    while (run.report().series().seconds().isEmpty()) {
      pause();
    }
    run.stop();
    OnlineReport stopped = report.join();
    assertThat(stopped.outcome().state()).isEqualTo(State.STOPPED);
    assertThat(stopped.series().seconds()).isNotEmpty();
    assertThat(stopped.elapsedSeconds()).isLessThan(50);
    assertThat(stopped.sums()).isEmpty();
    assertThat(stopped.notes()).anyMatch(note -> note.startsWith("It was stopped"));
  }

  /// As a trial of a search is that can't pass any more.
  @Test
  void anAggregateThatIsStoppedWithItsRunHasNotFailed() throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(1);
    store.amidAggregate =
        _ -> {
          begun.countDown();
          store.pause(600_000);
        };
    OnlineRun run = run(seconds(60));
    CompletableFuture<OnlineReport> report =
        CompletableFuture.supplyAsync(run::execute, task -> Thread.ofPlatform().start(task));
    begun.await();
    run.stop();
    OnlineReport stopped = report.join();
    assertThat(stopped.outcome().state()).isEqualTo(State.STOPPED);
    assertThat(criterion(stopped, "no aggregate error").isBroken()).isFalse();
    assertThat(stopped.notes()).noneMatch(note -> note.startsWith("Failed"));
  }

  private static void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(20);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aTargetThatDoesNotAnswerDoesNotKeepARunThatIsStopped() throws InterruptedException {
    CountDownLatch waits = new CountDownLatch(1);
    store.beforeWrite =
        table -> {
          if (table.equals(RAW)) {
            waits.countDown();
            store.pause(600_000);
          }
        };
    OnlineRun run = run(seconds(60));
    CompletableFuture<OnlineReport> report =
        CompletableFuture.supplyAsync(run::execute, task -> Thread.ofPlatform().start(task));
    waits.await();
    run.stop();
    assertThat(report.join().outcome().state()).isEqualTo(State.STOPPED);
  }

  @Test
  void anAggregateThatHangsDoesNotKeepARunThatIsStoppedAfterItsLastWrite() {
    AtomicInteger calls = new AtomicInteger();
    store.beforeAggregate =
        _ -> {
          if (calls.getAndIncrement() > 0) {
            store.pause(600_000);
          }
        };
    OnlineRun run = run(seconds(5));
    CompletableFuture<OnlineReport> report =
        CompletableFuture.supplyAsync(run::execute, task -> Thread.ofPlatform().start(task));
    while (run.report().elapsedSeconds() < 7) {
      pause();
    }
    assertThat(report).isNotDone();
    run.stop();
    assertThat(report.join().outcome().state()).isEqualTo(State.STOPPED);
  }

  /// The thread that looks for late windows goes on to the next level while the run is abandoned.
  @Test
  void aRunThatIsStoppedWhileLateWindowsAreAggregatedEndsWithoutAStackTrace()
      throws InterruptedException {
    AtomicBoolean aboveIsDone = new AtomicBoolean();
    CountDownLatch abandoned = new CountDownLatch(1);
    store.amidAggregate = level -> aboveIsDone.compareAndSet(false, level.equals("middle"));
    store.beforeAggregate =
        level -> {
          if (level.equals("small") && aboveIsDone.get()) {
            awaits(abandoned);
          }
        };
    List<Throwable> thrown = new CopyOnWriteArrayList<>();
    Thread.UncaughtExceptionHandler usual = Thread.getDefaultUncaughtExceptionHandler();
    Thread.setDefaultUncaughtExceptionHandler((_, e) -> thrown.add(e));
    try {
      OnlineRun run = run(seconds(60));
      CompletableFuture<OnlineReport> report =
          CompletableFuture.supplyAsync(run::execute, task -> Thread.ofPlatform().start(task));
      while (run.report().series().windows().stream().noneMatch(OnlineRunTest::isAgain)) {
        pause();
      }
      run.stop();
      while (!store.isCancelled()) {
        pause();
      }
      // It is abandoned next.
      pause();
      abandoned.countDown();
      assertThat(report.join().outcome().state()).isEqualTo(State.STOPPED);
    } finally {
      Thread.setDefaultUncaughtExceptionHandler(usual);
    }
    assertThat(thrown).isEmpty();
  }

  private static boolean isAgain(WindowRun window) {
    return window.running() && window.again() && window.level().equals("small");
  }

  private static void awaits(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aRunCanBeStoppedBeforeTheFirstRowAndAfterTheLast() throws InterruptedException {
    OnlineRun early = run(seconds(60));
    early.stop();
    OnlineReport report = early.execute();
    assertThat(report.outcome().state()).isEqualTo(State.STOPPED);
    assertThat(report.series().seconds()).isEmpty();

    MemoryStore other = new MemoryStore();
    CountDownLatch adds = new CountDownLatch(1);
    other.beforeSums =
        _ -> {
          adds.countDown();
          other.pause(600_000);
        };
    OnlineRun late = new OnlineRun(seconds(2), other, other::aggregate, NOBODY);
    CompletableFuture<OnlineReport> ends =
        CompletableFuture.supplyAsync(late::execute, task -> Thread.ofPlatform().start(task));
    adds.await();
    late.stop();
    assertThat(ends.join().outcome().state()).isEqualTo(State.STOPPED);
  }

  /// What follows from it says less: DuckDB calls its file damaged once its disk was full.
  @Test
  void whatFailedFirstWhileWindowsAreFilledIsTold() {
    AtomicInteger calls = new AtomicInteger();
    store.beforeWrite =
        _ -> {
          if (calls.incrementAndGet() == 1) {
            throw new Fault.External("the disk is full.", "", null);
          }
          store.pause(300);
          throw new Fault.External("the file is damaged.", "", null);
        };
    String text = Jobs.text("null:", "rows: 50\nclients: 2\nduration: 4s", "");
    OnlineJob job = JobFile.parse("job.yaml", text.replace("23:59:52", "23:59:58"));
    assertThatThrownBy(() -> run(job).execute()).hasMessageContaining("the disk is full");
  }

  @Test
  void aTargetThatRefusesTheTablesIsNoRun() {
    store.beforeWrite =
        _ -> {
          throw new Fault.External("read only.", "", null);
        };
    assertThatThrownBy(() -> run(seconds(2)).execute()).isInstanceOf(Fault.External.class);
  }

  /// Who watches sees them while they are missing, and the end does not forget them.
  @Test
  void writesThatNeverBeganAreBadSecondsThoughTheirClientHasDied() {
    AtomicInteger calls = new AtomicInteger();
    store.beforeWrite =
        table -> {
          if (table.equals(RAW) && calls.incrementAndGet() > 2) {
            store.pause(calls.get() == 3 ? 3_000 : 0);
            throw new Fault.User("the disk is full.", "");
          }
        };
    OnlineJob slow = Jobs.of("rows: 10\nclients: 1\nduration: 30s\nprefill: no", "every: 1h");
    OnlineJob job =
        new OnlineJob(
            slow.target(),
            slow.load(),
            slow.windows(),
            slow.late(),
            slow.tables(),
            new OnlineJob.Pass(
                Duration.ofSeconds(1), slow.pass().aggregate(), 0, slow.pass().badRun()),
            null);
    List<Double> live = new ArrayList<>();
    OnlineRun.Listener listener =
        new OnlineRun.Listener(
            null,
            _ -> {},
            run -> run.report().series().seconds().forEach(each -> live.add(each.startDelayMax())));
    OnlineReport report = new OnlineRun(job, store, store::aggregate, listener).execute();
    assertThat(failed(report)).contains("writes start on time", "no write error");
    // Five tries take five seconds: the second behind that one never had its write.
    assertThat(report.series().seconds()).hasSizeGreaterThan(3);
    assertThat(report.series().seconds().get(3).startDelayMax()).isGreaterThan(1_000);
    assertThat(live).as("while it goes on").anyMatch(each -> each > 1_000);
    assertThat(report.notes())
        .anyMatch(note ->
            note.endsWith(
                "writes had not begun when the schedule ended: their rows" + " were not sent."));
  }

  /// Neither an aggregate nor the backlog can be told of: nothing is broken, and nothing is shown.
  @Test
  void aRunThatIsTooShortForItsWindowsHasNotPassed() {
    List<String> said = new ArrayList<>();
    OnlineRun.Listener listener = new OnlineRun.Listener(null, said::add, _ -> {});
    OnlineReport report =
        new OnlineRun(
                Jobs.of("rows: 20\nclients: 2\nduration: 2s", ""),
                store,
                store::aggregate,
                listener)
            .execute();
    assertThat(report.outcome().state()).isEqualTo(State.UNTESTED);
    assertThat(criterion(report, "aggregates finish on time").isUntested()).isTrue();
    assertThat(criterion(report, "the backlog does not grow").isUntested()).isTrue();
    assertThat(criterion(report, "the sums agree").holds()).isTrue();
    assertThat(said).contains("It is too short for all criteria: that takes 30 s or more.");
  }

  @Test
  void writesThatNeverBeganAreToldAndCountAsLate() {
    AtomicInteger calls = new AtomicInteger();
    store.beforeWrite =
        table -> {
          if (table.equals(RAW) && calls.getAndIncrement() == 0) {
            store.pause(3_500);
          }
        };
    OnlineJob slow = Jobs.of("rows: 10\nclients: 1\nduration: 3s\nprefill: no", "every: 1s");
    OnlineJob job =
        new OnlineJob(
            slow.target(),
            slow.load(),
            slow.windows(),
            slow.late(),
            slow.tables(),
            new OnlineJob.Pass(
                Duration.ofSeconds(1), slow.pass().aggregate(), 0, slow.pass().badRun()),
            null);
    OnlineReport report = run(job).execute();
    // On a machine that others keep busy they may be late by that as well.
    assertThat(criterion(report, "writes start on time").holds()).isFalse();
    assertThat(report.notes())
        .contains("2 writes had not begun when the schedule ended: their rows were not sent.");
    assertThat(criterion(report, "writes start on time").measured()).contains("2 of 3 seconds");
    assertThatSumsAgree(report);
  }
}
