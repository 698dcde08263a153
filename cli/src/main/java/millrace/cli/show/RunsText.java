package millrace.cli.show;

import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import millrace.report.DisplayWidth;
import millrace.report.Report;
import millrace.report.ReportText;
import millrace.report.TextTable;

/// Earlier runs as a list: a table if it is as narrow as the terminal, else some lines for each. No
/// name of an end is ever cut.
public final class RunsText {

  public static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT)
          .withZone(ZoneId.systemDefault());

  private static final int OUTCOME_CELLS = 40;

  private RunsText() {}

  /// The list, line by line.
  ///
  /// @param width of the terminal, or 0 if there is none
  public static List<String> lines(List<Report> reports, int width) {
    TextTable table =
        new TextTable(
            List.of("run", "began", "verb", "from", "to", ">rows", ">time", ">rows/s", "outcome"));
    reports.forEach(report -> table.row(row(report)));
    if (width == 0 || table.width() <= width) {
      return table.lines();
    }
    List<String> lines = new ArrayList<>();
    for (Report report : reports) {
      wrap(lines, report.header().id() + "  " + figures(report), width);
      wrap(lines, "  " + report.job().from() + " -> " + report.job().to(), width);
      if (!report.header().outcome().equals("ok")) {
        wrap(lines, "  " + PreviewTarget.visible(report.header().outcome()), width);
      }
    }
    return lines;
  }

  private static List<String> row(Report report) {
    return List.of(
        report.header().id(),
        TIME.format(report.header().startedAt()),
        report.header().verb(),
        report.job().from(),
        report.job().to(),
        String.format(Locale.ROOT, "%,d", report.totals().rows()),
        ReportText.duration(report.totals().elapsedNanos()),
        String.format(Locale.ROOT, "%,.0f", report.totals().rowsPerS()),
        beginning(PreviewTarget.visible(report.header().outcome())));
  }

  private static String figures(Report report) {
    return String.format(
        Locale.ROOT,
        "%s  %s, %,d rows in %s, %,.0f rows/s",
        TIME.format(report.header().startedAt()),
        report.header().verb(),
        report.totals().rows(),
        ReportText.duration(report.totals().elapsedNanos()),
        report.totals().rowsPerS());
  }

  /// As many whole words as there is room for.
  private static String beginning(String outcome) {
    if (DisplayWidth.of(outcome) <= OUTCOME_CELLS) {
      return outcome;
    }
    List<String> lines = new ArrayList<>();
    wrap(lines, outcome, OUTCOME_CELLS - 2);
    return lines.getFirst() + " …";
  }

  /// Goes on in the next line, which is indented, behind a word; a word that is wider than the
  /// terminal stands alone.
  private static void wrap(List<String> lines, String text, int width) {
    StringBuilder line = new StringBuilder();
    for (String word : text.split("(?<=\\S) ", -1)) {
      boolean begins = line.toString().isBlank();
      if (!begins && DisplayWidth.of(line + " " + word) > width) {
        lines.add(line.toString());
        line.setLength(0);
        line.append("    ").append(word);
      } else {
        line.append(begins ? "" : " ").append(word);
      }
    }
    lines.add(line.toString().stripTrailing());
  }
}
