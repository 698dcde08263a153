package millrace.copy;

import java.io.Serializable;
import millrace.fault.Fault;
import org.jspecify.annotations.Nullable;

/// Which rows an incremental copy reads: those whose value of one column lies above the greatest
/// one that the target has.
///
/// @param updateKey the column, as the source names it
/// @param overlap how far below that value it begins, a number or a time such as `5m`; null if
///   right above it
/// @param chunk how much of the column one copy takes, likewise; null if all at once
public record Increment(String updateKey, @Nullable String overlap, @Nullable String chunk)
    implements Serializable {

  /// @throws Fault.User if it names no column
  public Increment {
    if (updateKey.isBlank()) {
      throw new Fault.User(
          "--update-key names no column.", "Write for example --update-key updated_at.");
    }
  }
}
