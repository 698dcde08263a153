package millrace.connectors.json;

import org.jspecify.annotations.Nullable;

/// Where a value lies.
///
/// @param start its first byte
/// @param end the index after its last
public record Range(int start, int end) {

  /// The value of an object's member; null if it has none of that name.
  ///
  /// @param walk to walk with
  /// @param start where the object begins
  public static @Nullable Range ofMember(
      Members walk, byte[] bytes, int start, int end, byte[] name) {
    walk.open(bytes, start, end);
    while (walk.next() == Members.Event.MEMBER) {
      if (walk.isKey(name)) {
        return new Range(walk.valueStart, walk.valueEnd);
      }
    }
    return null;
  }
}
