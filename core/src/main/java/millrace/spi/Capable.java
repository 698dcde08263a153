package millrace.spi;

import org.jspecify.annotations.Nullable;

/// What may do more than its contract asks. Each further thing that it can do is a small interface
/// of its own, and this is the one place to ask for it: whoever wraps an end forwards one method.
public interface Capable {

  /// This object as what can do that; null if it can't.
  ///
  /// @param type a capability, such as {@link HasCounters}
  default <T> @Nullable T capability(Class<T> type) {
    return type.isInstance(this) ? type.cast(this) : null;
  }
}
