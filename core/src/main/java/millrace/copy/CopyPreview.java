package millrace.copy;

import java.util.ArrayList;
import java.util.List;
import millrace.plan.Plan;
import millrace.resume.ResumeState;

/// What a copy would do.
///
/// @param plan how its rows would move
/// @param resume what was asked to become of an earlier run
/// @param note what would become of it; empty if there is none
/// @param completeSince since when the copy is complete, so that there is nothing to do; else empty
public record CopyPreview(Plan plan, ResumeState.Choice resume, String note, String completeSince) {

  /// The plan with what becomes of an earlier run, line by line.
  public List<String> lines() {
    List<String> lines = new ArrayList<>(plan.lines());
    if (!note.isEmpty()) {
      lines.add((resume == ResumeState.Choice.RESUME ? "resume   " : "note     ") + note);
    }
    return lines;
  }
}
