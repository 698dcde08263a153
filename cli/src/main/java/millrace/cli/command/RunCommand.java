package millrace.cli.command;

import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Function;
import millrace.cli.Console;
import millrace.cli.Context;
import millrace.cli.EmitsJson;
import millrace.cli.ExitCode;
import millrace.cli.job.JobSchema;
import millrace.cli.option.ClusterOptions;
import millrace.cli.option.JobOptions;
import millrace.cli.option.OutputOptions;
import millrace.cli.option.ResumeOptions;
import millrace.cli.option.StreamRequest;
import millrace.cli.show.LogFile;
import millrace.endpoint.Endpoints;
import millrace.fault.Fault;
import millrace.job.JobContext;
import millrace.job.JobPlan;
import millrace.job.StreamOptions;
import millrace.job.file.JobDescription;
import millrace.job.file.JobInputs;
import millrace.job.file.JobReader;
import millrace.job.file.StreamSetting;
import millrace.plan.FaultMessage;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/// `millrace run JOB`.
@Command(
    name = "run",
    abbreviateSynopsis = true,
    description = "Carries out the copies of a job file, in the layout of Sling's replications.",
    footer = {
      "%nExamples:",
      "  millrace run night.yaml",
      "  millrace run night.yaml --dry-run                  all plans, nothing moves",
      "  millrace run night.yaml --set DATE=2026-01-01      {DATE} in the file",
      "  millrace run night.yaml --only public.orders       one stream of it",
      "  millrace run night.yaml --resume                   what is missing",
      "  millrace run night.yaml --junit night.xml --log night.log",
      "  millrace copy orders.csv prod:orders --save night.yaml",
      "  millrace run --schema > millrace.schema.json       for editors"
    })
public final class RunCommand implements Callable<Integer>, EmitsJson {

  @Spec private CommandSpec spec;

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "JOB",
      description = "The job file: source:, target:, defaults:, streams:, env: and hooks:.")
  private @Nullable Path file;

  @Option(
      names = "--only",
      paramLabel = "NAME",
      description = "Only this stream, or this table of one; may be given several times.")
  private List<String> only = List.of();

  @Option(
      names = "--set",
      paramLabel = "NAME=VALUE",
      description = "A variable, which wins over env: in the file; may be given several times.")
  private Map<String, String> set = new LinkedHashMap<>();

  @Option(names = "--dry-run", description = "Print all plans and change nothing.")
  private boolean dryRun;

  @Option(names = "--schema", description = "Print the JSON Schema of job files, for editors.")
  private boolean schema;

  @Option(
      names = "--lanes",
      paramLabel = "N",
      description = "How many lanes work at once in all; two a processor if not given.")
  private @Nullable Integer lanes;

  @Option(names = "--fail-fast", description = "The first copy that fails stops the others.")
  private boolean failFast;

  @Option(
      names = "--rejects-exit-code",
      paramLabel = "N",
      description = "The exit code if bad records were set aside, 1 to 125; 0 if not given.")
  private @Nullable Integer rejectsExitCode;

  @Option(
      names = "--junit",
      paramLabel = "FILE",
      description = "Also write the summary as JUnit XML.")
  private @Nullable Path junit;

  @Option(
      names = "--log",
      paramLabel = "FILE",
      description = "Also append what is said to a file, each line with its time.")
  private @Nullable Path log;

  @Mixin private ClusterOptions cluster;
  @Mixin private ResumeOptions resume;
  @Mixin private OutputOptions output;

  private final Context context;

  public RunCommand(Context context) {
    this.context = context.with(context.console().hidingOutput());
  }

  @Override
  public @Nullable PrintStream json() {
    return output.json(context.console(), false);
  }

  @Override
  public Integer call() {
    if (schema) {
      context.console().out().println(JobSchema.text());
      return ExitCode.OK.number();
    }
    if (file == null) {
      throw new Fault.User("JOB is missing.", "Name the file: millrace run job.yaml.");
    }
    SparkSubmit submit = SparkSubmit.of(context, cluster);
    if (submit != null && !dryRun) {
      ParseResult words = spec.root().commandLine().getParseResult();
      return submit.run(words.originalArgs(), Set.of());
    }
    if (log == null) {
      int code = run(file, submit == null ? context : submit.planning());
      if (submit != null) {
        context.console().out().println("\n" + submit.shown(Set.of()));
      }
      return code;
    }
    try (LogFile open = LogFile.open(context.console(), log)) {
      return logged(file, open);
    }
  }

  /// A fault is printed by others, so that only the log has to be told.
  private int logged(Path job, LogFile open) {
    Console console = open.logging(context.console());
    try {
      return run(job, context.with(console));
    } catch (Fault e) {
      String words = FaultMessage.of(e) + "\n" + FaultMessage.advice(e);
      open.add(console.hidden().in(Endpoints.redact(words)));
      throw e;
    }
  }

  private int run(Path job, Context context) {
    checkFolder("--junit", junit);
    Endpoints endpoints = context.endpoints();
    StreamOptions options = StreamRequest.reader(endpoints, resume.choice());
    JobDescription description =
        JobReader.read(
            job,
            new JobInputs(
                options.names(),
                set,
                context.console().env(),
                endpoints::schemaOf,
                context.console().hidden()));
    int allLanes = lanes(description);
    boolean failsFast = failFast || "true".equals(value(description, "fail-fast"));
    Integer exitCode = rejectsExitCode(description);
    Function<JobContext, JobPlan> planning =
        jobs -> JobPlan.of(jobs, description, options, only, allLanes, failsFast);
    JobExecution execution = new JobExecution(context, output, spec, "run");
    return dryRun ? execution.dryRun(planning) : execution.run(planning, false, exitCode, junit);
  }

  private static void checkFolder(String option, @Nullable Path path) {
    if (path != null) {
      Path folder = path.toAbsolutePath().getParent();
      if (folder == null || !Files.isDirectory(folder) || Files.isDirectory(path)) {
        throw new Fault.User(
            option + " " + path + " is no file of a folder that is there.", "Name another.");
      }
    }
  }

  private static @Nullable String value(JobDescription job, String name) {
    StreamSetting setting = job.settings().get(name);
    return setting == null ? null : setting.value();
  }

  private int lanes(JobDescription job) {
    Integer requested = lanes == null ? number(job, "lanes", 1, 256) : lanes;
    return JobOptions.lanes(requested);
  }

  private @Nullable Integer rejectsExitCode(JobDescription job) {
    if (rejectsExitCode == null) {
      return number(job, "rejects-exit-code", 1, 125);
    }
    if (rejectsExitCode < 1 || rejectsExitCode > 125) {
      throw new Fault.User(
          "--rejects-exit-code " + rejectsExitCode + " is not from 1 to 125.",
          "Name a code of your own, such as 10.");
    }
    return rejectsExitCode;
  }

  private static @Nullable Integer number(JobDescription job, String name, int min, int max) {
    StreamSetting setting = job.settings().get(name);
    if (setting == null) {
      return null;
    }
    String text = setting.value().strip();
    if (!text.matches("[0-9]{1,4}")
        || Integer.parseInt(text) < min
        || Integer.parseInt(text) > max) {
      throw job.at(
          setting.line(),
          name + ": " + text + " is no number from " + min + " to " + max + ".",
          "");
    }
    return Integer.valueOf(text);
  }
}
