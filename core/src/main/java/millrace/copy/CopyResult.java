package millrace.copy;

import millrace.engine.RunOutcome;
import millrace.fault.Fault;
import millrace.report.Report;
import org.jspecify.annotations.Nullable;

/// How a copy ended.
///
/// @param report what it did
/// @param outcome how its run ended
public record CopyResult(Report report, RunOutcome outcome) {

  /// Why it failed; null if it did not.
  public @Nullable Fault fault() {
    return outcome.fault();
  }
}
