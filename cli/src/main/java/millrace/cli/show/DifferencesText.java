package millrace.cli.show;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import millrace.report.DisplayWidth;
import millrace.verify.Differences;

/// Tells what a verify found.
public final class DifferencesText {

  private static final int LINE_CELLS_MAX = 300;
  private static final int COLUMNS_MAX = 20;

  private DifferencesText() {}

  /// What was found, one line each.
  ///
  /// @param fromLabel the first side's label
  /// @param toLabel the second side's; if it is the same, the sides go by FROM and TO
  public static List<String> lines(Differences found, String fromLabel, String toLabel) {
    List<String> lines = new ArrayList<>();
    if (found.same()) {
      lines.add("same: " + rows(found.fromRows()) + " on both sides.");
      addNotes(lines, found);
      return lines;
    }
    boolean alike = fromLabel.equals(toLabel);
    String from = alike ? "FROM" : fromLabel;
    String to = alike ? "TO" : toLabel;
    lines.add(
        String.format(
            Locale.ROOT,
            "different: %s in %s, %,d in %s.",
            rows(found.fromRows()),
            from,
            found.toRows(),
            to));
    lines.add(
        String.format(
            Locale.ROOT,
            "%s%s not the same%s.",
            found.differing().complete() ? "" : "At least ",
            rows(atLeast(found)),
            found.columns().isEmpty()
                ? ""
                : "; the columns " + names(found.columns()) + " differ"));
    addNotes(lines, found);
    if (!found.differing().keyRanges().isEmpty()) {
      lines.add("");
      lines.add("where, by " + String.join(", ", found.key()) + ":");
      for (Differences.KeyRange range : found.differing().keyRanges()) {
        String keys =
            range.first().equals(range.last())
                ? range.first()
                : range.first() + " to " + range.last();
        lines.add("  " + PreviewTarget.visible(keys) + ": " + rows(range.rows()));
      }
    }
    if (found.differing().rows().isEmpty()) {
      return lines;
    }
    lines.add("");
    lines.add(
        found.differing().rows().size() < found.differing().rowsSeen()
            ? "the first of them:"
            : "the rows:");
    for (Differences.RowDifference row : found.differing().rows()) {
      lines.add("  " + line(row, found.key().isEmpty(), from, to));
    }
    return lines;
  }

  private static void addNotes(List<String> lines, Differences found) {
    found.notes().forEach(note -> lines.add("note  " + note));
  }

  private static String names(List<String> columns) {
    int shown = Math.min(columns.size(), COLUMNS_MAX);
    String first = String.join(", ", columns.subList(0, shown));
    int more = columns.size() - shown;
    return more == 0 ? first : String.format(Locale.ROOT, "%s and %,d more", first, more);
  }

  /// If not all were looked at, the sides' counts may tell of more.
  private static long atLeast(Differences found) {
    return Math.max(found.differing().rowsSeen(), Math.abs(found.fromRows() - found.toRows()));
  }

  private static String rows(long count) {
    return String.format(Locale.ROOT, count == 1 ? "%,d row" : "%,d rows", count);
  }

  private static String line(Differences.RowDifference row, boolean noKey, String from, String to) {
    String where =
        switch (row.kind()) {
          case ONLY_FROM -> "only in " + from;
          case ONLY_TO -> "only in " + to;
          case CHANGED -> "changed";
        };
    String key = noKey || row.key().isEmpty() ? "" : row.key() + ": ";
    String text = key + where + ": " + String.join(", ", row.values());
    return DisplayWidth.cut(PreviewTarget.visible(text), LINE_CELLS_MAX);
  }
}
