package millrace.engine.remote;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import millrace.engine.lane.Receipts;
import millrace.engine.lane.Workers;
import millrace.engine.meter.Meter;
import millrace.engine.retry.Retrier;
import millrace.fault.Fault;
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

  private final Cluster.Work work;
  private final Splits splits;
  private final JoinedSession.Main main;
  private final Receipts receipts;
  private final Meter meter;
  private final List<Retrier> retriers = new ArrayList<>();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  private volatile boolean ended;

  /// @param work of those processes on the run; closed when all have ended
  /// @param target hears of what they have taken
  public RemoteLanes(
      Cluster.Work work,
      RemoteRun run,
      WriteSession target,
      Splits splits,
      Receipts receipts,
      Meter meter) {
    this.work = work;
    this.splits = splits;
    this.receipts = receipts;
    this.meter = meter;
    main = Objects.requireNonNull(target.capability(JoinedSession.Main.class));
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
    if (isInterrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void work(int lane) {
    try {
      for (Split split = next(); split != null; split = next()) {
        Split each = split;
        retriers.get(lane).get(() -> attempt(lane, each));
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

  /// Lets a split be tried.
  ///
  /// @throws Fault why it has not come to its end
  private SplitDone attempt(int lane, Split split) {
    meter.endWait(lane);
    SplitDone done = work.run(split);
    long added = 0;
    for (Receipt each : done.receipts()) {
      main.taken(each);
      added += receipts.record(each);
    }
    StageClock writer = meter.writer(lane);
    StageClock reader = meter.reader(lane);
    long bytesBefore = reader.bytes();
    long rowsBefore = writer.rows();
    writer.add(done.writer());
    reader.add(done.reader());
    meter.cut().add(done.cut());
    meter.lostMembers().add(done.lostMembers());
    // Of an attempt that was lost with its process, the next one reports what it has committed.
    long written = writer.rows() - rowsBefore;
    double shareUndone = done.fault() == null || written == 0 ? 0 : 1 - (double) added / written;
    meter.countUndone(written - added, Math.round(shareUndone * (reader.bytes() - bytesBefore)));
    if (done.fault() != null) {
      throw done.fault();
    }
    return done;
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
  public List<String> notes() {
    return work.notes();
  }
}
