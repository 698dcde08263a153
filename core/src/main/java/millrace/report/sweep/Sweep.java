package millrace.report.sweep;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import millrace.fault.Fault;
import millrace.report.Report;
import millrace.text.NameList;
import org.jspecify.annotations.Nullable;

/// Copies of the same rows with different settings; kept as JSON, told as text and as a page.
///
/// @param id names it, as a run's does
/// @param startedAt when
/// @param from the source's label
/// @param to the label of the target beside which the scratch targets were
/// @param axes what was varied
/// @param points the settings, each with the copies that were counted
/// @param notes what the user should know, one sentence each
public record Sweep(
    String id,
    Instant startedAt,
    String from,
    String to,
    List<Axis> axes,
    List<Point> points,
    List<String> notes) {

  public Sweep {
    Stream.of(id, startedAt, from, to).forEach(Objects::requireNonNull);
    axes = List.copyOf(axes);
    points = List.copyOf(points);
    notes = List.copyOf(notes);
  }

  /// One combination of settings.
  ///
  /// @param values one of each axis, in their order
  /// @param copies the reports of its copies, one a round
  /// @param failure why it could not be copied so, or null if it could
  public record Point(List<String> values, List<Report> copies, @Nullable String failure) {

    public Point {
      values = List.copyOf(values);
      copies = List.copyOf(copies);
    }

    /// Whether it can be compared with others.
    public boolean isMeasured() {
      return failure == null && !copies.isEmpty();
    }

    /// What the copies took, in nanoseconds, ascending.
    private long[] nanos() {
      return copies.stream().mapToLong(copy -> copy.totals().elapsedNanos()).sorted().toArray();
    }

    /// The middle of what its copies took; the mean of the two in the middle of an even number.
    public long medianNanos() {
      long[] sorted = nanos();
      int middle = sorted.length / 2;
      return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    /// The copy that took the median, or the next that took longer.
    Report middleCopy() {
      return copies.stream()
          .sorted(Comparator.comparingLong(copy -> copy.totals().elapsedNanos()))
          .toList()
          .get(copies.size() / 2);
    }

    /// What the fastest took.
    public long leastNanos() {
      return nanos()[0];
    }

    /// What the slowest took.
    public long mostNanos() {
      return nanos()[copies.size() - 1];
    }

    /// Rows in a second, by the median.
    public double rowsPerS() {
      return copies.getFirst().totals().rows() * 1e9 / Math.max(1, medianNanos());
    }

    /// Bytes in a second, by the median: the source's, or the target's if it has none.
    public double bytesPerS() {
      return copies.getFirst().totals().bytes() * 1e9 / Math.max(1, medianNanos());
    }
  }

  /// The points that could be measured.
  public List<Point> measured() {
    return points.stream().filter(Point::isMeasured).toList();
  }

  /// The points that were measured as they were asked for; only they are compared with each other.
  public List<Point> candidates() {
    return measured().stream().filter(point -> shortfall(point).isEmpty()).toList();
  }

  /// What of a point's setting did not take effect, such as `ran with 1 lane`; empty if all of it
  /// did. A point with fewer lanes than its own is another point once more.
  public String shortfall(Point point) {
    return shortfall(axes, point);
  }

  /// Whether a setting is worth another round. One that failed, or that ran as another setting
  /// does, is not.
  public static boolean isRepeated(List<Axis> axes, Point point) {
    return point.failure() == null && shortfall(axes, point).isEmpty();
  }

  /// How many whole rounds there are: as many as each setting that is repeated has copies. If none
  /// is, the first round counts for those that were measured.
  public static int fullRounds(List<Axis> axes, List<Point> points) {
    List<Point> repeated = points.stream().filter(point -> isRepeated(axes, point)).toList();
    return repeated.isEmpty()
        ? (points.stream().anyMatch(Point::isMeasured) ? 1 : 0)
        : repeated.stream().mapToInt(point -> point.copies().size()).min().orElseThrow();
  }

  /// Whether one of the settings is better than the others by more than noise, as far as the noise
  /// is known.
  public boolean hasWinner() {
    return !candidates().isEmpty() && !SweepText.knee(this).onlyNoise();
  }

  private static String shortfall(List<Axis> axes, Point point) {
    int axis = axes.stream().map(Axis::name).toList().indexOf("lanes");
    if (axis < 0 || !point.isMeasured()) {
      return "";
    }
    int ran =
        point.copies().stream().mapToInt(copy -> copy.concurrency().lanes()).min().orElseThrow();
    return ran >= Integer.parseInt(point.values().get(axis))
        ? ""
        : "ran with " + ran + (ran == 1 ? " lane" : " lanes");
  }

  /// The report of the middle copy of one point.
  ///
  /// @param settings `write-unit=100,lanes=2`, quotes around one that holds a comma; axes that are
  ///   not named are as the best point has them, or the first if none is the best
  /// @throws Fault.User if there is no such point, or nothing was measured
  public Report middleCopy(String settings) {
    if (measured().isEmpty()) {
      throw new Fault.User("The sweep " + id + " has measured nothing.", "");
    }
    Sweep.Point otherwise =
        candidates().isEmpty() ? measured().getFirst() : SweepText.knee(this).best();
    List<String> values = new ArrayList<>(otherwise.values());
    for (String setting : NameList.parse(id + "/", settings)) {
      int equals = setting.indexOf('=');
      if (equals < 1) {
        throw new Fault.User(
            "'" + setting + "' is not a setting of sweep " + id + ".",
            "`millrace compare " + id + "` lists what it has.");
      }
      String name = setting.substring(0, equals);
      int axis = axes.stream().map(Axis::name).toList().indexOf(name);
      if (axis < 0) {
        throw new Fault.User(
            "The sweep " + id + " did not vary " + setting + ".",
            "It varied " + axes.stream().map(Axis::name).collect(Collectors.joining(", ")) + ".");
      }
      values.set(axis, axes.get(axis).value(setting.substring(equals + 1)));
    }
    return measured().stream()
        .filter(point -> point.values().equals(values))
        .findFirst()
        .map(Point::middleCopy)
        .orElseThrow(() ->
            new Fault.User(
                "The sweep " + id + " has not measured " + words(settings(axes, values)) + ".",
                "`millrace compare " + id + "` lists what it has."));
  }

  /// All combinations of the axes' values, in the order of the axes.
  public static List<List<String>> combinations(List<Axis> axes) {
    List<List<String>> all = List.of(List.of());
    for (Axis axis : axes) {
      List<List<String>> longer = new ArrayList<>();
      for (List<String> begun : all) {
        for (String value : axis.values()) {
          List<String> values = new ArrayList<>(begun);
          values.add(value);
          longer.add(values);
        }
      }
      all = longer;
    }
    return all;
  }

  /// The settings of a point by the axes' names, in the axes' order.
  public static Map<String, String> settings(List<Axis> axes, List<String> values) {
    Map<String, String> settings = new LinkedHashMap<>();
    for (int i = 0; i < axes.size(); i++) {
      settings.put(axes.get(i).name(), values.get(i));
    }
    return settings;
  }

  /// Settings as a user reads them: `read-unit=200 lanes=2`.
  public static String words(Map<String, String> settings) {
    return settings.entrySet().stream()
        .map(entry -> entry.getKey() + "=" + entry.getValue())
        .collect(Collectors.joining(" "));
  }
}
