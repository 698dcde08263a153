package millrace.copy;

import millrace.engine.RunOutcome;
import millrace.fault.Fault;
import millrace.report.Report;
import millrace.resume.Start;
import org.jspecify.annotations.Nullable;

/// How a copy ended.
///
/// @param report what it did
/// @param outcome how its run ended
/// @param rowsBefore rows of the copies that it is the last of: an incremental copy is one a chunk
/// @param rejectsBefore bad records of those
public record CopyResult(Report report, RunOutcome outcome, long rowsBefore, long rejectsBefore) {

  /// A copy by itself.
  CopyResult(Report report, RunOutcome outcome) {
    this(report, outcome, 0, 0);
  }

  /// The same as the last of several.
  CopyResult after(long rows, long rejects) {
    return new CopyResult(report, outcome, rows, rejects);
  }

  /// How many rows are in the target; if it failed, those that stay. Those of a copy that was found
  /// complete are those that it had written, as far as its journal tells.
  public long rows() {
    if (outcome.start() instanceof Start.Complete complete) {
      return rowsBefore + complete.run().rows();
    }
    Report.Totals totals = report.totals();
    return rowsBefore + (fault() == null ? totals.rows() : totals.rowsDurable());
  }

  /// How many bad records were set aside.
  public long rejects() {
    return rejectsBefore + report.totals().rejects();
  }

  /// Why it failed; null if it did not.
  public @Nullable Fault fault() {
    return outcome.fault();
  }
}
