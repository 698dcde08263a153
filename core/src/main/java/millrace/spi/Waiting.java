package millrace.spi;

import org.jspecify.annotations.Nullable;

/// The capability of a source or a target that may have to wait for others, for their locks among
/// other things. Both methods are called from any thread, while others are at work.
public interface Waiting {

  /// What work that is under way waits for, as the end of a sentence that stays the same while it
  /// does, such as a lock of others, a server that does not answer or a program of the user's; null
  /// where it goes on, or nobody can say.
  ///
  /// @throws millrace.fault.Fault where it would wait for ever
  default @Nullable String waitsFor() {
    return null;
  }

  /// Makes work that is under way return soon, with any fault.
  default void cancel() {}

  /// What an end says of itself; one that says nothing never waits.
  static Waiting of(Capable end) {
    Waiting waiting = end.capability(Waiting.class);
    return waiting == null ? new Waiting() {} : waiting;
  }

  /// Two that work on the same.
  static Waiting both(Waiting one, Waiting other) {
    return new Waiting() {
      @Override
      public @Nullable String waitsFor() {
        String waits = one.waitsFor();
        return waits == null ? other.waitsFor() : waits;
      }

      @Override
      public void cancel() {
        one.cancel();
        other.cancel();
      }
    };
  }
}
