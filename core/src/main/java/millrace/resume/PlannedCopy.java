package millrace.resume;

import millrace.plan.DescribedEnds;
import millrace.plan.Job;
import millrace.plan.JobIdentity;
import millrace.plan.Planned;
import millrace.plan.Planner;
import millrace.spi.Connector;
import millrace.spi.read.Source;
import millrace.spi.write.Target;

/// A copy that is planned, with what becomes of an earlier run of it.
///
/// @param planned how it is done
/// @param earlier what is known of an earlier run, and what the user wants done about it
public record PlannedCopy(Planned planned, EarlierRun earlier) {

  /// Asks both ends what they are, looks for an earlier run, and plans. Changes nothing.
  ///
  /// @param to what the target is an endpoint of
  /// @param choice what the user wants done about an earlier run
  /// @throws millrace.fault.Fault.User if the copy can't be done as asked, or an earlier run stands
  ///   in its way
  public static PlannedCopy of(
      Job job, Source source, Target target, Connector to, ResumeChoice choice) {
    DescribedEnds ends = Planner.describe(job, source, target);
    EarlierRun earlier =
        EarlierRun.find(
            target,
            ends.to().description().noJournal(),
            () -> JobIdentity.of(job, ends.from().identity(), to),
            choice);
    return new PlannedCopy(Planner.plan(job, ends, earlier.resumed()), earlier);
  }
}
