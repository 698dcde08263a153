package millrace.cli.command;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import millrace.cli.Context;
import millrace.cli.ExitCode;
import millrace.cli.option.OutputOptions;
import millrace.cli.show.DifferencesText;
import millrace.copy.CopyResult;
import millrace.copy.CopySpec;
import millrace.engine.retry.RetryPolicy;
import millrace.fault.Fault;
import millrace.fault.FileTrouble;
import millrace.io.Folders;
import millrace.plan.Job;
import millrace.report.Report;
import millrace.report.ReportBrief;
import millrace.report.ReportText;
import millrace.report.TextTable;
import millrace.spi.Endpoint;
import millrace.spi.read.Selection;
import millrace.spi.write.WriteOptions;
import millrace.verify.Differences;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `millrace demo`: every verb on made rows, without a server and without a question.
@Command(
    name = "demo",
    description = {
      "Shows all of it in a minute, on generated rows.",
      "Makes rows, writes them as CSV, loads the CSV into an embedded database, unloads that to"
          + " CSV, verifies all three against each other, and says how fast each step was."
    },
    footer = {
      "%nExamples:",
      "  millrace demo",
      "  millrace demo --rows 100000",
      "  millrace demo --keep /tmp/demo      leaves the files there, to try the commands on"
    })
public final class DemoCommand implements Callable<Integer> {

  private static final double MB = 1024 * 1024;

  /// Room that a row takes in the two CSV files and the database, generously.
  private static final long BYTES_PER_ROW = 500;

  @Option(names = "--rows", paramLabel = "N", description = "How many rows; 2000000 if not given.")
  private long rows = 2_000_000;

  @Option(
      names = "--keep",
      paramLabel = "DIR",
      description = "Work in this folder, which is made, and leave the files there.")
  private @Nullable Path keep;

  private final Context context;
  private final List<Scene> steps = new ArrayList<>();

  /// One step that was done.
  private record Scene(String name, Report report) {}

  public DemoCommand(Context context) {
    this.context = context;
  }

  @Override
  public Integer call() {
    if (rows < 1) {
      throw new Fault.User("--rows " + rows + " is below 1.", "Write how many rows you want.");
    }
    context.stop().endItself();
    Path folder = folder();
    try {
      checkRoom(folder);
      return run(folder).number();
    } finally {
      if (keep == null) {
        remove(folder);
      }
    }
  }

  private Path folder() {
    try {
      if (keep == null) {
        return Files.createTempDirectory("millrace-demo");
      }
      return Files.createDirectory(keep.toAbsolutePath());
    } catch (IOException e) {
      throw new Fault.User(
          "Can't make the folder "
              + (keep == null ? "for the demo" : keep)
              + ": "
              + FileTrouble.reason(e),
          "Name a folder that does not exist yet with --keep.",
          e);
    }
  }

  private void checkRoom(Path folder) {
    try {
      long free = Files.getFileStore(folder).getUsableSpace();
      if (free / BYTES_PER_ROW < rows) {
        throw new Fault.External(
            folder
                + " has room for "
                + ReportText.size(free)
                + ", and the demo may need "
                + ReportText.size(rows * BYTES_PER_ROW)
                + ".",
            "Ask for fewer with --rows, or name another folder with --keep.",
            null);
      }
    } catch (IOException e) {
      throw new Fault.External("Can't write to " + folder + ": " + e.getMessage(), "", e);
    }
  }

  private ExitCode run(Path folder) {
    say("All of Millrace on " + String.format(Locale.ROOT, "%,d", rows) + " made rows.");
    say("$ cd " + folder);
    String made = "generate:unload?rows=" + rows;
    String csv = "unload.csv";
    String table = "duckdb:unload.duckdb?table=unload";
    String back = "back.csv";
    copy(folder, "make and write CSV", made, csv);
    copy(folder, "load into DuckDB", csv, table);
    copy(folder, "unload to CSV", table, back);
    boolean same =
        verify(folder, csv, table) && verify(folder, table, back) && verify(folder, csv, back);
    summary();
    say("");
    say("Where the time of a step went: millrace runs " + steps.getFirst().report.header().id());
    if (keep == null) {
      say("The files are removed; --keep DIR leaves them.");
    } else {
      say("The files stay in " + folder + ".");
    }
    return same ? ExitCode.OK : ExitCode.DIFFERENT;
  }

  private void copy(Path folder, String name, String from, String to) {
    announce(name, "copy " + quoted(from) + " " + quoted(to));
    Job job =
        new Job(
            end(folder, from),
            end(folder, to),
            Selection.ALL,
            WriteOptions.DEFAULT,
            Job.Tuning.AUTOMATIC,
            Job.RejectPolicy.NONE);
    CopyResult ending =
        new Execution(context, CopySpec.of(job, RetryPolicy.NONE), new OutputOptions()).run();
    if (ending.fault() != null) {
      throw ending.fault();
    }
    Report report = ending.report();
    steps.add(new Scene(name, report));
    ReportBrief.lines(report, 0, "").forEach(line -> say("  " + line));
  }

  private boolean verify(Path folder, String from, String to) {
    String name = "verify";
    announce(name, "verify " + quoted(from) + " " + quoted(to));
    Comparison comparison =
        new Comparison(
            context,
            new OutputOptions(),
            new Comparison.Opening(RetryPolicy.NONE, null),
            side(end(folder, from)),
            side(end(folder, to)),
            List.of());
    Differences found = comparison.run();
    steps.add(new Scene(name, comparison.report()));
    DifferencesText.lines(found, from, to).forEach(line -> say("  " + line));
    return found.same();
  }

  private static Job side(Endpoint end) {
    return new Job(
        end, end, Selection.ALL, WriteOptions.DEFAULT, Job.Tuning.AUTOMATIC, Job.RejectPolicy.NONE);
  }

  /// The end as a user in that folder means it.
  private Endpoint end(Path folder, String text) {
    Endpoint end = context.endpoints().parse(text);
    return end.scheme().equals("generate")
        ? end
        : new Endpoint(
            end.scheme(),
            folder.resolve(end.location()).toString(),
            end.parameters(),
            end.secret());
  }

  private void announce(String name, String command) {
    say("");
    say((steps.size() + 1) + ". " + name);
    say("$ millrace " + command);
  }

  private static String quoted(String end) {
    return end.indexOf('?') < 0 ? end : "'" + end + "'";
  }

  private void summary() {
    TextTable table =
        new TextTable(
            List.of("step", ">duration", ">rows", ">transfer", ">rows/s", ">MB/s", "run"));
    long nanos = 0;
    for (Scene scene : steps) {
      Report.Totals totals = scene.report.totals();
      nanos += totals.elapsedNanos();
      double seconds = Math.max(1, totals.elapsedNanos()) / 1e9;
      long bytes = totals.bytes();
      table.row(
          List.of(
              scene.name,
              ReportText.duration(totals.elapsedNanos()),
              String.format(Locale.ROOT, "%,d", totals.rows()),
              bytes == 0 ? "" : ReportText.size(bytes),
              String.format(Locale.ROOT, "%,.0f", totals.rows() / seconds),
              bytes == 0 ? "" : String.format(Locale.ROOT, "%,.1f", bytes / MB / seconds),
              scene.report.header().id()));
    }
    table.row(List.of("total", ReportText.duration(nanos), "", "", "", "", ""));
    say("");
    table.lines().forEach(this::say);
  }

  private void say(String line) {
    PrintStream out = context.console().out();
    out.println(line);
  }

  /// Removes the files; if that fails, what came before matters more.
  private void remove(Path folder) {
    try {
      Folders.delete(folder);
    } catch (IOException e) {
      context
          .console()
          .err()
          .println("millrace: can't remove the demo's files in " + folder + ": " + e.getMessage());
    }
  }
}
