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
import millrace.io.store.LeftUpload;
import millrace.report.ReportJson;
import millrace.report.ReportText;
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
      "A copy with --resume removes marks that are older than 30 days by itself.",
      "Of files in a store, what was uploaded and is not complete is listed too: the store is paid"
          + " for keeping it."
    },
    footer = {
      "%nExamples:",
      "  millrace journal prod:orders              what is known of copies into that table",
      "  millrace journal prod:orders --prune      forget the complete ones",
      "  millrace journal s3://lake/orders.csv --remove-uploads"
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

  @Option(
      names = "--remove-uploads",
      description =
          "Remove what was uploaded to a store and is not complete. Copies that were cut off can't"
              + " be resumed then, and one that is under way fails.")
  private boolean removesUploads;

  @Option(names = "--json", description = "Print as lines of JSON.")
  private boolean json;

  private final Context context;

  public JournalCommand(Context context) {
    this.context = context;
  }

  /// A copy as it is told to programs; times in UTC.
  private record Line(
      String run, String began, String state, String completeSince, long rows, String from) {}

  /// What a store has of a file, as it is told to programs.
  private record Uploaded(String file, long bytes) {}

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
      }
      if (removesUploads) {
        removeUploads(journal, out);
      }
      if (!prune && !removesUploads) {
        list(journal.list().stream().map(JournalCommand::line).toList(), out);
        listUploads(journal.uploads(), out);
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

  private void removeUploads(CopyJournal journal, PrintStream out) {
    List<LeftUpload> before = journal.uploads();
    journal.removeUploads(before);
    List<LeftUpload> left = journal.uploads();
    int removed = before.size() - left.size();
    if (json) {
      out.println(ReportJson.event("removed", removed));
      return;
    }
    out.println(
        "Removed: "
            + removed
            + (removed == 1 ? " upload, " : " uploads, ")
            + ReportText.size(bytes(before) - bytes(left))
            + ".");
    if (!left.isEmpty()) {
      out.println(
          "Left: "
              + left.size()
              + ", "
              + ReportText.size(bytes(left))
              + ". The store has no request that removes these; it drops them by itself.");
    }
  }

  private static long bytes(List<LeftUpload> uploads) {
    return uploads.stream().mapToLong(LeftUpload::bytes).sum();
  }

  private void listUploads(List<LeftUpload> uploads, PrintStream out) {
    if (json) {
      uploads.forEach(
          each -> out.println(ReportJson.event("upload", new Uploaded(each.file(), each.bytes()))));
      return;
    }
    if (!uploads.isEmpty()) {
      TextTable table = new TextTable(List.of("uploaded, not complete", ">size"));
      uploads.forEach(each -> table.row(List.of(each.file(), ReportText.size(each.bytes()))));
      out.println();
      table.lines().forEach(out::println);
    }
  }

  private static String local(String utc) {
    return TIME.format(Instant.parse(utc));
  }
}
