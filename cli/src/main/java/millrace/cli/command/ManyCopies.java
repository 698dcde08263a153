package millrace.cli.command;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import millrace.cli.Context;
import millrace.cli.ExitCode;
import millrace.cli.Faults;
import millrace.cli.job.TargetFolders;
import millrace.cli.option.CopyRequest;
import millrace.cli.option.ManyOptions;
import millrace.cli.option.OutputOptions;
import millrace.cli.show.JobProgress;
import millrace.cli.show.JobText;
import millrace.cli.show.Progress;
import millrace.connectors.Connectors;
import millrace.copy.CopySpec;
import millrace.fault.Fault;
import millrace.io.Digest;
import millrace.job.DefinitionSteps;
import millrace.job.JobLedger;
import millrace.job.JobRun;
import millrace.job.LaneBudget;
import millrace.job.TableCopy;
import millrace.job.TableResult;
import millrace.job.TableResult.State;
import millrace.job.TableTargets;
import millrace.plan.FaultMessage;
import millrace.plan.Job;
import millrace.plan.mapping.Mapping;
import millrace.report.ReportJson;
import millrace.resume.ResumeChoice;
import millrace.spi.Endpoint;
import millrace.spi.catalog.TableDefinitions;
import millrace.spi.write.Mode;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/// Copies of many tables at the command line: which go where, how far they are, one summary, one
/// exit code.
final class ManyCopies {

  private static final int NAMES_SHOWN = 5;

  private final Context context;
  private final CopyRequest request;
  private final ManyOptions many;
  private final OutputOptions output;
  private final Asked asked;

  /// What was asked for besides.
  ///
  /// @param command the command line, as it was parsed
  /// @param resume what becomes of earlier copies that were cut off
  record Asked(CommandSpec command, ResumeChoice resume) {}

  ManyCopies(
      Context context, CopyRequest request, ManyOptions many, OutputOptions output, Asked asked) {
    this.context = context;
    this.request = request;
    this.many = many;
    this.output = output;
    this.asked = asked;
  }

  /// Prints the plans of all copies, and changes nothing.
  ///
  /// @return the exit code
  int dryRun() {
    Tables tables = tables();
    JobLedger ledger = JobLedger.open(context.jobs(), tables.job, tables.how, true);
    DryRuns runs =
        new DryRuns(
            context, output, asked, ledger, definitions(tables.pairs, tables.copies, ledger));
    tables.copies.forEach(runs::print);
    runs.printNotCopied();
    return runs.exitCode();
  }

  /// Carries all copies out.
  ///
  /// @param rejectsExitCode what the process ends with if bad records were set aside; null for 0
  /// @return the exit code
  int run(@Nullable Integer rejectsExitCode) {
    Tables tables = tables();
    long begun = System.nanoTime();
    JobLedger ledger =
        JobLedger.open(context.jobs(), tables.job, tables.how, asked.resume == ResumeChoice.RESUME);
    JobProgress progress = new JobProgress(tables.copies);
    JobTeller told = new JobTeller(context, output, progress);
    DefinitionSteps definitions = definitions(tables.pairs, tables.copies, ledger);
    JobRun run =
        new JobRun(Connectors.ALL, context.runs(), told, ledger, definitions, many.failFast());
    context.stop().watch(run::cancel);
    List<TableResult> results;
    try (Progress _ =
        Progress.start(progress, output, context.console(), context.console().out())) {
      results = run.run(tables.copies, tables.budget);
    }
    tell(results, run.state(), definitions.notCopied(), System.nanoTime() - begun);
    return exitCode(results, rejectsExitCode);
  }

  /// Tables that go to the same system come along with all that belongs to them, unless the user
  /// asks for other columns, types or keys, or they go into parts of a table that is there. A view
  /// has no definition that could come along.
  static DefinitionSteps definitions(
      List<TableTargets.Pair> pairs, List<TableCopy> copies, JobLedger ledger) {
    List<TableTargets.Pair> whole = new ArrayList<>();
    List<String> names = new ArrayList<>();
    for (int i = 0; i < pairs.size(); i++) {
      TableTargets.Pair first = whole.isEmpty() ? pairs.get(i) : whole.getFirst();
      if (NamedTables.isListed(pairs.get(i).from())
          && isAsItIs(copies.get(i).spec().job())
          && isSame(first.from().end(), pairs.get(i).from().end())
          && isSame(first.to(), pairs.get(i).to())) {
        whole.add(pairs.get(i));
        names.add(copies.get(i).name());
      }
    }
    if (whole.isEmpty()) {
      return DefinitionSteps.none(ledger);
    }
    Endpoint to = whole.getFirst().to();
    TableDefinitions definitions = Connectors.ALL.of(to).capability(TableDefinitions.class);
    return definitions == null
        ? DefinitionSteps.none(ledger)
        : DefinitionSteps.of(definitions, ledger, whole, names);
  }

  /// Whether two ends are of one database.
  private static boolean isSame(Endpoint one, Endpoint other) {
    return one.scheme().equals(other.scheme()) && one.location().equals(other.location());
  }

  private static boolean isAsItIs(Job job) {
    return NamedTables.sameSystem(job.from(), job.to())
        && job.from().text("query").isEmpty()
        && !TableTargets.isPart(job.to())
        && job.selection().columns().isEmpty()
        && job.writeOptions().mode() != Mode.MERGE
        && job.writeOptions().types() == null
        && job.mapping().equals(Mapping.NONE);
  }

  /// All tables, each with its copy.
  ///
  /// @param job from where to where
  /// @param how what is done with the rows: the same each time, however fast or careful it is to be
  private record Tables(
      List<TableTargets.Pair> pairs,
      List<TableCopy> copies,
      LaneBudget budget,
      String job,
      String how) {}

  private Tables tables() {
    List<Endpoint> ends = request.ends(context.endpoints());
    List<TableTargets.Pair> pairs =
        NamedTables.pairs(context, ends, many, request.retryPolicy(), output);
    List<TableCopy> copies = pairs.stream().map(this::copy).toList();
    TargetFolders.check(copies);
    Job first = copies.getFirst().spec().job();
    return new Tables(
        pairs,
        copies,
        budget(pairs, copies),
        identity(ends.getFirst()) + "\n" + identity(ends.getLast()),
        Digest.of(first.selection() + "\n" + first.writeOptions() + first.mapping().identity())
            .hex());
  }

  static String identity(Endpoint end) {
    return end.label() + " " + new TreeMap<>(end.parameters());
  }

  private TableCopy copy(TableTargets.Pair pair) {
    CopySpec spec = request.spec(request.job(pair), asked.resume, CopySpec.Measures.NONE);
    return new TableCopy(pair.from().label(), spec, pair.from().bytes());
  }

  /// Copies into one file go one after the other: it has one writer.
  static LaneBudget budget(List<TableTargets.Pair> pairs, List<TableCopy> copies) {
    Set<Path> files = new HashSet<>();
    long into = 0;
    for (TableTargets.Pair pair : pairs) {
      List<Path> paths = Connectors.ALL.of(pair.to()).place(pair.to()).paths();
      files.addAll(paths);
      into += paths.size();
    }
    int lanes = copies.getFirst().spec().job().tuning().lanes();
    LaneBudget budget =
        lanes > 0
            ? new LaneBudget(lanes, false)
            : LaneBudget.ofMachine(Runtime.getRuntime().availableProcessors());
    return files.size() < into ? budget.oneAtATime() : budget;
  }

  private void tell(List<TableResult> results, String state, List<String> notCopied, long nanos) {
    if (output.quiet) {
      faults(context, results, Faults.debugs(asked.command));
      return;
    }
    if (output.json) {
      context
          .console()
          .out()
          .println(
              ReportJson.event(
                  "job",
                  JobText.json(results, List.of(), new JobText.Told(state, notCopied), nanos)));
    } else {
      JobText.lines(results, state, nanos).forEach(context.console().err()::println);
      notCopied.forEach(context.console().err()::println);
    }
    faults(context, results, Faults.debugs(asked.command));
    if (results.stream().anyMatch(result -> !isDone(result))) {
      List<String> given = asked.command.commandLine().getParseResult().originalArgs();
      context.console().err().println("Go on with: " + CopyCommand.again(given));
    }
  }

  /// Prints what was wrong with each table that failed; what was the same with several, once.
  ///
  /// @param debug whether stacks are wanted
  static void faults(Context context, List<TableResult> results, boolean debug) {
    Map<String, List<TableResult>> alike = new LinkedHashMap<>();
    for (TableResult result : results) {
      Fault fault = result.fault();
      if (fault != null && result.state() == State.FAILED) {
        String words = FaultMessage.of(fault) + "\n" + fault.advice();
        alike.computeIfAbsent(words, _ -> new ArrayList<>()).add(result);
      }
    }
    for (List<TableResult> each : alike.values()) {
      context.console().err().println(names(each) + ":");
      Faults.print(context, Objects.requireNonNull(each.getFirst().fault()), debug, null);
    }
  }

  private static String names(List<TableResult> results) {
    String first =
        results.stream()
            .limit(NAMES_SHOWN)
            .map(TableResult::name)
            .collect(Collectors.joining(", "));
    int more = results.size() - NAMES_SHOWN;
    return more > 0 ? first + " and " + more + " more" : first;
  }

  static boolean isDone(TableResult result) {
    return result.state() == State.DONE || result.state() == State.DONE_BEFORE;
  }

  static int exitCode(List<TableResult> results, @Nullable Integer rejectsExitCode) {
    Map<State, Fault> faults = new LinkedHashMap<>();
    boolean anyDone = false;
    for (TableResult result : results) {
      anyDone |= isDone(result);
      if (result.fault() != null) {
        faults.putIfAbsent(result.state(), result.fault());
      }
    }
    Fault stopped = faults.get(State.STOPPED);
    Fault failed = faults.get(State.FAILED);
    if (failed != null) {
      return (anyDone ? ExitCode.PARTLY : ExitCode.of(failed)).number();
    }
    if (stopped != null || results.stream().anyMatch(result -> !isDone(result))) {
      return ExitCode.STOPPED.number();
    }
    boolean anyRejects = results.stream().anyMatch(result -> result.rejects() > 0);
    return anyRejects && rejectsExitCode != null ? rejectsExitCode : ExitCode.OK.number();
  }
}
