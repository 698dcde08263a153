package millrace.cli.command;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import millrace.cli.Context;
import millrace.cli.ExitCode;
import millrace.cli.Faults;
import millrace.cli.option.OutputOptions;
import millrace.cli.show.JobJUnit;
import millrace.cli.show.JobText;
import millrace.fault.Fault;
import millrace.fault.FileTrouble;
import millrace.job.DefinitionSteps;
import millrace.job.JobContext;
import millrace.job.JobPlan;
import millrace.job.JobResult;
import millrace.job.JobRun;
import millrace.job.TableResult;
import millrace.job.TableResult.State;
import millrace.plan.FaultMessage;
import millrace.report.AtomicFile;
import millrace.report.ReportJson;
import millrace.text.NameList;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/// A job at the command line: Ctrl-C stops it, the terminal shows how it goes, one summary, one
/// exit code.
final class JobExecution {

  private static final int NAMES_SHOWN = 5;

  private final Context context;
  private final OutputOptions output;
  private final CommandSpec command;
  private final String verb;

  /// @param command the command line, as it was parsed
  /// @param verb what it asked for
  JobExecution(Context context, OutputOptions output, CommandSpec command, String verb) {
    this.verb = verb;
    this.context = context;
    this.output = output;
    this.command = command;
  }

  /// Prints the plans of all copies, and changes nothing.
  ///
  /// @param planning plans the job
  /// @return the exit code
  int dryRun(Function<JobContext, JobPlan> planning) {
    try (JobTeller teller = new JobTeller(context, output)) {
      JobPlan plan = planning.apply(context.jobs(teller));
      return new DryRuns(context, output, Faults.debugs(command), plan).print();
    }
  }

  /// Carries all copies out.
  ///
  /// @param planning plans the job
  /// @param verbose whether all that did not come along is named
  /// @param rejectsExitCode what the process ends with if bad records were set aside; null for 0
  /// @param junit where the summary goes as JUnit XML; null if nobody wants it
  /// @return the exit code
  /// @throws Fault if nothing could begin
  int run(
      Function<JobContext, JobPlan> planning,
      boolean verbose,
      @Nullable Integer rejectsExitCode,
      @Nullable Path junit) {
    JobPlan plan;
    JobResult result;
    try (JobTeller teller = new JobTeller(context, output)) {
      plan = planning.apply(context.jobs(teller));
      JobRun run = new JobRun(plan);
      context.stop().watch(run::cancel);
      result = run.run();
    }
    print(result, verbose);
    if (junit != null) {
      writeJUnit(junit, plan.file().file(), result);
    }
    if (!(result.isComplete() && result.failedHooks().isEmpty()) && !output.quiet) {
      List<String> given = command.commandLine().getParseResult().originalArgs();
      context.console().err().println("Go on with: " + CopyCommand.again(verb, given));
    }
    return exitCode(result, rejectsExitCode);
  }

  private void print(JobResult result, boolean verbose) {
    if (output.json && !output.quiet) {
      context.console().out().println(ReportJson.event("job", JobText.json(result)));
    } else if (!output.quiet) {
      JobText.lines(result, verbose).forEach(context.console().err()::println);
    }
    boolean debug = Faults.debugs(command);
    failedObjects(result, true, debug);
    faults(result.tables(), debug);
    failedObjects(result, false, debug);
    result.failedHooks().forEach(fault -> Faults.print(context, fault, debug, null));
  }

  /// Prints why some objects could not be made: first those that tables may need.
  private void failedObjects(JobResult result, boolean beforeRows, boolean debug) {
    for (DefinitionSteps.FailedObject each : result.failedObjects()) {
      if (each.beforeRows() == beforeRows) {
        context.console().err().println(each.kind() + " " + each.name() + ":");
        Faults.print(context, each.fault(), debug, null);
      }
    }
  }

  /// Prints what was wrong with each table that failed; what was the same with several, once.
  private void faults(List<TableResult> results, boolean debug) {
    Map<String, List<TableResult>> alike = new LinkedHashMap<>();
    for (TableResult result : results) {
      Fault fault = result.fault();
      if (fault != null && result.state() == State.FAILED) {
        String words = FaultMessage.of(fault) + "\n" + fault.advice();
        alike.computeIfAbsent(words, _ -> new ArrayList<>()).add(result);
      }
    }
    for (List<TableResult> each : alike.values()) {
      context
          .console()
          .err()
          .println(
              NameList.first(each.stream().map(TableResult::name).toList(), NAMES_SHOWN) + ":");
      Faults.print(context, Objects.requireNonNull(each.getFirst().fault()), debug, null);
    }
  }

  private void writeJUnit(Path file, String job, JobResult result) {
    Path absolute = file.toAbsolutePath();
    try {
      AtomicFile.write(
          Objects.requireNonNull(absolute.getParent(), "the root is no file"),
          String.valueOf(absolute.getFileName()),
          context.console().hidden().inStrings(JobJUnit.xml(job, result)));
    } catch (IOException e) {
      context
          .console()
          .err()
          .println("millrace: --junit can't be written: " + FileTrouble.of(file, e) + ".");
    }
  }

  private static int exitCode(JobResult result, @Nullable Integer rejectsExitCode) {
    List<TableResult> tables = result.tables();
    for (TableResult table : tables) {
      Fault fault = table.fault();
      if (fault != null && table.state() == State.FAILED) {
        boolean anyDone = tables.stream().anyMatch(TableResult::isDone);
        return (anyDone ? ExitCode.PARTLY : ExitCode.of(fault)).number();
      }
    }
    if (!result.failedObjects().isEmpty()) {
      return ExitCode.PARTLY.number();
    }
    if (!result.isComplete()) {
      return ExitCode.STOPPED.number();
    }
    if (!result.failedHooks().isEmpty()) {
      return ExitCode.EXTERNAL.number();
    }
    boolean anyRejects = tables.stream().anyMatch(table -> table.rejects() > 0);
    return anyRejects && rejectsExitCode != null ? rejectsExitCode : ExitCode.OK.number();
  }
}
