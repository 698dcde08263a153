package millrace.online.search;

import java.time.Duration;

/// What to search for, and how long.
///
/// @param rates where
/// @param width how close the bounds have to come: `upper / lower - 1`
/// @param trial how long a trial is
/// @param confirmation how long the last one is, longer than a trial
/// @param badShareMax the share of bad time that a run that passes may have, from 0 to 1; the same
///   as that of the runs' own limits
/// @param trialsPerRate how many trials of one kind a rate may have, at least 2. With 3 the
///   majority decides. With 2, trials that contradict each other leave it undecided.
/// @param trialsMax how many trials there may be in all
/// @param probe whether to look, at the end, if a much higher rate passes after all: see
///   [Trial.Kind#PROBE]. It asks the target for up to twice the highest rate that was tried.
public record SearchConfig(
    Rates rates,
    double width,
    Duration trial,
    Duration confirmation,
    double badShareMax,
    int trialsPerRate,
    int trialsMax,
    boolean probe) {

  /// Rates, in rows per second.
  ///
  /// @param initial where to begin
  /// @param least nobody wants less: if it fails, the search ends
  /// @param most what the generator alone offers, or what the user wants at most
  public record Rates(long initial, long least, long most) {

    public Rates {
      if (least < 1 || least > initial || initial > most) {
        throw new IllegalArgumentException(
            "rates from " + least + " over " + initial + " to " + most);
      }
    }
  }

  public SearchConfig {
    if (!(width > 0)) {
      throw new IllegalArgumentException("width " + width);
    }
    if (!trial.isPositive() || confirmation.compareTo(trial) <= 0) {
      throw new IllegalArgumentException("trials of " + trial + ", the last of " + confirmation);
    }
    if (!(badShareMax >= 0 && badShareMax <= 1)) {
      throw new IllegalArgumentException("share of bad time " + badShareMax);
    }
    if (trialsPerRate < 2 || trialsMax < 1) {
      throw new IllegalArgumentException(trialsPerRate + " trials of a rate, " + trialsMax);
    }
  }

  /// Bounds within 5 %, by trials of 2 minutes and a last one of 10; at most half a percent of bad
  /// time, 3 trials of a rate and 40 in all.
  public static SearchConfig of(Rates rates) {
    return new SearchConfig(
        rates, 0.05, Duration.ofMinutes(2), Duration.ofMinutes(10), 0.005, 3, 40, true);
  }
}
