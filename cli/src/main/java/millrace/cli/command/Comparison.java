package millrace.cli.command;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import millrace.cli.Context;
import millrace.cli.option.OutputOptions;
import millrace.cli.show.Progress;
import millrace.copy.EndOpener;
import millrace.engine.meter.PhaseLog;
import millrace.engine.reject.ExcludedRecords;
import millrace.engine.retry.Retrier;
import millrace.engine.retry.RetryPolicy;
import millrace.fault.Fault;
import millrace.plan.FaultMessage;
import millrace.plan.Job;
import millrace.plan.RunId;
import millrace.report.Report;
import millrace.spi.Shared;
import millrace.spi.read.Source;
import millrace.verify.Differences;
import millrace.verify.Verify;
import org.jspecify.annotations.Nullable;

/// Compares two sides, says how far it is, and keeps a report.
final class Comparison {

  private final Context context;
  private final OutputOptions output;
  private final Job from;
  private final Job to;
  private final EndOpener endOpener;
  private final Retrier retrier;
  private final Verify verify;
  private @Nullable Report report;

  /// How the sides are opened.
  ///
  /// @param retryPolicy how long it goes on if a side can't be read
  /// @param shared what they share with those of other comparisons; null if nothing
  record Opening(RetryPolicy retryPolicy, @Nullable Shared shared) {}

  /// @param from the first side; its source is read
  /// @param to the second side, likewise
  /// @param key the columns to find rows by; empty for the primary key
  Comparison(
      Context context, OutputOptions output, Opening opening, Job from, Job to, List<String> key) {
    this.context = context;
    this.to = to;
    this.output = output;
    RetryPolicy retryPolicy = opening.retryPolicy;
    endOpener = context.endOpener(retryPolicy, output, opening.shared);
    retrier = Retrier.beforeRows(retryPolicy, endOpener::tryAgain);
    Job settled = retrier.get(() -> endOpener.withoutDropped(from));
    this.from = settled;
    verify =
        new Verify(
            new Verify.Side(settled, () -> open(settled)),
            new Verify.Side(to, () -> open(to)),
            key,
            retryPolicy);
  }

  /// Leaves out of the first side what a copy has set aside. Before {@link #run}.
  Comparison leavingOut(Path rejects) {
    verify.leavingOut(ExcludedRecords.read(rejects));
    return this;
  }

  private Source open(Job job) {
    return retrier.get(() -> endOpener.source(job.from(), job.selection()));
  }

  private void cancel(String why) {
    verify.cancel(why);
    retrier.cancel(why);
  }

  /// Compares.
  ///
  /// @throws Fault if a side can't be read; kept as a run all the same
  Differences run() {
    return run(e -> {
      throw e;
    });
  }

  /// The same; what can't be read is compared in another way, or its fault is thrown.
  Differences run(Function<Fault.User, Differences> instead) {
    Instant startedAt = Instant.now();
    long startNanos = System.nanoTime();
    context.stop().watch(this::cancel);
    Differences found;
    try (Progress _ =
        Progress.start(new RowsTeller(), output, context.console(), context.console().out())) {
      try {
        found = verify.execute();
      } catch (Fault.User e) {
        found = instead.apply(e);
      }
    } catch (RuntimeException e) {
      keep(startedAt, startNanos, FaultMessage.of(Fault.of(e)), verify.rows());
      throw e;
    }
    String outcome = found.same() ? "ok" : Report.DIFFERENT;
    keep(startedAt, startNanos, outcome, Math.max(found.fromRows(), found.toRows()));
    return found;
  }

  private void keep(Instant startedAt, long startNanos, String outcome, long rows) {
    long nanos = System.nanoTime() - startNanos;
    report =
        new Report(
            new Report.Header(RunId.begun(startedAt), "verify", startedAt, outcome),
            Report.JobSummary.of(from.from().labelWithTable(), to.from().labelWithTable()),
            Report.Totals.read(nanos, rows),
            Report.Concurrency.NONE,
            new Report.TimeBreakdown(
                List.of(
                    new PhaseLog.Phase(
                        "compare rows", nanos, rows, 0, Math.max(1, verify.lanes()))),
                List.of(),
                ""),
            Report.ResourceUsage.UNKNOWN,
            Report.EndStatistics.NONE,
            Report.Baselines.NONE);
    context.keep(report, "");
  }

  /// What was kept, once it has run.
  Report report() {
    return Objects.requireNonNull(report);
  }

  private final class RowsTeller implements Progress.Teller {

    private final long startNanos = System.nanoTime();

    private double rowsPerSecond(long rows) {
      return rows * 1e9 / Math.max(1, System.nanoTime() - startNanos);
    }

    @Override
    public String line() {
      long rows = verify.rows();
      return String.format(
          Locale.ROOT, "%,d rows read on both sides  %,.0f rows/s", rows, rowsPerSecond(rows));
    }

    @Override
    public ObjectNode json() {
      long rows = verify.rows();
      ObjectNode line = JsonNodeFactory.instance.objectNode();
      line.put("event", "progress");
      line.put("rows", rows);
      line.put("rows_per_s", Math.round(rowsPerSecond(rows)));
      return line;
    }
  }
}
