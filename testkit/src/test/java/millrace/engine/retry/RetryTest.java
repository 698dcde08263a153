package millrace.engine.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.engine.Run;
import millrace.engine.RunOptions;
import millrace.engine.meter.Meter;
import millrace.fault.Fault;
import millrace.plan.Job;
import millrace.plan.Lanes;
import millrace.plan.Planned;
import millrace.plan.Planner;
import millrace.spi.Endpoint;
import millrace.spi.OpenContext;
import millrace.spi.read.ReadContext;
import millrace.spi.read.ReadSession;
import millrace.spi.read.Reader;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import millrace.spi.read.Split;
import millrace.spi.write.Mode;
import millrace.spi.write.Target;
import millrace.spi.write.WriteOptions;
import millrace.testkit.Row;
import millrace.testkit.faulty.FaultPlan;
import millrace.testkit.faulty.FaultPlan.Kind;
import millrace.testkit.faulty.FaultPlan.Site;
import millrace.testkit.faulty.FaultyConnector;
import millrace.testkit.forwarding.ForwardingReadSession;
import millrace.testkit.forwarding.ForwardingSource;
import millrace.testkit.memory.MemoryConnector;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Lanes that fail in a way that may pass, and what becomes of their splits.
class RetryTest {

  private static final Schema SCHEMA = Schema.of(List.of(Column.of("id", new Type.Int(64))));
  private static final int ROWS = 5_000;
  private static final WriteOptions APPEND = new WriteOptions(Mode.APPEND, false, List.of(), false);
  private static final Duration LONG = Duration.ofHours(1);
  private static final RetryPolicy SOON =
      new RetryPolicy(LONG, Duration.ZERO, Duration.ofNanos(1000), Duration.ofMillis(2));

  private final MemoryConnector memory = new MemoryConnector();
  private final List<Row> rows = new ArrayList<>();

  RetryTest() {
    for (int i = 0; i < ROWS; i++) {
      rows.add(Row.of(i));
    }
    memory.put("from", SCHEMA, rows);
    memory.put("to", SCHEMA, List.of());
  }

  private Job job() {
    return job(memory.endpoint("to"));
  }

  private Job job(Endpoint to) {
    return new Job(
        memory.endpoint("from", Map.of("batch-rows", "10", "split-rows", "50")),
        to,
        Selection.ALL,
        APPEND,
        Job.Tuning.AUTOMATIC,
        Job.RejectPolicy.NONE);
  }

  private Run run(FaultPlan faults, int lanes, RetryPolicy retryPolicy) {
    return run(job(), faults, lanes, retryPolicy);
  }

  private Run run(Job job, FaultPlan faults, int lanes, RetryPolicy retryPolicy) {
    FaultyConnector faulty = new FaultyConnector(memory, faults);
    try (Source source = faulty.source(job.from(), Selection.ALL, new OpenContext());
        Target target = faulty.target(job.to(), APPEND, new OpenContext())) {
      return run(job, source, target, lanes, retryPolicy);
    }
  }

  private Run run(Source source, Target target, int lanes, RetryPolicy retryPolicy) {
    return run(job(), source, target, lanes, retryPolicy);
  }

  private Run run(Job job, Source source, Target target, int lanes, RetryPolicy retryPolicy) {
    Run run = new Run(planned(job, source, target, lanes), RunOptions.of(retryPolicy));
    run.execute().orThrow();
    return run;
  }

  private static Planned planned(Job job, Source source, Target target, int lanes) {
    Planned planned = Planner.plan(job, source, target);
    return planned.with(planned.plan().with(Lanes.fixed(lanes, ""), 16 << 20));
  }

  /// Transient faults anywhere but where a split becomes durable, and so few of each split that it
  /// is not given up.
  private static FaultPlan transientFaults(long seed) {
    FaultPlan random = FaultPlan.random(seed, 0.04, List.of(Kind.TRANSIENT));
    Map<Integer, Integer> struck = new ConcurrentHashMap<>();
    return (site, split, call) -> {
      Kind fault =
          site == Site.READ || site == Site.WRITE ? random.decide(site, split, call) : null;
      return fault == null || struck.merge(split, 1, Integer::sum) > 5 ? null : fault;
    };
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void rowsArriveOnceHoweverOftenLanesFail(long seed) {
    Run run = run(transientFaults(seed), 3, SOON);
    assertThat(memory.rows("to")).containsExactlyInAnyOrderElementsOf(rows);
    assertThat(run.meter().rows()).isEqualTo(ROWS);
    assertThat(run.meter().rowsDurable()).isEqualTo(ROWS);
    assertThat(run.meter().sourceBytes()).isLessThan(run.meter().sourceBytesMoved());
    assertThat(run.meter().retries()).isNotEmpty();
    assertThat(run.meter().retries())
        .allSatisfy(retry -> {
          assertThat(retry.why()).matches("injected into (READ|WRITE) .*|others");
          assertThat(retry.count()).isPositive();
          assertThat(retry.nanos()).isPositive();
        });
    assertThat(run.meter().waiting()).isNull();
  }

  @Test
  void withoutPatienceTheFirstFaultEndsTheRun() {
    assertThatThrownBy(() -> run(transientFaults(1), 3, RetryPolicy.NONE))
        .isInstanceOf(Fault.Transient.class)
        .hasMessageStartingWith("injected into ");
  }

  @Test
  void aFaultThatStaysEndsTheRunAtOnce() {
    AtomicInteger faults = new AtomicInteger();
    FaultPlan external =
        (site, split, _) -> {
          boolean strikes = site == Site.WRITE && split == 7;
          faults.addAndGet(strikes ? 1 : 0);
          return strikes ? Kind.EXTERNAL : null;
        };
    assertThatThrownBy(() -> run(external, 2, SOON)).isInstanceOf(Fault.External.class);
    assertThat(faults).hasValue(1);
  }

  @Test
  void aSplitThatFailsEveryTimeEndsTheRunAfterSomeTries() {
    AtomicInteger tries = new AtomicInteger();
    FaultPlan poisoned =
        (site, split, _) -> {
          boolean strikes = site == Site.READ && split == 7;
          tries.addAndGet(strikes ? 1 : 0);
          return strikes ? Kind.TRANSIENT : null;
        };
    assertThatThrownBy(() -> run(poisoned, 2, SOON))
        .isInstanceOfSatisfying(
            Fault.Transient.class,
            fault ->
                assertThat(fault.advice())
                    .isEqualTo("The same part of the source was tried 10 times."));
    assertThat(tries).hasValue(10);
  }

  @Test
  void aSplitThatFailedWhileItBecameDurableIsNotWrittenTwice() {
    FaultPlan inDoubt = FaultPlan.at(Site.FINISH, 7, 0, Kind.TRANSIENT);
    assertThatThrownBy(() -> run(inDoubt, 2, SOON))
        .isInstanceOfSatisfying(
            Fault.Transient.class,
            fault -> assertThat(fault.advice()).contains("committed is not known"));
    assertThat(memory.rows("to")).doesNotHaveDuplicates();
  }

  /// The target is asked what it has: it has the rows, and they are not sent again.
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void rowsArriveOnceHoweverOftenTheAnswerToACommitIsLost(long seed) {
    Map<String, String> receipts = Map.of(MemoryConnector.RECEIPTS, "15");
    FaultPlan random = FaultPlan.random(seed, 0.15, List.of(Kind.TRANSIENT));
    FaultPlan faults =
        (site, split, call) -> site == Site.COMMITTED ? random.decide(site, split, call) : null;
    Job job = job(memory.endpoint("to", receipts));
    Run run = run(job, faults, 1 + (int) seed % 3, SOON);
    assertThat(memory.rows("to")).containsExactlyInAnyOrderElementsOf(rows);
    assertThat(run.meter().rows()).isEqualTo(ROWS);
    assertThat(run.meter().rowsDurable()).isEqualTo(ROWS);
    assertThat(run.meter().retries()).isNotEmpty();
  }

  /// Rows of a split that were committed before it failed stay, and those behind them come again.
  @ParameterizedTest
  @EnumSource(
      value = Site.class,
      names = {"READ", "WRITE", "FINISH", "COMMITTED"})
  void whatACheckpointHasMadeDurableIsNotSentAgain(Site where) {
    FaultPlan third = (site, _, call) -> site == where && call == 2 ? Kind.TRANSIENT : null;
    Job job = job(memory.endpoint("to", Map.of(MemoryConnector.RECEIPTS, "15")));
    Run run = run(job, third, 2, SOON);
    assertThat(memory.rows("to")).containsExactlyInAnyOrderElementsOf(rows);
    assertThat(run.meter().rows()).isEqualTo(ROWS);
    assertThat(run.meter().rowsDurable()).isEqualTo(ROWS);
  }

  @Test
  void aRunThatFailsCountsTheRowsWhoseAnswerWasLostAmongThoseThatStay() {
    FaultPlan faults =
        (site, split, call) ->
            site == Site.COMMITTED && split == 3 && call == 1
                ? Kind.TRANSIENT
                : site == Site.READ && split == 9 ? Kind.EXTERNAL : null;
    Job job = job(memory.endpoint("to", Map.of(MemoryConnector.RECEIPTS, "15")));
    FaultyConnector faulty = new FaultyConnector(memory, faults);
    try (Source source = faulty.source(job.from(), Selection.ALL, new OpenContext());
        Target target = faulty.target(job.to(), APPEND, new OpenContext())) {
      Run run = new Run(planned(job, source, target, 1), RunOptions.of(SOON));
      assertThatThrownBy(() -> run.execute().orThrow()).isInstanceOf(Fault.External.class);
      assertThat(run.meter().rowsDurable()).isEqualTo(memory.rows("to").size()).isPositive();
    }
  }

  @Test
  void aStopEndsTheWaitForTheNextTry() {
    FaultyConnector faulty =
        new FaultyConnector(memory, FaultPlan.at(Site.READ, 7, 0, Kind.TRANSIENT));
    RetryPolicy slow = new RetryPolicy(LONG, Duration.ZERO, LONG, LONG);
    try (Source source = faulty.source(job().from(), Selection.ALL, new OpenContext());
        Target target = faulty.target(job().to(), APPEND, new OpenContext())) {
      Run run = new Run(planned(job(), source, target, 1), RunOptions.of(slow));
      AtomicReference<Meter.@Nullable Waiting> seen = new AtomicReference<>();
      Thread user =
          Thread.ofPlatform()
              .start(() -> {
                while (seen.get() == null) {
                  seen.set(run.meter().waiting());
                  Thread.onSpinWait();
                }
                run.cancel("enough");
              });
      assertThatThrownBy(() -> run.execute().orThrow())
          .isInstanceOf(Fault.Cancelled.class)
          .hasMessage("enough");
      join(user);
      assertThat(seen.get())
          .isNotNull()
          .satisfies(waiting -> {
            assertThat(waiting.why()).isEqualTo("injected into READ 0 of split 7");
            assertThat(waiting.tries()).isEqualTo(2);
            assertThat(waiting.secondsLeft()).isBetween(1L, 3600L);
          });
    }
  }

  @Test
  void aRunInWhichNothingMovesSaysWhatItWaitsForAndEnds() {
    RetryPolicy impatient =
        new RetryPolicy(Duration.ZERO, Duration.ofMillis(400), Duration.ZERO, Duration.ZERO);
    assertThatThrownBy(() -> run(FaultPlan.at(Site.READ, 0, 0, Kind.HANG), 1, impatient))
        .isInstanceOfSatisfying(
            Fault.Transient.class, fault -> assertThat(fault.advice()).contains("--stall-timeout"))
        .hasMessageMatching(
            "No row has moved for 0 s: reader 0: waiting for and taking in the source's bytes for"
                + " [0-9]+ s\\.");
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void whatALaneCanNoLongerOpenForTheOthersDo() {
    AtomicInteger refused = new AtomicInteger();
    FaultPlan atSplitOne =
        (site, split, call) -> {
          while (site == Site.READ && split == 5 && refused.get() == 0) {
            Thread.onSpinWait();
          }
          return site == Site.READ && split == 1 && call == 2 ? Kind.TRANSIENT : null;
        };
    FaultyConnector faulty = new FaultyConnector(memory, atSplitOne);
    try (Source inner = faulty.source(job().from(), Selection.ALL, new OpenContext());
        Target target = faulty.target(job().to(), APPEND, new OpenContext())) {
      Run run = run(new Refusing(inner, 2, refused), target, 2, SOON);
      assertThat(memory.rows("to")).containsExactlyInAnyOrderElementsOf(rows);
      assertThat(run.meter().retries()).extracting("why").contains("too many clients already");
    }
  }

  /// A source that gives only so many readers, and none after that.
  private static final class Refusing extends ForwardingSource {
    private final AtomicInteger left;
    private final AtomicInteger refused;

    Refusing(Source inner, int readersMax, AtomicInteger refused) {
      super(inner);
      left = new AtomicInteger(readersMax);
      this.refused = refused;
    }

    @Override
    protected ReadSession opened(ReadSession session) {
      return new ForwardingReadSession(session) {
        @Override
        public Reader reader(ReadContext context) {
          if (left.decrementAndGet() < 0) {
            refused.incrementAndGet();
            throw new Fault.Transient("too many clients already", "", 0, null);
          }
          return super.reader(context);
        }
      };
    }
  }

  @Test
  void waitsDoubleUpToTheLongestAndAreCutByChance() {
    RetryPolicy retryPolicy = RetryPolicy.of(Duration.ofMinutes(10), Duration.ZERO);
    List<Long> shortestMillis = new ArrayList<>();
    for (int failures = 1; failures < 10; failures++) {
      long shortest = retryPolicy.waitNanos(failures, 0, () -> 0L);
      assertThat(retryPolicy.waitNanos(failures, 0, () -> -1L))
          .isBetween(2 * shortest - 1000, 2 * shortest);
      shortestMillis.add(shortest / 1_000_000);
    }
    assertThat(shortestMillis)
        .containsExactly(250L, 500L, 1000L, 2000L, 4000L, 8000L, 15_000L, 15_000L, 15_000L);
    assertThat(retryPolicy.waitNanos(1000, 0, () -> 0L)).isEqualTo(15_000_000_000L);
    assertThat(retryPolicy.waitNanos(1, 2_000, () -> 0L)).isEqualTo(2_000_000_000L);
  }

  @Test
  void aServerThatIsAwayIsWaitedForHoweverManyLanesAskForIt() {
    Retries retries = new Retries(RetryPolicy.of(Duration.ofMinutes(10), Duration.ZERO));
    Fault.Transient refused = Fault.Transient.unreachable("refused", "Is it running?", null);
    Split split = new Split(0, "from", 0, 50, 0, 0);
    long second = 1_000_000_000L;
    for (int tries = 1; tries < 600; tries++) {
      assertThat(retries.waitNanos(refused, split, tries, 5, tries * second)).isPositive();
    }
    assertThatThrownBy(() -> retries.waitNanos(refused, split, 600, 5, 601 * second))
        .isInstanceOfSatisfying(
            Fault.Transient.class,
            fault ->
                assertThat(fault.advice())
                    .isEqualTo("It was tried again for 10 min. Is it running?"));
  }

  /// MariaDB does so if a row is longer than it takes: the rows before it move again in each try.
  @Test
  void aServerThatTakesRowsAndThenEndsTheConnectionIsNotTriedForEver() {
    Retries retries = new Retries(RetryPolicy.of(Duration.ofMinutes(10), Duration.ZERO));
    Fault.Transient lost = Fault.Transient.unreachable("lost", "A long row?", null);
    Split split = new Split(0, "from", 0, 50, 0, 0);
    for (int tries = 1; tries <= 10; tries++) {
      assertThat(retries.waitNanos(lost, split, tries, tries, tries)).isPositive();
    }
    assertThatThrownBy(() -> retries.waitNanos(lost, split, 11, 11, 11))
        .isInstanceOfSatisfying(
            Fault.Transient.class,
            fault ->
                assertThat(fault.advice())
                    .isEqualTo("The same part of the source was tried 10 times. A long row?"));
  }

  @Test
  void triesEndAfterTheTimeAskedForUnlessRowsHaveMoved() {
    Retries retries = new Retries(RetryPolicy.of(Duration.ofSeconds(60), Duration.ZERO));
    Fault.Transient reset = new Fault.Transient("reset", "Look at the network.", 0, null);
    long second = 1_000_000_000L;
    assertThat(retries.waitNanos(reset, null, 1, 5, 0)).isPositive();
    assertThat(retries.waitNanos(reset, null, 2, 5, 59 * second)).isPositive();
    assertThat(retries.waitNanos(reset, null, 3, 6, 70 * second)).isPositive();
    assertThat(retries.waitNanos(reset, null, 4, 6, 129 * second)).isPositive();
    assertThatThrownBy(() -> retries.waitNanos(reset, null, 5, 6, 130 * second))
        .isInstanceOfSatisfying(
            Fault.Transient.class,
            fault ->
                assertThat(fault.advice())
                    .isEqualTo("It was tried again for 1 min. Look at the network."));
  }

  @Test
  void whatADriverHasTriedByItselfCounts() {
    Retries retries = new Retries(RetryPolicy.of(Duration.ofSeconds(3), Duration.ZERO));
    long second = 1_000_000_000L;
    Fault.Transient dead = Fault.Transient.unreachable("dead", "Is it up?", null).triedFor(second);
    assertThat(dead.isUnreachable()).isTrue();
    assertThat(retries.waitNanos(dead, null, 1, 0, 10 * second)).isPositive();
    assertThatThrownBy(() -> retries.waitNanos(dead, null, 2, 0, 11 * second + second / 2))
        .isInstanceOf(Fault.Transient.class);
  }
}
