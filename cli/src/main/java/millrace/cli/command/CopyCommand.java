package millrace.cli.command;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Stream;
import millrace.cli.Console;
import millrace.cli.Context;
import millrace.cli.EmitsJson;
import millrace.cli.ExitCode;
import millrace.cli.Faults;
import millrace.cli.job.JobSaver;
import millrace.cli.option.ClusterOptions;
import millrace.cli.option.CopyRequest;
import millrace.cli.option.ManyOptions;
import millrace.cli.option.MeasureOptions;
import millrace.cli.option.OutputOptions;
import millrace.cli.option.ResumeOptions;
import millrace.copy.CopyResult;
import millrace.copy.CopySpec;
import millrace.endpoint.Endpoints;
import millrace.engine.RunOutcome;
import millrace.fault.Fault;
import millrace.job.JobContext;
import millrace.job.JobPlan;
import millrace.job.TablesRequest;
import millrace.plan.Job;
import millrace.plan.ShellWords;
import millrace.report.sweep.Sweep;
import millrace.resume.ResumeChoice;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/// `millrace copy FROM TO`.
@Command(
    name = "copy",
    addMethodSubcommands = false,
    abbreviateSynopsis = true,
    aliases = {"load", "unload"},
    description = "Moves rows from one end to the other.",
    footer = {
      "%nExamples:",
      "  millrace copy orders.csv 'postgresql://me@host/shop?table=orders'",
      "  millrace copy 'in/*.csv.gz' 'duckdb:shop.db?table=orders' --delimiter ';' --mode append",
      "  millrace copy prod:public.orders orders.csv --where \"amount > 100\" --select id,amount",
      "  millrace copy 'prod:public.*' 'out/{table}.parquet'     every table, in one state",
      "  millrace copy 'in/*.csv' 'prod:public.{stem}'           each file into its table",
      "  millrace copy prod:orders - | gzip > orders.csv.gz",
      "  millrace copy orders.csv prod:orders --profile night    with what a sweep found best",
      "  millrace copy orders.csv prod:orders --resume           resumes where it was cut off"
    })
public final class CopyCommand implements Callable<Integer>, EmitsJson {

  @Spec private CommandSpec spec;

  @Option(names = "--dry-run", description = "Print the plan and change nothing.")
  private boolean dryRun;

  @Option(
      names = "--estimate",
      description = "Measure for some seconds how long it will take, and change nothing.")
  private boolean estimate;

  @Option(
      names = "--save",
      paramLabel = "FILE",
      description = "Also write this copy as a job for `millrace run`, without passwords.")
  private @Nullable Path save;

  @Option(
      names = {"-v", "--verbose"},
      description = "End with all figures, as `millrace runs last` shows them.")
  private boolean verbose;

  @Option(
      names = "--rejects-exit-code",
      paramLabel = "N",
      description = "Exit code if bad records were set aside, 1 to 125; 0 if not given.")
  private @Nullable Integer rejectsExitCode;

  @Mixin private CopyRequest request;
  @Mixin private ManyOptions many;
  @Mixin private ClusterOptions cluster;
  @Mixin private ResumeOptions resume;
  @Mixin private MeasureOptions measure;
  @Mixin private OutputOptions output;

  private final Context context;

  public CopyCommand(Context context) {
    this.context = context;
  }

  @Override
  public Integer call() {
    if (dryRun || estimate) {
      return copy();
    }
    try {
      return copy();
    } catch (Fault e) {
      request.keepRefused(context, "copy", e);
      throw e;
    }
  }

  private int copy() {
    SparkSubmit submit = SparkSubmit.of(context, cluster);
    if (submit == null || estimate) {
      return copy(context);
    }
    Set<String> systems = request.systems(context.endpoints());
    if (!dryRun) {
      ParseResult words = spec.root().commandLine().getParseResult();
      return submit.run(words.originalArgs(), systems);
    }
    int code = copy(submit.planning());
    context.console().out().println("\n" + submit.shown(systems));
    return code;
  }

  private int copy(Context context) {
    CopyRequest tuned = tuned();
    Endpoints endpoints = context.endpoints();
    if (many.namesTables() || tuned.namesMany(endpoints)) {
      return copyMany(tuned, context);
    }
    many.refuseForOne();
    Job job = tuned.job(endpoints);
    checkRejectsExitCode(job);
    save(false);
    CopySpec copy = tuned.spec(job, choice(tuned), measure.measures());
    Execution execution = new Execution(context, copy, output);
    if (estimate) {
      execution.estimate(cluster.master() != null);
      return ExitCode.OK.number();
    }
    if (dryRun) {
      execution.dryRun();
      return ExitCode.OK.number();
    }
    CopyResult ending = recorded(execution);
    execution.print(ending, verbose);
    if (ending.fault() != null) {
      return failed(ending.fault(), ending);
    }
    return rejectsExitCode != null && ending.report().totals().rejects() > 0
        ? rejectsExitCode
        : ExitCode.OK.number();
  }

  private CopyResult recorded(Execution execution) {
    Path file = measure.jfr();
    if (file == null) {
      return execution.run();
    }
    try (FlightRecording _ = FlightRecording.start(file, execution::warns)) {
      return execution.run();
    }
  }

  /// @throws Fault.User if an incremental copy is to go on
  private ResumeChoice choice(CopyRequest tuned) {
    if (tuned.isIncremental() && resume.choice() == ResumeChoice.RESUME) {
      throw new Fault.User(
          "A copy with --update-key leaves nothing half done: there is nothing to resume.",
          "Leave --resume out. It begins behind the last rows that the target has.");
    }
    return resume.choice();
  }

  private int copyMany(CopyRequest tuned, Context context) {
    if (measure.any()) {
      throw new Fault.User(
          "--ceilings, --goal and --jfr measure a copy of one table, and these are many.",
          "Leave them out, or copy one table.");
    }
    if (estimate) {
      throw new Fault.User(
          "--estimate measures a copy of one table, and these are many.",
          "Leave it out, or copy one table.");
    }
    save(true);
    TablesRequest tables = tuned.tables(context.endpoints(), many, resume.choice());
    JobExecution execution = new JobExecution(context, output, spec, "copy");
    Function<JobContext, JobPlan> planning = jobs -> JobPlan.of(jobs, tables, many.failFast());
    return dryRun
        ? execution.dryRun(planning)
        : execution.run(planning, verbose, rejectsExitCode, null);
  }

  /// @param ofMany whether the copy is one of many tables, whose lanes are the job's
  private void save(boolean ofMany) {
    if (save == null) {
      return;
    }
    if (measure.any()) {
      throw new Fault.User(
          "--ceilings, --goal and --jfr measure this copy, and --save writes a job.",
          "Leave them out, or save without them.");
    }
    String profile = measure.settings();
    Map<String, String> settings = new LinkedHashMap<>(CopyRequest.given(spec));
    if (profile != null) {
      settings.putAll(settings(profile));
    }
    Map<String, String> ofJob = new LinkedHashMap<>();
    String lanes = ofMany ? settings.remove("lanes") : null;
    if (lanes != null) {
      ofJob.put("lanes", lanes);
    }
    if (rejectsExitCode != null) {
      ofJob.put("rejects-exit-code", rejectsExitCode.toString());
    }
    if (many.failFast()) {
      ofJob.put("fail-fast", "true");
    }
    Path written =
        new JobSaver(context.endpoints())
            .save(save, new JobSaver.Typed(request.from(), request.to(), settings, ofJob));
    if (!output.quiet) {
      context.console().err().println("millrace: " + written + " is written.");
    }
  }

  private void checkRejectsExitCode(Job job) {
    if (rejectsExitCode == null) {
      return;
    }
    if (rejectsExitCode < 1 || rejectsExitCode > 125) {
      throw new Fault.User(
          "--rejects-exit-code " + rejectsExitCode + " is not from 1 to 125.",
          "Name a code of your own, such as 10; `millrace --help` lists those that have a"
              + " meaning.");
    }
    if (!job.rejects().allowsAny()) {
      throw new Fault.User(
          "--rejects-exit-code is for a copy that sets bad records aside, and none may be.",
          "Add --max-rejects N --rejects FILE.");
    }
  }

  @Override
  public @Nullable PrintStream json() {
    return output.json(context.console(), request.fillsStandardOutput(context));
  }

  /// The request with the settings of the profile, if one was named.
  private CopyRequest tuned() {
    String profile = measure.settings();
    if (profile == null) {
      return request;
    }
    Map<String, String> settings = settings(profile);
    if (settings.isEmpty()) {
      return request;
    }
    CopyRequest tuned = with(profile, settings);
    if (!output.quiet && !output.json) {
      context.console().err().println("Profile " + profile + ": " + Sweep.words(settings));
    }
    return tuned;
  }

  private CopyRequest with(String profile, Map<String, String> settings) {
    try {
      CopyRequest tuned = CopyRequest.with(request, spec, settings);
      tuned.job(context.endpoints());
      return tuned;
    } catch (Fault.User e) {
      // What is wrong without the profile as well is told by itself.
      request.job(context.endpoints());
      throw new Fault.User(
          "The profile " + profile + " does not fit: " + e.getMessage(),
          "It says " + Sweep.words(settings) + ". Mend it, or copy without it.",
          e);
    }
  }

  /// The settings of a profile that neither the command line nor a URL gives.
  private Map<String, String> settings(String profile) {
    ParseResult given = spec.commandLine().getParseResult();
    Map<String, String> settings = new LinkedHashMap<>(context.profiles().find(profile));
    settings
        .keySet()
        .removeIf(name ->
            given.hasMatchedOption("--" + name) || !request.reaches(name, context.endpoints()));
    return settings;
  }

  /// The command line that goes on with one that had these arguments.
  public static String again(String verb, List<String> given) {
    List<String> words = new ArrayList<>(given);
    if (Stream.of(verb, "load", "unload").noneMatch(words::contains)) {
      words.addFirst(verb);
    }
    words.remove("--fresh");
    if (!words.contains("--resume")) {
      words.add("--resume");
    }
    words.addFirst("millrace");
    return ShellWords.line(words);
  }

  private int failed(Fault fault, CopyResult ending) {
    Console console = context.console();
    if (Faults.isBrokenPipe(fault)) {
      return ExitCode.PIPE.number();
    }
    Faults.print(context, fault, Faults.debugs(spec), json());
    RunOutcome.Left left = ending.outcome().left();
    long durable = ending.report().totals().rowsDurable();
    if (durable > 0) {
      console
          .err()
          .println(
              String.format(
                  Locale.ROOT, "  %,d rows had been committed before, and stay.", durable));
    } else if (ending.outcome().isSettled() && left.words().isEmpty()) {
      console.err().println("  No rows were committed.");
    }
    if (!left.words().isEmpty()) {
      console.err().println("  " + left.words());
    }
    if (left.resumable()) {
      List<String> given = spec.commandLine().getParseResult().originalArgs();
      console.err().println("  What is there is kept. Go on with: " + again("copy", given));
    }
    RuntimeException undoFailure = left.undoFailure();
    if (undoFailure != null) {
      String why = "  What the copy left could not be removed: " + undoFailure.getMessage();
      console.err().println(Endpoints.redact(why));
      if (undoFailure instanceof Fault staying && !fault.advice().endsWith(staying.advice())) {
        console.err().println("  " + Endpoints.redact(staying.advice()));
      }
    }
    return ExitCode.of(fault).number();
  }
}
