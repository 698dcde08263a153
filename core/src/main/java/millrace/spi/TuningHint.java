package millrace.spi;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import millrace.text.Amount;
import org.jspecify.annotations.Nullable;

/// What a copy found best between two ends, if nobody had said how much: the report tells it, and
/// the next copy between them begins with it.
///
/// @param lanes how many, or 0 if none was sought
/// @param readUnit how much to ask the source for at a time, or null if none was sought
/// @param writeUnit how much to send to the target at a time, or null if none was sought
public record TuningHint(int lanes, @Nullable Amount readUnit, @Nullable Amount writeUnit)
    implements Serializable {

  /// Nothing was sought.
  public static final TuningHint NOTHING = new TuningHint(0, null, null);

  /// The units as a user writes them, such as `read 2000, write 1048576B`; empty if there are none.
  public String units() {
    List<String> units = new ArrayList<>();
    if (readUnit != null) {
      units.add("read " + readUnit);
    }
    if (writeUnit != null) {
      units.add("write " + writeUnit);
    }
    return String.join(", ", units);
  }

  /// The same, and what an earlier copy found of what was not sought now.
  public TuningHint or(TuningHint earlier) {
    return new TuningHint(
        lanes == 0 ? earlier.lanes : lanes,
        readUnit == null ? earlier.readUnit : readUnit,
        writeUnit == null ? earlier.writeUnit : writeUnit);
  }
}
