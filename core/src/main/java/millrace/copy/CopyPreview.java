package millrace.copy;

import java.util.ArrayList;
import java.util.List;
import millrace.plan.Plan;
import millrace.resume.ResumeChoice;
import millrace.resume.Start;

/// What a copy would do.
///
/// @param plan how its rows would move
/// @param resume what was asked to become of an earlier run
/// @param start what would become of it
public record CopyPreview(Plan plan, ResumeChoice resume, Start start) {

  /// The plan with what becomes of an earlier run, line by line.
  ///
  /// @param made how the table is made if a job makes it before the copy, line by line; empty if
  ///   the target makes it
  public List<String> lines(List<String> made) {
    List<String> lines = new ArrayList<>(plan.lines(made));
    if (!start.note().isEmpty()) {
      lines.add((resume == ResumeChoice.RESUME ? "resume   " : "note     ") + start.note());
    }
    return lines;
  }
}
