package millrace.online.sweep;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import millrace.online.run.Probes;
import millrace.report.TextTable;
import millrace.report.sweep.Sweep;

/// Tells a sweep as text for a terminal.
public final class OnlineSweepText {

  private static final String NONE = "-";

  /// The JSON has all of it.
  private static final int NOTE_MAX = 300;

  private OnlineSweepText() {}

  /// The table, a line for each combination, and what its columns are.
  public static List<String> lines(SweepResult result) {
    List<String> head = new ArrayList<>(result.names());
    head.addAll(
        List.of(
            "result",
            ">write p50 ms",
            ">p99 ms",
            ">start delay ms",
            ">" + result.level() + " mean s",
            ">max s",
            ">device day ms",
            ">instant ms",
            ">late rows",
            "note"));
    TextTable table = new TextTable(head);
    result.points().forEach(point -> table.row(row(result.names(), point)));
    List<String> lines = new ArrayList<>(table.lines());
    lines.add("");
    lines.add("write        from its schedule to its acknowledgement");
    lines.add("start delay  of the write that began latest");
    lines.add("device day   read one device, one day; median of 3 after the run");
    lines.add("instant      read all devices, one second; likewise");
    if (result.points().size() < result.planned()) {
      lines.add(
          "stopped      " + result.points().size() + " of " + result.planned() + " were begun");
    }
    return lines;
  }

  /// One combination in one line, while the sweep goes on.
  public static String line(SweepPoint point) {
    SweepFigures figures = point.figures();
    String shown =
        figures == null
            ? ""
            : String.format(
                Locale.ROOT,
                ", write p99 %s ms, start delay %s ms",
                millis(figures.writeP99()),
                millis(figures.startDelayMax()));
    String note = note(point);
    return plain(Sweep.words(point.settings()))
        + ": "
        + result(point.result())
        + shown
        + (note.isEmpty() ? "" : ": " + note);
  }

  private static List<String> row(List<String> names, SweepPoint point) {
    List<String> row = new ArrayList<>();
    names.forEach(name -> row.add(plain(point.settings().getOrDefault(name, NONE))));
    row.add(result(point.result()));
    SweepFigures figures = point.figures();
    if (figures == null) {
      row.addAll(List.of(NONE, NONE, NONE, NONE, NONE));
    } else {
      row.addAll(
          List.of(
              millis(figures.writeP50()),
              millis(figures.writeP99()),
              millis(figures.startDelayMax()),
              seconds(figures.aggregateMean()),
              seconds(figures.aggregateMax())));
    }
    Probes probes = point.probes();
    row.add(probes == null ? NONE : millis(probes.deviceDay().millis()));
    row.add(probes == null ? NONE : millis(probes.instant().millis()));
    row.add(figures == null ? NONE : String.format(Locale.ROOT, "%,d", figures.lateRows()));
    row.add(note(point));
    return row;
  }

  private static String result(SweepPoint.Result result) {
    return switch (result) {
      case PASSED -> "passed";
      case FAILED -> "FAILED";
      case INVALID -> "not valid";
      case UNTESTED -> "not tested";
      case ERROR -> "ERROR";
      case STOPPED -> "stopped";
    };
  }

  /// What a line needs beside its figures: the criteria that failed and why, or the error.
  private static String note(SweepPoint point) {
    List<String> parts = new ArrayList<>();
    if (!point.failedBy().isEmpty()) {
      parts.add("failed by: " + String.join("; ", point.failedBy()) + ".");
    }
    if (point.result() != SweepPoint.Result.PASSED || point.probes() == null) {
      parts.addAll(point.notes());
    }
    String note = plain(String.join(" ", parts));
    return note.length() <= NOTE_MAX ? note : note.substring(0, NOTE_MAX) + " ...";
  }

  private static String seconds(OptionalDouble value) {
    return value.isEmpty() ? NONE : String.format(Locale.ROOT, "%,.2f", value.getAsDouble());
  }

  /// Three digits that count.
  private static String millis(double value) {
    int digits = value < 10 ? 2 : value < 100 ? 1 : 0;
    return String.format(Locale.ROOT, "%,." + digits + "f", value);
  }

  /// What comes from servers may hold what moves a terminal's cursor.
  private static String plain(String text) {
    return text.replaceAll("\\p{Cntrl}+", " ");
  }
}
