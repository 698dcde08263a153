package millrace.cli.command;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import millrace.cli.Context;
import millrace.cli.ExitCode;
import millrace.cli.show.PreviewTarget;
import millrace.cli.show.RunsText;
import millrace.fault.Fault;
import millrace.report.Report;
import millrace.report.ReportText;
import millrace.report.RunStore;
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
public final class RunsCommand implements Callable<Integer> {

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

  public RunsCommand(Context context) {
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
    out.println(report.header().id() + ", " + RunsText.TIME.format(report.header().startedAt()));
    if (!report.header().outcome().equals("ok")) {
      out.println(PreviewTarget.visible(report.header().outcome()));
    }
    ReportText.lines(report).forEach(out::println);
  }

  private void list() {
    PrintStream out = context.console().out();
    List<Report> reports = new ArrayList<>();
    for (RunStore.StoredRun storedRun : context.runs().last(most)) {
      Report report = storedRun.report();
      if (report == null) {
        context.console().err().println("millrace: the run " + storedRun.id() + " can't be read.");
      } else if (json) {
        out.println(RunStore.json(report));
      } else {
        reports.add(report);
      }
    }
    if (!json) {
      int width = context.console().outIsTerminal() ? context.console().columns() : 0;
      RunsText.lines(reports, width).forEach(out::println);
    }
  }
}
