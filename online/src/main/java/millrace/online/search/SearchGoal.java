package millrace.online.search;

import java.util.List;

/// A search goal of RFC 9971 (MLRsearch), and its load classification. Our words for its terms:
///
/// | RFC 9971 | here |
/// |---|---|
/// | load | rate, in rows per second |
/// | trial loss ratio | share of bad time of a run |
/// | goal loss ratio | `badShareMax` |
/// | low-loss, high-loss trial | passed with no more bad time than that; all else |
/// | goal final trial duration | `fullSeconds`: a shorter trial is a "short" one |
/// | goal duration sum | `sumSeconds`: so much of trial time decides |
/// | goal exceed ratio | [#EXCEED_RATIO], 50 %: the majority of the trial time decides |
/// | trial effective duration | [Measured#seconds] |
///
/// The arithmetic is that of its "Load Classification Logic" and "Load Classification Code". The
/// time that is missing from the duration sum is taken as good once and as bad once. A rate is a
/// lower bound if even the bad guess passes, an upper bound if even the good guess fails, and
/// undecided otherwise. Short bad trials count, after short good ones are subtracted; short good
/// ones never make a lower bound.
///
/// @param fullSeconds the duration of a full-length trial
/// @param sumSeconds the trial time that decides
/// @param badShareMax the share of bad time that a passed trial may have
record SearchGoal(double fullSeconds, double sumSeconds, double badShareMax) {

  /// What share of the trial time at a rate that passes may be bad trials.
  static final double EXCEED_RATIO = 0.5;

  /// What the trials at one rate say about it.
  Bound classify(List<Measured> trials) {
    double fullGood = 0;
    double fullBad = 0;
    double shortGood = 0;
    double shortBad = 0;
    for (Measured trial : trials) {
      double seconds = trial.seconds(badShareMax);
      boolean passed = trial.passed(badShareMax);
      if (isFull(trial)) {
        fullGood += passed ? seconds : 0;
        fullBad += passed ? 0 : seconds;
      } else {
        shortGood += passed ? seconds : 0;
        shortBad += passed ? 0 : seconds;
      }
    }
    double balance = shortGood * EXCEED_RATIO / (1 - EXCEED_RATIO);
    double bad = fullBad + Math.max(0, shortBad - balance);
    double total = Math.max(bad + fullGood, sumSeconds);
    if (bad > total * EXCEED_RATIO) {
      return Bound.UPPER;
    }
    return total - fullGood <= total * EXCEED_RATIO ? Bound.LOWER : Bound.UNDECIDED;
  }

  /// Whether a trial was long enough to say that a rate passes.
  boolean isFull(Measured trial) {
    return trial.seconds(badShareMax) >= fullSeconds;
  }
}
