package millrace.engine.remote;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import millrace.engine.lane.LaneOpener;
import millrace.engine.lane.LanePool;
import millrace.engine.lane.Receipts;
import millrace.engine.meter.Meter;
import millrace.engine.reject.RejectLog;
import millrace.engine.reject.RejectLog.SetAside;
import millrace.engine.retry.RetryPolicy;
import millrace.engine.retry.StallWatch;
import millrace.fault.Fault;
import millrace.plan.Job;
import millrace.plan.Plan;
import millrace.resume.Journal;
import millrace.spi.Blockable;
import millrace.spi.ConnectorRegistry;
import millrace.spi.OpenContext;
import millrace.spi.journal.JournaledRun;
import millrace.spi.journal.Receipt;
import millrace.spi.read.DescribedSource;
import millrace.spi.read.ReadSession;
import millrace.spi.read.Source;
import millrace.spi.read.Split;
import millrace.spi.read.Splits;
import millrace.spi.write.JoinedSession;
import millrace.spi.write.JoinedSession.Attempt;
import millrace.spi.write.Target;
import millrace.spi.write.WriteSession;
import millrace.spi.write.WriteStart;
import org.jspecify.annotations.Nullable;

/// Both ends of a run that another process has begun, open here to work off its splits, one at a
/// time. They stay open between splits.
///
/// One thread works; any other may {@link #cancel}.
public final class SplitEnds implements AutoCloseable {

  private final RemoteRun run;
  private final Plan plan;
  private final OpenContext opening;
  private final Deque<Runnable> closings = new ArrayDeque<>();
  private final Source source;
  private final ReadSession reading;
  private final Target target;
  private final WriteSession writing;
  private volatile @Nullable LanePool lane;

  /// Opens both ends.
  ///
  /// @param where this process is, as a sentence about it begins: "Executor 1 on node7"
  /// @throws Fault if one of them can't be opened or is another here, or the run can't be joined
  public SplitEnds(ConnectorRegistry connectors, RemoteRun run, String where) {
    SameEnds same = new SameEnds(where);
    this.run = run;
    plan = run.plan().forOneOf();
    opening = new OpenContext(run.retryPolicy().retryFor());
    Job job = plan.job();
    try {
      source = connectors.of(run.from()).source(run.from(), job.selection(), opening);
      closings.push(source::close);
      DescribedSource described = source.describe(plan.ends().columnRequest());
      SameEnds.check(run, described);
      reading = described.open(run.readPlan());
      closings.push(reading::close);
      target = connectors.of(run.to()).target(run.to(), job.writeOptions(), opening);
      closings.push(target::close);
      writing = join(target, run);
      closings.push(writing::close);
    } catch (RuntimeException e) {
      close();
      throw same.told(Fault.of(e));
    } catch (Error e) {
      close();
      throw e;
    }
  }

  private static WriteSession join(Target target, RemoteRun run) {
    Journal journal = Objects.requireNonNull(Journal.of(target));
    JournaledRun joined = journal.join(run.run());
    WriteStart start =
        new WriteStart(
            1,
            run.plan().job().rejects().allowsAny(),
            run.plan().source().size(),
            new WriteStart.Journal.Join(joined));
    return target.describe().plan(run.request().resuming(joined)).open(start);
  }

  /// Begins an attempt at a split and works it off.
  ///
  /// @param recorded bad records of it that are written down
  /// @param underWay hears each second how far it is
  /// @return how that went; it throws nothing but what this process itself suffers from
  public SplitDone work(Split split, List<SetAside> recorded, Cluster.UnderWay underWay) {
    List<Receipt> taken = List.of();
    try {
      Attempt attempt =
          Objects.requireNonNull(writing.capability(JoinedSession.class)).takeUp(split);
      taken = attempt.taken();
      return attempt.rest() == null
          ? SplitDone.nothing(taken, null)
          : copy(attempt.rest(), taken, recorded, underWay);
    } catch (RuntimeException e) {
      return SplitDone.nothing(taken, Fault.of(e).withoutCause());
    }
  }

  private SplitDone copy(
      Split rest, List<Receipt> taken, List<SetAside> recorded, Cluster.UnderWay underWay) {
    Meter meter = new Meter(plan.lanes());
    Receipts receipts = new Receipts(meter, taken);
    Throwable failure;
    UnrecordedRejects unrecorded = new UnrecordedRejects(recorded);
    try (RejectLog rejects = new RejectLog(plan, meter, unrecorded)) {
      LanePool pool =
          new LanePool(
              new LaneOpener(plan, reading, writing, meter, rejects, unrecorded),
              only(rest),
              receipts,
              RetryPolicy.NONE,
              null,
              this::cancelEnds);
      lane = pool;
      StallWatch.Look rows =
          StallWatch.rows(meter, Blockable.of(source), Blockable.of(target), _ -> {});
      StallWatch.Look telling =
          () -> {
            underWay.tell(meter.rows(), meter.sourceBytes());
            return rows.waitsFor();
          };
      try (StallWatch _ = StallWatch.start(run.retryPolicy().stallTimeout(), telling, pool::fail)) {
        pool.work();
      }
      failure = pool.failure();
    }
    return new SplitDone(
        receipts.all(),
        meter.reader(0).sums(),
        meter.writer(0).sums(),
        meter.cut().sum(),
        meter.lostMembers().sum(),
        unrecorded.all(),
        failure == null ? null : Fault.of(failure).withoutCause());
  }

  private static Splits only(Split split) {
    Iterator<Split> each = List.of(split).iterator();
    return () -> each.hasNext() ? each.next() : null;
  }

  private void cancelEnds() {
    Blockable.of(source).cancel();
    Blockable.of(target).cancel();
  }

  /// Stops what is under way soon; its attempt then reports {@link Fault.Cancelled}.
  public void cancel(String why) {
    opening.cancel();
    LanePool working = lane;
    if (working != null) {
      working.fail(new Fault.Cancelled(why));
    }
  }

  /// Closes both ends; what was not committed is undone.
  @Override
  public void close() {
    while (!closings.isEmpty()) {
      try {
        closings.pop().run();
      } catch (Fault e) {
        org.slf4j.LoggerFactory.getLogger(SplitEnds.class).debug("close failed", e);
      }
    }
  }
}
