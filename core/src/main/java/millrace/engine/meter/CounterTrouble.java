package millrace.engine.meter;

import java.util.Locale;
import millrace.spi.Counters;

/// A counter of one end's server that moved during a run, and tells of a trouble by that.
///
/// @param end `source` or `target`
/// @param change by how much it moved
/// @param alarm what that means
public record CounterTrouble(String end, long change, Counters.Alarm alarm) {

  /// Whether it moved more often than is usual in so many seconds; in a short run as often as in a
  /// minute.
  public boolean isWorthAWord(double seconds) {
    return change > alarm.perMinuteMax() * Math.max(1, seconds / 60);
  }

  /// What has happened, and what would help.
  public String sentence() {
    return String.format(
        Locale.ROOT,
        "The %s's server counted %s (%,d): %s.",
        end,
        alarm.what(),
        change,
        alarm.help());
  }
}
