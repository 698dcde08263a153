package millrace.cli.command;

import java.io.PrintStream;
import millrace.cli.Context;
import millrace.cli.option.OutputOptions;
import millrace.online.report.OnlineJson;
import millrace.online.report.OnlineText;
import millrace.online.run.OnlineRun;
import org.jspecify.annotations.Nullable;

/// Tells how online runs go: to people on standard error, to programs as lines of JSON on standard
/// output. One thread at a time.
final class OnlineProgress {

  private static final int SECONDS_PER_LINE = 10;

  private final Context context;
  private final OutputOptions output;
  private long seconds;

  OnlineProgress(Context context, OutputOptions output) {
    this.context = context;
    this.output = output;
  }

  /// Of each run.
  ///
  /// @param log gets histograms of each second; null if nobody wants them
  OnlineRun.Listener listener(@Nullable PrintStream log) {
    return new OnlineRun.Listener(log, this::says, this::tick);
  }

  /// A sentence for people.
  void says(String words) {
    if (!output.quiet && !output.json) {
      context.console().err().println(words);
    }
  }

  private void tick(OnlineRun run) {
    seconds++;
    if (output.quiet || seconds % SECONDS_PER_LINE != 0) {
      return;
    }
    if (output.json) {
      context.console().out().println(OnlineJson.progress(run.report()));
    } else {
      context.console().err().println(OnlineText.progress(run.report()));
    }
  }
}
