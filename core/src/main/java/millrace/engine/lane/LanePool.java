package millrace.engine.lane;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import millrace.engine.meter.Meter;
import millrace.engine.retry.RetryPolicy;
import millrace.engine.tuning.ConcurrencyPolicy;
import millrace.fault.Fault;
import millrace.plan.Plan;
import millrace.spi.Stage;
import millrace.spi.read.Split;
import millrace.spi.read.Splits;
import org.jspecify.annotations.Nullable;

/// The lanes of a run: starts them, has more or fewer of them as {@link LaneRoster} says, begins
/// failed ones again as {@link LaneRetries} says, and stops all of them at the first failure.
///
/// A lane that is one too many ends after its split, as it would if there were no more: it never
/// keeps a split waiting, and nothing of it stays open. One that is added later is a new lane under
/// a free number. If such a lane can't open, because the server allows no further connection, it
/// ends without having taken a split, and the run goes on with those that there are.
///
/// A lane that fails in a way that may pass gives its splits back, waits, and begins again with
/// another reader and another writer; meanwhile any other lane may take those splits.
public final class LanePool implements Workers {

  /// How long lanes that were stopped may take to end.
  private static final int STOP_SECONDS = 5;

  private final LaneOpener opener;
  private final Runnable stopEnds;
  private final Plan plan;
  private final Meter meter;
  private final Splits splits;
  private final Receipts receipts;
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition allEnded = lock.newCondition();

  private final LaneRetries retries;
  private final LaneRoster roster;
  private volatile boolean ended;
  private int unopened;
  private String unopenedWhy = "";

  /// What one of them works on.
  private final class Work implements Lane.Work {
    private final PooledLane member;

    Work(PooledLane member) {
      this.member = member;
    }

    @Override
    public @Nullable Split next() {
      if (!mayContinue(member)) {
        return null;
      }
      Split again = takeReturned();
      if (again != null) {
        return again;
      }
      synchronized (splits) {
        Split split = failure.get() == null ? splits.next() : null;
        if (split == null) {
          noMoreSplits();
        }
        return split;
      }
    }

    @Override
    public void finished() {
      member.failures.set(0);
    }

    @Override
    public void read(long bytes) {
      if (roster.changes()) {
        adjust(bytes);
      }
    }
  }

  /// @param opener opens what the lanes read and write with
  /// @param splits what there is to do
  /// @param receipts told what is durable
  /// @param retryPolicy how often and how long lanes are tried again
  /// @param concurrencyPolicy what says how many lanes there should be; null for as many as at
  ///   first
  /// @param stopEnds stops what the ends do by themselves, such as to look for the next split;
  ///   called if lanes that were stopped do not end
  public LanePool(
      LaneOpener opener,
      Splits splits,
      Receipts receipts,
      RetryPolicy retryPolicy,
      @Nullable ConcurrencyPolicy concurrencyPolicy,
      Runnable stopEnds) {
    this.opener = opener;
    this.stopEnds = stopEnds;
    plan = opener.plan();
    meter = opener.meter();
    this.splits = splits;
    this.receipts = receipts;
    retries =
        new LaneRetries(
            lock, () -> failure.get() != null, retryPolicy, opener.recovery(receipts), meter);
    roster = new LaneRoster(plan.lanes(), concurrencyPolicy);
  }

  @Override
  public void work() {
    lock.lock();
    try {
      for (int i = 0; i < plan.lanes().first() && failure.get() == null; i++) {
        begin(false);
      }
      while (!roster.isEmpty()) {
        allEnded.awaitUninterruptibly();
      }
      if (failure.get() == null && !retries.isSourceExhausted() && !plan.limits()) {
        fail(new Fault.Bug("all lanes have ended before the source did", null));
      }
    } finally {
      ended = true;
      lock.unlock();
    }
  }

  @Override
  public void fail(Throwable cause) {
    Throwable first = failure.compareAndExchange(null, cause);
    if (first != null && !first.equals(cause) && !(cause instanceof Fault.Cancelled)) {
      first.addSuppressed(cause);
    }
    if (first == null) {
      CompletableFuture.delayedExecutor(
              STOP_SECONDS,
              TimeUnit.SECONDS,
              work -> Thread.ofPlatform().name("stop").daemon().start(work))
          .execute(this::stopStuck);
    }
    List<PooledLane> all;
    lock.lock();
    try {
      retries.endWaits();
      all = roster.all();
    } finally {
      lock.unlock();
    }
    for (PooledLane member : all) {
      member.lane.cancel();
    }
  }

  private void stopStuck() {
    if (!ended) {
      stopEnds.run();
    }
  }

  @Override
  public @Nullable Throwable failure() {
    return failure.get();
  }

  @Override
  public Found found() {
    lock.lock();
    try {
      String limitWhy = roster.limitWhy();
      return new Found(
          unopened,
          unopenedWhy,
          limitWhy == null ? "" : limitWhy,
          opener.readUnitFound(),
          opener.writeUnitFound(),
          -1);
    } finally {
      lock.unlock();
    }
  }

  /// Begins a lane under the lowest number that is free. The lock is held.
  private void begin(boolean added) {
    PooledLane member =
        roster.enter(added, made -> opener.lane(made.number, new Work(made), receipts));
    meter.countLanes(roster.size());
    begin(member);
  }

  private void begin(PooledLane member) {
    int number = member.number;
    Lane lane = member.lane;
    start(
        member,
        "reader-" + number,
        () -> lane.read(() -> opener.reader(number), () -> opener.encoder(number)));
    start(member, "writer-" + number, () -> lane.write(() -> opener.writer(number)));
  }

  private void start(PooledLane member, String name, Runnable half) {
    try {
      Thread.ofPlatform().name(name).start(() -> run(member, half));
    } catch (OutOfMemoryError e) {
      // So says the JVM if the system gives it no further thread.
      fail(e);
      ended(member);
    }
  }

  private void run(PooledLane member, Runnable half) {
    try {
      half.run();
    } catch (Throwable e) {
      if (!couldNotOpen(member, e) && !mayPass(member, e)) {
        fail(e);
      }
    } finally {
      ended(member);
    }
  }

  private void ended(PooledLane member) {
    Fault.Transient trouble;
    lock.lock();
    try {
      member.halves--;
      if (member.halves > 0) {
        return;
      }
      // The half that ended first has waited for the other since.
      meter.reader(member.number).enter(Stage.QUEUE_WAIT);
      meter.writer(member.number).enter(Stage.QUEUE_WAIT);
      trouble = failure.get() == null ? member.trouble : null;
    } finally {
      lock.unlock();
    }
    if (trouble == null || !beginsAgain(member, trouble)) {
      leaves(member);
    }
  }

  private void leaves(PooledLane member) {
    lock.lock();
    try {
      roster.remove(member);
      meter.countLanes(roster.size());
      if (member.closedWhy != null && meter.reader(member.number).rows() == 0) {
        unopened++;
        unopenedWhy = member.closedWhy;
      }
      if (roster.isEmpty() && failure.get() == null && retries.areWaiting()) {
        // The last lanes ended between a split's coming back and the next try.
        begin(false);
      } else if (roster.isEmpty()) {
        allEnded.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  /// Whether a lane that was added has failed before its first split: then the run can do without
  /// it. Its other half's failure is only an echo.
  private boolean couldNotOpen(PooledLane member, Throwable cause) {
    if (!member.added || !(cause instanceof Fault) || cause instanceof Fault.Bug) {
      return false;
    }
    lock.lock();
    try {
      if (member.hasBegun || failure.get() != null) {
        return false;
      }
      roster.couldNotOpen(member, "another could not open: " + cause.getMessage());
    } finally {
      lock.unlock();
    }
    member.lane.breakOff();
    return true;
  }

  /// Whether it is a fault that may pass, or what it made of the lane's other half: then the lane
  /// stops and is tried again.
  private boolean mayPass(PooledLane member, Throwable cause) {
    if (!retries.allowed() || !(cause instanceof Fault) || cause instanceof Fault.Bug) {
      return false;
    }
    lock.lock();
    try {
      if (failure.get() != null) {
        return false;
      }
      if (member.trouble != null) {
        return true;
      }
      if (!(cause instanceof Fault.Transient fault) || fault.endsRun()) {
        return false;
      }
      member.trouble = fault;
      if (!member.hasBegun) {
        member.closedWhy = fault.getMessage();
      }
    } finally {
      lock.unlock();
    }
    member.lane.giveUp();
    return true;
  }

  /// Gives a failed lane's splits back, waits, and begins it again. False if the lane has ended for
  /// good.
  private boolean beginsAgain(PooledLane member, Fault.Transient fault) {
    try {
      List<Split> left = retries.whatIsLeft(member, fault, member.lane.unfinished());
      lock.lock();
      try {
        if (!retries.giveBackAndWait(member, fault, left)) {
          return false;
        }
        member.renew();
        begin(member);
        return true;
      } finally {
        lock.unlock();
      }
    } catch (Fault e) {
      fail(e);
      return false;
    }
  }

  private @Nullable Split takeReturned() {
    lock.lock();
    try {
      return failure.get() == null ? retries.take() : null;
    } finally {
      lock.unlock();
    }
  }

  private boolean mayContinue(PooledLane member) {
    lock.lock();
    try {
      return roster.mayContinue(member);
    } finally {
      lock.unlock();
    }
  }

  private void noMoreSplits() {
    lock.lock();
    try {
      retries.noMoreSplits();
    } finally {
      lock.unlock();
    }
  }

  /// Adds the lanes that are missing; those that are too many leave when they ask for a split. Of
  /// several lanes that come at once one does it for all.
  private void adjust(long batchBytes) {
    if (!lock.tryLock()) {
      return;
    }
    try {
      roster.sawBatch(batchBytes);
      if (retries.isSourceExhausted() || failure.get() != null || roster.isOpening()) {
        return;
      }
      roster.ask(meter.sourceBytesMoved());
      while (failure.get() == null && roster.wantsMore()) {
        begin(true);
      }
    } finally {
      lock.unlock();
    }
  }
}
