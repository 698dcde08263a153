package millrace.engine.retry;

import java.io.Serializable;
import java.time.Duration;
import java.util.random.RandomGenerator;

/// How long a run goes on if nothing moves.
///
/// @param retryFor for how long lanes are tried again while none of them moves any row; zero if the
///   first transient fault ends the run
/// @param stallTimeout after how long without a row moved the run ends; zero if it never does
/// @param firstWait before the second try
/// @param longestWait waits double up to this
public record RetryPolicy(
    Duration retryFor, Duration stallTimeout, Duration firstWait, Duration longestWait)
    implements Serializable {

  /// No second try, and no end to waiting.
  public static final RetryPolicy NONE =
      new RetryPolicy(Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ZERO);

  /// A server that restarts is back by then; an address that is wrong stays so.
  private static final Duration OPENS_WITHIN = Duration.ofMinutes(1);

  private static final Duration FIRST_WAIT = Duration.ofMillis(500);
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(30);

  /// The usual waits: half a second at first, at most half a minute.
  public static RetryPolicy of(Duration retryFor, Duration stallTimeout) {
    return new RetryPolicy(retryFor, stallTimeout, FIRST_WAIT, LONGEST_WAIT);
  }

  /// The same before the first row: with less patience for an end that can't be reached.
  RetryPolicy beforeRows() {
    Duration tries = retryFor.compareTo(OPENS_WITHIN) < 0 ? retryFor : OPENS_WITHIN;
    return new RetryPolicy(tries, stallTimeout, firstWait, longestWait);
  }

  /// How long to wait after so many failures in a row, in nanoseconds: doubled each time, and cut
  /// by chance to between half and all of it, so that lanes that failed together do not come back
  /// together.
  ///
  /// @param atLeastMillis what the one that failed asks for
  public long waitNanos(int failures, long atLeastMillis, RandomGenerator random) {
    int doublings = Math.min(Math.max(0, failures - 1), Integer.SIZE - 2);
    long longest = longestWait.toNanos();
    long full =
        firstWait.toNanos() > longest >> doublings ? longest : firstWait.toNanos() << doublings;
    long jittered = full / 2 + (long) (random.nextDouble() * (full - full / 2));
    return Math.max(jittered, Duration.ofMillis(atLeastMillis).toNanos());
  }
}
