package millrace.cli;

import java.io.PrintStream;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import millrace.fault.Fault;
import millrace.report.DisplayWidth;
import millrace.report.Report;
import millrace.report.ReportText;
import millrace.report.RunStore;
import millrace.report.TextTable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `millrace runs [ID]`.
@Command(
    name = "runs",
    description = "Lists earlier runs, or shows one.",
    footer = {
      "%nExamples:",
      "  millrace runs                 the last 20, the newest last",
      "  millrace runs last            the newest, as it was reported",
      "  millrace runs 20260314-0926   the one whose name begins so",
      "  millrace runs last --json     all that was measured"
    })
final class RunsCommand implements Callable<Integer> {

  private static final int END_CELLS = 40;
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT)
          .withZone(ZoneId.systemDefault());

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "ID",
      description = "A run's name, the beginning of it, or `last`.")
  private @Nullable String id;

  @Option(names = "--last", paramLabel = "N", description = "List that many; 20 if not given.")
  private int most = 20;

  @Option(names = "--json", description = "Print as lines of JSON.")
  private boolean json;

  private final Context context;

  RunsCommand(Context context) {
    this.context = context;
  }

  @Override
  public Integer call() {
    if (most < 1) {
      throw new Fault.User("--last " + most + " lists nothing.", "Say how many runs, from 1.");
    }
    if (id == null) {
      list();
    } else {
      show(context.runs().find(id));
    }
    return ExitCode.OK.number();
  }

  private void show(Report report) {
    PrintStream out = context.console().out();
    if (json) {
      out.println(RunStore.json(report));
      return;
    }
    out.println(report.id() + ", " + TIME.format(report.startedAt()));
    if (!report.outcome().equals("ok")) {
      out.println(PreviewTarget.visible(report.outcome()));
    }
    ReportText.lines(report).forEach(out::println);
  }

  private void list() {
    PrintStream out = context.console().out();
    TextTable table =
        new TextTable(
            List.of("run", "began", "verb", "from", "to", ">rows", ">time", ">rows/s", "outcome"));
    for (RunStore.Kept kept : context.runs().last(most)) {
      Report report = kept.report();
      if (report != null && json) {
        out.println(RunStore.json(report));
      } else if (report != null) {
        table.row(row(report));
      } else {
        context.console().err().println("millrace: the run " + kept.id() + " can't be read.");
      }
    }
    if (!json) {
      table.lines().forEach(out::println);
    }
  }

  private static List<String> row(Report report) {
    double seconds = Math.max(1, report.elapsedNanos()) / 1e9;
    return List.of(
        report.id(),
        TIME.format(report.startedAt()),
        report.verb(),
        DisplayWidth.cut(report.from(), END_CELLS),
        DisplayWidth.cut(report.to(), END_CELLS),
        String.format(Locale.ROOT, "%,d", report.rows()),
        ReportText.duration(report.elapsedNanos()),
        String.format(Locale.ROOT, "%,.0f", report.rows() / seconds),
        DisplayWidth.cut(PreviewTarget.visible(report.outcome()), END_CELLS));
  }
}
