package millrace.connectors.generate;

/// Random numbers by number: the one of any row is computed without those of the rows before it, so
/// that every split can be made on its own and lanes and machines agree.
///
/// The numbers are those of SplitMix64 (Steele, Lea and Flood, "Fast Splittable Pseudorandom Number
/// Generators", OOPSLA 2014; the mixing constants are Stafford's "Mix13"): its state advances by a
/// constant, so that the state after n steps is a multiplication away.
final class Counter {

  private static final long GAMMA = 0x9E3779B97F4A7C15L;

  private Counter() {}

  /// The n-th number, from 0, of the sequence that begins at a seed.
  static long at(long seed, long n) {
    long mixed = seed + (n + 1) * GAMMA;
    mixed = (mixed ^ (mixed >>> 30)) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
    return mixed ^ (mixed >>> 31);
  }

  /// A number from 0 up to a bound, exclusive, from a random number: the high half of their product
  /// (Lemire, "Fast Random Integer Generation in an Interval", 2019, without its correction of the
  /// bias, which is at most the bound divided by 2^64).
  static long below(long random, long bound) {
    return Math.unsignedMultiplyHigh(random, bound);
  }
}
