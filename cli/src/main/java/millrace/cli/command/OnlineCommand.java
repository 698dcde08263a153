package millrace.cli.command;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import millrace.cli.Context;
import millrace.cli.EmitsJson;
import millrace.cli.ExitCode;
import millrace.cli.option.OutputOptions;
import millrace.connectors.Connectors;
import millrace.fault.Fault;
import millrace.fault.FileTrouble;
import millrace.online.job.JobFile;
import millrace.online.job.OnlineJob;
import millrace.online.report.LivePage;
import millrace.online.report.OnlineJson;
import millrace.online.report.OnlinePage;
import millrace.online.report.OnlineReport;
import millrace.online.report.OnlineText;
import millrace.online.run.OnlineRun;
import millrace.online.run.OnlineStores;
import millrace.online.sweep.SweepPlan;
import millrace.spi.Endpoint;
import millrace.text.TimeSpan;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `millrace online JOB.yaml`.
@Command(
    name = "online",
    description = {
      "Writes on a schedule while windows are aggregated: does the target keep up?",
      "Every second a row for each device is written, by several clients at once, whatever the"
          + " target does. Minutes, hours and days are added up meanwhile. Rows that come late are"
          + " added up again, and at the end all sums must agree.",
      "The tables are made anew: those of an earlier run are dropped. Exit code 0 if the run"
          + " passes, 1 if not. With --vary: 0 if all could be run, whether they pass or fail."
    },
    footer = {
      "%nExamples:",
      "  millrace online --example > job.yaml",
      "  millrace online job.yaml",
      "  millrace online job.yaml --target kudu://m1:7051/default.meters --rows 200000",
      "  millrace online job.yaml --live 8080 --html report.html",
      "  millrace online job.yaml --find-max",
      "  millrace online job.yaml --vary key=device-first,time-first --vary partition=1h,24h",
      "  millrace online job.yaml --vary memory=4g,16g --before ./restart.sh"
    })
public final class OnlineCommand implements Callable<Integer>, EmitsJson {

  /// As in a job file.
  private static final long ROWS_MAX = 100_000_000;

  private static final int CLIENTS_MAX = 1_000;

  private static final Duration TRIAL = Duration.ofMinutes(2);

  /// So many trials long is the last run.
  private static final int CONFIRM_TRIALS = 5;

  @Parameters(index = "0", arity = "0..1", paramLabel = "JOB", description = "The job file, YAML.")
  private @Nullable Path file;

  @Option(names = "--example", description = "Print a job to begin with, and do nothing else.")
  private boolean example;

  @Option(
      names = "--target",
      paramLabel = "URL",
      description = "Where the tables are made, instead of the job's target; null: keeps nothing.")
  private @Nullable String target;

  @Option(
      names = "--rows",
      paramLabel = "N",
      description = "Rows each second, instead of the job's; one for each device.")
  private @Nullable Long rows;

  @Option(
      names = "--clients",
      paramLabel = "N",
      description = "How many write at once, instead of the job's.")
  private @Nullable Integer clients;

  @Option(
      names = "--duration",
      paramLabel = "TIME",
      description = "For how long, instead of the job's.")
  private @Nullable String duration;

  @Option(
      names = "--find-max",
      description =
          "Search for the highest rate that passes, from the job's on, by runs of --trial each and"
              + " one of --confirm at the end.")
  private boolean findMax;

  @Option(
      names = "--trial",
      paramLabel = "TIME",
      description =
          "How long each run of the search is; 2m if not given, or as long as the first window"
              + " takes.")
  private @Nullable String trial;

  @Option(
      names = "--confirm",
      paramLabel = "TIME",
      description = "How long the last run of the search is; 5 times --trial if not given.")
  private @Nullable String confirm;

  @Option(
      names = "--live",
      paramLabel = "PORT",
      description =
          "Show the run on a page of this machine while it goes on, with figures for Prometheus at"
              + " /metrics; 0 takes any port.")
  private @Nullable Integer live;

  @Option(
      names = "--html",
      paramLabel = "FILE",
      description = "Where the page with the charts goes at the end; it must not exist.")
  private @Nullable Path html;

  @Option(
      names = "--histograms",
      paramLabel = "FILE",
      description =
          "Where the times of each second go, as a log of HdrHistogram; it must not exist.")
  private @Nullable Path histograms;

  @Option(
      names = "--vary",
      paramLabel = "NAME=VALUES",
      description = {
        "Run the job once for each value, and print a table: partition, hash-buckets, key, sorted,"
            + " clients, rows; with --before any other name too. Give it again for another name:"
            + " every value of the one is run with every value of the other."
      })
  private List<String> vary = new ArrayList<>();

  @Option(
      names = "--before",
      paramLabel = "COMMAND",
      description =
          "Run this by the shell before each run of --vary, to restart a server with other memory"
              + " for instance. It gets the value of NAME as MILLRACE_VARY_NAME.")
  private @Nullable String before;

  @Option(
      names = "--sweep-json",
      paramLabel = "FILE",
      description = "Where the table of --vary goes as JSON; it must not exist.")
  private @Nullable Path sweepJson;

  @Mixin private OutputOptions output;

  private final Context context;

  public OnlineCommand(Context context) {
    this.context = context;
  }

  @Override
  public @Nullable PrintStream json() {
    return output.json(context.console(), false);
  }

  @Override
  public Integer call() {
    if (example) {
      context.console().out().print(JobFile.example());
      return ExitCode.OK.number();
    }
    checkOptions();
    OnlineJob job = job();
    if (!vary.isEmpty()) {
      return sweep(job);
    }
    checkNew(html);
    checkNew(histograms);
    try (PrintStream log = histograms == null ? null : open(histograms)) {
      if (findMax) {
        return search(job, log);
      }
      return run(job, log);
    }
  }

  /// What belongs to one run alone, or to a sweep alone, is refused with the other.
  private void checkOptions() {
    if (vary.isEmpty()) {
      if (before != null || sweepJson != null) {
        throw new Fault.User(
            (before == null ? "--sweep-json" : "--before") + " is for --vary alone.",
            "Say what to vary, for example --vary key=device-first,time-first");
      }
      return;
    }
    if (findMax) {
      throw new Fault.User(
          "--vary and --find-max don't go together.",
          "Vary the settings first, then search with the best.");
    }
    if (html != null || live != null || histograms != null) {
      throw new Fault.User(
          "--html, --live and --histograms show one run; --vary makes many.",
          "Leave them out here, and run the best combination once more with them.");
    }
  }

  private int search(OnlineJob job, @Nullable PrintStream log) {
    Duration least = job.durationMin();
    Duration usual = least.compareTo(TRIAL) > 0 ? least : TRIAL;
    Duration each = trial == null ? usual : time("--trial", trial);
    if (each.compareTo(least) < 0) {
      throw new Fault.User(
          "--trial "
              + trial
              + " is too short: no window of "
              + job.windows().getFirst().name()
              + " is aggregated in it, it does not show whether the backlog grows, or too many rows"
              + " come after its end.",
          "Take --trial " + shown(least) + " or more, shorter windows, or fewer late rows.");
    }
    Duration last =
        confirm == null ? each.multipliedBy(CONFIRM_TRIALS) : time("--confirm", confirm);
    if (last.compareTo(each) <= 0) {
      throw new Fault.User(
          "--confirm " + confirm + " is not longer than --trial " + shown(each) + ".",
          "The last run shows whether what passes briefly also passes for long.");
    }
    return new OnlineSearch(context, output, html).run(job, each, last, log);
  }

  /// As a user writes it.
  private static String shown(Duration time) {
    long seconds = time.toSeconds();
    return seconds % 60 == 0 ? seconds / 60 + "m" : seconds + "s";
  }

  private int sweep(OnlineJob job) {
    SweepPlan plan = SweepPlan.of(job, vary, before != null);
    Endpoint endpoint = context.endpoints().parse(job.target());
    checkNew(sweepJson);
    try (PrintStream file = sweepJson == null ? null : open(sweepJson)) {
      return new OnlineSweeping(context, output, before).run(plan, endpoint, file);
    }
  }

  private OnlineJob job() {
    if (file == null && target == null) {
      throw new Fault.User(
          "There is neither a job file nor a target.",
          "Begin with these two:\n  millrace online --example > job.yaml\n"
              + "  millrace online job.yaml");
    }
    OnlineJob job =
        file == null ? JobFile.parse("the example", JobFile.example()) : JobFile.read(file);
    OnlineJob.Load load = job.load();
    long rowsEach = rows == null ? load.rows() : rows;
    int writing = clients == null ? load.clients() : clients;
    if (rowsEach > ROWS_MAX || writing < 1 || writing > Math.min(rowsEach, CLIENTS_MAX)) {
      throw new Fault.User(
          rowsEach + " rows a second by " + writing + " clients can't be.",
          "Each client writes a row or more; "
              + ROWS_MAX
              + " rows and "
              + CLIENTS_MAX
              + " clients are the most.");
    }
    Duration time = duration == null ? load.duration() : time("--duration", duration);
    OnlineJob.Load requested =
        new OnlineJob.Load(
            rowsEach,
            writing,
            time,
            load.clock(),
            load.prefill(),
            load.sorted(),
            rows == null ? load.rowsFrom() : "--rows");
    OnlineJob complete =
        new OnlineJob(
            target == null ? job.target() : target,
            requested,
            job.windows(),
            job.late(),
            job.tables(),
            job.pass(),
            job.engine());
    Endpoint endpoint = context.endpoints().parse(complete.target());
    return OnlineStores.named(Connectors.ALL.all(), endpoint, complete);
  }

  private static Duration time(String option, String text) {
    Duration time = TimeSpan.parse(option, text);
    if (time.isZero()) {
      throw new Fault.User(option + " " + text + " is no time at all.", "Write for example 2m.");
    }
    return time;
  }

  private static void checkNew(@Nullable Path path) {
    if (path != null && Files.exists(path)) {
      throw new Fault.User(path + " exists.", "Name a file that does not, or remove it.");
    }
  }

  private static PrintStream open(Path path) {
    try {
      return new PrintStream(Files.newOutputStream(path), false, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new Fault.User("Can't write " + path + ": " + FileTrouble.reason(e), "", e);
    }
  }

  private int run(OnlineJob job, @Nullable PrintStream log) {
    Endpoint endpoint = context.endpoints().parse(job.target());
    try (OnlineStores stores = OnlineStores.open(Connectors.ALL.all(), endpoint, job)) {
      OnlineRun run = new OnlineRun(job, stores, new OnlineProgress(context, output).listener(log));
      context.stop().watch(_ -> run.stop());
      LivePage page = page(run);
      try {
        OnlineReport report = run.execute();
        print(report);
        return report.outcome().state() == OnlineReport.State.PASSED
            ? ExitCode.OK.number()
            : ExitCode.DIFFERENT.number();
      } finally {
        if (page != null) {
          page.close();
        }
      }
    }
  }

  private @Nullable LivePage page(OnlineRun run) {
    if (live == null) {
      return null;
    }
    LivePage page = LivePage.serve(live, run::report);
    context.console().err().println("Live page: " + page.uri());
    return page;
  }

  private void print(OnlineReport report) {
    PrintStream out = context.console().out();
    if (output.json) {
      out.println(OnlineJson.of(report).put("event", "report"));
    } else if (!output.quiet) {
      OnlineText.lines(report).forEach(out::println);
    }
    if (html != null) {
      try {
        Files.writeString(html, OnlinePage.of(report));
        new OnlineProgress(context, output).says("Charts: " + html);
      } catch (IOException e) {
        throw new Fault.External("Can't write " + html + ": " + FileTrouble.reason(e), "", e);
      }
    }
  }
}
