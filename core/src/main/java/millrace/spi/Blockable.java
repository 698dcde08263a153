package millrace.spi;

import org.jspecify.annotations.Nullable;

/// The capability of a source or a target that may have to wait for others, for their locks among
/// other things. Both methods are called from any thread, while others are at work.
public interface Blockable {

  /// What work that is under way waits for, as the end of a sentence that stays the same while it
  /// does, such as a lock of others, a server that does not answer or a program of the user's; null
  /// if it goes on, or nobody can say.
  ///
  /// @throws millrace.fault.Fault if it would wait for ever
  default @Nullable String waitsFor() {
    return null;
  }

  /// Makes work that is under way return soon, with any fault.
  default void cancel() {}

  /// What an end says of itself; one that says nothing never waits.
  static Blockable of(Capable end) {
    Blockable waiting = end.capability(Blockable.class);
    return waiting == null ? new Blockable() {} : waiting;
  }

  /// Two that work on the same.
  static Blockable both(Blockable one, Blockable other) {
    return new Blockable() {
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
