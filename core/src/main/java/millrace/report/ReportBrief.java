package millrace.report;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Tells a report in at most eight lines: rows and rates, what became of the data, the slowest
/// part, and where the rest is.
public final class ReportBrief {

  private static final int NOTES_MAX = 3;

  /// A sentence's end is followed by another sentence; that of a number is not.
  private static final Pattern SENTENCE = Pattern.compile("^.*?\\.(?= [A-Z]|$)");

  private ReportBrief() {}

  /// The report, one line each.
  ///
  /// @param happened how many of the report's notes, the first ones, say what became of the data:
  ///   these are never left out
  /// @param rest the command that shows the rest, or empty if nothing does: then no note is left
  ///   out
  public static List<String> lines(Report report, int happened, String rest) {
    List<String> lines = new ArrayList<>();
    lines.add(ReportText.headline(report));
    lines.addAll(ReportText.merged(report));
    Goal goal = report.baselines().goal();
    if (goal != null && ReportText.isLongEnough(report)) {
      lines.add("  " + goal.line());
    }
    List<String> notes = new ArrayList<>(report.job().notes());
    report
        .concurrency()
        .retries()
        .forEach(retry -> notes.add("tried again " + ReportText.retried(retry)));
    int shown =
        rest.isEmpty() ? notes.size() : Math.min(notes.size(), Math.max(NOTES_MAX, happened));
    lines.addAll(notes(notes.subList(0, shown)));
    String bottleneck = bottleneck(report);
    if (!bottleneck.isEmpty()) {
      lines.add("  " + bottleneck);
    }
    if (!rest.isEmpty()) {
      lines.add("  " + more(notes.size() - shown) + ": " + rest);
    }
    return lines;
  }

  /// What is more than three goes on in the third line.
  private static List<String> notes(List<String> notes) {
    List<String> lines = new ArrayList<>();
    for (String note : notes) {
      if (lines.size() < NOTES_MAX) {
        lines.add("  note  " + note);
      } else {
        lines.set(NOTES_MAX - 1, lines.getLast() + "; " + note);
      }
    }
    return lines;
  }

  private static String more(int notes) {
    return switch (notes) {
      case 0 -> "All figures";
      case 1 -> "1 more note and all figures";
      default -> notes + " more notes and all figures";
    };
  }

  /// The sentence that names the slowest part; empty if none could be named, or if the run was too
  /// short for it to matter.
  public static String bottleneck(Report report) {
    Matcher sentence = SENTENCE.matcher(report.time().bottleneck());
    boolean named = sentence.find() && !sentence.group().startsWith("No ");
    return named && ReportText.isLongEnough(report) ? sentence.group() : "";
  }
}
