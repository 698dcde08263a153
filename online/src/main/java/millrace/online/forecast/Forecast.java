package millrace.online.forecast;

import java.util.Optional;

/// What a run that goes on for longer would show for one quantity.
///
/// @param quantity such as `write time`
/// @param finding what is known
/// @param growth how it grows; empty if it does not, or if that is unknown
/// @param sentence all of it, for the reader
public record Forecast(String quantity, Finding finding, Optional<Growth> growth, String sentence) {

  /// What is known of a quantity.
  public enum Finding {
    /// It grows with the rows of a partition, and a partition may get so many that it meets its
    /// limit.
    MEETS_LIMIT,
    /// It grows, but a partition ends well before.
    BEYOND_PARTITION,
    /// It does not grow, or not by more than chance.
    NO_TREND,
    /// There were fewer than two partitions with enough points, or they contradict each other.
    UNKNOWN
  }
}
