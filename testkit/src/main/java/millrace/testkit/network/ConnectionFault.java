package millrace.testkit.network;

import java.util.SplittableRandom;

/// What the {@link FaultyProxy} does to a connection once so many bytes have passed, both ways
/// together.
public sealed interface ConnectionFault {

  /// How many bytes pass unharmed.
  long afterBytes();

  /// Nothing at all.
  record None() implements ConnectionFault {
    @Override
    public long afterBytes() {
      return Long.MAX_VALUE;
    }
  }

  /// Both ends get a reset, and what is on its way is lost.
  record Reset(long afterBytes) implements ConnectionFault {}

  /// Both ends see an orderly end, in the middle of whatever was being said.
  record Cut(long afterBytes) implements ConnectionFault {}

  /// Nothing passes any more, and nobody is told, until {@link FaultyProxy#release}.
  record Stall(long afterBytes) implements ConnectionFault {}

  /// The same, but for a message of more than so many bytes: what goes one way before anything
  /// comes the other.
  record StallLarge(long afterBytes) implements ConnectionFault {}

  /// Every piece of up to 64 kB takes so long.
  record Delay(long afterBytes, long millis) implements ConnectionFault {}

  /// A fault of some connection, of any kind but none.
  ///
  /// @param bytesMax most bytes that pass before it
  static ConnectionFault random(SplittableRandom random, long bytesMax) {
    long after = random.nextLong(bytesMax);
    return switch (random.nextInt(4)) {
      case 0 -> new Reset(after);
      case 1 -> new Cut(after);
      case 2 -> new Stall(after);
      default -> new Delay(after, 1 + random.nextInt(20));
    };
  }
}
