package millrace.cli.command;

import java.util.ArrayList;
import java.util.List;
import millrace.cli.Context;
import millrace.cli.ExitCode;
import millrace.cli.Faults;
import millrace.cli.option.OutputOptions;
import millrace.fault.Fault;
import millrace.job.DefinitionSteps;
import millrace.job.JobLedger;
import millrace.job.TableCopy;
import millrace.resume.ResumeChoice;
import org.jspecify.annotations.Nullable;

/// The plans of many copies, printed one after the other. One that can't be planned keeps nobody
/// from seeing the others.
final class DryRuns {

  private final Context context;
  private final OutputOptions output;
  private final boolean debug;
  private final JobLedger ledger;
  private final boolean resumed;
  private final DefinitionSteps definitions;
  private final List<Fault> faults = new ArrayList<>();
  private boolean anyPlanned;

  /// @param ledger what earlier runs of the job have done
  /// @param definitions what would be done beside the rows
  DryRuns(
      Context context,
      OutputOptions output,
      ManyCopies.Asked asked,
      JobLedger ledger,
      DefinitionSteps definitions) {
    this.context = context;
    this.output = output;
    debug = Faults.debugs(asked.command());
    resumed = asked.resume() == ResumeChoice.RESUME;
    this.ledger = ledger;
    this.definitions = definitions;
  }

  /// Prints what one copy would do.
  void print(TableCopy copy) {
    if (!output.json) {
      context.console().out().println(copy.name() + ":");
    }
    JobLedger.@Nullable Done done = resumed ? ledger.done().get(copy.name()) : null;
    if (done != null) {
      anyPlanned = true;
      if (!output.json) {
        context.console().out().println("done before, at " + done.at());
      }
      return;
    }
    try {
      new Execution(context, copy.spec(), output).dryRun(definitions.lines(copy.name()));
      anyPlanned = true;
    } catch (Fault.Cancelled e) {
      throw e;
    } catch (Fault e) {
      faults.add(e);
      context.console().out().flush();
      Faults.print(context, e, debug, output.json ? context.console().out() : null);
    }
  }

  /// What does not come along with the tables.
  void printNotCopied() {
    if (!output.json) {
      definitions.notCopied().forEach(context.console().out()::println);
    }
  }

  /// What the process ends with: the same as a run in which as many fail.
  int exitCode() {
    if (faults.isEmpty()) {
      return ExitCode.OK.number();
    }
    return (anyPlanned ? ExitCode.PARTLY : ExitCode.of(faults.getFirst())).number();
  }
}
