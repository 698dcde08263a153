package millrace.online.search;

import java.time.Duration;

/// A trial and what came of it.
public record Measured(Trial trial, Verdict verdict) {

  /// A clock that stops a run a bit early doesn't make it a short one.
  private static final double FULL = 0.99;

  /// Whether it is a low-loss trial in the sense of RFC 9971. A run may fail without bad time, by
  /// an error for instance.
  boolean passed(double badShareMax) {
    return verdict.outcome() == Verdict.Outcome.PASSED && verdict.badShare() <= badShareMax;
  }

  /// The trial effective duration of RFC 9971, in seconds. What failed counts in full.
  double seconds(double badShareMax) {
    double planned = seconds(trial.duration());
    double ran = seconds(verdict.ran());
    return !passed(badShareMax) || ran >= planned * FULL ? planned : ran;
  }

  private static double seconds(Duration duration) {
    return duration.toNanos() / 1e9;
  }
}
