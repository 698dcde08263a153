package millrace.cli.command;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import millrace.cli.Context;
import millrace.cli.ExitCode;
import millrace.cli.option.OutputOptions;
import millrace.connectors.Connectors;
import millrace.fault.Fault;
import millrace.fault.FileTrouble;
import millrace.online.job.OnlineJob;
import millrace.online.report.OnlinePage;
import millrace.online.report.ProcessorUse;
import millrace.online.run.FindMax;
import millrace.online.run.OnlineStores;
import millrace.online.search.SearchConfig;
import millrace.online.search.SearchJson;
import millrace.online.search.SearchResult;
import millrace.online.search.SearchText;
import millrace.online.search.Verdict;
import millrace.spi.Endpoint;
import org.jspecify.annotations.Nullable;

/// `millrace online JOB.yaml --find-max`: searches for the highest rate that passes.
final class OnlineSearch {

  private final Context context;
  private final OutputOptions output;
  private final @Nullable Path html;
  private final OnlineProgress progress;
  private boolean anyPassed;

  /// Of the highest rate that passed, and which that was.
  private Optional<ProcessorUse> use = Optional.empty();

  private long passedRate;

  /// @param html where the page of the last trial that passed goes; null if nobody wants it
  OnlineSearch(Context context, OutputOptions output, @Nullable Path html) {
    this.context = context;
    this.output = output;
    this.html = html;
    progress = new OnlineProgress(context, output);
  }

  /// Searches, and tells of each trial and of the end.
  ///
  /// @param trial how long each run of the search is
  /// @param confirm how long the last is
  /// @param log gets histograms of each second; null if nobody wants them
  /// @return the exit code
  int run(OnlineJob job, Duration trial, Duration confirm, @Nullable PrintStream log) {
    Endpoint endpoint = context.endpoints().parse(job.target());
    FindMax search =
        new FindMax(
            job,
            each -> OnlineStores.open(Connectors.ALL.all(), endpoint, each),
            progress.listener(log),
            this::report);
    context.stop().watch(_ -> search.stop());
    progress.step(
        "Measuring what the clients alone offer: they make rows for the target, and send none ...");
    FindMax.Offered offered = search.offered();
    progress.says(SearchText.offered(offered.rows(), offered.isOffered(), offered.crowd()));
    progress.emit(
        "offered", SearchJson.offered(offered.rows(), offered.isOffered(), offered.crowd()));
    long most = offered.rows();
    long initial = Math.min(job.load().rows(), most);
    SearchConfig usual =
        SearchConfig.of(
            new SearchConfig.Rates(initial, Math.max(job.load().clients(), initial / 64), most));
    SearchResult result =
        search.search(
            new SearchConfig(
                usual.rates(),
                usual.width(),
                trial,
                confirm,
                job.pass().badShare(),
                usual.trialsPerRate(),
                usual.trialsMax(),
                usual.probe()));
    PrintStream out = context.console().out();
    if (output.json) {
      out.println(SearchJson.of(result, search.pastRowsOfDevice(), use).put("event", "search"));
    } else if (!output.quiet) {
      out.println(SearchText.sentence(result, use));
      SearchText.past(search.pastRowsOfDevice()).ifPresent(out::println);
    }
    return result.finding() == SearchResult.Finding.FOUND
            || result.finding() == SearchResult.Finding.AT_LIMIT
        ? ExitCode.OK.number()
        : ExitCode.DIFFERENT.number();
  }

  private void report(FindMax.Progress ended) {
    List<String> cautions = ended.report().outcome().cautions();
    ObjectNode trial = SearchJson.of(ended.measured());
    cautions.forEach(trial.putArray("cautions")::add);
    progress.emit("trial", trial);
    progress.says(
        SearchText.line(ended.measured())
            + (cautions.isEmpty() ? "" : ", but " + String.join("; ", cautions)));
    // The page stays that of the last run that passed, so long as there is one.
    boolean passed = ended.measured().verdict().outcome() == Verdict.Outcome.PASSED;
    if (html != null && (passed || !anyPassed)) {
      try {
        Files.writeString(html, OnlinePage.of(ended.report()));
      } catch (IOException e) {
        throw new Fault.External("Can't write " + html + ": " + FileTrouble.reason(e), "", e);
      }
    }
    anyPassed |= passed;
    long rate = ended.measured().trial().rate();
    if (passed && rate >= passedRate) {
      passedRate = rate;
      use = ended.use();
    }
  }
}
