package millrace.online.sweep;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import millrace.online.run.Probes;
import org.jspecify.annotations.Nullable;

/// What one combination has shown.
///
/// @param settings the value of each axis
/// @param result how its run ended
/// @param failedBy the names of the criteria that it has not held
/// @param figures null if it could not be run
/// @param probes null if nothing was read: it was not run to its end, or reading failed
/// @param notes what else is to be known, in sentences; why it could not be run
public record SweepPoint(
    Map<String, String> settings,
    Result result,
    List<String> failedBy,
    @Nullable SweepFigures figures,
    @Nullable Probes probes,
    List<String> notes) {

  /// How a run ended.
  public enum Result {
    PASSED,
    FAILED,
    /// This machine held the run up, not the target.
    INVALID,
    /// Nothing failed, but it was too short for some criterion.
    UNTESTED,
    /// It could not be run.
    ERROR,
    /// By the user.
    STOPPED
  }

  public SweepPoint {
    settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
    failedBy = List.copyOf(failedBy);
    notes = List.copyOf(notes);
  }

  /// One that has no figures.
  static SweepPoint without(Map<String, String> settings, Result result, String note) {
    return new SweepPoint(settings, result, List.of(), null, null, List.of(note));
  }
}
