package millrace.cli.command;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import millrace.cli.Context;
import millrace.cli.option.OutputOptions;
import millrace.cli.show.Progress;
import millrace.copy.Copy;
import millrace.copy.CopyListener;
import millrace.copy.CopyPreview;
import millrace.copy.CopyResult;
import millrace.copy.CopySpec;
import millrace.copy.Estimate;
import millrace.endpoint.Endpoints;
import millrace.engine.Run;
import millrace.fault.Fault;
import millrace.plan.Plan;
import millrace.report.Report;
import millrace.report.ReportBrief;
import millrace.report.ReportJson;
import millrace.report.ReportText;
import millrace.resume.Start;

/// A copy at the command line: Ctrl-C stops it, the terminal shows how it goes, its report is kept.
final class Execution implements CopyListener {

  private final Context context;
  private final CopySpec spec;
  private final OutputOptions output;
  private boolean reportIsStored;

  Execution(Context context, CopySpec spec, OutputOptions output) {
    this.context = context;
    this.spec = spec;
    this.output = output;
  }

  /// Prints what the copy would do, and changes nothing.
  void dryRun() {
    dryRun(List.of());
  }

  /// @param made how the table is made if the job makes it, line by line; else the target does
  void dryRun(List<String> made) {
    CopyPreview preview = Copy.preview(context.copies(), spec, this);
    PrintStream out = context.console().out();
    if (preview.start() instanceof Start.Complete complete) {
      out.println(output.json ? nothingToDo(complete.since()) : complete.note() + ".");
    } else if (output.json) {
      out.println(ReportJson.event("plan", preview.lines(made)));
    } else {
      preview.lines(made).forEach(out::println);
    }
  }

  /// Measures how long the copy would take, and changes nothing.
  ///
  /// @param onCluster whether a cluster is thought of
  void estimate(boolean onCluster) {
    if (spec.increment() != null) {
      throw new Fault.User(
          "--estimate measures a copy of all rows, and --update-key copies what is new.",
          "Leave one of them out.");
    }
    if (!output.quiet && !output.json) {
      context.console().err().println("Measuring for some 10 seconds ...");
    }
    Estimate estimate = Copy.estimate(context.copies(), spec, this);
    if (output.json) {
      context.console().out().println(ReportJson.event("estimate", estimate));
    } else {
      estimate.lines().forEach(context.console().out()::println);
      if (onCluster) {
        context.console().out().println("  " + estimate.onCluster());
      }
    }
  }

  /// Carries the copy out and keeps its report, also if it failed.
  ///
  /// @throws Fault if it could not even begin
  CopyResult run() {
    if (spec.measures().ceilings() && !output.quiet && !output.json) {
      context.console().err().println("Measuring ceilings first, some seconds each ...");
    }
    return Copy.run(context.copies(), spec, this);
  }

  /// Carries the copy out for its report alone.
  ///
  /// @throws Fault if it could not even begin
  CopyResult trial() {
    return Copy.trial(context.copies(), spec, this);
  }

  @Override
  public void says(String words) {
    context.teller(output).accept(words);
  }

  @Override
  public void warns(String words) {
    context.console().err().println("millrace: " + Endpoints.redact(words));
  }

  @Override
  public void stoppedBy(Consumer<String> cancel) {
    context.stop().watch(cancel);
  }

  @Override
  public void waitEndedBy(Consumer<String> cancel) {
    context.stop().waits(cancel);
  }

  @Override
  public Moving moves(Plan plan, Run run) {
    boolean rowsAreOnScreen =
        spec.job().to().isStandardStream() && context.console().outIsTerminal();
    Progress progress =
        rowsAreOnScreen
            ? null
            : Progress.start(Progress.of(plan, run), output, context.console(), jsonStream());
    return progress == null ? () -> {} : progress::close;
  }

  @Override
  public void ended(CopyResult result, String method) {
    reportIsStored = context.keep(result.report(), method);
  }

  /// @param since see {@link Start.Complete#since}
  private static ObjectNode nothingToDo(String since) {
    return ReportJson.event("complete", Map.of("since", since));
  }

  /// Tells the report as the user wants it told. What failed is told by its fault, unless programs
  /// listen; `millrace runs` has the rest.
  ///
  /// @param verbose whether to tell all of it
  void print(CopyResult result, boolean verbose) {
    if (output.quiet) {
      return;
    }
    Report report = result.report();
    String completeSince = result.outcome().completeSince();
    if (!completeSince.isEmpty() && result.fault() == null) {
      String notes = String.join("; ", report.job().notes());
      if (output.json) {
        jsonStream().println(nothingToDo(completeSince));
      } else {
        context.console().err().println(notes + ". --fresh loads it again.");
      }
    } else if (output.json) {
      jsonStream().println(ReportJson.event("report", report));
    } else if (result.fault() == null) {
      List<String> lines =
          verbose ? ReportText.lines(report) : brief(report, result.outcome().notes().size());
      lines.forEach(context.console().err()::println);
    }
  }

  private List<String> brief(Report report, int notesOfData) {
    String rest = reportIsStored ? "millrace runs last (" + report.header().id() + ")" : "";
    List<String> lines = new ArrayList<>(ReportBrief.lines(report, notesOfData, rest));
    lines.addAll(ReportText.requested(report));
    return lines;
  }

  private PrintStream jsonStream() {
    return context.console().lines(spec.job().to().isStandardStream());
  }
}
