package millrace.cli.command;

import java.io.PrintStream;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import millrace.cli.Context;
import millrace.cli.ExitCode;
import millrace.cli.option.OutputOptions;
import millrace.cli.show.PreviewTarget;
import millrace.copy.Copy;
import millrace.copy.CopyJournal;
import millrace.copy.EndOpener;
import millrace.endpoint.Endpoints;
import millrace.engine.retry.RetryPolicy;
import millrace.report.ReportJson;
import millrace.report.TextTable;
import millrace.spi.Endpoint;
import millrace.spi.journal.JournaledRun;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `millrace journal TARGET`.
@Command(
    name = "journal",
    description = {
      "Lists copies into a target that were cut off or, with --resume, are complete.",
      "A copy that was cut off is resumed with --resume. One that is complete left a mark, and"
          + " --resume does not repeat it.",
      "A copy with --resume removes marks that are older than 30 days by itself."
    },
    footer = {
      "%nExamples:",
      "  millrace journal prod:orders              what is known of copies into that table",
      "  millrace journal prod:orders --prune      forget the complete ones"
    })
public final class JournalCommand implements Callable<Integer> {

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT)
          .withZone(ZoneId.systemDefault());

  @Parameters(index = "0", paramLabel = "TARGET", description = "The table or file, as for copy.")
  private String target;

  @Option(
      names = "--prune",
      description =
          "Remove the marks of complete copies; copies that were cut off stay. The same copy with"
              + " --resume would then bring its rows again.")
  private boolean prune;

  @Option(names = "--json", description = "Print as lines of JSON.")
  private boolean json;

  private final Context context;

  public JournalCommand(Context context) {
    this.context = context;
  }

  /// A copy as it is told to programs; times in UTC.
  private record Line(
      String run, String began, String state, String completeSince, long rows, String from) {}

  @Override
  public Integer call() {
    Endpoint end = context.endpoints().parse(target);
    PrintStream out = context.console().out();
    EndOpener endOpener = context.endOpener(RetryPolicy.NONE, new OutputOptions());
    try (CopyJournal journal = Copy.journal(endOpener, end)) {
      if (prune) {
        int pruned = journal.prune();
        out.println(
            json
                ? ReportJson.event("pruned", pruned)
                : "Removed: " + pruned + (pruned == 1 ? " mark." : " marks."));
      } else {
        list(journal.list().stream().map(JournalCommand::line).toList(), out);
      }
    }
    return ExitCode.OK.number();
  }

  private static Line line(JournaledRun journaledRun) {
    JournaledRun.Completion completion = journaledRun.completion();
    List<String> origins = journaledRun.run().origins();
    return new Line(
        journaledRun.run().id(),
        journaledRun.run().startedAt(),
        completion == null ? "not complete" : "complete",
        completion == null ? "" : completion.at(),
        journaledRun.rows(),
        origins.isEmpty() ? "" : Endpoints.redact(origins.getFirst()));
  }

  private void list(List<Line> lines, PrintStream out) {
    if (json) {
      lines.forEach(line -> out.println(ReportJson.event("copy", line)));
      return;
    }
    if (lines.isEmpty()) {
      out.println("No copy is known.");
      return;
    }
    TextTable table = new TextTable(List.of("began", "state", ">rows", "from"));
    for (Line line : lines) {
      table.row(
          List.of(
              local(line.began),
              line.completeSince.isEmpty()
                  ? line.state
                  : line.state + " since " + local(line.completeSince),
              line.rows == 0 ? "" : String.format(Locale.ROOT, "%,d", line.rows),
              PreviewTarget.visible(line.from)));
    }
    table.lines().forEach(out::println);
  }

  private static String local(String utc) {
    return TIME.format(Instant.parse(utc));
  }
}
