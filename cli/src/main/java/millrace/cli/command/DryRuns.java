package millrace.cli.command;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import millrace.cli.Context;
import millrace.cli.ExitCode;
import millrace.cli.Faults;
import millrace.cli.option.OutputOptions;
import millrace.cli.show.LeftOutText;
import millrace.endpoint.Endpoints;
import millrace.fault.Fault;
import millrace.job.DefinitionLines;
import millrace.job.JobLedger;
import millrace.job.JobPlan;
import millrace.job.TableCopy;
import millrace.job.file.JobDescription;
import millrace.job.file.JobHook;
import millrace.job.file.JobStream;

/// The plans of many copies, printed one after the other. One that can't be planned keeps nobody
/// from seeing the others.
final class DryRuns {

  private final Context context;
  private final OutputOptions output;
  private final boolean debug;
  private final JobPlan plan;
  private final DefinitionLines lines;
  private final List<Fault> faults = new ArrayList<>();
  private boolean anyPlanned;

  /// @param debug whether stacks are wanted
  DryRuns(Context context, OutputOptions output, boolean debug, JobPlan plan) {
    this.context = context;
    this.output = output;
    this.debug = debug;
    this.plan = plan;
    lines = plan.definitions().lines();
  }

  /// Prints the plans of all copies and the hooks, and changes nothing.
  ///
  /// @return what the process ends with: the same as a run in which as many fail
  int print() {
    JobDescription file = plan.file();
    printHooks("before the job", file.start());
    if (file.start().isEmpty()) {
      plan.checkPlaces();
    }
    if (!output.json) {
      lines.before().forEach(context.console().out()::println);
    }
    String last = "";
    for (TableCopy copy : plan.copies()) {
      JobStream stream = copy.stream();
      if (!stream.name().equals(last)) {
        last = stream.name();
        printHooks("before " + stream.name(), stream.before());
        printHooks("after " + stream.name(), stream.after());
      }
      print(copy);
    }
    printHooks("after the job", file.end());
    if (!output.json) {
      lines.after().forEach(context.console().out()::println);
      LeftOutText.lines(plan.definitions().leftOut(), plan.definitions().advice(), false)
          .forEach(context.console().out()::println);
    }
    if (faults.isEmpty()) {
      return ExitCode.OK.number();
    }
    return (anyPlanned ? ExitCode.PARTLY : ExitCode.of(faults.getFirst())).number();
  }

  private void printHooks(String when, List<JobHook> all) {
    if (!output.json) {
      PrintStream out = context.console().out();
      all.forEach(hook ->
          out.println(
              "hook "
                  + Endpoints.redact(when)
                  + ": "
                  + hook.label()
                  + " ("
                  + plan.file().place(hook.line())
                  + ")"));
    }
  }

  private void print(TableCopy copy) {
    if (!output.json) {
      context.console().out().println(copy.name() + ":");
    }
    JobLedger.Done done = plan.done(copy);
    if (done != null) {
      anyPlanned = true;
      if (!output.json) {
        context.console().out().println("done before, at " + done.at());
      }
      return;
    }
    if (plan.isBare(copy) || lines.waitsForSchema(copy)) {
      anyPlanned = true;
      if (!output.json) {
        lines.of(copy).forEach(context.console().out()::println);
      }
      return;
    }
    try {
      new Execution(context, copy.spec(), output).dryRun(lines.of(copy));
      anyPlanned = true;
    } catch (Fault.Cancelled e) {
      throw e;
    } catch (Fault e) {
      faults.add(e);
      context.console().out().flush();
      Faults.print(context, e, debug, output.json ? context.console().out() : null);
    }
  }
}
