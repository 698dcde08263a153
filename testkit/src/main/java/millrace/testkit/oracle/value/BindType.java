package millrace.testkit.oracle.value;

/// How a client describes a bind, or a column that it wants in another way (a define).
///
/// @param size the most bytes of a value
/// @param chars the most characters; of a LOB those that are to come with its locator
/// @param flags such as {@link #PREFETCH}
public record BindType(TtcType type, CharForm form, int size, int chars, long flags) {

  /// The first part of a LOB is to come with its locator.
  public static final long PREFETCH = 0x2000000;

  private static final int SIZE_MAX = 32_767;

  /// Whether values follow all others in a row of binds: those of LONG, and texts that are declared
  /// with more bytes than a VARCHAR2 can have.
  public boolean comesLast() {
    return type.comesLast() || (type.isText() && size > SIZE_MAX);
  }

  public boolean prefetches() {
    return (flags & PREFETCH) != 0;
  }
}
