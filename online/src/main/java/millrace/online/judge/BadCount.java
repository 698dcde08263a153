package millrace.online.judge;

/// How often something was bad, and how often on end.
///
/// @param bad how many were
/// @param of how many there were
/// @param longestRun how many on end were bad, at most
record BadCount(int bad, int of, int longestRun) {

  static final BadCount NONE = new BadCount(0, 0, 0);

  /// What a product of decimal fractions may be off by.
  private static final double ROUNDING = 1e-9;

  /// Of things in order.
  static BadCount of(boolean[] bad) {
    int count = 0;
    int run = 0;
    int longest = 0;
    for (boolean each : bad) {
      run = each ? run + 1 : 0;
      count += each ? 1 : 0;
      longest = Math.max(longest, run);
    }
    return new BadCount(count, bad.length, longest);
  }

  /// Both together. What is bad at the end of one and at the begin of the other is not "on end".
  BadCount plus(BadCount other) {
    return new BadCount(bad + other.bad, of + other.of, Math.max(longestRun, other.longestRun));
  }

  /// From 0 to 1; 0 if there was nothing.
  double share() {
    return of == 0 ? 0 : (double) bad / of;
  }

  /// Whether that is brief. Counts are compared, not shares: 3 of 600 is exactly 0.5 %.
  boolean isWithin(double shareMax, int runMax) {
    return bad <= shareMax * of * (1 + ROUNDING) && longestRun <= runMax;
  }
}
