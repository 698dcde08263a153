package millrace.engine.lane;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import millrace.engine.meter.Meter;
import millrace.engine.reject.RejectLog;
import millrace.engine.retry.Retries;
import millrace.engine.retry.RetryPolicy;
import millrace.engine.tuning.ConcurrencyPolicy;
import millrace.fault.Fault;
import millrace.plan.Job;
import millrace.plan.Plan;
import millrace.spi.Stage;
import millrace.spi.StageClock;
import millrace.spi.read.ReadContext;
import millrace.spi.read.ReadSession;
import millrace.spi.read.Reader;
import millrace.spi.read.Split;
import millrace.spi.read.Splits;
import millrace.spi.write.WriteContext;
import millrace.spi.write.WriteSession;
import millrace.spi.write.Writer;
import millrace.text.Amount;
import millrace.tuning.BestUnit;
import org.jspecify.annotations.Nullable;

/// The lanes of a run: begins them, has more or fewer of them as its concurrency policy says, and
/// stops all of them at the first failure.
///
/// A lane that is one too many ends after its split, as it would when there are no more: it never
/// keeps a split waiting, and nothing of it stays open. One that is added later is a new lane under
/// a free number. If such a lane can't open, because the server allows no further connection, it
/// ends without having taken a split, and the run goes on with those that there are.
///
/// A lane that fails in a way that may pass gives its splits back, waits, and begins again with
/// another reader and another writer; meanwhile any other lane may take those splits.
public final class LanePool {

  /// The share of the heap that the batches of added lanes may fill, with those of the others.
  private static final int HEAP_SHARE = 2;

  private final Plan plan;
  private final ReadSession source;
  private final WriteSession target;
  private final Meter meter;
  private final Splits splits;
  private final RejectLog rejects;
  private final Receipts receipts;
  private final BestUnit readUnit;
  private final BestUnit writeUnit;
  private final Retries retries;
  private final SplitRecovery splitRecovery;
  private final @Nullable ConcurrencyPolicy concurrencyPolicy;
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition allEnded = lock.newCondition();

  /// Told to lanes that wait for their next try: there is nothing left to do, or it is all over.
  private final Condition overEarly = lock.newCondition();

  private final Map<Integer, Member> members = new TreeMap<>();
  private int wanted;
  private int most;
  private int leaving;
  private long batchBytesMax;
  private boolean exhausted;
  private @Nullable String limitWhy;
  private Unopened unopened = new Unopened(0, "");

  /// Lanes that there were no connections for until it was too late for them.
  ///
  /// @param why one of them could not open; empty if there are none
  public record Unopened(int lanes, String why) {}

  /// A lane, and what became of it so far. One that fails and is tried again stays the same member.
  private final class Member implements Lane.Work {
    private final int number;
    private final boolean added;
    private Lane lane;
    private int halves = 2;
    private boolean hasBegun;
    private boolean leaves;
    private final AtomicInteger failures = new AtomicInteger();
    private Fault.@Nullable Transient trouble;

    /// Why it could not open when it first tried.
    private @Nullable String closedWhy;

    Member(int number, boolean added) {
      this.number = number;
      this.added = added;
      lane = lane();
    }

    private Lane lane() {
      return new Lane(
          this,
          LaneTransforms.of(plan, rejects, meter),
          meter.reader(number),
          meter.writer(number),
          receipts);
    }

    @Override
    public @Nullable Split next() {
      if (!stays(this)) {
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
      failures.set(0);
    }

    @Override
    public void read(long bytes) {
      if (concurrencyPolicy != null) {
        keep(concurrencyPolicy, bytes);
      }
    }
  }

  /// @param retryPolicy how often and how long lanes are tried again
  /// @param concurrencyPolicy what says how many lanes there should be; null if it is as many as at
  ///   first
  public LanePool(
      Plan plan,
      ReadSession source,
      WriteSession target,
      Meter meter,
      Splits splits,
      RejectLog rejects,
      Receipts receipts,
      RetryPolicy retryPolicy,
      @Nullable ConcurrencyPolicy concurrencyPolicy) {
    this.plan = plan;
    this.source = source;
    this.target = target;
    this.meter = meter;
    this.splits = splits;
    this.rejects = rejects;
    this.concurrencyPolicy = concurrencyPolicy;
    this.receipts = receipts;
    readUnit = new BestUnit(plan.known().readUnit());
    writeUnit = new BestUnit(plan.known().writeUnit());
    retries = new Retries(retryPolicy);
    splitRecovery = new SplitRecovery(plan, target, receipts, meter);
    wanted = plan.lanes().first();
    most = plan.lanes().most();
  }

  /// Works all splits off, or as many as are done when the first failure comes.
  public void work() {
    lock.lock();
    try {
      for (int i = 0; i < plan.lanes().first() && failure.get() == null; i++) {
        begin(false);
      }
      while (!members.isEmpty()) {
        allEnded.awaitUninterruptibly();
      }
      if (failure.get() == null && !exhausted && !plan.limits()) {
        fail(new Fault.Bug("all lanes have ended before the source did", null));
      }
    } finally {
      lock.unlock();
    }
  }

  /// Keeps the first failure and stops every lane; later ones are only its echo. From any thread.
  public void fail(Throwable cause) {
    Throwable first = failure.compareAndExchange(null, cause);
    if (first != null && !first.equals(cause) && !(cause instanceof Fault.Cancelled)) {
      first.addSuppressed(cause);
    }
    Member[] all;
    lock.lock();
    try {
      overEarly.signalAll();
      all = members.values().toArray(Member[]::new);
    } finally {
      lock.unlock();
    }
    for (Member member : all) {
      member.lane.cancel();
    }
  }

  /// The first failure, or null while there is none.
  @Nullable
  public Throwable failure() {
    return failure.get();
  }

  /// Why no more lanes could be added than there were, or null if nothing stood against it.
  @Nullable
  public String limitWhy() {
    lock.lock();
    try {
      return limitWhy;
    } finally {
      lock.unlock();
    }
  }

  /// The lanes that could not open.
  public Unopened unopened() {
    lock.lock();
    try {
      return unopened;
    } finally {
      lock.unlock();
    }
  }

  /// Begins a lane under the lowest number that is free. The lock is held.
  private void begin(boolean added) {
    int number = 0;
    while (members.containsKey(number)) {
      number++;
    }
    Member member = new Member(number, added);
    members.put(number, member);
    meter.countLanes(members.size());
    begin(member);
  }

  private void begin(Member member) {
    int number = member.number;
    Lane lane = member.lane;
    start(
        member,
        "reader-" + number,
        () ->
            lane.read(
                () -> reader(member.number),
                () -> target.encoder(context(member.number, meter.reader(member.number)))));
    start(member, "writer-" + number, () -> lane.write(() -> writer(member.number)));
  }

  private void start(Member member, String name, Runnable half) {
    try {
      Thread.ofPlatform().name(name).start(() -> run(member, half));
    } catch (OutOfMemoryError e) {
      // So says the JVM if the system gives it no further thread.
      fail(e);
      ended(member);
    }
  }

  private void run(Member member, Runnable half) {
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

  private void ended(Member member) {
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

  private void leaves(Member member) {
    lock.lock();
    try {
      members.remove(member.number);
      leaving -= member.leaves ? 1 : 0;
      meter.countLanes(members.size());
      if (member.closedWhy != null && meter.reader(member.number).rows() == 0) {
        unopened = new Unopened(unopened.lanes + 1, member.closedWhy);
      }
      if (members.isEmpty() && failure.get() == null && retries.areWaiting()) {
        // The last lanes ended between a split's coming back and the next try.
        begin(false);
      } else if (members.isEmpty()) {
        allEnded.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  /// Whether a lane that was added has failed before its first split: then the run can do without
  /// it. Its other half's failure is only an echo.
  private boolean couldNotOpen(Member member, Throwable cause) {
    if (!member.added || !(cause instanceof Fault) || cause instanceof Fault.Bug) {
      return false;
    }
    lock.lock();
    try {
      if (member.hasBegun || failure.get() != null) {
        return false;
      }
      if (!member.leaves) {
        leave(member);
        limit(open(), "another could not open: " + cause.getMessage());
      }
    } finally {
      lock.unlock();
    }
    member.lane.breakOff();
    return true;
  }

  /// Whether it is a fault that may pass, or what it made of the lane's other half: then the lane
  /// stops and is tried again.
  private boolean mayPass(Member member, Throwable cause) {
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
  private boolean beginsAgain(Member member, Fault.Transient fault) {
    List<Lane.Taken> taken = member.lane.unfinished();
    try {
      List<Split> left = whatIsLeft(member, fault, taken);
      lock.lock();
      try {
        long waitNanos = waitNanos(member, fault, member.lane.failedAt());
        retries.giveBack(left);
        await(member, waitNanos);
        if (failure.get() != null || nothingIsLeft()) {
          return false;
        }
        leaving -= member.leaves ? 1 : 0;
        member.leaves = false;
        member.trouble = null;
        member.halves = 2;
        member.lane = member.lane();
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

  /// What of a lane's splits is to be done again. If the target can't be asked, it is asked again
  /// later.
  private List<Split> whatIsLeft(Member member, Fault.Transient fault, List<Lane.Taken> taken) {
    while (true) {
      try {
        return splitRecovery.of(taken, fault);
      } catch (Fault.Transient unanswered) {
        if (unanswered.endsRun()) {
          throw unanswered;
        }
        lock.lock();
        try {
          await(member, waitNanos(member, unanswered, null));
        } finally {
          lock.unlock();
        }
        Throwable stopped = failure.get();
        if (stopped != null) {
          throw new Fault.Cancelled("the run was stopped");
        }
      }
    }
  }

  /// How long to wait; the meter is told. The lock is held.
  private long waitNanos(Member member, Fault.Transient fault, Lane.@Nullable Taken tried) {
    long now = System.nanoTime();
    int failures = member.failures.incrementAndGet();
    Split triedSplit = tried == null ? null : tried.split();
    long waitNanos = retries.waitNanos(fault, triedSplit, failures, meter.rowsMoved(), now);
    meter.beginWait(
        member.number,
        String.valueOf(fault.getMessage()),
        waitNanos,
        failures + 1,
        waitNanos + (tried == null ? 0 : now - tried.sinceNanos()));
    return waitNanos;
  }

  /// Lets go of the lock meanwhile.
  private void await(Member member, long waitNanos) {
    try {
      long left = waitNanos;
      while (left > 0 && failure.get() == null && !nothingIsLeft()) {
        left = overEarly.awaitNanos(left);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } finally {
      meter.endWait(member.number);
    }
  }

  private boolean nothingIsLeft() {
    return exhausted && !retries.areWaiting();
  }

  private @Nullable Split takeReturned() {
    lock.lock();
    try {
      Split split = failure.get() == null ? retries.take() : null;
      if (split != null && nothingIsLeft()) {
        overEarly.signalAll();
      }
      return split;
    } finally {
      lock.unlock();
    }
  }

  /// Whether a lane may take another split; it ends if there are enough without it. Those that have
  /// not opened yet do not count, since they may never do so: one that works always remains.
  private boolean stays(Member member) {
    lock.lock();
    try {
      if (!member.leaves && othersAtWork(member) >= wanted) {
        leave(member);
      }
      member.hasBegun |= !member.leaves;
      return !member.leaves;
    } finally {
      lock.unlock();
    }
  }

  private long othersAtWork(Member member) {
    return members.values().stream()
        .filter(other -> other.hasBegun && !other.leaves && !other.equals(member))
        .count();
  }

  private void leave(Member member) {
    member.leaves = true;
    leaving++;
  }

  private void noMoreSplits() {
    lock.lock();
    try {
      exhausted = true;
      overEarly.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// Asks the concurrency policy how many lanes there should be, and adds what is missing; those
  /// that are too many leave when they ask for a split. Of several lanes that come at once one asks
  /// for all.
  private void keep(ConcurrencyPolicy asked, long batchBytes) {
    if (!lock.tryLock()) {
      return;
    }
    try {
      batchBytesMax = Math.max(batchBytesMax, batchBytes);
      if (exhausted || failure.get() != null || isOpening()) {
        return;
      }
      boolean complete = leaving == 0 && members.size() == wanted;
      wanted = asked.lanes(complete, meter.sourceBytesMoved(), System.nanoTime());
      while (members.size() - leaving < wanted && members.size() < most && failure.get() == null) {
        if (!fitsHeap(members.size() + 1)) {
          limit(members.size(), "the heap is too small for more rows of this length");
          return;
        }
        begin(true);
      }
    } finally {
      lock.unlock();
    }
  }

  /// Whether a lane of the beginning has yet to open: none that is added may take its place.
  private boolean isOpening() {
    return members.values().stream().anyMatch(member -> !member.added && !member.hasBegun);
  }

  /// How many lanes have opened and not ended: so many are possible at once.
  private int open() {
    return (int) members.values().stream().filter(member -> member.hasBegun).count();
  }

  private void limit(int lanes, String why) {
    limitWhy = why;
    most = Math.max(1, lanes);
    wanted = Math.min(wanted, most);
    if (concurrencyPolicy != null) {
      concurrencyPolicy.limit(most);
    }
  }

  private boolean fitsHeap(int lanes) {
    return lanes * Lane.BATCHES_MAX * batchBytesMax
        <= Runtime.getRuntime().maxMemory() / HEAP_SHARE;
  }

  private Reader reader(int lane) {
    return source.reader(
        new ReadContext(
            lane,
            meter.reader(lane),
            rejects.ofReaders(),
            plan.job().tuning().readUnit(),
            readUnit));
  }

  private Writer writer(int lane) {
    return target.writer(plan.form(), context(lane, meter.writer(lane)));
  }

  private WriteContext context(int lane, StageClock clock) {
    Job.Tuning tuning = plan.job().tuning();
    return new WriteContext(
        lane, clock, rejects, tuning.writeUnit(), writeUnit, tuning.commitUnit());
  }

  /// How much the lanes found best to ask for at a time, or null if they did not look.
  @Nullable
  public Amount readUnitFound() {
    return readUnit.found();
  }

  /// How much they found best to send at a time.
  @Nullable
  public Amount writeUnitFound() {
    return writeUnit.found();
  }
}
