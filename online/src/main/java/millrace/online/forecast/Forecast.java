package millrace.online.forecast;

import java.util.Optional;
import java.util.OptionalDouble;

/// What a run that goes on for longer would show for one quantity.
///
/// @param quantity such as `write time`
/// @param finding what is known
/// @param growth how it grows with the rows of a partition; empty if it does not, or if that is
///   unknown
/// @param metAfterSeconds how long after the begin of the run the limit is met, if it grows all the
///   time
/// @param sentence all of it, for the reader
/// @param caution what a verdict must not hide, as a clause; empty if nothing
public record Forecast(
    String quantity,
    Finding finding,
    Optional<Growth> growth,
    OptionalDouble metAfterSeconds,
    String sentence,
    String caution) {

  /// What is known of a quantity.
  public enum Finding {
    /// It grows all the time: there are no partitions, or a new one does not make it fall back.
    GROWS,
    /// It grows with the rows of a partition, and a partition may get so many that it meets its
    /// limit.
    MEETS_LIMIT,
    /// It grows, but a partition ends well before.
    BEYOND_PARTITION,
    /// It does not grow, or not by more than chance.
    NO_TREND,
    /// There were too few points, or partitions contradict each other.
    UNKNOWN
  }
}
