package millrace.report.bottleneck;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import millrace.engine.meter.ServerWaits;
import millrace.engine.meter.ServerWaits.Wait;
import millrace.report.host.HostFigures;
import millrace.spi.Stage;
import org.jspecify.annotations.Nullable;

/// The server of the slow end, by what its processes did and what they say that they wait for.
final class Server {

  /// A process that is this busy has no time left.
  static final double BUSY_PERCENT_MIN = 85;

  /// A process that is less busy than this mostly waits for something else.
  private static final double BUSY_PERCENT_LOW = 60;

  /// With more idle time than this, hardly a thread has to wait for a processor.
  private static final double IDLE_PERCENT_FREE = 30;

  /// Locks that take this much of its time are named before all else: nothing else mends them.
  private static final double LOCKS_PERCENT_MIN = 15;

  /// If the time until answers began is this much of the lanes' time, each answer is what is waited
  /// for, and not the bytes.
  private static final double ANSWERS_SHARE_MIN = 0.5;

  private static final double BUSY_ITSELF_PERCENT_MIN = 50;

  private static final double NETWORK_PERCENT_MIN = 50;

  /// An answer that takes no longer than this is no delay, however many there are.
  private static final double DELAY_MS_MIN = 0.05;

  /// Commits that take this much of the lanes' time are what they wait for.
  private static final double COMMIT_PERCENT_MIN = 50;

  /// Commits that take this much of the lanes' time are worth a word.
  private static final double COMMIT_WORD_PERCENT_MIN = 20;

  /// Processes that are stopped for this much of the time are named before all else.
  private static final double STOPPED_PERCENT_MIN = 10;

  private static final double MB = 1024 * 1024;

  private final Evidence evidence;
  private final LaneSide slow;
  private final MoreLanes moreLanes;
  private final CommitCosts commitCosts;
  private final ServerWaits waits;
  private final String role;
  private final HostFigures.@Nullable Server seen;

  Server(Evidence evidence, LaneSide slow, MoreLanes moreLanes) {
    this.evidence = evidence;
    this.slow = slow;
    this.moreLanes = moreLanes;
    commitCosts = new CommitCosts(evidence);
    waits = evidence.ends().waits();
    role = slow.role();
    seen = evidence.server(role);
  }

  /// That somebody has stopped its processes: others may wait for what those have locked.
  Optional<String> stopped() {
    return seen == null || slow.works() || seen.stoppedPercent() < STOPPED_PERCENT_MIN
        ? Optional.empty()
        : Optional.of(
            String.format(
                Locale.ROOT,
                "Stopped processes of the %s's server are the bottleneck: one or more were stopped"
                    + " for %.0f %% of the time, by a signal (SIGSTOP) or a debugger; %s. ps -eo"
                    + " pid,stat,args shows them by a T, and kill -CONT lets them go on. More lanes"
                    + " will not help.",
                role,
                seen.stoppedPercent(),
                slow.words()));
  }

  /// That its processes wait for locks.
  Optional<String> locks() {
    if (!waits.isKnown(role)) {
      return Optional.empty();
    }
    return waits.of(role).stream()
        .filter(wait -> wait.isForLocks() && wait.sharePercent() >= LOCKS_PERCENT_MIN)
        .findFirst()
        .map(wait ->
            String.format(
                Locale.ROOT,
                "Locks in the %s are the bottleneck: %s %s. %s More lanes will not help.",
                role,
                seen == null ? "it was seen" : "its server says that it was",
                waits.line(role),
                waits.help(role, wait)));
  }

  /// That its processes wait for something of their own, such as a log, for longer than they are at
  /// work or want a processor. Then no processor would make them faster, whoever uses those.
  Optional<String> internalWaits() {
    if ((seen == null && !waits.isKnown(role)) || slow.works() || !waitsForItself()) {
      return Optional.empty();
    }
    return Optional.of(
        slow.worst() == Stage.COMMIT
            ? commits()
            : waits(seen == null || seen.cpuS() < 0 ? "" : seen.work() + "; ", ""));
  }

  /// Whether it does so: by what it says, or, if it says nothing, by the time that commits take.
  boolean waitsForItself() {
    if (waits.isKnown(role)) {
      double internal = waits.internalPercent(role);
      return internal > waits.atWorkPercent(role) && internal > waits.clientPercent(role);
    }
    double starved = Math.max(slow.waitedPercent(), seen == null ? -1 : seen.waitingPercentMean());
    return slow.worst() == Stage.COMMIT
        && slow.share(Stage.COMMIT) >= Math.max(COMMIT_PERCENT_MIN, starved);
  }

  /// What it waits for beside the processors, if that takes half as long as its work or more: equal
  /// runs differ by so much.
  Optional<String> alsoWaits() {
    if (slow.works() || !waits.isKnown(role)) {
      return Optional.empty();
    }
    return waits.of(role).stream()
        .filter(wait -> !wait.isForClient())
        .findFirst()
        .filter(wait -> wait.sharePercent() >= waits.atWorkPercent(role) / 2)
        .map(wait ->
            String.format(
                    Locale.ROOT,
                    "The %s's server also waited for %s %.0f %% of the time. %s",
                    role,
                    wait.what(),
                    wait.sharePercent(),
                    waits.help(role, wait))
                .strip());
  }

  /// What its work is, if it is mostly at work and says that.
  Optional<String> work() {
    String help = waits.helpAtWork(role);
    return slow.works() || help.isEmpty() || waits.atWorkPercent(role) < BUSY_ITSELF_PERCENT_MIN
        ? Optional.empty()
        : Optional.of(help);
  }

  /// That the source's parts are small, unless it was told: each takes statements of its own.
  Optional<String> alsoParts(String cause) {
    boolean isReported =
        cause.contains(commitCosts.parts())
            || alsoCommits(cause).filter(also -> also.contains(commitCosts.parts())).isPresent();
    return isReported || slow.readers() || slow.works() || !commitCosts.partsAreSmall()
        ? Optional.empty()
        : Optional.of(
            "The source is "
                + commitCosts.parts()
                + ", each with statements of its own: fewer and larger ones would help.");
  }

  /// That commits take much of the lanes' time beside something else, unless it was told.
  Optional<String> alsoCommits(String cause) {
    double share = slow.share(Stage.COMMIT);
    boolean isReported = cause.contains("Commits took") || cause.startsWith("The target's commits");
    return isReported || share < COMMIT_WORD_PERCENT_MIN
        ? Optional.empty()
        : Optional.of(
            String.format(
                Locale.ROOT,
                "Commits took %.0f %% of the lanes' %ss' time: %s.",
                share,
                slow.name(),
                commitCosts.help()));
  }

  /// Whether its processes were at work for most of their time, or waited for something of their
  /// own that is no lock of others; also if nobody knows.
  boolean isMostlyBusyItself() {
    double busy =
        waits.of(role).stream()
            .filter(wait -> !wait.isForClient() && !wait.isForLocks())
            .mapToDouble(Wait::sharePercent)
            .sum();
    return !waits.isKnown(role) || waits.atWorkPercent(role) + busy >= BUSY_ITSELF_PERCENT_MIN;
  }

  /// Whether it is known that they waited for us or the network for most of their time.
  boolean isMostlyNetwork() {
    return !slow.works() && waits.isKnown(role) && waits.clientPercent(role) >= NETWORK_PERCENT_MIN;
  }

  /// What is known of a server that is the slow end: it is seen, or runs elsewhere. Empty if there
  /// is none.
  Optional<String> cause() {
    return seen == null ? Optional.empty() : Optional.of(cause(seen));
  }

  private String cause(HostFigures.Server server) {
    boolean isElsewhere = server.cpuS() < 0;
    if (isElsewhere && waits.isKnown(role)) {
      return waits("", "More lanes help if its machine has idle processors.");
    }
    if (isElsewhere) {
      return "The "
          + role
          + " is the bottleneck: "
          + slow.words()
          + ". What its server does is not seen from here, so that only a run with more lanes can"
          + " tell whether they would help.";
    }
    return slow.worst() == Stage.COMMIT ? commits() : local(server);
  }

  private String commits() {
    return "The target's commits are the bottleneck: "
        + slow.words()
        + ". "
        + Bottleneck.capital(commitCosts.help())
        + ", or a faster disk under the server's log.";
  }

  private String local(HostFigures.Server server) {
    String evidenceOfIt = server.work() + "; " + slow.words() + ". ";
    boolean wantsAll = server.demandPercent() >= BUSY_PERCENT_MIN;
    if (server.busyPercentMean() >= BUSY_PERCENT_MIN
        || (wantsAll && !ProcessorLimit.isStarved(server))) {
      return "The " + role + "'s server is the bottleneck: " + evidenceOfIt + moreLanes.sentence();
    }
    if (wantsAll) {
      return "The processors are the bottleneck for the "
          + role
          + "'s server: "
          + evidenceOfIt
          + "More lanes will not help: more processors, or fewer threads that compete for them,"
          + " would.";
    }
    if (waits.isKnown(role)) {
      return waits(server.work() + "; ", moreLanes.sentence());
    }
    if (mostlyWaits(server)) {
      return "The "
          + role
          + "'s server is the bottleneck, but not its processor time: "
          + evidenceOfIt
          + alsoCommits("")
              .orElse(
                  "It waits for something that these figures do not show: locks, its log, the"
                      + " network, or Millrace.");
    }
    return "The "
        + role
        + " is the bottleneck: "
        + evidenceOfIt
        + "Why its server is not faster is not clear from these figures.";
  }

  private boolean mostlyWaits(HostFigures.Server server) {
    HostFigures host = evidence.host();
    boolean processorsFree = host != null && host.cpu().idlePercent() >= IDLE_PERCENT_FREE;
    boolean quiet =
        server.waitingPercentMean() >= 0 ? !ProcessorLimit.isStarved(server) : processorsFree;
    return server.demandPercent() >= 0 && server.demandPercent() < BUSY_PERCENT_LOW && quiet;
  }

  /// One whose processes say what they wait for. What takes most of their time is what the advice
  /// is about: to be at work, to wait for us, or to wait for something of its own.
  ///
  /// @param atWork what would help if they were mostly at work
  private String waits(String work, String atWork) {
    List<Wait> longest = waits.of(role);
    String says =
        work
            + slow.words()
            + (seen == null ? ". It was seen " : ". The server says that it was ")
            + waits.words(role)
            + ". ";
    boolean forItself = waitsForItself();
    Wait first =
        longest.stream().filter(wait -> !forItself || !wait.isForClient()).findFirst().orElse(null);
    if (first == null || (!forItself && first.sharePercent() <= waits.atWorkPercent(role))) {
      String advice = moreLanes.against().orElse(atWork);
      return "The " + role + "'s server is the bottleneck: " + says + advice;
    }
    if (first.isForClient()) {
      return "The way between Millrace and the "
          + role
          + "'s server is the bottleneck: "
          + says
          + way();
    }
    String help = waits.help(role, first);
    String lanes = moreLanes.against().orElse("More lanes may help: they wait at the same time.");
    String who = seen == null ? "The " + role : "The " + role + "'s server";
    return who + " is the bottleneck: " + says + (help.isEmpty() ? lanes : help);
  }

  /// Whether each answer is waited for, or the bytes.
  private String way() {
    boolean isLocal = seen != null && seen.cpuS() >= 0;
    OptionalLong trips = evidence.wire(role, "round_trips");
    OptionalLong answers = evidence.wire(role, "answer_us");
    long lanesUs = evidence.lanes().busyNanos() / 1_000;
    if (trips.isEmpty() || answers.isEmpty() || trips.getAsLong() == 0 || lanesUs == 0) {
      boolean isSmall = commitCosts.partsAreSmall();
      String orUnits = isSmall ? "" : ", or larger units";
      return isLocal
          ? (isSmall ? "" : "Larger units may help: there is no network. ") + moreLanes.sentence()
          : "A faster network would help, or one with less delay"
              + orUnits
              + ". "
              + lanesOnNetwork();
    }
    double delayUs = evidence.wire(role, "delay_us").orElse(answers.getAsLong());
    double delay = delayUs / lanesUs;
    double eachMs = delayUs / 1e3 / trips.getAsLong();
    if (delay >= ANSWERS_SHARE_MIN && eachMs >= DELAY_MS_MIN) {
      return String.format(
          Locale.ROOT,
          "It is delay: answers were waited for %,d times, %.1f ms each, for %.0f %% of the lanes'"
              + " time. %s%s. %s",
          trips.getAsLong(),
          eachMs,
          100 * Math.min(1, delay),
          commitCosts.partsAreSmall()
              ? "Each of the source's "
                  + commitCosts.parts()
                  + " needs some, so that fewer and larger ones mean fewer answers"
              : "Larger units mean fewer answers",
          isLocal ? "" : ", and less delay a shorter wait",
          moreLanes.against().orElse("More lanes help: they wait at the same time."));
    }
    double bytes = wireBytes("bytes_sent") + wireBytes("bytes_received");
    return String.format(
        Locale.ROOT,
        "It is not delay: that took %.0f %% of the lanes' time, while %.1f MB/s went over the"
            + " connections. %s%s",
        100 * Math.min(1, delay),
        bytes / MB / (evidence.copyNanos() / 1e9),
        isLocal ? "" : "A faster network would help. ",
        isLocal ? moreLanes.sentence() : lanesOnNetwork());
  }

  private String lanesOnNetwork() {
    return moreLanes.against().orElse("More lanes help where the network limits each connection.");
  }

  private double wireBytes(String name) {
    return evidence.wire(role, name).orElse(0);
  }
}
