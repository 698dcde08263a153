package millrace.cli.check;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import millrace.engine.meter.CounterWatch;
import millrace.plan.Job;
import millrace.report.Report;
import millrace.report.ReportText;
import millrace.report.TextTable;
import millrace.spi.Endpoint;
import millrace.spi.read.Selection;
import millrace.spi.write.Mode;
import millrace.spi.write.WriteOptions;
import millrace.text.Amount;

/// What rows of one short text cost the server, one by one and in batches: the server's own
/// counters side by side, with the cost of a batch and that of a row. One thread.
final class CheckedCounters {

  private static final int BATCH = 100;

  private final CheckedServer server;
  private final Findings findings;
  private final long rows;
  private final List<String> lines = new ArrayList<>();

  CheckedCounters(CheckedServer server, Findings findings, long rows) {
    this.server = server;
    this.findings = findings;
    this.rows = rows;
  }

  void check() {
    List<Report> reports = new ArrayList<>();
    for (int batch : List.of(1, BATCH)) {
      findings.check(
          "batches of " + batch,
          () -> {
            Report report = load(batch);
            reports.add(report);
            return ReportText.duration(report.totals().elapsedNanos());
          });
    }
    if (reports.size() == 2) {
      compare(reports.getFirst(), reports.getLast());
    }
  }

  private Report load(int batch) {
    Endpoint table = server.declared("batches", " (token VARCHAR2(20))");
    Job.Tuning tuning =
        new Job.Tuning(1, false, null, amount(batch), amount(Math.max(rows, BATCH)));
    Report report =
        server.copy(
            new Job(
                CheckedServer.made("tokens", rows),
                table,
                Selection.ALL,
                new WriteOptions(Mode.APPEND, false, List.of(), false),
                tuning,
                Job.RejectPolicy.NONE));
    server.drop(table);
    return report;
  }

  private static Amount amount(long rows) {
    return Amount.parse("rows", String.valueOf(rows));
  }

  private void compare(Report one, Report batches) {
    Map<String, Long> left = counters(one);
    Map<String, Long> right = counters(batches);
    List<String> missing =
        batches.statistics().missing().stream()
            .filter(why -> why.startsWith("target: "))
            .map(why -> why.replaceFirst("target: ", ""))
            .toList();
    findings.check(
        "counters",
        () -> {
          if (one.statistics().counters().stream().noneMatch(CheckedCounters::isOfServer)) {
            throw new Findings.NotPossibleException(String.join("; ", missing));
          }
          return left.size() + " counters" + (missing.isEmpty() ? "" : ", but see below");
        });
    missing.forEach(why -> lines.add("not counted  " + why));
    if (!left.isEmpty()) {
      if (!lines.isEmpty()) {
        lines.add("");
      }
      table(left, right);
    }
  }

  private static Map<String, Long> counters(Report report) {
    Map<String, Long> moved = new LinkedHashMap<>();
    report.statistics().counters().stream()
        .filter(counter -> counter.end().equals("target"))
        .forEach(counter ->
            moved.put(
                (isOfServer(counter) ? "" : counter.group() + " ")
                    + counter.name()
                    + (counter.scope().equals("this run") ? "" : " (whole server)"),
                counter.change()));
    return moved;
  }

  /// Whether the server has counted it, and not the driver.
  private static boolean isOfServer(CounterWatch.Counter counter) {
    return counter.group().startsWith("V$");
  }

  private void table(Map<String, Long> one, Map<String, Long> batches) {
    TextTable table =
        new TextTable(
            List.of("counter", ">one by one", ">batches of " + BATCH, ">a batch", ">a row"));
    double fewer = Math.ceil(rows / (double) BATCH);
    one.forEach((name, single) -> {
      long batched = batches.getOrDefault(name, 0L);
      if (single != 0 || batched != 0) {
        double aBatch = (single - batched) / (rows - fewer);
        double aRow = (single - aBatch * rows) / rows;
        table.row(
            List.of(
                name,
                String.format(Locale.ROOT, "%,d", single),
                String.format(Locale.ROOT, "%,d", batched),
                cost(aBatch),
                cost(aRow)));
      }
    });
    lines.add(String.format(Locale.ROOT, "What %,d rows of 20 letters cost:", rows));
    lines.addAll(table.lines());
  }

  /// No cost is below zero by more than the figures of two runs differ.
  private static String cost(double each) {
    return String.format(Locale.ROOT, "%,.2f", Math.abs(each) < 0.005 ? 0 : each);
  }

  /// The counters side by side, and what could not be counted; empty before {@link #check}.
  List<String> lines() {
    return List.copyOf(lines);
  }
}
