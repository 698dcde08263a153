package millrace.cli.command;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import millrace.cli.Context;
import millrace.cli.ExitCode;
import millrace.cli.Faults;
import millrace.cli.job.HookRunner;
import millrace.cli.job.TargetFolders;
import millrace.cli.option.OutputOptions;
import millrace.cli.show.JobJUnit;
import millrace.cli.show.JobProgress;
import millrace.cli.show.JobText;
import millrace.cli.show.Progress;
import millrace.cli.show.ShellWords;
import millrace.connectors.Connectors;
import millrace.fault.Fault;
import millrace.fault.FileTrouble;
import millrace.io.Digest;
import millrace.job.DefinitionSteps;
import millrace.job.JobLedger;
import millrace.job.JobRun;
import millrace.job.LaneBudget;
import millrace.job.TableCopy;
import millrace.job.TableResult;
import millrace.job.TableTargets;
import millrace.job.file.JobDescription;
import millrace.job.file.JobHook;
import millrace.plan.Endpoints;
import millrace.plan.Job;
import millrace.report.ReportJson;
import millrace.report.WholeFile;
import millrace.resume.ResumeChoice;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/// Carries a job file out at the command line: its hooks and copies, one summary, one exit code.
final class RunCopies {

  /// What the command line asks for beside the job.
  ///
  /// @param command the command line, as it was parsed
  /// @param resume what becomes of earlier copies that were cut off
  /// @param only names of streams or tables that are meant alone; all if empty
  /// @param lanes how many lanes work at once in all; 0 if nobody says
  /// @param failFast whether the first copy that fails stops the others
  /// @param rejectsExitCode what the process ends with if bad records were set aside
  /// @param junit where the summary goes as JUnit XML; null if nobody wants it
  record Asked(
      CommandSpec command,
      ResumeChoice resume,
      List<String> only,
      int lanes,
      boolean failFast,
      @Nullable Integer rejectsExitCode,
      @Nullable Path junit) {}

  private static final String CHANGED = " (changed, ";

  private final Context context;
  private final JobDescription job;
  private final OutputOptions output;
  private final Asked asked;
  private final HookRunner hooks;

  RunCopies(Context context, JobDescription job, OutputOptions output, Asked asked) {
    this.context = context;
    this.job = job;
    this.output = output;
    this.asked = asked;
    hooks = new HookRunner(context, output, job);
  }

  /// Prints the plans of all copies and the hooks, and changes nothing.
  ///
  /// @return the exit code
  int dryRun() {
    RunPlan plan = open();
    JobLedger ledger = ledger(true);
    List<RunPlan.Planned> planned = named(plan.planned(), ledger);
    DryRuns runs =
        new DryRuns(
            context,
            output,
            new ManyCopies.Asked(asked.command, asked.resume),
            ledger,
            definitions(planned, ledger));
    tellHooks("before the job", job.start());
    if (job.start().isEmpty()) {
      checkFolders(planned);
    }
    String stream = "";
    for (RunPlan.Planned each : planned) {
      if (!each.stream().name().equals(stream)) {
        stream = each.stream().name();
        tellHooks("before " + stream, each.stream().before());
        tellHooks("after " + stream, each.stream().after());
      }
      runs.print(each.copy());
    }
    tellHooks("after the job", job.end());
    runs.printNotCopied();
    return runs.exitCode();
  }

  private static DefinitionSteps definitions(List<RunPlan.Planned> planned, JobLedger ledger) {
    return ManyCopies.definitions(
        planned.stream().map(RunPlan.Planned::pair).toList(),
        planned.stream().map(RunPlan.Planned::copy).toList(),
        ledger);
  }

  private void tellHooks(String when, List<JobHook> all) {
    if (!output.json) {
      PrintStream out = context.console().out();
      all.forEach(hook -> out.println("hook " + Endpoints.redact(when) + ": " + hooks.label(hook)));
    }
  }

  /// A hook of a stream may still make one.
  private static void checkFolders(List<RunPlan.Planned> planned) {
    if (planned.stream()
        .map(RunPlan.Planned::stream)
        .allMatch(stream -> stream.before().isEmpty() && stream.after().isEmpty())) {
      TargetFolders.check(planned.stream().map(RunPlan.Planned::copy).toList());
    }
  }

  private RunPlan open() {
    return RunPlan.open(context, job, output, asked.resume, asked.only);
  }

  /// Carries all copies out.
  ///
  /// @return the exit code
  /// @throws Fault if nothing could begin
  int run() {
    RunPlan plan = open();
    long begun = System.nanoTime();
    JobLedger ledger = ledger(plan.planned());
    List<RunPlan.Planned> planned = named(plan.planned(), ledger);
    List<TableCopy> copies = planned.stream().map(RunPlan.Planned::copy).toList();
    JobProgress progress = new JobProgress(copies);
    HookedTeller told =
        new HookedTeller(new JobTeller(context, output, progress), hooks, ledger, planned);
    DefinitionSteps definitions = definitions(planned, ledger);
    JobRun run =
        new JobRun(Connectors.ALL, context.runs(), told, ledger, definitions, asked.failFast);
    context
        .stop()
        .watch(reason -> {
          run.cancel(reason);
          hooks.cancel(reason);
        });
    if (told.hasAnyToCopy()) {
      hooks.run("before the job", job.start());
    }
    checkFolders(planned);
    List<TableResult> results;
    try (Progress _ =
        Progress.start(progress, output, context.console(), context.console().out())) {
      results = run.run(copies, budget(planned));
      told.afterAll(results, job.end());
    }
    tell(results, told.failures(), run.state(), definitions.notCopied(), System.nanoTime() - begun);
    return exitCode(results, told.failures());
  }

  /// What was done before. Unless the job goes on, that is forgotten of the copies that are meant,
  /// and of no other.
  private JobLedger ledger(List<RunPlan.Planned> planned) {
    if (asked.resume == ResumeChoice.RESUME || asked.only.isEmpty()) {
      return ledger(asked.resume == ResumeChoice.RESUME);
    }
    List<JobLedger.Done> others =
        ledger(true).done().values().stream()
            .filter(done -> planned.stream().noneMatch(each -> isOf(done.table(), each)))
            .toList();
    JobLedger ledger = ledger(false);
    others.forEach(ledger::add);
    return ledger;
  }

  private JobLedger ledger(boolean resumed) {
    return JobLedger.open(
        context.jobs(), "run\n" + Path.of(job.file()).toAbsolutePath().normalize(), "", resumed);
  }

  private static boolean isOf(String entry, RunPlan.Planned planned) {
    String name = planned.copy().name();
    return entry.equals(name)
        || entry.equals(HookedTeller.begun(name))
        || entry.startsWith(name + CHANGED)
        || entry.startsWith(HookedTeller.begun(name) + CHANGED)
        || entry.equals(HookedTeller.hooksAfter(planned.stream().name()))
        || entry.equals(HookedTeller.hooksAfter(HookedTeller.JOB));
  }

  /// The copies with names that tell whether they are those that an earlier run of the job has
  /// done: one whose ends or options are others now is another, and is done anew.
  private static List<RunPlan.Planned> named(List<RunPlan.Planned> planned, JobLedger ledger) {
    List<RunPlan.Planned> named = new ArrayList<>();
    for (RunPlan.Planned each : planned) {
      TableCopy copy = each.copy();
      JobLedger.Done begun = ledger.done().get(HookedTeller.begun(copy.name()));
      boolean isDone = ledger.done().containsKey(copy.name());
      String identity = identity(copy);
      TableCopy own =
          isDone && (begun == null || !begun.at().equals(identity))
              ? new TableCopy(
                  copy.name() + CHANGED + identity.substring(0, 6) + ")", copy.spec(), copy.bytes())
              : copy;
      named.add(new RunPlan.Planned(each.stream(), each.pair(), own));
    }
    return named;
  }

  /// What a copy is: the same each time, however fast or careful it is to be.
  static String identity(TableCopy copy) {
    Job asked = copy.spec().job();
    return Digest.of(
            String.join(
                "\n",
                ManyCopies.identity(asked.from()),
                ManyCopies.identity(asked.to()),
                asked.selection().toString(),
                asked.writeOptions() + asked.mapping().identity()))
        .hex();
  }

  private LaneBudget budget(List<RunPlan.Planned> planned) {
    List<TableTargets.Pair> pairs = planned.stream().map(RunPlan.Planned::pair).toList();
    List<TableCopy> copies = planned.stream().map(RunPlan.Planned::copy).toList();
    // One alone finds its lanes as any copy does.
    boolean alone = copies.size() == 1 || ManyCopies.budget(pairs, copies).alone();
    int all =
        asked.lanes > 0
            ? asked.lanes
            : LaneBudget.ofMachine(Runtime.getRuntime().availableProcessors()).lanes();
    if (alone && asked.lanes > 0) {
      return new LaneBudget(all, true);
    }
    int most = copies.stream().mapToInt(copy -> copy.spec().job().tuning().lanes()).max().orElse(0);
    // A stream that asks for as many as there are is no longer told from one that leaves it to us.
    return new LaneBudget(most >= all ? most + 1 : all, alone);
  }

  private void tell(
      List<TableResult> results,
      List<Fault> hookFailures,
      String state,
      List<String> notCopied,
      long nanos) {
    if (output.json && !output.quiet) {
      context
          .console()
          .out()
          .println(
              ReportJson.event(
                  "job",
                  JobText.json(results, hookFailures, new JobText.Told(state, notCopied), nanos)));
    } else if (!output.quiet) {
      JobText.lines(results, state, nanos).forEach(context.console().err()::println);
      notCopied.forEach(context.console().err()::println);
    }
    boolean debug = Faults.debugs(asked.command);
    ManyCopies.faults(context, results, debug);
    hookFailures.forEach(fault -> Faults.print(context, fault, debug, null));
    if (asked.junit != null) {
      writeJUnit(asked.junit, results, hookFailures, nanos);
    }
    boolean isLeft = results.stream().anyMatch(result -> !ManyCopies.isDone(result));
    if ((isLeft || !hookFailures.isEmpty()) && !output.quiet) {
      List<String> words = new ArrayList<>(List.of("millrace"));
      words.addAll(asked.command.commandLine().getParseResult().originalArgs());
      words.remove("--fresh");
      if (!words.contains("run")) {
        words.add(1, "run");
      }
      if (!words.contains("--resume")) {
        words.add("--resume");
      }
      context.console().err().println("Go on with: " + ShellWords.line(words));
    }
  }

  private void writeJUnit(
      Path file, List<TableResult> results, List<Fault> hookFailures, long nanos) {
    Path absolute = file.toAbsolutePath();
    try {
      WholeFile.write(
          Objects.requireNonNull(absolute.getParent(), "the root is no file"),
          String.valueOf(absolute.getFileName()),
          context
              .console()
              .hidden()
              .inStrings(JobJUnit.xml(job.file(), results, hookFailures, nanos)));
    } catch (IOException e) {
      context
          .console()
          .err()
          .println("millrace: --junit can't be written: " + FileTrouble.of(file, e) + ".");
    }
  }

  private int exitCode(List<TableResult> results, List<Fault> hookFailures) {
    int code = ManyCopies.exitCode(results, asked.rejectsExitCode);
    boolean isWell = results.stream().allMatch(ManyCopies::isDone);
    return isWell && !hookFailures.isEmpty() ? ExitCode.EXTERNAL.number() : code;
  }

  /// A moment for the ledger.
  static String now() {
    return Instant.now().toString();
  }
}
