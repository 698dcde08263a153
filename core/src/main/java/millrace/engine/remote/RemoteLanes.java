package millrace.engine.remote;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import millrace.engine.lane.Receipts;
import millrace.engine.lane.Workers;
import millrace.engine.meter.Meter;
import millrace.engine.reject.RejectLog;
import millrace.engine.reject.RejectLog.SetAside;
import millrace.engine.retry.Retrier;
import millrace.fault.Fault;
import millrace.plan.Plan;
import millrace.spi.StageClock;
import millrace.spi.journal.Receipt;
import millrace.spi.read.Split;
import millrace.spi.read.Splits;
import millrace.spi.write.JoinedSession;
import millrace.spi.write.WriteSession;
import org.jspecify.annotations.Nullable;

/// Has other processes work a run's splits off, as many at once as the plan has lanes. A split that
/// fails in a way that may pass is given out again after a wait, to whoever comes.
public final class RemoteLanes implements Workers {

  /// Once is enough for what is read, and a server may bring up one bad row after another.
  private static final int TRIES_MAX = 1_000;

  private final Cluster.Work work;
  private final Splits splits;
  private final JoinedSession.Main main;
  private final Receipts receipts;
  private final RejectLog rejects;
  private final Meter meter;
  private final List<Retrier> retriers = new ArrayList<>();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  /// What had been taken of splits before the run, by their numbers.
  private final Map<Integer, List<Receipt>> before;

  private volatile boolean ended;

  /// @param work of those processes on the run; closed when all have ended
  /// @param target hears of what they have taken
  public RemoteLanes(
      Cluster.Work work,
      RemoteRun run,
      WriteSession target,
      Splits splits,
      Receipts receipts,
      RejectLog rejects,
      Meter meter) {
    this.rejects = rejects;
    this.work = work;
    this.splits = splits;
    this.receipts = receipts;
    this.meter = meter;
    JoinedSession.Main capable = target.capability(JoinedSession.Main.class);
    if (capable == null) {
      throw refused(run.plan());
    }
    main = capable;
    before = receipts.all().stream().collect(Collectors.groupingBy(each -> each.split().index()));
    for (int lane = 0; lane < run.plan().lanes().first(); lane++) {
      int number = lane;
      retriers.add(
          new Retrier(
              run.retryPolicy(),
              (fault, waitNanos, tries) ->
                  meter.beginWait(
                      number, String.valueOf(fault.getMessage()), waitNanos, tries, waitNanos)));
    }
  }

  /// What to throw if others can't write to a run, which the target says only when it has begun.
  public static Fault.User refused(Plan plan) {
    return new Fault.User(
        plan.target().label() + " takes the rows of such a copy from one process alone.",
        "Copy on one machine, without --on.");
  }

  @Override
  public void work() {
    meter.countLanes(retriers.size());
    List<Thread> lanes =
        IntStream.range(0, retriers.size())
            .mapToObj(lane -> Thread.ofPlatform().name("remote-" + lane).start(() -> work(lane)))
            .toList();
    boolean isInterrupted = false;
    for (Thread lane : lanes) {
      while (lane.isAlive()) {
        try {
          lane.join();
        } catch (InterruptedException _) {
          isInterrupted = true;
          fail(new Fault.Cancelled("interrupted"));
        }
      }
    }
    ended = true;
    work.close();
    if (failure.get() != null) {
      settle();
    }
    if (isInterrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /// Of attempts that were stopped nobody has told what they had committed.
  private void settle() {
    try {
      main.settle().forEach(receipts::record);
    } catch (Fault e) {
      fail(e);
    }
  }

  private void work(int lane) {
    try {
      for (Split split = next(); split != null; split = next()) {
        Split each = split;
        List<SetAside> recorded = new ArrayList<>();
        retriers.get(lane).get(() -> attempt(lane, each, recorded));
        receipts.countCommit(1);
      }
    } catch (RuntimeException | Error e) {
      fail(e);
    }
  }

  private @Nullable Split next() {
    synchronized (splits) {
      return failure.get() == null ? splits.next() : null;
    }
  }

  /// Lets a split be tried, and once more if it has bad records, when those are written down.
  ///
  /// @param recorded those that are
  /// @throws Fault why it has not come to its end
  private SplitDone attempt(int lane, Split split, List<SetAside> recorded) {
    meter.endWait(lane);
    SplitDone done = run(lane, split, recorded);
    for (int tries = 1; !done.unrecorded().isEmpty(); tries++) {
      if (tries > TRIES_MAX) {
        throw new Fault.External(
            "Split " + split.index() + " has other bad records each time it is read.",
            "See that nobody writes to the source, and begin again.",
            null);
      }
      done.unrecorded().forEach(rejects::reject);
      recorded.addAll(done.unrecorded());
      done = run(lane, split, recorded);
    }
    if (done.fault() != null) {
      throw done.fault();
    }
    return done;
  }

  private SplitDone run(int lane, Split split, List<SetAside> recorded) {
    CountedUnderWay underWay = new CountedUnderWay(meter.reader(lane), meter.writer(lane));
    SplitDone done;
    try {
      done = work.run(split, recorded, underWay);
    } finally {
      underWay.end();
    }
    return account(lane, done);
  }

  /// Counts what an attempt has come to.
  private SplitDone account(int lane, SplitDone done) {
    if (!done.receipts().isEmpty()) {
      before(done.receipts().getFirst().split()).forEach(main::taken);
    }
    long added = 0;
    for (Receipt each : done.receipts()) {
      main.taken(each);
      added += receipts.record(each);
    }
    StageClock writer = meter.writer(lane);
    StageClock reader = meter.reader(lane);
    long bytesBefore = reader.bytes();
    long readBefore = reader.rows();
    long writtenBefore = writer.rows();
    writer.add(done.writer());
    reader.add(done.reader());
    // Of an attempt that was lost with its process, the next one reports what it has committed.
    long written = writer.rows() - writtenBefore;
    long undone = written - added;
    long bytesUndone = 0;
    if (done.fault() != null && written > 0) {
      // They are read again.
      reader.passed(added - (reader.rows() - readBefore), 0);
      bytesUndone = Math.round((double) undone / written * (reader.bytes() - bytesBefore));
    }
    if (done.fault() == null) {
      meter.cut().add(done.cut());
      meter.lostMembers().add(done.lostMembers());
    }
    meter.countUndone(undone, bytesUndone);
    return done;
  }

  private List<Receipt> before(Split split) {
    return before.getOrDefault(split.index(), List.of());
  }

  @Override
  public void fail(Throwable cause) {
    Throwable first = failure.compareAndExchange(null, cause);
    if (first != null) {
      if (!first.equals(cause) && !(cause instanceof Fault.Cancelled)) {
        first.addSuppressed(cause);
      }
      return;
    }
    retriers.forEach(each -> each.cancel(String.valueOf(cause.getMessage())));
    if (!ended) {
      work.cancel();
    }
  }

  @Override
  public @Nullable Throwable failure() {
    return failure.get();
  }

  @Override
  public Found found() {
    return new Found(0, "", "", null, null, work.atWork());
  }

  @Override
  public List<String> notes() {
    return work.notes();
  }
}
