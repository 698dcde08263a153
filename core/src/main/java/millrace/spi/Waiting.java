package millrace.spi;

import org.jspecify.annotations.Nullable;

/// What may have to wait for others, for their locks among other things: a connector that opens an
/// end, a target. Both methods are called from any thread, while another is at work.
public interface Waiting {

  /// What work that is under way waits for, as the end of a sentence that stays the same while it
  /// does, such as a lock of others or a server that does not answer; null where it goes on, or
  /// nobody can say.
  ///
  /// @throws millrace.fault.Fault where it would wait for ever
  default @Nullable String waitsFor() {
    return null;
  }

  /// Makes work that is under way return soon, with any fault.
  default void cancel() {}
}
