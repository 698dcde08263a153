package millrace.online.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// A series with fewer points, for charts: neighbours become one point that has the largest value
/// of each, so that no spike is lost.
///
/// @param secondsPerPoint how many neighbours each second stands for
record Downsampled(Series series, int secondsPerPoint) {

  /// @param most how many seconds, and how many aggregates of one level, are left at most
  static Downsampled of(Series series, int most) {
    int block = Math.ceilDiv(series.seconds().size(), most);
    List<Series.Second> seconds = series.seconds();
    if (block > 1) {
      seconds = blocks(seconds, block).stream().map(Downsampled::largest).toList();
    }
    return new Downsampled(
        new Series(
            seconds,
            windows(series.windows(), most),
            series.switches(),
            series.pauses(),
            series.levels()),
        Math.max(1, block));
  }

  private static <T> List<List<T>> blocks(List<T> all, int size) {
    List<List<T>> blocks = new ArrayList<>();
    for (int from = 0; from < all.size(); from += size) {
      blocks.add(all.subList(from, Math.min(all.size(), from + size)));
    }
    return blocks;
  }

  private static Series.Second largest(List<Series.Second> block) {
    return new Series.Second(
        block.getFirst().second(),
        block.stream().mapToLong(Series.Second::rows).max().orElse(0),
        block.stream().mapToLong(Series.Second::lateRows).max().orElse(0),
        new Series.StartDelay(
            block.stream().mapToDouble(Series.Second::startDelayMax).max().orElse(0),
            block.stream().mapToDouble(each -> each.startDelay().mean()).max().orElse(0),
            block.stream().mapToDouble(each -> each.startDelay().own()).max().orElse(0),
            block.stream().mapToDouble(each -> each.startDelay().behind()).max().orElse(0)),
        block.stream().mapToDouble(Series.Second::writeMean).max().orElse(0),
        block.stream().mapToDouble(Series.Second::writeMax).max().orElse(0),
        block.stream().mapToInt(Series.Second::backlog).max().orElse(0),
        block.stream().mapToInt(Series.Second::errors).max().orElse(0));
  }

  private static List<Series.WindowRun> windows(List<Series.WindowRun> windows, int most) {
    Map<String, List<Series.WindowRun>> levels = new LinkedHashMap<>();
    for (Series.WindowRun run : windows) {
      levels.computeIfAbsent(run.level(), _ -> new ArrayList<>()).add(run);
    }
    List<Series.WindowRun> sampled = new ArrayList<>();
    for (List<Series.WindowRun> level : levels.values()) {
      int block = Math.max(1, Math.ceilDiv(level.size(), most));
      blocks(level, block).forEach(runs -> sampled.add(worst(runs)));
    }
    return sampled;
  }

  /// A failed one, else the longest.
  private static Series.WindowRun worst(List<Series.WindowRun> runs) {
    Series.WindowRun worst = runs.getFirst();
    for (Series.WindowRun run : runs) {
      boolean longer = run.failed() == worst.failed() && run.seconds() > worst.seconds();
      if (longer || (run.failed() && !worst.failed())) {
        worst = run;
      }
    }
    return worst;
  }
}
