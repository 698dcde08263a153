package millrace.testkit.oracle.value;

/// How a client describes a bind, or a column that it wants in another way (a define).
///
/// @param size the most bytes of a value
/// @param chars the most characters; of a LOB those that are to come with its locator
/// @param flags such as {@link #PREFETCH}
public record BindType(TtcType type, CharForm form, int size, int chars, long flags) {

  /// The first part of a LOB is to come with its locator.
  public static final long PREFETCH = 0x2000000;

  public boolean prefetches() {
    return (flags & PREFETCH) != 0;
  }
}
