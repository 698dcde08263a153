package millrace.report.sweep;

import java.util.Comparator;
import java.util.List;

/// The smallest settings that are as good as the best: within 5 % of its time, or within what the
/// repeats differ by if that is more (but at most 20 %).
///
/// @param best the point with the least median
/// @param knee the smallest of those that are as good; the best itself if none is smaller
/// @param within how far from the best still counts as as good, as a share of its time
/// @param onlyNoise whether all that these points differ by is noise
public record Knee(Sweep.Point best, Sweep.Point knee, double within, boolean onlyNoise) {

  /// What nobody minds.
  private static final double NEAR = 0.05;

  /// Noise beyond that is not allowed for: what was measured is still a better guess than that
  /// nothing matters.
  static final double NOISE_MAX = 0.2;

  /// The knee of points that were measured equally often.
  ///
  /// Settings that have no order, such as names of methods, are kept as the best has them. Of the
  /// others the one is smallest whose values stand furthest down their axes, all axes counting
  /// alike.
  ///
  /// @param points at least one
  /// @param axes what their values are
  /// @param noise of the whole sweep
  public static Knee of(List<Sweep.Point> points, List<Axis> axes, Noise noise) {
    Comparator<Sweep.Point> byTime = Comparator.comparingLong(Sweep.Point::medianNanos);
    Sweep.Point best = points.stream().min(byTime).orElseThrow();
    double within = Math.max(NEAR, Math.min(NOISE_MAX, noise.difference()));
    double most = best.medianNanos() * (1 + within);
    Sweep.Point knee =
        points.stream()
            .filter(point -> point.medianNanos() <= most && hasSameNames(point, best, axes))
            .min(
                Comparator.<Sweep.Point>comparingDouble(point -> size(point, axes))
                    .thenComparing(byTime))
            .orElseThrow();
    return new Knee(best, knee, within, noise.explains(points));
  }

  private static boolean hasSameNames(Sweep.Point point, Sweep.Point best, List<Axis> axes) {
    for (int i = 0; i < axes.size(); i++) {
      if (!axes.get(i).isNumeric() && !point.values().get(i).equals(best.values().get(i))) {
        return false;
      }
    }
    return true;
  }

  /// How far up the axes a point stands: 0 is the smallest value of each.
  private static double size(Sweep.Point point, List<Axis> axes) {
    double size = 0;
    for (int i = 0; i < axes.size(); i++) {
      Axis axis = axes.get(i);
      if (axis.isNumeric() && axis.values().size() > 1) {
        int rank = axis.values().indexOf(point.values().get(i));
        size += (double) rank / (axis.values().size() - 1);
      }
    }
    return size;
  }

  /// The points that differ from the best in this axis alone, in the axis's order.
  static List<Sweep.Point> along(int axis, Sweep.Point best, List<Sweep.Point> points) {
    return points.stream().filter(point -> isAlong(axis, best, point)).toList();
  }

  private static boolean isAlong(int axis, Sweep.Point best, Sweep.Point point) {
    for (int i = 0; i < best.values().size(); i++) {
      if (i != axis && !best.values().get(i).equals(point.values().get(i))) {
        return false;
      }
    }
    return true;
  }

  /// How much longer the knee takes than the best, as a share.
  public double after() {
    return (double) knee.medianNanos() / Math.max(1, best.medianNanos()) - 1;
  }
}
