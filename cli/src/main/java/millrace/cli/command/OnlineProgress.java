package millrace.cli.command;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintStream;
import millrace.cli.Context;
import millrace.cli.option.OutputOptions;
import millrace.online.report.OnlineJson;
import millrace.online.report.OnlineText;
import millrace.online.run.OnlineRun;
import org.jspecify.annotations.Nullable;

/// Tells how online runs go: to people on standard error, to programs as lines of JSON on standard
/// output, each with its event. One thread at a time.
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
    return new OnlineRun.Listener(log, this::step, this::tick);
  }

  /// What is being done, in a sentence: to people, and to programs as well.
  void step(String words) {
    says(words);
    emit("step", JsonNodeFactory.instance.objectNode().put("what", words));
  }

  /// A line for programs.
  ///
  /// @param event what the line tells of
  void emit(String event, ObjectNode line) {
    if (output.json && !output.quiet) {
      ObjectNode complete = JsonNodeFactory.instance.objectNode().put("event", event);
      complete.setAll(line);
      context.console().out().println(complete);
    }
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
