package millrace.copy;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import millrace.report.Ceilings;
import millrace.report.ReportText;

/// How long a copy will take, and what will be the slowest part, by short probes before a row
/// moves.
///
/// @param rows how many rows there are; -1 if nobody knows
/// @param bytes how many bytes the source has; -1 if nobody knows
/// @param seconds how long it will take; -1 if nobody knows how much there is
/// @param low nine of ten copies take from so long, likewise
/// @param high to so long, likewise
/// @param rowsPerS rows in a second while they move
/// @param bytesPerS bytes of the source in a second
/// @param ceilings how fast each part is by itself
/// @param requests of stores, about how many; of all rows, even if a limit leaves some unread
/// @param notes what the probes can't see, one sentence each
public record Estimate(
    long rows,
    long bytes,
    double seconds,
    double low,
    double high,
    double rowsPerS,
    double bytesPerS,
    Ceilings ceilings,
    StoreRequests requests,
    List<String> notes) {

  /// A part that is so much faster than all together is not what holds them up.
  private static final double FASTER = 1.3;

  private static final double MB = 1024 * 1024;

  public Estimate {
    notes = List.copyOf(notes);
  }

  /// What a user reads.
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add(headline());
    lines.add("  " + slowest());
    ceilings.lines().forEach(line -> lines.add("  " + line));
    requests.lines().forEach(line -> lines.add("  " + line));
    notes.forEach(note -> lines.add("  note  " + note));
    return lines;
  }

  private String headline() {
    String rate = String.format(Locale.ROOT, "%,.0f rows/s, %.1f MB/s", rowsPerS, bytesPerS / MB);
    if (seconds < 0) {
      return "nobody knows how many rows there are; they move at " + rate;
    }
    String amount =
        rows >= 0
            ? String.format(Locale.ROOT, "about %,d rows", rows)
            : String.format(Locale.ROOT, "%.1f MB", bytes / MB);
    return "between %s and %s: %s at %s".formatted(duration(low), duration(high), amount, rate);
  }

  private static String duration(double seconds) {
    return ReportText.duration(Math.round(seconds * 1e9));
  }

  /// What will hold the copy up.
  public String slowest() {
    double source = rate("source alone");
    double target = rate("target alone");
    if (source <= 0 || target <= 0) {
      return "What will be the bottleneck can't be told: it takes both sides, each measured alone.";
    }
    String both =
        String.format(
            Locale.ROOT,
            "alone, the source gives %,.0f rows/s, and the target takes %,.0f",
            source,
            target);
    if (Math.min(source, target) > FASTER * rowsPerS) {
      return "The processors of this machine will be the bottleneck, which both sides share: "
          + both
          + ".";
    }
    return "The "
        + (source < target ? "source" : "target")
        + " will be the bottleneck: "
        + both
        + ".";
  }

  /// How many machines like this one make sense against one target.
  public String onCluster() {
    double target = rate("target alone");
    if (target <= 0 || rowsPerS <= 0) {
      return "On a cluster: how much the target takes can't be told.";
    }
    if (target <= FASTER * rowsPerS) {
      return "On a cluster: no faster, for the target takes no more than this machine gives it.";
    }
    return String.format(
        Locale.ROOT,
        "On a cluster: up to %.0f times the processors of this machine help, for the target takes"
            + " %,.0f rows/s by as many lanes as were tried.",
        Math.ceil(target / rowsPerS),
        target);
  }

  private double rate(String what) {
    return ceilings.measured().stream()
        .filter(each -> each.what().equals(what))
        .mapToDouble(Ceilings.Ceiling::rowsPerS)
        .findFirst()
        .orElse(-1);
  }
}
