package millrace.spi;

import org.jspecify.annotations.Nullable;

/// What a copy found best between two ends, where nobody had said how much: the report tells it,
/// and the next copy between them begins with it.
///
/// @param lanes how many, or 0 where none was sought
/// @param readUnit how much to ask the source for at a time, or null where none was sought
/// @param writeUnit how much to send to the target at a time, or null where none was sought
public record Found(int lanes, @Nullable Amount readUnit, @Nullable Amount writeUnit) {

  /// Nothing was sought.
  public static final Found NOTHING = new Found(0, null, null);

  /// The same, and what an earlier copy found of what was not sought now.
  public Found or(Found earlier) {
    return new Found(
        lanes == 0 ? earlier.lanes : lanes,
        readUnit == null ? earlier.readUnit : readUnit,
        writeUnit == null ? earlier.writeUnit : writeUnit);
  }
}
