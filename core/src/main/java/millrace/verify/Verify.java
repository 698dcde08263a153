package millrace.verify;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import millrace.copy.Copy;
import millrace.data.Schema;
import millrace.engine.Run;
import millrace.engine.RunOptions;
import millrace.engine.reject.ExcludedRecords;
import millrace.engine.reject.RejectLog;
import millrace.engine.retry.RetryPolicy;
import millrace.engine.retry.StallGuard;
import millrace.engine.tuning.ConcurrencyPolicy;
import millrace.fault.Fault;
import millrace.plan.Job;
import millrace.plan.Lanes;
import millrace.plan.Plan;
import millrace.plan.Planned;
import millrace.plan.Planner;
import millrace.spi.Blockable;
import millrace.spi.read.Source;
import millrace.verify.ColumnMatcher.Common;
import org.jspecify.annotations.Nullable;

/// Tells whether two sides hold the same rows, and if not, where they differ.
///
/// Both sides are read in parallel, each by its own lanes, and only sums of hashes are kept. If the
/// sums differ, the sides are read once more to name rows. One thread calls {@link #execute};
/// others may ask for {@link #rows} and {@link #cancel}.
public final class Verify {

  /// One side.
  ///
  /// @param job where it is, what to select, how columns pair up (the same on both sides), how many
  ///   lanes; its target is not looked at
  /// @param open opens it afresh; each source is closed here
  public record Side(Job job, Supplier<Source> open) {}

  /// Values kept at most for naming differences, on each side; some 150 bytes each.
  private static final long RETAINED_VALUES_MAX = 200_000;

  private final Side from;
  private final Side to;
  private final List<String> keyRequested;
  private final RetryPolicy retryPolicy;
  private final StallGuard stallGuard;
  private final Set<String> notes = new LinkedHashSet<>();
  private @Nullable ExcludedRecords leftOut;
  private final ConcurrentLinkedQueue<Run> runs = new ConcurrentLinkedQueue<>();
  private volatile @Nullable String cancelled;

  /// @param keyRequested the columns to find rows by; empty for the primary key of either side
  /// @param retryPolicy how long it goes on if a side can't be read
  public Verify(Side from, Side to, List<String> keyRequested, RetryPolicy retryPolicy) {
    this.retryPolicy = retryPolicy;
    stallGuard = new StallGuard(retryPolicy, _ -> {});
    this.from = from;
    this.to = to;
    this.keyRequested = keyRequested;
  }

  /// Leaves records out of the first side, such as those that a copy has set aside. Before {@link
  /// #execute}.
  public Verify leavingOut(ExcludedRecords records) {
    leftOut = records;
    return this;
  }

  /// Rows read so far, on both sides and both looks.
  public long rows() {
    return runs.stream().mapToLong(run -> run.meter().rows()).sum();
  }

  /// How many lanes have read rows at once, on both sides together.
  public int lanes() {
    return runs.stream().limit(2).mapToInt(run -> run.meter().lanesWithRows()).sum();
  }

  /// Stops soon; {@link #execute} then throws {@link Fault.Cancelled}.
  public void cancel(String why) {
    cancelled = why;
    runs.forEach(run -> run.cancel(why));
  }

  /// Compares the sides. A record that can't be read as the other side's types is one that differs.
  ///
  /// @throws Fault.User if they have not the same columns, or what was to be left out is not there
  public Differences execute() {
    Common common = new ColumnMatcher(from, to, keyRequested, notes, stallGuard).match();
    Tally fromTally = new Tally(common.names().size());
    Tally toTally = new Tally(common.names().size());
    BadRecords bad = new BadRecords(leftOut);
    both(
        common,
        side -> tally(side, common, fromTally, bad::ofFrom),
        side -> tally(side, common, toTally, bad::ofTo));
    ExcludedRecords without = leftOut;
    if (without != null) {
      if (!from.job.selection().filters()) {
        without.requireAll(from.job.from().label());
      }
      notes.add(
          "%,d bad records of %s are left out".formatted(without.found(), from.job.from().label()));
    }
    return bad.addTo(compare(common, fromTally, toTally));
  }

  private Differences compare(Common common, Tally fromTally, Tally toTally) {
    List<String> columns = new ArrayList<>();
    for (int i = 0; i < common.names().size(); i++) {
      if (!fromTally.sameColumn(toTally, i)) {
        columns.add(common.names().get(i));
      }
    }
    BitSet differing = new BitSet();
    for (int bucket = 0; bucket < Tally.BUCKETS; bucket++) {
      if (!fromTally.sameBucket(toTally, bucket)) {
        differing.set(bucket);
      }
    }
    if (differing.isEmpty() && columns.isEmpty()) {
      return Differences.none(fromTally.rows(), toTally.rows(), common.key(), List.copyOf(notes));
    }
    return lookAgain(common, fromTally, toTally, columns, differing);
  }

  private Differences lookAgain(
      Common common, Tally fromTally, Tally toTally, List<String> columns, BitSet differing) {
    long rowsMax = Math.max(1, RETAINED_VALUES_MAX / Math.max(1, common.names().size()));
    BitSet looked = few(differing, rowsMax, fromTally, toTally);
    List<HashCollector.HeldHash> fromRows = new ArrayList<>();
    List<HashCollector.HeldHash> toRows = new ArrayList<>();
    both(
        common,
        side -> collect(side, common, looked, fromRows),
        side -> collect(side, common, looked, toRows));
    return Differences.between(
        fromTally.rows(),
        toTally.rows(),
        common.names(),
        common.key(),
        columns,
        fromRows,
        toRows,
        looked.cardinality() == differing.cardinality(),
        List.copyOf(notes));
  }

  /// As many of the buckets as hold no more rows than may be kept; the smallest if none does.
  private static BitSet few(BitSet differing, long rowsMax, Tally fromTally, Tally toTally) {
    BitSet few = new BitSet();
    int smallest = differing.nextSetBit(0);
    long retained = 0;
    for (int i = smallest; i >= 0; i = differing.nextSetBit(i + 1)) {
      long rows = Math.max(fromTally.rows(i), toTally.rows(i));
      if (retained + rows <= rowsMax) {
        few.set(i);
        retained += rows;
      }
      if (rows < Math.max(fromTally.rows(smallest), toTally.rows(smallest))) {
        smallest = i;
      }
    }
    if (few.isEmpty() && smallest >= 0) {
      few.set(smallest);
    }
    return few;
  }

  /// A side that is read while the other is.
  ///
  /// @param like the types that it is to take, or null if it has its own
  /// @param yetToBegin how many sides have read nothing yet
  private record Open(Side side, Source source, @Nullable Schema like, AtomicInteger yetToBegin) {}

  /// One lane until both sides have one, and then all: if a server allows few connections, neither
  /// side takes the last that the other needs. What it does not allow then is done without.
  private static final class BothFirst implements ConcurrencyPolicy {

    private final AtomicInteger yetToBegin;
    private final int most;
    private boolean begun;

    BothFirst(AtomicInteger yetToBegin, int most) {
      this.yetToBegin = yetToBegin;
      this.most = most;
    }

    @Override
    public int lanes(boolean complete, long bytes, long nanos) {
      begin();
      return yetToBegin.get() > 0 ? 1 : most;
    }

    @Override
    public void limit(int fewer) {
      // The lane pool keeps to it by itself.
    }

    /// Its side has read something, or will not.
    synchronized void begin() {
      if (!begun) {
        begun = true;
        yetToBegin.decrementAndGet();
      }
    }
  }

  private void tally(Open side, Common common, Tally into, Consumer<RejectLog.SetAside> bad) {
    List<Tally> tallies = new ArrayList<>();
    read(
        side,
        common,
        bad,
        _ -> {
          Tally tally = new Tally(common.names().size());
          synchronized (tallies) {
            tallies.add(tally);
          }
          return tally;
        });
    tallies.forEach(into::merge);
  }

  private void collect(
      Open side, Common common, BitSet buckets, List<HashCollector.HeldHash> into) {
    List<HashCollector> collectors = new ArrayList<>();
    read(
        side,
        common,
        _ -> {},
        columnPairs -> {
          HashCollector collector = new HashCollector(buckets, columnPairs);
          synchronized (collectors) {
            collectors.add(collector);
          }
          return collector;
        });
    collectors.forEach(collector -> into.addAll(collector.collected()));
  }

  private void read(
      Open open,
      Common common,
      Consumer<RejectLog.SetAside> bad,
      Function<HashTarget.ColumnPairs, HashSink> sinks) {
    HashTarget target =
        new HashTarget(
            open.like, common.comparison(), open.side.equals(from) ? leftOut : null, sinks);
    // Two runs at once would take each other for the effect of a lane more.
    Planned planned =
        stallGuard.get(
            open.side.job.from().labelWithTable() + " is being planned",
            Blockable.of(open.source),
            () -> Planner.plan(tolerant(open.side.job), open.source, target));
    Plan plan = planned.plan().withSettledLanes();
    Lanes lanes = plan.lanes();
    BothFirst policy = new BothFirst(open.yetToBegin, lanes.most());
    Plan fromOne = plan.with(new Lanes(1, lanes.most(), lanes.why()), plan.splitBytes());
    Run run = Copy.between(planned.with(fromOne), new RunOptions(retryPolicy, policy, bad));
    runs.add(run);
    String why = cancelled;
    if (why != null) {
      run.cancel(why);
    }
    try {
      run.execute().orThrow();
    } finally {
      policy.begin();
    }
  }

  /// Bad records do not end it: they are differences.
  private static Job tolerant(Job job) {
    return job.with(new Job.RejectPolicy(Long.MAX_VALUE, null));
  }

  /// Opens both sides and reads them at once; if one fails the other is stopped.
  private void both(Common common, Consumer<Open> one, Consumer<Open> other) {
    try (Source fromSource = from.open.get();
        Source toSource = to.open.get()) {
      AtomicInteger yetToBegin = new AtomicInteger(2);
      Open fromSide = new Open(from, fromSource, common.fromLike(), yetToBegin);
      Open toSide = new Open(to, toSource, common.toLike(), yetToBegin);
      atOnce(() -> one.accept(fromSide), () -> other.accept(toSide));
    }
  }

  private void atOnce(Runnable one, Runnable other) {
    CompletableFuture<Void> second =
        CompletableFuture.runAsync(
            other, work -> Thread.ofPlatform().name("verify-to").start(work));
    try {
      one.run();
      second.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof Fault fault ? fault : new Fault.Bug("verify failed", e);
    } catch (RuntimeException e) {
      cancel("the other side could not be read");
      second.handle((_, _) -> null).join();
      throw e;
    }
  }
}
