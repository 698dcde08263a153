package millrace.online.sweep;

import java.util.List;

/// What a sweep has shown.
///
/// @param names what was varied, in the order of the table's columns
/// @param level the name of the shortest windows, such as `minute`
/// @param points in the order in which they were run
/// @param planned how many were to be run
/// @param stopped whether the user ended it
public record SweepResult(
    List<String> names, String level, List<SweepPoint> points, int planned, boolean stopped) {

  public SweepResult {
    names = List.copyOf(names);
    points = List.copyOf(points);
  }

  /// Whether every combination was run, be it that it passed or that it failed.
  public boolean allRan() {
    return !stopped
        && points.size() == planned
        && points.stream().noneMatch(point -> point.result() == SweepPoint.Result.ERROR);
  }
}
