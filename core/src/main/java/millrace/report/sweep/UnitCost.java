package millrace.report.sweep;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import millrace.report.Figure;
import millrace.report.Report;
import millrace.text.Amount;
import org.jspecify.annotations.Nullable;

/// What a figure of a copy costs for each call and for each row, found from copies with different
/// units: a call moves one unit, so that a row needs one through the unit of a call, and the cost
/// of a row over that is a line. Its slope is what a call costs, what it is at 0 what a row costs.
///
/// Each copy counts by its relative error, taken to be the same for all: a line that went for the
/// absolute one would know the smallest units alone.
///
/// @param axis the unit that was varied
/// @param with the settings beside it that are names, such as `method=normal`; may be empty
/// @param figure what of
/// @param line in the figure's own unit: nanoseconds, bytes, counts
public record UnitCost(Axis axis, String with, Figure figure, FittedLine line) {

  private static final String COUNTERS = "counters";

  /// What the run as a whole is told by that adds up over its rows.
  private static final Set<String> OF_RUN = Set.of("elapsed", "cpu", "target bytes");

  /// The costs along each axis of units, for each combination of those settings that are names; the
  /// other axes as the best point with these names has them. Empty if no units were varied, or
  /// fewer than two of them were measured as asked.
  public static List<UnitCost> of(Sweep sweep) {
    List<UnitCost> costs = new ArrayList<>();
    List<Sweep.Point> candidates = sweep.candidates();
    bestByNames(sweep)
        .forEach((names, best) -> {
          for (int i = 0; i < sweep.axes().size(); i++) {
            List<Sweep.Point> along = Knee.along(i, best, candidates);
            if (sweep.axes().get(i).isUnit() && along.size() > 1) {
              costs.addAll(of(sweep.axes().get(i), names, i, along));
            }
          }
        });
    return costs;
  }

  private static Map<String, Sweep.Point> bestByNames(Sweep sweep) {
    Map<String, Sweep.Point> best = new LinkedHashMap<>();
    for (Sweep.Point point : sweep.candidates()) {
      Map<String, String> names = Sweep.settings(sweep.axes(), point.values());
      sweep.axes().stream().filter(Axis::isNumeric).map(Axis::name).forEach(names::remove);
      best.merge(Sweep.words(names), point, (a, b) -> a.medianNanos() <= b.medianNanos() ? a : b);
    }
    return best;
  }

  private static List<UnitCost> of(Axis axis, String names, int at, List<Sweep.Point> points) {
    Set<String> keys = new LinkedHashSet<>();
    for (Map.Entry<String, Figure> figure :
        Figure.of(points.getFirst().copies().getFirst()).entrySet()) {
      if (addsUp(figure.getValue())) {
        keys.add(figure.getKey());
      }
    }
    List<UnitCost> costs = new ArrayList<>();
    for (String key : keys) {
      UnitCost cost = fitted(axis, names, at, points, key);
      if (cost != null) {
        costs.add(cost);
      }
    }
    return costs;
  }

  private static boolean addsUp(Figure figure) {
    return figure.section().isEmpty()
        ? OF_RUN.contains(figure.name())
        : figure.section().equals(COUNTERS);
  }

  /// The line, or null if a copy lacks the figure, or it is 0 everywhere, or all units come to the
  /// same rows (bytes of less than a row are one row).
  private static @Nullable UnitCost fitted(
      Axis axis, String names, int at, List<Sweep.Point> points, String key) {
    List<double[]> found = new ArrayList<>();
    Figure first = null;
    boolean any = false;
    boolean allAboveZero = true;
    for (Sweep.Point point : points) {
      double sum = 0;
      List<double[]> values = new ArrayList<>();
      for (Report copy : point.copies()) {
        Figure figure = Figure.of(copy).get(key);
        if (figure == null || copy.totals().rows() == 0) {
          return null;
        }
        first = first == null ? figure : first;
        double perRow = figure.value() / copy.totals().rows();
        values.add(new double[] {1.0 / unit(axis, point.values().get(at), copy), perRow, 0});
        sum += perRow;
        any |= perRow != 0;
      }
      double mean = sum / values.size();
      allAboveZero &= mean > 0;
      values.forEach(measured -> measured[2] = 1 / (mean * mean));
      found.addAll(values);
    }
    boolean isOneUnit = found.stream().mapToDouble(measured -> measured[0]).distinct().count() < 2;
    return first == null || !any || isOneUnit
        ? null
        : new UnitCost(axis, names, first, line(found, allAboveZero));
  }

  private static FittedLine line(List<double[]> found, boolean weighted) {
    return FittedLine.of(
        found.stream().mapToDouble(measured -> measured[0]).toArray(),
        found.stream().mapToDouble(measured -> measured[1]).toArray(),
        found.stream().mapToDouble(measured -> weighted ? measured[2] : 1).toArray());
  }

  /// The unit in rows. What is written counts as the target has it: the source may be compressed.
  private static double unit(Axis axis, String value, Report copy) {
    Report.Totals totals = copy.totals();
    long written = totals.targetBytes() > 0 ? totals.targetBytes() : totals.sourceBytes();
    long bytes = axis.name().equals("read-unit") ? totals.bytes() : written;
    return Amount.parse(axis.name(), value).rows(Math.max(1, bytes / totals.rows()));
  }

  /// Whether it is worth a line to people: the run's own figures are, and those counters of which a
  /// call costs something for sure, more than twice the standard error if there is one.
  boolean isSignificant() {
    return figure.section().isEmpty()
        || (line.slope() > 0 && !(line.slope() <= 2 * line.slopeError()));
  }

  /// What of, and in which unit {@link #scaled} gives it.
  String name() {
    String what = figure.section().isEmpty() ? named() : figure.name();
    return switch (figure.unit()) {
      case NANOS, SECONDS -> what + ", µs";
      case BYTES -> what.contains("bytes") ? what : what + ", bytes";
      case MB_PER_S, PERCENT, NUMBER -> what;
    };
  }

  private String named() {
    return switch (figure.name()) {
      case "elapsed" -> "time";
      case "cpu" -> "processor time of Millrace";
      default -> "bytes written";
    };
  }

  /// Which unit, and beside which names.
  String unit() {
    return with.isEmpty() ? axis.name() : axis.name() + " with " + with;
  }

  /// A number of the line as it is told: times in microseconds.
  double scaled(double number) {
    return switch (figure.unit()) {
      case NANOS -> number / 1e3;
      case SECONDS -> number * 1e6;
      case BYTES, MB_PER_S, PERCENT, NUMBER -> number;
    };
  }
}
