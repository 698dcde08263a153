package millrace.cli.command;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import millrace.cli.Context;
import millrace.cli.EmitsJson;
import millrace.cli.ExitCode;
import millrace.cli.Faults;
import millrace.cli.option.CopyRequest;
import millrace.cli.option.OutputOptions;
import millrace.cli.option.Profiles;
import millrace.endpoint.Endpoints;
import millrace.fault.Fault;
import millrace.fault.FileTrouble;
import millrace.plan.ShellWords;
import millrace.report.sweep.Axis;
import millrace.report.sweep.Sweep;
import millrace.report.sweep.SweepJson;
import millrace.report.sweep.SweepPage;
import millrace.report.sweep.SweepText;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `millrace sweep FROM TO --vary …`.
@Command(
    name = "sweep",
    abbreviateSynopsis = true,
    description = {
      "Copies the same rows with several settings, and says which is the best.",
      "Every combination has its turn, several times. The best is the smallest setting that is as"
          + " good as any, and differences that are only noise are told.",
      "Each copy goes into a table or file of its own beside TO, which is dropped afterwards. TO"
          + " itself is not touched: its column types, indexes, keys and triggers are not measured."
          + " No journal is kept."
    },
    footer = {
      "%nExamples:",
      "  millrace sweep orders.csv prod:orders --vary lanes=1,2,4 --vary commit-unit=1MB..64MB",
      "  millrace sweep 'generate:tokens?rows=100000' prod:t --vary write-unit=1,10,100,1000",
      "  millrace sweep orders.csv prod:orders --vary write-unit=50..3000 --profile-name night",
      "  millrace copy orders.csv prod:orders --profile night     copies with what was found",
      "  millrace compare last                                    the newest sweep once more"
    })
public final class SweepCommand implements Callable<Integer>, EmitsJson {

  private static final int POINTS_MAX = 1000;
  private static final int REPEAT_MAX = 100;

  @Spec private CommandSpec spec;

  @Mixin private CopyRequest request;

  @Option(
      names = "--vary",
      required = true,
      paramLabel = "OPTION=VALUES",
      description =
          "What to vary: an option of copy, or a parameter of an end, and its values (lanes=1,2,4);"
              + " a range (read-unit=50..3000, write-unit=64kB..4MB) becomes six steps. Quotes"
              + " stand around a value that holds a comma. Again for each option.")
  private List<String> vary = List.of();

  @Option(
      names = "--rows",
      paramLabel = "N",
      description =
          "Copy at most that many rows each time. They are read by one lane, so that more lanes"
              + " take no effect.")
  private @Nullable Long rows;

  @Option(
      names = "--repeat",
      paramLabel = "N",
      defaultValue = "3",
      description = "How many times each; ${DEFAULT-VALUE} if not given.")
  private int repeat = 3;

  @Option(
      names = "--before",
      paramLabel = "COMMAND",
      description =
          "Run this by the shell before each copy, to flush a cache or restart a server; the sweep"
              + " ends where it fails, with what whole rounds have measured until then.")
  private @Nullable String before;

  @Option(
      names = "--html",
      paramLabel = "FILE",
      description =
          "Where the page with the charts goes, which must not exist; beside the kept sweeps if not"
              + " given.")
  private @Nullable Path html;

  @Option(
      names = "--profile-name",
      paramLabel = "NAME",
      description =
          "Write the settings that were found as a profile for `copy --profile NAME`; without it"
              + " the sweep's own name is one.")
  private @Nullable String profileName;

  @Mixin private OutputOptions output;

  private final Context context;

  public SweepCommand(Context context) {
    this.context = context;
  }

  @Override
  public @Nullable PrintStream json() {
    return output.json(context.console(), false);
  }

  @Override
  public Integer call() {
    SweepRun run;
    Sweep sweep;
    try {
      List<Axis> axes = vary.stream().map(Axis::parse).toList();
      check(axes);
      run = new SweepRun(context, axes, points(axes), repeat, before, this::report);
      sweep = run.execute();
    } catch (Fault e) {
      request.keepRefused(context, "sweep", e);
      throw e;
    }
    List<Fault> failures = finish(sweep);
    Fault stopped = run.stopped();
    if (stopped != null) {
      failures.add(stopped);
    }
    if (failures.isEmpty()) {
      return ExitCode.OK.number();
    }
    Fault last = failures.removeLast();
    failures.forEach(fault -> Faults.print(context, fault, Faults.debugs(spec), null));
    throw last;
  }

  private void check(List<Axis> axes) {
    Set<String> names = new HashSet<>();
    Endpoints endpoints = context.endpoints();
    long points = 1;
    for (Axis axis : axes) {
      if (!names.add(axis.name())) {
        throw new Fault.User(
            "--vary " + axis.name() + " is there twice.",
            "Write all of its values with commas between.");
      }
      if (CopyRequest.asks(spec, axis.name())) {
        throw new Fault.User(
            "--" + axis.name() + " is given, and --vary " + axis.name() + " as well.",
            "Leave one of them out.");
      }
      if (!request.reaches(axis.name(), endpoints)) {
        throw new Fault.User(
            "A URL sets " + axis.name() + ", and wins over what the sweep would vary.",
            "Leave " + axis.name() + " out of the URL.");
      }
      points = Math.min(POINTS_MAX + 1L, points * axis.values().size());
    }
    if (points > POINTS_MAX) {
      throw new Fault.User(
          "That is more than " + POINTS_MAX + " combinations.", "Vary less at once.");
    }
    if (repeat < 1 || repeat > REPEAT_MAX) {
      throw new Fault.User(
          "--repeat " + repeat + " is not from 1 to " + REPEAT_MAX + ".",
          "Three is a good number.");
    }
    if (rows != null && rows < 1) {
      throw new Fault.User("--rows " + rows + " is below 1.", "Write how many rows to copy.");
    }
    if (rows != null && spec.commandLine().getParseResult().hasMatchedOption("--limit")) {
      throw new Fault.User(
          "--rows and --limit both say how many rows to copy.", "Leave one of them out.");
    }
    if (profileName != null) {
      Profiles.check(profileName);
    }
    if (html != null) {
      checkPage(html.toAbsolutePath());
    }
  }

  /// Nothing is written over, and nobody waits for a page that can't be.
  private static void checkPage(Path page) {
    if (Files.exists(page)) {
      throw new Fault.User(
          "The file " + page + " exists already.", "Name another for the page, or delete it.");
    }
    Path folder = page.getParent();
    if (folder == null || !Files.isDirectory(folder)) {
      throw new Fault.User(
          "There is no folder " + folder + " for the page.", "Make it, or name another.");
    }
  }

  /// Every combination as a copy.
  private List<SweepRun.Planned> points(List<Axis> axes) {
    List<SweepRun.Planned> points = new ArrayList<>();
    for (List<String> values : Sweep.combinations(axes)) {
      Map<String, String> settings = new LinkedHashMap<>();
      if (rows != null) {
        settings.put("limit", Long.toString(rows));
      }
      settings.putAll(Sweep.settings(axes, values));
      CopyRequest combined = CopyRequest.with(request, spec, settings);
      if (combined.isIncremental()) {
        throw new Fault.User(
            "--update-key copies what is new, and every run of a sweep copies the same rows.",
            "Leave it out, and choose rows by --where.");
      }
      points.add(
          new SweepRun.Planned(values, combined.job(context.endpoints()), combined.retryPolicy()));
    }
    return points;
  }

  /// Says that a copy is done.
  private void report(SweepRun.Done done) {
    if (output.json) {
      ObjectNode line = JsonNodeFactory.instance.objectNode();
      line.put("event", "copy");
      line.put("round", done.round());
      done.settings().forEach(line.withObjectProperty("settings")::put);
      line.put("elapsed_s", done.report().totals().elapsedNanos() / 1e9);
      line.put("rows", done.report().totals().rows());
      context.console().out().println(line);
    } else if (!output.quiet) {
      context.console().err().println(done.line());
    }
  }

  /// Keeps the sweep, its page and its profile, and tells what was found, whatever else fails.
  ///
  /// @return why there is not what the user has asked for by name
  private List<Fault> finish(Sweep sweep) {
    List<Fault> failures = new ArrayList<>();
    PrintStream out = context.console().out();
    Path page = html == null ? context.sweeps().page(sweep.id()) : html.toAbsolutePath();
    boolean isStored = keep(sweep);
    boolean written = attempt(() -> write(page, sweep), html == null ? this::warn : failures::add);
    String profile = profileName == null ? sweep.id() : profileName;
    boolean found = sweep.hasWinner();
    boolean isProfile =
        found
            && (profileName == null
                ? isStored
                : attempt(() -> context.profiles().write(profile, sweep), failures::add));
    if (output.json) {
      ObjectNode line = JsonNodeFactory.instance.objectNode();
      line.put("event", "sweep");
      line.put("page", written ? page.toString() : null);
      line.put("profile", isProfile ? profile : null);
      line.set("sweep", SweepJson.of(sweep));
      out.println(line);
    } else if (!output.quiet) {
      SweepText.lines(sweep).forEach(out::println);
      out.println();
      if (written) {
        out.println("  page       " + page);
      }
      if (isProfile) {
        out.println("  to copy with what was found:");
        out.println(
            "    millrace copy %s --profile %s".formatted(request.shellLine(spec), profile));
      } else if (!sweep.candidates().isEmpty() && !found) {
        out.println("  to tell more apart, with more rows if there are any:");
        String varied = ShellWords.line(vary.stream().map(each -> "--vary=" + each).toList());
        out.println(
            "    millrace sweep %s %s --repeat %d"
                .formatted(request.shellLine(spec), varied, 2 * repeat));
      }
    }
    if (profileName != null && !found) {
      failures.add(Profiles.none(sweep));
    }
    return failures;
  }

  /// Keeps it; if that fails, what was found is told all the same.
  private boolean keep(Sweep sweep) {
    try {
      context.sweeps().keep(sweep);
      return true;
    } catch (IOException | Fault.External e) {
      context.console().err().println("millrace: this sweep can't be kept: " + FileTrouble.of(e));
      return false;
    }
  }

  private void warn(Fault fault) {
    context.console().err().println("millrace: " + fault.getMessage());
  }

  private static boolean attempt(Runnable work, Consumer<Fault> failed) {
    try {
      work.run();
      return true;
    } catch (Fault.External e) {
      failed.accept(e);
      return false;
    }
  }

  /// Half a page is none, and would stand in the way of the next.
  private static void write(Path page, Sweep sweep) {
    try {
      Files.createFile(page);
      try {
        Files.writeString(page, SweepPage.of(sweep));
      } catch (IOException e) {
        Files.delete(page);
        throw e;
      }
    } catch (IOException e) {
      throw new Fault.External("Can't write the page " + FileTrouble.of(page, e) + ".", "", e);
    }
  }
}
