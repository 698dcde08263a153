package millrace.cli.command;

import java.io.PrintStream;
import java.util.Locale;
import millrace.cli.Context;
import millrace.cli.ExitCode;
import millrace.cli.option.OutputOptions;
import millrace.connectors.Connectors;
import millrace.fault.Fault;
import millrace.online.job.OnlineJob;
import millrace.online.run.OnlineStores;
import millrace.online.sweep.OnlineSweep;
import millrace.online.sweep.OnlineSweepJson;
import millrace.online.sweep.OnlineSweepText;
import millrace.online.sweep.SweepPlan;
import millrace.online.sweep.SweepPoint;
import millrace.online.sweep.SweepResult;
import millrace.report.sweep.Sweep;
import millrace.spi.Endpoint;
import org.jspecify.annotations.Nullable;

/// `millrace online JOB.yaml --vary …`: runs the job with one combination of settings after the
/// other, and prints the table.
final class OnlineSweeping {

  private static final int SOME_NOT_RUN = 1;

  private final Context context;
  private final OutputOptions output;
  private final OnlineProgress progress;
  private final @Nullable BeforeCommand before;
  private Runnable stops = () -> {};
  private int planned;
  private int begun;

  /// @param before a command that runs before each run; null if there is none
  OnlineSweeping(Context context, OutputOptions output, @Nullable String before) {
    this.context = context;
    this.output = output;
    progress = new OnlineProgress(context, output);
    this.before = before == null ? null : new BeforeCommand(context, before);
  }

  /// Runs the plan.
  ///
  /// @param endpoint the job's target
  /// @param file gets all as JSON at the end; null if nobody wants it
  /// @return the exit code
  int run(SweepPlan plan, Endpoint endpoint, @Nullable PrintStream file) {
    for (String name : plan.onlyForCommand()) {
      progress.says("--before alone sets " + name + ", from " + SweepPlan.variable(name) + ".");
    }
    OnlineSweep sweep =
        new OnlineSweep(
            plan,
            new OnlineSweep.Opener(this::prepare, job -> open(endpoint, job)),
            progress.listener(null),
            this::report);
    stops = sweep::stop;
    planned = plan.combinations().size();
    context.stop().watch(_ -> sweep.stop());
    SweepResult result = sweep.execute();
    print(result);
    if (file != null) {
      file.println(OnlineSweepJson.of(result));
      if (file.checkError()) {
        throw new Fault.External("The file of --sweep-json can't be written.", "", null);
      }
    }
    if (result.stopped()) {
      return ExitCode.STOPPED.number();
    }
    return result.allRan() ? ExitCode.OK.number() : SOME_NOT_RUN;
  }

  private void prepare(SweepPlan.Combination combination) {
    begun++;
    progress.step(
        String.format(
            Locale.ROOT, "Run %d of %d: %s", begun, planned, Sweep.words(combination.settings())));
    if (before != null) {
      before.run(combination.environment());
    }
  }

  private OnlineStores open(Endpoint endpoint, OnlineJob job) {
    // The command was what Ctrl-C ended; from now on it is the run.
    context.stop().watch(_ -> stops.run());
    return OnlineStores.open(Connectors.ALL.all(), endpoint, job);
  }

  private void report(SweepPoint point) {
    progress.emit("run", OnlineSweepJson.of(point));
    progress.says(OnlineSweepText.line(point));
  }

  private void print(SweepResult result) {
    PrintStream out = context.console().out();
    if (output.json) {
      out.println(OnlineSweepJson.of(result).put("event", "sweep"));
    } else if (!output.quiet) {
      OnlineSweepText.lines(result).forEach(out::println);
    }
  }
}
