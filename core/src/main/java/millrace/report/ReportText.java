package millrace.report;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import millrace.engine.meter.CounterWatch;
import millrace.engine.meter.Meter;
import millrace.engine.meter.PhaseLog;
import millrace.engine.meter.ServerWaits;
import millrace.engine.tuning.LaneTuner;
import millrace.report.host.HostFigures;
import millrace.report.host.HostText;
import millrace.spi.write.MergeCounts;
import org.jspecify.annotations.Nullable;

/// Tells all of a report as text: the outcome, a table of the steps, where the lanes' time went,
/// what it cost, what was the slowest part, what the ends counted, and the plan.
///
/// The table of steps has the columns of the one that pgcopydb closes with.
public final class ReportText {

  private static final double MB = 1024 * 1024;

  /// In less time than this, start-up weighs more than anything that a user could change.
  private static final double SHORT_S = 1;

  private ReportText() {}

  /// Whether the run was long enough for its bottleneck and its goal to say anything.
  static boolean isLongEnough(Report report) {
    return report.totals().elapsedNanos() >= SHORT_S * 1e9;
  }

  /// All of the report, one line each.
  public static List<String> lines(Report report) {
    List<String> lines = new ArrayList<>(measured(report));
    List<String> counters = counters(report);
    if (!counters.isEmpty()) {
      lines.add("");
      counters.forEach(line -> lines.add("  " + line));
    }
    if (!report.job().plan().isEmpty()) {
      lines.add("");
      report.job().plan().forEach(line -> lines.add("  " + line));
    }
    return lines;
  }

  /// What was asked for beyond a report: the ceilings, one line each.
  public static List<String> requested(Report report) {
    List<String> lines = new ArrayList<>();
    Ceilings ceilings = report.baselines().ceilings();
    if (ceilings != null) {
      lines.add("");
      ceilings.lines().forEach(line -> lines.add("  " + line));
    }
    return lines;
  }

  private static List<String> measured(Report report) {
    List<String> lines = new ArrayList<>();
    if (report.time().steps().isEmpty()) {
      return List.of(
          report.header().verb() + " did not begin",
          "  from  " + report.job().from(),
          "  to    " + report.job().to());
    }
    lines.add(headline(report));
    lines.addAll(merged(report));
    lines.add("  from  " + report.job().from());
    lines.add("  to    " + report.job().to());
    report.job().notes().forEach(note -> lines.add("  note  " + note));
    lines.add("");
    steps(report).forEach(line -> lines.add("  " + line));
    if (report.concurrency().lanes() > 0) {
      lines.add("");
      stages(report).forEach(line -> lines.add("  " + line));
      lines.add("");
      costs(report).forEach(line -> lines.add("  " + line));
    }
    lines.addAll(requested(report));
    if (!report.time().bottleneck().isEmpty() && isLongEnough(report)) {
      lines.add("");
      lines.add("  " + report.time().bottleneck());
    }
    return lines;
  }

  static String headline(Report report) {
    boolean done =
        report.header().outcome().equals("ok")
            || report.header().outcome().equals(Report.DIFFERENT);
    String what = report.header().verb() + (done ? " done" : " failed");
    return String.format(
        Locale.ROOT,
        "%s: %,d rows%s%s in %s, %,d rows/s%s",
        what,
        report.totals().rows(),
        switch ((int) Math.min(report.totals().rejects(), 2)) {
          case 0 -> "";
          case 1 -> " and 1 reject";
          default -> String.format(Locale.ROOT, " and %,d rejects", report.totals().rejects());
        },
        report.totals().bytes() == 0 ? "" : " (" + size(report.totals().bytes()) + ")",
        duration(report.totals().elapsedNanos()),
        perSecond(report.totals().rows(), report.totals().elapsedNanos()),
        megabytesPerSecond(report));
  }

  /// What a merge made of the rows, as one line; none if it was no merge.
  static List<String> merged(Report report) {
    MergeCounts merged = report.totals().merged();
    return merged == null
        ? List.of()
        : List.of(
            String.format(
                Locale.ROOT,
                "  merge %,d rows inserted, %,d updated, %,d unchanged%s%s%s",
                merged.inserted(),
                merged.updated(),
                merged.unchanged(),
                count(merged.left(), ", %,d left as they are"),
                count(merged.deleted(), ", %,d deleted"),
                count(merged.superseded(), "; %,d superseded by later rows of the same key")));
  }

  private static String count(long rows, String words) {
    return rows == 0 ? "" : String.format(Locale.ROOT, words, rows);
  }

  /// Verify counts no bytes.
  private static String megabytesPerSecond(Report report) {
    return report.concurrency().lanes() == 0
        ? ""
        : String.format(
            Locale.ROOT,
            ", %.1f MB/s",
            perSecond(report.totals().bytes(), report.totals().elapsedNanos()) / MB);
  }

  private static List<String> steps(Report report) {
    TextTable table =
        new TextTable(List.of("step", ">duration", ">rows", ">transfer", ">concurrency"));
    for (PhaseLog.Phase phase : report.time().steps()) {
      table.row(
          List.of(
              phase.name(),
              duration(phase.nanos()),
              phase.rows() == 0 ? "" : String.format(Locale.ROOT, "%,d", phase.rows()),
              phase.bytes() == 0 ? "" : size(phase.bytes()),
              Integer.toString(phase.concurrency())));
    }
    long transferred = report.time().steps().stream().mapToLong(PhaseLog.Phase::bytes).sum();
    table.row(
        List.of(
            "total",
            duration(report.totals().elapsedNanos()),
            String.format(Locale.ROOT, "%,d", report.totals().rows()),
            transferred == 0 ? "" : size(transferred),
            ""));
    return table.lines();
  }

  private static List<String> stages(Report report) {
    TextTable table = new TextTable(List.of("share of the lanes' time", ">readers", ">writers"));
    Set<String> names = new LinkedHashSet<>();
    report.time().stages().forEach(time -> names.add(time.stage()));
    for (String name : names) {
      table.row(List.of(name, share(report, "reader", name), share(report, "writer", name)));
    }
    return table.lines();
  }

  private static String share(Report report, String side, String stage) {
    return report.time().stages().stream()
        .filter(time -> time.side().equals(side) && time.stage().equals(stage))
        .findFirst()
        .map(time -> String.format(Locale.ROOT, "%.1f %%", time.sharePercent()))
        .orElse("");
  }

  private static List<String> costs(Report report) {
    List<String> lines = new ArrayList<>();
    lines.add("lanes      " + lanes(report));
    String units = report.concurrency().found().units();
    if (!units.isEmpty()) {
      lines.add("units      " + units + ", found by trying");
    }
    lines.add("read       " + size(report.totals().sourceBytes()));
    lines.add("written    " + size(report.totals().targetBytes()));
    Stream.of("source", "target")
        .map(end -> wire(report, end))
        .filter(line -> !line.isEmpty())
        .forEach(line -> lines.add("wire       " + line));
    String inserts = inserts(report);
    if (!inserts.isEmpty()) {
      lines.add("inserts    " + inserts);
    }
    lines.add(String.format(Locale.ROOT, "rejects    %,d", report.totals().rejects()));
    for (Meter.Retry retry : report.concurrency().retries()) {
      lines.add("retried    " + retried(retry));
    }
    HostFigures host = report.resources().host();
    boolean watched = host != null && host.cpu().millraceS() >= 0;
    if (!watched && report.resources().cpuNanos() >= 0 && report.totals().rows() > 0) {
      lines.add(
          String.format(
              Locale.ROOT,
              "processor  %.2f µs a row in this process, %s in all",
              report.resources().cpuNanos() / 1e3 / report.totals().rows(),
              duration(report.resources().cpuNanos())));
    }
    if (report.resources().residentBytesMax() >= 0) {
      lines.add("memory     at most " + size(report.resources().residentBytesMax()) + " resident");
    }
    Goal goal = report.baselines().goal();
    if (goal != null && isLongEnough(report)) {
      lines.add(goal.line());
    }
    if (host != null) {
      lines.addAll(HostText.lines(host));
    }
    ServerWaits waits = new ServerWaits(report.statistics().waits(), Map.of());
    Stream.of("source", "target")
        .filter(waits::isKnown)
        .forEach(end -> lines.add("waits      " + atWork(host, end) + " was " + waits.line(end)));
    return lines;
  }

  /// Who does an end's work: its server, or, if it has none, the end itself in this process.
  static String atWork(@Nullable HostFigures host, String end) {
    boolean hasServer =
        host == null || host.servers().stream().anyMatch(server -> server.role().contains(end));
    return "the " + end + (hasServer ? "'s server" : "");
  }

  /// What was tried again, how often, and what it cost.
  static String retried(Meter.Retry retry) {
    return String.format(
        Locale.ROOT,
        "%s, %s of all lanes' time lost: %s",
        retry.count() == 1 ? "once" : String.format(Locale.ROOT, "%,d times", retry.count()),
        duration(retry.nanos()),
        retry.why());
  }

  /// What crossed the connections of an end, in one line; empty if it has none.
  private static String wire(Report report, String end) {
    long calls = change(report, end, "wire", "calls");
    return calls < 0
        ? ""
        : String.format(
            Locale.ROOT,
            "%s %,d calls, %,d round trips, %s sent, %s received",
            end,
            calls,
            change(report, end, "wire", "round_trips"),
            size(change(report, end, "wire", "bytes_sent")),
            size(change(report, end, "wire", "bytes_received")));
  }

  /// How many rows the target's server got by one execute; empty if nobody counts them.
  private static String inserts(Report report) {
    long executes = change(report, "target", "inserts", "executes");
    long rows = change(report, "target", "inserts", "rows");
    return executes <= 0
        ? ""
        : String.format(
            Locale.ROOT,
            "target %,d rows in %,d %s, %,.1f rows each",
            rows,
            executes,
            executes == 1 ? "execute" : "executes",
            (double) rows / executes);
  }

  private static long change(Report report, String end, String group, String name) {
    return report.statistics().counters().stream()
        .filter(counter -> counter.group().equals(group))
        .filter(counter -> counter.end().equals(end) && counter.name().equals(name))
        .mapToLong(CounterWatch.Counter::change)
        .findFirst()
        .orElse(-1);
  }

  /// Every counter that moved, and what could not be counted; empty if nothing was counted.
  private static List<String> counters(Report report) {
    TextTable table = new TextTable(List.of("end", "counter", ">change", "counts"));
    report.statistics().counters().stream()
        .filter(counter -> counter.change() != 0)
        .forEach(counter ->
            table.row(
                List.of(
                    counter.end(),
                    counter.group() + "." + counter.name(),
                    String.format(Locale.ROOT, "%,d", counter.change()),
                    counter.scope())));
    List<String> lines =
        new ArrayList<>(report.statistics().counters().isEmpty() ? List.of() : table.lines());
    report.statistics().missing().forEach(why -> lines.add("not counted: " + why));
    return lines;
  }

  private static String lanes(Report report) {
    Report.Concurrency lanes = report.concurrency();
    String why = lanes.why().isEmpty() ? "" : " (" + lanes.why() + ")";
    List<LaneTuner.LaneRate> tried = lanes.tried();
    if (tried.size() < 2) {
      return lanes.lanes() + why;
    }
    String rates = tried.stream().map(ReportText::rate).collect(Collectors.joining(", "));
    return String.format(
        Locale.ROOT,
        "%d, found by trying: %s; %.1f at work on the average%s",
        lanes.lanes(),
        rates,
        lanesMean(report),
        why);
  }

  /// How many lanes there were on the average while rows moved: so much do the shares of their time
  /// stand for.
  private static double lanesMean(Report report) {
    long ofReaders =
        report.time().stages().stream()
            .filter(time -> time.side().equals("reader"))
            .mapToLong(Report.StageTime::nanos)
            .sum();
    long copying =
        report.time().steps().stream()
            .filter(step -> step.rows() > 0)
            .mapToLong(PhaseLog.Phase::nanos)
            .sum();
    return copying == 0 ? 0 : (double) ofReaders / copying;
  }

  /// What that many lanes moved in a second.
  public static String rate(LaneTuner.LaneRate rate) {
    return String.format(Locale.ROOT, "%d gave %.1f MB/s", rate.lanes(), rate.bytesPerS() / MB);
  }

  private static long perSecond(long amount, long nanos) {
    return nanos <= 0 ? 0 : Math.round(amount * 1e9 / nanos);
  }

  /// A size as a user reads it; units are powers of 1024.
  public static String size(long bytes) {
    if (bytes < 1024) {
      return bytes + " B";
    }
    double kilobytes = bytes / 1024.0;
    if (kilobytes < 1024) {
      return String.format(Locale.ROOT, "%.1f kB", kilobytes);
    }
    double megabytes = bytes / MB;
    return megabytes < 10 * 1024
        ? String.format(Locale.ROOT, "%,.1f MB", megabytes)
        : String.format(Locale.ROOT, "%,.1f GB", megabytes / 1024);
  }

  /// A duration as a user reads it: `0.86 s`, `3m05s`, `2h03m`.
  public static String duration(long nanos) {
    long seconds = nanos / 1_000_000_000;
    if (seconds < 60) {
      return String.format(Locale.ROOT, "%.2f s", nanos / 1e9);
    }
    return seconds < 3600
        ? String.format(Locale.ROOT, "%dm%02ds", seconds / 60, seconds % 60)
        : String.format(Locale.ROOT, "%dh%02dm", seconds / 3600, seconds / 60 % 60);
  }

  /// A whole number of seconds as a clock shows it: `0:12`, `3:05`, `2:03:05`.
  public static String clock(long seconds) {
    return seconds < 3600
        ? String.format(Locale.ROOT, "%d:%02d", seconds / 60, seconds % 60)
        : String.format(
            Locale.ROOT, "%d:%02d:%02d", seconds / 3600, seconds / 60 % 60, seconds % 60);
  }
}
