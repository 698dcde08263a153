package millrace.report.bottleneck;

import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import millrace.engine.meter.CounterTrouble;
import millrace.engine.meter.PhaseLog;
import millrace.report.ReportText;
import millrace.report.host.HostFigures;
import millrace.spi.Stage;

/// Names the slowest part of a run and what would help, from the stage meters and what the machine
/// did meanwhile; says so if the figures do not allow it.
///
/// It is a list of causes, each of which looks whether the figures speak for it: the first that
/// they do speak for is named. Locks come first, since nothing else mends them. Then what all
/// threads share, the disks and the processors: the meters measure time by the clock, so that if no
/// processor was idle no stage is to blame. Then what the lanes have in common, and last the stage
/// that took most of the slow half's time. The thresholds are judgements, kept beside the cause
/// that they belong to.
public final class Bottleneck {

  /// In less time than this, start-up weighs more than anything that a user could change.
  private static final double SHORT_S = 1;

  /// A step that waited is worth a word if it took this share of the run.
  private static final double STEP_SHARE_MIN = 0.1;

  /// Others that take this much of the machine are worth a word.
  private static final double OTHERS_PERCENT_MIN = 15;

  /// Setting bad records aside is worth a word if it takes this much of the slow half's time.
  private static final double REJECTS_PERCENT_MIN = 10;

  private final Evidence evidence;
  private final LaneSide slow;
  private final ProcessorLimit processors;

  /// Other processes that were at work for less of their time were not held up by an end.
  private static final double ELSEWHERE_MIN = 0.7;

  private final MoreLanes moreLanes;
  private final DiskLimit disks;
  private final ReaderWriterBalance halves;
  private final Server server;
  private final StoreLimits store;

  private Bottleneck(Evidence evidence) {
    this.evidence = evidence;
    slow = LaneSide.slow(evidence);
    processors = new ProcessorLimit(evidence, slow);
    moreLanes = new MoreLanes(evidence, processors);
    disks = new DiskLimit(evidence, slow);
    halves = new ReaderWriterBalance(evidence, slow, moreLanes);
    server = new Server(evidence, slow, moreLanes);
    store = new StoreLimits(evidence, slow, moreLanes);
  }

  /// The sentence, and one or two more about what would help.
  public static String sentence(Evidence evidence) {
    if (evidence.rows() > 0) {
      return new Bottleneck(evidence).sentence();
    }
    boolean wasRead =
        !evidence.stages().isEmpty()
            && evidence.steps().stream().anyMatch(step -> step.bytes() > 0);
    return wasRead
        ? "Of what was read, no row was left to write. " + new Bottleneck(evidence).sentence()
        : "No rows moved, so nothing was slow.";
  }

  private String sentence() {
    String step = longestStep();
    if (evidence.copyNanos() < SHORT_S * 1e9) {
      return step
          + String.format(
              Locale.ROOT,
              "No bottleneck%s can be named: rows moved for %.2f s, too short to tell. %s.",
              step.isEmpty() ? "" : " of the rows",
              evidence.copyNanos() / 1e9,
              capital(slow.words()));
    }
    if (evidence.lanes().elsewhere() >= 0) {
      return step + elsewhere();
    }
    String cause = cause();
    return step
        + Stream.of(
                Optional.of(cause),
                server.alsoCommits(cause),
                server.alsoParts(cause),
                server.work(),
                rowCosts(),
                troubles(cause),
                alsoRejects(),
                waitingSteps(),
                halves.alone(),
                others())
            .flatMap(Optional::stream)
            .collect(Collectors.joining(" "));
  }

  /// What took longer than all else, if that was not the copying of rows.
  private String longestStep() {
    long all = evidence.steps().stream().mapToLong(PhaseLog.Phase::nanos).sum();
    return evidence.steps().stream()
        .filter(step -> step.rows() == 0 && step.bytes() == 0)
        .filter(step -> step.nanos() > all / 2 && step.nanos() > SHORT_S * 1e9)
        .findFirst()
        .map(step ->
            String.format(
                Locale.ROOT,
                "The step \"%s\" is the bottleneck: it took %s of %s%s. What makes rows faster"
                    + " helps only with the rest. While rows moved: ",
                step.name(),
                ReportText.duration(step.nanos()),
                ReportText.duration(all),
                evidence.stepWaits().containsKey(step.name())
                    ? ", and this was seen: " + evidence.stepWaits().get(step.name())
                    : ""))
        .orElse("");
  }

  /// What other steps waited for, such as others' locks.
  private Optional<String> waitingSteps() {
    long all = evidence.steps().stream().mapToLong(PhaseLog.Phase::nanos).sum();
    String words =
        evidence.steps().stream()
            .filter(step -> step.nanos() <= all / 2 && step.nanos() > SHORT_S * 1e9)
            .filter(step -> step.nanos() >= all * STEP_SHARE_MIN)
            .filter(step -> evidence.stepWaits().containsKey(step.name()))
            .map(step ->
                String.format(
                    Locale.ROOT,
                    "The step \"%s\" took %s of %s, and this was seen: %s.",
                    step.name(),
                    ReportText.duration(step.nanos()),
                    ReportText.duration(all),
                    evidence.stepWaits().get(step.name())))
            .collect(Collectors.joining(" "));
    return words.isEmpty() ? Optional.empty() : Optional.of(words);
  }

  /// Of other processes the machine's own figures tell nothing.
  private String elsewhere() {
    double atWork = evidence.lanes().elsewhere();
    if (atWork < ELSEWHERE_MIN) {
      return String.format(
          Locale.ROOT,
          "The cluster is the bottleneck: its %d cores were at work for %.0f %% of the time. Each"
              + " split has a start and an end there, and who has none left waits for the others."
              + " Fewer cores would do, or more rows.",
          evidence.lanes().count(),
          100 * atWork);
    }
    return Stream.<Supplier<Optional<String>>>of(
                server::stopped, server::locks, this::rejects, server::internalWaits)
            .map(Supplier::get)
            .flatMap(Optional::stream)
            .findFirst()
            .orElseGet(() -> "The %s is the bottleneck: %s.".formatted(slow.role(), slow.words()))
        + " All of the cluster's cores meet one server there: more of them help only if it has"
        + " room.";
  }

  private String cause() {
    return Stream.<Supplier<Optional<String>>>of(
            server::stopped,
            server::locks,
            disks::full,
            this::filter,
            this::rejects,
            store::requests,
            store::connection,
            server::internalWaits,
            this::fewLanes,
            this::slowReader,
            this::processors,
            disks::heldBack,
            this::uneven,
            halves::oneOutput,
            halves::each,
            this::work,
            server::cause)
        .map(Supplier::get)
        .flatMap(Optional::stream)
        .findFirst()
        .orElseGet(this::end);
  }

  private Optional<String> slowReader() {
    return halves.waitForReader() ? halves.oneOutput() : Optional.empty();
  }

  /// The processors, and what the server, or the lanes, wait for beside them.
  private Optional<String> processors() {
    return processors
        .cause()
        .map(cause ->
            Stream.of(Optional.of(cause), server.alsoWaits(), disks.alsoHeldBack())
                .flatMap(Optional::stream)
                .collect(Collectors.joining(" ")));
  }

  private Optional<String> filter() {
    return slow.worst() == Stage.FILTER
        ? Optional.of("The filter is the bottleneck: " + slow.words() + ". " + moreLanes.sentence())
        : Optional.empty();
  }

  /// Bad records that take more of the time than anything else. Lanes set them aside one after the
  /// other, so that neither more of them nor more processors would help.
  private Optional<String> rejects() {
    return slow.worst() == Stage.REJECT
        ? Optional.of(
            "The bad records are the bottleneck: "
                + slow.words()
                + "; "
                + rejected()
                + ". Fewer of them would help: mend the source. More lanes will not: records are"
                + " set aside one after the other.")
        : Optional.empty();
  }

  /// Bad records that take much of the time beside what is named.
  private Optional<String> alsoRejects() {
    double share = slow.share(Stage.REJECT);
    return slow.worst() == Stage.REJECT || share < REJECTS_PERCENT_MIN
        ? Optional.empty()
        : Optional.of(
            String.format(
                Locale.ROOT,
                "Setting bad records aside took %.0f %% of the lanes' %ss' time: %s.",
                share,
                slow.name(),
                rejected()));
  }

  /// How many, and what each took.
  private String rejected() {
    double all = (double) evidence.rows() + evidence.rejects();
    double eachUs = slow.nanos(Stage.REJECT) / 1e3 / Math.max(1, evidence.rejects());
    return String.format(
        Locale.ROOT,
        "%,d of %,.0f (%.0f %%) were set aside, %.1f µs each",
        evidence.rejects(),
        all,
        100 * evidence.rejects() / all,
        eachUs);
  }

  /// What the lanes' threads do themselves, with idle processors beside them.
  private Optional<String> work() {
    if (!slow.works()) {
      return Optional.empty();
    }
    Stage worst = slow.worst();
    String name =
        switch (worst) {
          case READ -> "Reading";
          case DECOMPRESS -> "Decompressing";
          case PARSE -> "Parsing";
          case CONVERT -> "Conversion";
          case ENCODE -> "Encoding";
          case COMPRESS -> "Compressing";
          case SEND -> "Sending";
          case FILTER, REJECT, SERVER_WAIT, COMMIT, TURN, QUEUE_WAIT -> "Waiting";
        };
    return Optional.of(
        name
            + " here is the bottleneck: "
            + slow.words()
            + ". "
            + (moreLanes.against().isPresent() ? processors.nearlyAll() : "")
            + moreLanes.sentence());
  }

  /// What makes each row dear for the target, if that is what took the time.
  private Optional<String> rowCosts() {
    String rowCosts =
        evidence.ends().rowCosts().stream()
            .filter(rowCost -> isFelt(rowCost.stage()))
            .map(rowCost -> rowCost.what() + ": " + rowCost.help())
            .collect(Collectors.joining(" "));
    return rowCosts.isEmpty() ? Optional.empty() : Optional.of(rowCosts);
  }

  private boolean isFelt(Stage stage) {
    if (slow.readers()) {
      return false;
    }
    return stage == Stage.SERVER_WAIT
        ? !slow.works() && server.isMostlyBusyItself()
        : stage == slow.worst();
  }

  /// What the slow end's server counted that it should not have to, unless it was told.
  private Optional<String> troubles(String cause) {
    double seconds = evidence.copyNanos() / 1e9;
    String words =
        slow.works() || StoreLimits.isAbout(cause)
            ? ""
            : evidence.ends().troubles().stream()
                .filter(each -> each.end().equals(slow.role()) && each.isWorthAWord(seconds))
                .map(CounterTrouble::sentence)
                .collect(Collectors.joining(" "));
    return words.isEmpty() ? Optional.empty() : Optional.of(words);
  }

  /// That some lanes had nothing left to read. That matters most if their number, and not that of
  /// the processors, was what the run made no use of; but not if the network takes the time anyway.
  private Optional<String> fewLanes() {
    boolean isForOthers = processors.takenByOthers() && halves.fewerThanProcessors();
    return isForOthers ? uneven() : Optional.empty();
  }

  private Optional<String> uneven() {
    return server.isMostlyNetwork() ? Optional.empty() : halves.uneven();
  }

  /// An end without a server, or one that nothing is known of.
  private String end() {
    String role = slow.role();
    String words = "The " + role + " is the bottleneck: " + slow.words() + ". ";
    if (slow.isEmbedded()) {
      return words + "It works in this process. " + moreLanes.sentence();
    }
    if (disks.hasDisk(role)) {
      return words
          + "Its disk is not at its limit"
          + (moreLanes.mayHelp() ? ", so that more requests at once may help. " : ". ")
          + moreLanes.sentence();
    }
    return words
        + moreLanes
            .against()
            .orElse("More lanes help only if the " + role + " can serve them side by side.");
  }

  private Optional<String> others() {
    HostFigures host = evidence.host();
    // A filter's program is one of them.
    if (host == null || host.cpu().millraceS() < 0 || slow.worst() == Stage.FILTER) {
      return Optional.empty();
    }
    HostFigures.Cpu cpu = host.cpu();
    double all = host.elapsedS() * host.hardware().processors();
    double percent = all <= 0 ? 0 : 100 * (cpu.restS() + cpu.stolenS()) / all;
    if (percent < OTHERS_PERCENT_MIN) {
      return Optional.empty();
    }
    return Optional.of(
        String.format(Locale.ROOT, "Others took %.0f %% of the machine meanwhile", percent)
            + outcome());
  }

  /// What it cost the run that others were there, as far as the figures show it.
  private String outcome() {
    if (processors.heldUpNobody()) {
      return String.format(
          Locale.ROOT,
          ", but the lanes' %ss waited for a processor for only %.0f %% of their time.",
          slow.name(),
          slow.waitedPercent());
    }
    boolean isShown = processors.isHeldUp() || processors.cause().isPresent();
    boolean isElse =
        server.waitsForItself()
            || server.stopped().isPresent()
            || halves.waitForReader()
            || disks.alsoHeldBack().isPresent();
    return isShown && !isElse
        ? ": the same run alone would be faster."
        : "; what that cost this run is not known.";
  }

  static String capital(String text) {
    return Character.toUpperCase(text.charAt(0)) + text.substring(1);
  }
}
