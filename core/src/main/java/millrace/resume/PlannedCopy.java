package millrace.resume;

import java.util.List;
import millrace.data.Column;
import millrace.plan.DescribedEnds;
import millrace.plan.Job;
import millrace.plan.JobIdentity;
import millrace.plan.Plan;
import millrace.plan.Planned;
import millrace.plan.Planner;
import millrace.spi.Connector;
import millrace.spi.read.Source;
import millrace.spi.write.ColumnAdder;
import millrace.spi.write.Target;
import millrace.text.NameList;

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

  /// The same once the target has got the columns that it lacks; it is given them here.
  ///
  /// @throws millrace.fault.Fault if the target refuses it
  public PlannedCopy addingColumns() {
    ColumnAdder adder = planned.target().capability(ColumnAdder.class);
    if (planned.lacking().isEmpty() || adder == null) {
      return this;
    }
    adder.addColumns(planned.lacking());
    Plan plan = planned.plan();
    DescribedEnds ends =
        new DescribedEnds(
            planned.source(),
            planned.target(),
            plan.ends().columnRequest(),
            planned.from(),
            planned.target().describe());
    Planned filled = Planner.plan(plan.job(), ends, earlier.resumed());
    List<String> names = planned.lacking().stream().map(Column::name).toList();
    String note =
        NameList.columns(names)
            + (names.size() == 1 ? " was added to " : " were added to ")
            + plan.target().contents().name();
    return new PlannedCopy(filled.with(filled.plan().noting(note)), earlier);
  }
}
