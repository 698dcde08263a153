package millrace.report;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Two runs side by side.
///
/// @param a the first
/// @param b the second
public record Compared(Report a, Report b) {

  private static final String COUNTERS = "counters";

  /// One figure of both.
  ///
  /// @param section as in {@link Figure}
  /// @param name as in {@link Figure}
  /// @param a the first run's, or null if it has none
  /// @param b the second's, likewise
  public record Pair(String section, String name, @Nullable Figure a, @Nullable Figure b) {

    /// The second in terms of the first, or null if that can't be said.
    public @Nullable Double ratio() {
      return a == null || b == null || a.value() == 0 ? null : b.value() / a.value();
    }
  }

  /// Every figure that one of them has, in the order of the first; sections stay together. Counters
  /// that did not move in either are left out.
  public List<Pair> pairs() {
    Map<String, Figure> ofA = Figure.of(a);
    Map<String, Figure> ofB = Figure.of(b);
    Set<String> keys = new LinkedHashSet<>(ofA.keySet());
    keys.addAll(ofB.keySet());
    Set<String> sections = new LinkedHashSet<>();
    List<Pair> pairs = new ArrayList<>();
    for (String key : keys) {
      Figure left = ofA.get(key);
      Figure right = ofB.get(key);
      Figure any = left == null ? right : left;
      if (any != null
          && !(any.section().equals(COUNTERS) && stoodStill(left) && stoodStill(right))) {
        sections.add(any.section());
        pairs.add(new Pair(any.section(), any.name(), left, right));
      }
    }
    List<Pair> sorted = new ArrayList<>();
    for (String section : sections) {
      pairs.stream().filter(pair -> pair.section.equals(section)).forEach(sorted::add);
    }
    return sorted;
  }

  private static boolean stoodStill(@Nullable Figure counter) {
    return counter == null || counter.value() == 0;
  }

  /// Both as text: what they were, if their plans differ, every figure with its ratio.
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add("A  " + headline(a));
    lines.add("B  " + headline(b));
    planLines(lines);
    TextTable table = new TextTable(List.of("", ">A", ">B", ">B/A"));
    String section = "";
    table.row(
        List.of(
            "rows/s",
            rowsPerS(a),
            rowsPerS(b),
            ratio(a.totals().rowsPerS(), b.totals().rowsPerS())));
    for (Pair pair : pairs()) {
      if (!pair.section.equals(section)) {
        section = pair.section;
        table.row(List.of(section, "", "", ""));
      }
      Double ratio = pair.ratio();
      table.row(
          List.of(
              section.isEmpty() ? pair.name : "  " + pair.name,
              pair.a == null ? "" : pair.a.text(),
              pair.b == null ? "" : pair.b.text(),
              ratio == null ? "" : number(ratio)));
    }
    lines.add("");
    lines.addAll(table.lines());
    bottleneck(lines, "A", a);
    bottleneck(lines, "B", b);
    return lines;
  }

  private static String headline(Report report) {
    return report.header().id()
        + "  "
        + report.header().verb()
        + " "
        + report.job().from()
        + " -> "
        + report.job().to()
        + (report.header().outcome().equals("ok") ? "" : "  (" + report.header().outcome() + ")");
  }

  private void planLines(List<String> lines) {
    List<String> onlyA = new ArrayList<>(a.job().plan());
    onlyA.removeAll(b.job().plan());
    List<String> onlyB = new ArrayList<>(b.job().plan());
    onlyB.removeAll(a.job().plan());
    if (!onlyA.isEmpty() || !onlyB.isEmpty()) {
      lines.add("");
      lines.add("The plans differ:");
      onlyA.forEach(line -> lines.add("  A  " + line));
      onlyB.forEach(line -> lines.add("  B  " + line));
    }
  }

  private static void bottleneck(List<String> lines, String name, Report report) {
    if (!report.time().bottleneck().isEmpty()) {
      lines.add("");
      lines.add(name + "  " + report.time().bottleneck());
    }
  }

  private static String rowsPerS(Report report) {
    return String.format(Locale.ROOT, "%,.0f", report.totals().rowsPerS());
  }

  private static String ratio(double a, double b) {
    return a == 0 ? "" : number(b / a);
  }

  private static String number(double ratio) {
    if (ratio == 0) {
      return "0";
    }
    return ratio >= 100
        ? String.format(Locale.ROOT, "%,.0f", ratio)
        : String.format(Locale.ROOT, ratio >= 0.1 ? "%.2f" : "%.2g", ratio);
  }
}
