package millrace.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// How fast each part was by itself in short probes before the run, and how near the run came. Part
/// of the report.
///
/// @param measured one probe each
/// @param notMeasured what could not be probed and why, a sentence each
public record Ceilings(List<Ceiling> measured, List<String> notMeasured) {

  private static final double MB = 1024 * 1024;

  public Ceilings {
    measured = List.copyOf(measured);
    notMeasured = List.copyOf(notMeasured);
  }

  /// A probe.
  ///
  /// @param what which part
  /// @param how what was done, and under which circumstances
  /// @param rowsPerS rows in a second, or -1 if it moved bytes alone
  /// @param bytesPerS bytes in a second
  /// @param side whose bytes these are: `source` or `target`
  /// @param percent the run's rate in percent of this one; -1 as long as that is unknown
  public record Ceiling(
      String what, String how, double rowsPerS, double bytesPerS, String side, double percent) {}

  /// The same with the run's own rates beside them: of rows if the probe moved rows, else of that
  /// side's bytes.
  ///
  /// @param seconds for how long rows moved, until the target had all of them
  public Ceilings against(long rows, long sourceBytes, long targetBytes, double seconds) {
    List<Ceiling> compared =
        measured.stream()
            .map(each -> {
              long bytes = each.side.equals("source") ? sourceBytes : targetBytes;
              double ceiling = each.rowsPerS > 0 ? each.rowsPerS : each.bytesPerS;
              double rate = (each.rowsPerS > 0 ? rows : bytes) / seconds;
              boolean known = seconds > 0 && ceiling > 0;
              return new Ceiling(
                  each.what,
                  each.how,
                  each.rowsPerS,
                  each.bytesPerS,
                  each.side,
                  known ? 100 * rate / ceiling : -1);
            })
            .toList();
    return new Ceilings(compared, notMeasured);
  }

  /// The ceilings as a user reads them.
  public List<String> lines() {
    TextTable table =
        new TextTable(List.of("ceiling", ">rows/s", ">MB/s", ">this run", "measured by"));
    for (Ceiling each : measured) {
      table.row(
          List.of(
              each.what,
              each.rowsPerS < 0 ? "" : String.format(Locale.ROOT, "%,.0f", each.rowsPerS),
              String.format(Locale.ROOT, "%,.1f", each.bytesPerS / MB),
              each.percent < 0 ? "" : String.format(Locale.ROOT, "%.0f %%", each.percent),
              each.how));
    }
    List<String> lines = new ArrayList<>();
    if (!measured.isEmpty()) {
      lines.addAll(table.lines());
    }
    notMeasured.forEach(each -> lines.add("not measured: " + each));
    return lines;
  }
}
