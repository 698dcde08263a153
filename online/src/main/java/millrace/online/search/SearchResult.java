package millrace.online.search;

import java.util.List;
import java.util.OptionalLong;

/// What is known of the highest rate that passes, now or at the end.
///
/// @param finding what it is worth
/// @param lower the highest rate that passes below all that fail, in rows per second; empty if none
///   does
/// @param isConfirmed whether it passed for the longer time too
/// @param upper the least rate above it that fails; empty if none does
/// @param rates all that was tried, from the least to the highest rate
public record SearchResult(
    Finding finding,
    OptionalLong lower,
    boolean isConfirmed,
    OptionalLong upper,
    List<Rate> rates) {

  /// What came of the search. If several hold, it is the first of these.
  public enum Finding {
    /// There is more to try.
    SEARCHING,
    /// Ended before its time.
    STOPPED,
    /// Several trials on end say nothing: this machine held the runs up.
    NOT_VALID,
    /// Even the least rate fails.
    NOT_FOUND,
    /// A rate passed that is higher than one that failed. The bounds are around the lowest rate at
    /// which it begins to fail; another search might find others.
    IRREGULAR,
    /// Trials at a rate between the bounds contradict each other, so the bounds are further apart
    /// than was asked for.
    UNDECIDED,
    /// As many trials as allowed, and not at the goal.
    OUT_OF_TRIALS,
    /// All passes that the generator offers: the target takes more than can be tried.
    AT_LIMIT,
    /// Both bounds, as close as was asked for, and the lower one is confirmed.
    FOUND
  }

  /// One rate that was tried.
  ///
  /// @param rate rows per second
  public record Rate(long rate, Bound bound, List<Measured> trials) {

    public Rate {
      trials = List.copyOf(trials);
    }
  }

  public SearchResult {
    rates = List.copyOf(rates);
  }
}
