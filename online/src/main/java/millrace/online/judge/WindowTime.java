package millrace.online.judge;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import millrace.online.job.OnlineJob;
import millrace.online.report.Series.WindowRun;

/// How long a window took from when it was due to when it was done, tries that failed included. If
/// it is aggregated again later, that counts by itself.
///
/// @param due when, in seconds since the start
/// @param seconds until it was done, or so far
/// @param isUndone whether the last try failed
record WindowTime(String level, double due, double seconds, boolean isUndone) {

  /// Those of a run, in the order in which they were due. A mark that could not be taken away is no
  /// window.
  static List<WindowTime> of(RunFacts facts) {
    Set<String> levels =
        facts.requested().levels().stream()
            .map(OnlineJob.WindowSpec::name)
            .collect(Collectors.toSet());
    List<WindowTime> all = new ArrayList<>();
    Map<String, WindowTime> undone = new LinkedHashMap<>();
    // They run in parallel: a slow one may end after its successor.
    facts.windows().stream()
        .filter(run -> levels.contains(run.level()))
        .sorted(Comparator.comparingDouble(WindowRun::atSecond))
        .forEach(run -> {
          String window = run.level() + " " + run.window();
          WindowTime tried = undone.remove(window);
          double due = tried == null ? run.atSecond() : tried.due;
          double seconds = run.atSecond() + run.seconds() - due;
          WindowTime time = new WindowTime(run.level(), due, seconds, run.failed());
          if (run.failed()) {
            undone.put(window, time);
          } else {
            all.add(time);
          }
        });
    all.addAll(undone.values());
    all.sort(Comparator.comparingDouble(WindowTime::due));
    return all;
  }

  /// Whether it was done by then, or may be if it goes on.
  boolean isWithin(double secondsMax) {
    return !isUndone && seconds <= secondsMax;
  }
}
