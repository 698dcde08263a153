package millrace.report.sweep;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import millrace.report.ReportText;
import millrace.report.TextTable;
import org.jspecify.annotations.Nullable;

/// Tells a sweep as text: a table of its points, the knee, what is only noise, what calls and rows
/// cost.
public final class SweepText {

  /// What is nearer to 0 is told as 0.
  private static final double ROUNDED = 1e-6;

  private static final String BELOW_ZERO = "below 0";

  private static final double MB = 1024 * 1024;

  private SweepText() {}

  /// The sweep, one line each.
  public static List<String> lines(Sweep sweep) {
    List<String> lines = new ArrayList<>();
    lines.add("sweep " + sweep.id());
    lines.add("  from  " + sweep.from());
    lines.add("  to    " + sweep.to() + " (scratch next to it)");
    sweep.notes().forEach(note -> lines.add("  note  " + note));
    lines.add("");
    table(sweep).forEach(line -> lines.add("  " + line));
    if (!sweep.measured().isEmpty()) {
      lines.add("");
      findings(sweep).forEach(line -> lines.add("  " + line));
      List<String> costs = costs(sweep);
      if (!costs.isEmpty()) {
        lines.add("");
        costs.forEach(line -> lines.add("  " + line));
      }
    }
    return lines;
  }

  private static List<String> table(Sweep sweep) {
    List<String> head = new ArrayList<>();
    sweep.axes().forEach(axis -> head.add((axis.isNumeric() ? ">" : "") + axis.name()));
    head.addAll(List.of(">time", ">spread", ">rows/s", ">MB/s", ""));
    TextTable table = new TextTable(head);
    Knee knee = sweep.hasWinner() ? knee(sweep) : null;
    for (Sweep.Point point : sweep.points()) {
      List<String> cells = new ArrayList<>(point.values());
      if (point.isMeasured()) {
        cells.add(ReportText.duration(point.medianNanos()));
        cells.add(spread(point));
        cells.add(String.format(Locale.ROOT, "%,.0f", point.rowsPerS()));
        cells.add(String.format(Locale.ROOT, "%,.1f", point.bytesPerS() / MB));
        cells.add(sweep.shortfall(point) + mark(point, knee));
      } else {
        String why = point.failure() == null ? "not measured" : "failed: " + point.failure();
        cells.addAll(List.of("", "", "", "", why));
      }
      table.row(cells);
    }
    return table.lines();
  }

  private static String mark(Sweep.Point point, @Nullable Knee knee) {
    if (knee == null) {
      return "";
    }
    if (point.equals(knee.knee())) {
      return point.equals(knee.best()) ? "best, knee" : "knee";
    }
    return point.equals(knee.best()) ? "best" : "";
  }

  private static String spread(Sweep.Point point) {
    return point.copies().size() < 2
        ? ""
        : ReportText.duration(point.leastNanos()) + ".." + ReportText.duration(point.mostNanos());
  }

  /// The knee of the whole sweep.
  ///
  /// @param sweep with at least one candidate
  public static Knee knee(Sweep sweep) {
    List<Sweep.Point> candidates = sweep.candidates();
    return Knee.of(candidates, sweep.axes(), Noise.of(candidates));
  }

  /// What the sweep found, one sentence a line: of the whole, then of each axis.
  ///
  /// @param sweep with at least one point that was measured
  public static List<String> findings(Sweep sweep) {
    List<Sweep.Point> candidates = sweep.candidates();
    List<String> lines = new ArrayList<>();
    int others = sweep.measured().size() - candidates.size();
    if (others > 0) {
      lines.add(
          String.format(
              Locale.ROOT,
              "left out   %d of %d settings did not take effect, so that none of them is the best"
                  + " or the knee",
              others,
              sweep.measured().size()));
    }
    if (candidates.isEmpty()) {
      return lines;
    }
    Noise noise = Noise.of(candidates);
    Knee knee = knee(sweep);
    if (sweep.hasWinner()) {
      lines.add("best       " + words(sweep, knee.best()) + ": " + rate(knee.best()));
      lines.add(
          "knee       " + words(sweep, knee.knee()) + ": " + rate(knee.knee()) + ", " + why(knee));
    } else {
      lines.add("best       none of them is better than the others by more than noise");
    }
    lines.add("noise      " + noise(noise, knee));
    for (int i = 0; i < sweep.axes().size(); i++) {
      List<Sweep.Point> along = Knee.along(i, knee.best(), candidates);
      if (sweep.axes().size() > 1 && along.size() > 1) {
        lines.add(axis(sweep, i, along, noise));
      }
    }
    return lines;
  }

  private static String why(Knee knee) {
    String near = String.format(Locale.ROOT, "%.0f %%", knee.within() * 100);
    if (knee.knee().equals(knee.best())) {
      return "no smaller setting comes within " + near + " of it";
    }
    return String.format(
        Locale.ROOT,
        "%.1f %% more time than the best; what is within %s counts as equal",
        knee.after() * 100,
        near);
  }

  private static String noise(Noise noise, Knee knee) {
    if (!noise.isKnown()) {
      return "unknown: it takes two settings and --repeat 2 or more to tell it";
    }
    String size =
        String.format(
            Locale.ROOT,
            "two settings may seem to differ by %s and do not%s",
            noise.difference() > 1
                ? "more than 100 %"
                : String.format(Locale.ROOT, "%.1f %%", noise.difference() * 100),
            noise.difference() > Knee.NOISE_MAX
                ? "; more rows, or more repeats, would tell more apart"
                : "");
    if (!knee.onlyNoise()) {
      return "the differences are more than noise: " + size;
    }
    return noise.difference() > Knee.NOISE_MAX
        ? "the differences can't be told from noise: " + size
        : "all of the differences are only noise: " + size;
  }

  private static String axis(Sweep sweep, int at, List<Sweep.Point> along, Noise noise) {
    Axis axis = sweep.axes().get(at);
    Knee knee = Knee.of(along, sweep.axes(), noise);
    String fixed = others(sweep, at, knee.best());
    if (knee.onlyNoise()) {
      String verdict =
          noise.difference() > Knee.NOISE_MAX
              ? "no difference that can be told from noise"
              : "makes no difference, only noise";
      return axis.name() + " (" + fixed + "): " + verdict;
    }
    long most = along.stream().mapToLong(Sweep.Point::medianNanos).max().orElseThrow();
    String order = axis.isNumeric() ? "knee " + knee.knee().values().get(at) + ", best " : "best ";
    return String.format(
        Locale.ROOT,
        "%s (%s): %s%s; the worst takes %.2f times as long",
        axis.name(),
        fixed,
        order,
        knee.best().values().get(at),
        (double) most / Math.max(1, knee.best().medianNanos()));
  }

  private static String others(Sweep sweep, int at, Sweep.Point best) {
    List<String> fixed = new ArrayList<>();
    for (int i = 0; i < sweep.axes().size(); i++) {
      if (i != at) {
        fixed.add(sweep.axes().get(i).name() + "=" + best.values().get(i));
      }
    }
    return String.join(" ", fixed);
  }

  /// A point's settings as a user reads them.
  public static String words(Sweep sweep, Sweep.Point point) {
    return Sweep.words(Sweep.settings(sweep.axes(), point.values()));
  }

  private static String rate(Sweep.Point point) {
    return String.format(
        Locale.ROOT,
        "%s, %,.0f rows/s",
        ReportText.duration(point.medianNanos()),
        point.rowsPerS());
  }

  /// What a call and what a row costs, along each axis of units, as a table, and how many counters
  /// are not in it; empty if none was varied.
  public static List<String> costs(Sweep sweep) {
    List<UnitCost> costs = UnitCost.of(sweep);
    if (costs.isEmpty()) {
      return List.of();
    }
    TextTable table =
        new TextTable(
            List.of(
                "cost (one call = one unit)", "unit", ">a call", ">± error", ">a row", ">± error"));
    for (UnitCost cost : costs.stream().filter(UnitCost::isSignificant).toList()) {
      FittedLine line = cost.line();
      table.row(
          List.of(
              cost.name(),
              cost.unit(),
              cost(cost.scaled(line.slope())),
              number(cost.scaled(line.slopeError())),
              cost(cost.scaled(line.intercept())),
              number(cost.scaled(line.interceptError()))));
    }
    List<String> lines = new ArrayList<>(table.lines());
    if (lines.stream().anyMatch(line -> line.contains(BELOW_ZERO))) {
      lines.add(
          BELOW_ZERO
              + ": no cost; the copies differ by more than it is. More rows, or more repeats, would"
              + " tell");
    }
    long others = costs.stream().filter(cost -> !cost.isSignificant()).count();
    if (others > 0) {
      lines.add(
          "left out: "
              + others
              + (others == 1 ? " counter" : " counters")
              + " of which a call costs nothing, or not more than twice the error; --json has all");
    }
    return lines;
  }

  /// A line through noise may say that something costs less than nothing.
  private static String cost(double value) {
    return value <= -ROUNDED ? BELOW_ZERO : number(value);
  }

  /// Three digits that count.
  private static String number(double value) {
    if (Double.isNaN(value)) {
      return "?";
    }
    double size = Math.abs(value);
    int digits = size < ROUNDED ? 0 : Math.clamp(2 - (long) Math.floor(Math.log10(size)), 0, 6);
    return String.format(Locale.ROOT, "%,." + digits + "f", size < ROUNDED ? 0 : value);
  }
}
