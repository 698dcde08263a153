package millrace.online.search;

import java.time.Duration;
import java.util.List;
import millrace.online.report.OnlineReport.Criterion;

/// What came of a trial.
///
/// @param outcome whether it passed
/// @param badShare the share of bad time, from 0 to 1
/// @param ran how long it went on. If it failed, it counts with the duration that it was to have,
///   even if it was ended early: more time would not make it pass.
/// @param criteria what its run was held against
public record Verdict(Outcome outcome, double badShare, Duration ran, List<Criterion> criteria) {

  /// How a trial ended.
  public enum Outcome {
    PASSED,
    FAILED,
    /// It says nothing about the rate: this machine held the run up, for instance.
    INVALID,
    /// By the user or by a fault that says nothing about the rate. It ends the search.
    STOPPED
  }

  public Verdict {
    if (!(badShare >= 0 && badShare <= 1)) {
      throw new IllegalArgumentException("share of bad time " + badShare);
    }
    criteria = List.copyOf(criteria);
  }
}
