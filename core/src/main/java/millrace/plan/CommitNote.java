package millrace.plan;

import millrace.spi.write.Landing;
import millrace.spi.write.TargetDescription;
import millrace.spi.write.WritePlan;
import millrace.text.Amount;

/// What becomes of the commit unit that the user gave, in the plan.
final class CommitNote {

  private CommitNote() {}

  /// Adds it, if there is something to say.
  ///
  /// @param landing as the mode and the target settle it, whatever the unit is
  /// @param bytes of the source; -1 if nobody knows
  static WritePlan to(
      WritePlan plan, Job job, Landing landing, TargetDescription target, long bytes) {
    Amount unit = job.tuning().commitUnit();
    boolean isStream = target.state() == TargetDescription.State.STREAM;
    if (unit == null || isStream || isNeverReached(unit, job.tuning().lanes(), bytes)) {
      return plan;
    }
    if (landing.whole()) {
      return plan.noting(
          "--commit-unit has no effect: all rows are committed at once, when the copy is complete");
    }
    boolean divides = job.tuning().readUnit() == null;
    return plan.detailing(
        "Rows are committed after the batch that reaches the commit unit ("
            + (unit.inBytes() ? unit : unit + (unit.number() == 1 ? " row" : " rows"))
            + "): a batch is what is read at a time, and is not divided."
            + (divides ? " --read-unit makes batches smaller." : ""));
  }

  /// Whether one lane has moved all rows before it has as many as are to be committed at a time.
  private static boolean isNeverReached(Amount unit, int lanes, long bytes) {
    return lanes == 1 && unit.inBytes() && bytes < unit.number();
  }
}
