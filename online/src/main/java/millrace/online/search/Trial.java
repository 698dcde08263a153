package millrace.online.search;

import java.time.Duration;

/// A run that the search asks for.
///
/// @param rate rows per second
/// @param duration how long
/// @param kind what for
public record Trial(long rate, Duration duration, Kind kind) {

  /// What a trial is for.
  public enum Kind {
    /// To come closer to the highest rate.
    SEARCH,
    /// To see whether what passes briefly also passes for long.
    CONFIRM,
    /// To see whether a higher rate than one that failed passes all the same.
    PROBE
  }
}
