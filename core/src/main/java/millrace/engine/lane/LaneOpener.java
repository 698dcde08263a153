package millrace.engine.lane;

import millrace.engine.meter.Meter;
import millrace.engine.reject.RejectLog;
import millrace.engine.reject.TimedRejects;
import millrace.plan.Job;
import millrace.plan.Plan;
import millrace.spi.StageClock;
import millrace.spi.read.ReadContext;
import millrace.spi.read.ReadSession;
import millrace.spi.read.Reader;
import millrace.spi.write.Encoder;
import millrace.spi.write.WriteContext;
import millrace.spi.write.WriteSession;
import millrace.spi.write.Writer;
import millrace.text.Amount;
import millrace.tuning.BestUnit;
import org.jspecify.annotations.Nullable;

/// Opens what the lanes of a run read and write with, in the sessions of its two ends.
///
/// Each half of a lane opens its own on its own thread.
public final class LaneOpener {

  private final Plan plan;
  private final ReadSession source;
  private final WriteSession target;
  private final Meter meter;
  private final RejectLog rejects;
  private final CommitGuard guard;
  private final BestUnit readUnit;
  private final BestUnit writeUnit;

  /// For one run; the sessions stay the caller's, who closes them after the lanes.
  public LaneOpener(
      Plan plan, ReadSession source, WriteSession target, Meter meter, RejectLog rejects) {
    this(plan, source, target, meter, rejects, CommitGuard.NONE);
  }

  /// The same with a guard of its commits.
  public LaneOpener(
      Plan plan,
      ReadSession source,
      WriteSession target,
      Meter meter,
      RejectLog rejects,
      CommitGuard guard) {
    this.guard = guard;
    this.plan = plan;
    this.source = source;
    this.target = target;
    this.meter = meter;
    this.rejects = rejects;
    readUnit = new BestUnit(plan.known().readUnit());
    writeUnit = new BestUnit(plan.known().writeUnit());
  }

  Plan plan() {
    return plan;
  }

  /// What the lanes count in.
  public Meter meter() {
    return meter;
  }

  /// A lane with the clocks of that number.
  Lane lane(int number, Lane.Work work, Receipts receipts) {
    return new Lane(
        work,
        LaneTransforms.of(plan, new TimedRejects(rejects, meter.reader(number)), meter),
        meter.reader(number),
        meter.writer(number),
        new LaneCommits(receipts, plan.splitBytes(), guard, rejects));
  }

  /// What tells which splits of a lane that failed are to be done again.
  SplitRecovery recovery(Receipts receipts) {
    return new SplitRecovery(plan, target, receipts, meter);
  }

  Reader reader(int lane) {
    return source.reader(
        new ReadContext(
            lane,
            meter.reader(lane),
            new TimedRejects(rejects.ofReaders(), meter.reader(lane)),
            plan.job().tuning().readUnit(),
            readUnit,
            LaneTransforms.cut(plan, meter)));
  }

  /// What a lane's reader makes columns into for the target's writer, or null for nothing.
  @Nullable Encoder encoder(int lane) {
    return target.encoder(context(lane, meter.reader(lane)));
  }

  Writer writer(int lane) {
    return target.writer(plan.form(), context(lane, meter.writer(lane)));
  }

  private WriteContext context(int lane, StageClock clock) {
    Job.Tuning tuning = plan.job().tuning();
    return new WriteContext(
        lane,
        clock,
        new TimedRejects(rejects, clock),
        tuning.writeUnit(),
        writeUnit,
        tuning.commitUnit());
  }

  /// How much the lanes found best to ask for at a time, or null if they did not look.
  @Nullable Amount readUnitFound() {
    return readUnit.found();
  }

  /// How much they found best to send at a time, or null likewise.
  @Nullable Amount writeUnitFound() {
    return writeUnit.found();
  }
}
