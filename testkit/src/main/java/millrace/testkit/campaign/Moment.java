package millrace.testkit.campaign;

import java.util.Locale;
import java.util.SplittableRandom;

/// When an interruption strikes a copy.
sealed interface Moment {

  /// One of the whole life of a copy, from its process's start to its last words, most of them
  /// while rows move.
  ///
  /// @param life what an undisturbed copy took
  static Moment any(Life life, SplittableRandom random) {
    int kind = random.nextInt(8);
    double share = random.nextDouble();
    if (life.bytes() == 0 || kind < 2) {
      return new After(Math.round(life.millis() * share));
    }
    return kind == 2
        ? new Passed(Math.max(0, life.bytes() - (long) (share * LAST_BYTES)))
        : new Passed((long) (life.bytes() * share));
  }

  /// One near its end.
  ///
  /// @param life what an undisturbed copy took
  /// @param share of the end that has passed by then, from 0 to 1
  static Moment atTheEnd(Life life, double share) {
    return life.bytes() == 0
        ? new After(life.millis() - Math.round((1 - share) * LAST_MILLIS))
        : new Passed(Math.max(0, life.bytes() - (long) ((1 - share) * LAST_BYTES)));
  }

  /// Within which a copy's process ends, once all its rows are written.
  int LAST_MILLIS = 300;

  /// About what passes when all rows have passed: the end of the run, its commits and its
  /// journal's.
  int LAST_BYTES = 6_000;

  /// After so much time.
  record After(long millis) implements Moment {
    @Override
    public String toString() {
      return String.format(Locale.ROOT, "after %,d ms", millis);
    }
  }

  /// When so much has passed through the proxy, whatever the time.
  record Passed(long bytes) implements Moment {
    @Override
    public String toString() {
      return String.format(Locale.ROOT, "after %,d bytes", bytes);
    }
  }

  /// How long an undisturbed copy lives.
  ///
  /// @param millis from its process's start to its end
  /// @param bytes that pass through the proxy, both ways; 0 if none do
  record Life(long millis, long bytes) {}
}
