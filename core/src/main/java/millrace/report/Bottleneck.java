package millrace.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import millrace.report.host.HostFigures;
import millrace.spi.Stage;
import org.jspecify.annotations.Nullable;

/// Names the slowest part of a run and what would help, from the stage meters and what the machine
/// did meanwhile; says so where the figures do not allow it.
///
/// The meters measure time by the clock, waiting for a processor included. So the machine is looked
/// at first: where no processor was idle, no stage is to blame, unless it is known that neither the
/// lanes nor the server wanted one. The thresholds are judgements, kept in one place here.
///
/// @param rows rows that moved
/// @param copyNanos for how long rows were moving
/// @param steps all that the run did, one after the other
/// @param lanes how many lanes ran
/// @param lanesWhy why not more; empty where nothing stood against it
/// @param lanesTried what each number of lanes moved that the run tried
/// @param processors how many processors this process may use
/// @param stages where the lanes' time went
/// @param host what the machine did, or null where nobody watched
/// @param waits what the ends' servers were seen to wait for
public record Bottleneck(
    long rows,
    long copyNanos,
    List<Report.Phase> steps,
    int lanes,
    String lanesWhy,
    List<Report.LaneRate> lanesTried,
    int processors,
    List<Report.StageTime> stages,
    @Nullable HostFigures host,
    ServerWaits waits) {

  /// In less time than this, start-up weighs more than anything that a user could change.
  private static final double SHORT_S = 1;

  /// With less idle time than this, a further thread finds no processor.
  private static final double IDLE_PERCENT_MIN = 8;

  /// With more idle time than this, hardly a thread has to wait for a processor.
  private static final double IDLE_PERCENT_FREE = 30;

  /// A process that is this busy has no time left.
  private static final double BUSY_PERCENT_MIN = 85;

  /// A process that is less busy than this mostly waits for something else.
  private static final double BUSY_PERCENT_LOW = 60;

  /// Lanes that had to wait for a processor for less of their time than this were not held up by
  /// that.
  private static final double STARVED_PERCENT_MIN = 15;

  /// A disk that is this busy and has this many requests waiting is at its limit.
  private static final double DISK_BUSY_PERCENT_MIN = 90;

  private static final double DISK_QUEUE_MIN = 1;

  /// Where both halves wait this much for each other, neither is the slow one.
  private static final double BOTH_WAIT_PERCENT_MIN = 35;

  /// A server's processes that wait for one thing for this much of their time are held up by it.
  private static final double SERVER_WAIT_PERCENT_MIN = 10;

  /// Others that take this much of the machine are worth a word.
  private static final double OTHERS_PERCENT_MIN = 15;

  public Bottleneck {
    steps = List.copyOf(steps);
    lanesTried = List.copyOf(lanesTried);
    stages = List.copyOf(stages);
  }

  /// The sentence, and one or two more about what would help.
  public String sentence() {
    if (rows == 0) {
      return "No rows moved, so nothing was slow.";
    }
    String step = longestStep();
    if (copyNanos < SHORT_S * 1e9) {
      return step
          + String.format(
              Locale.ROOT,
              "No bottleneck%s can be named: rows moved for %.2f s, too short to tell. %s.",
              step.isEmpty() ? "" : " of the rows",
              copyNanos / 1e9,
              capital(meters()));
    }
    String others = others();
    return step + cause() + (others.isEmpty() ? "" : " " + others);
  }

  /// What took longer than all else, where that was not the copying of rows.
  private String longestStep() {
    long all = steps.stream().mapToLong(Report.Phase::nanos).sum();
    return steps.stream()
        .filter(
            phase -> phase.rows() == 0 && phase.nanos() > all / 2 && phase.nanos() > SHORT_S * 1e9)
        .findFirst()
        .map(phase ->
            String.format(
                Locale.ROOT,
                "The step \"%s\" is the bottleneck: it took %s of %s, and what makes rows faster"
                    + " helps only with the rest. While rows moved: ",
                phase.name(),
                ReportText.duration(phase.nanos()),
                ReportText.duration(all)))
        .orElse("");
  }

  private String cause() {
    Stage worst = worst();
    boolean works = isWork(worst);
    Optional<HostFigures.Disk> disk = works ? Optional.empty() : fullDisk();
    if (disk.isPresent()) {
      return disk(disk.get());
    }
    if (worst == Stage.FILTER) {
      return "The filter is the bottleneck: " + meters() + ". " + moreLanes();
    }
    if (hasIdle() == Answer.NO && (works || !waitedForNoProcessor())) {
      return processors(works);
    }
    if (worst == Stage.TURN) {
      return "The target is the bottleneck: "
          + meters()
          + ". It is one output, which lanes write one after the other: more lanes will not help,"
          + " several files would.";
    }
    if (share(side(), Stage.QUEUE_WAIT) >= BOTH_WAIT_PERCENT_MIN) {
      return "No single part is the bottleneck: "
          + meters()
          + ", so that both halves of the lanes wait for each other in turn. "
          + moreLanes();
    }
    return works ? work(worst) : end(worst);
  }

  /// Whether it is known that neither the slow side of the lanes nor its end's server, as far as
  /// that is seen, was held up by others on the processors.
  private boolean waitedForNoProcessor() {
    HostFigures.Server server = server(role());
    boolean serverToo =
        server == null
            ? !isEmbedded()
            : server.cpuS() < 0
                || (server.demandPercent() >= 0
                    && server.demandPercent() < BUSY_PERCENT_LOW
                    && !isStarved(server));
    double waited = waitedPercent();
    return serverToo && waited >= 0 && waited < STARVED_PERCENT_MIN;
  }

  /// Whether its processes were held up by others on the processors. Of many threads each may want
  /// little, and all of them more than there is.
  private static boolean isStarved(HostFigures.Server server) {
    return server.waitingPercentMean() >= STARVED_PERCENT_MIN;
  }

  /// Whether the lanes mostly wait for a database that works on threads of this process, which
  /// nothing counts apart.
  private boolean isEmbedded() {
    return worst() == Stage.SERVER_WAIT && host != null && server(role()) == null;
  }

  /// For how much of its time the slow side of the lanes had to wait for a processor; -1 where
  /// unknown.
  private double waitedPercent() {
    HostFigures.LaneWaits waits = host == null ? null : host.laneWaits();
    return waits == null ? -1 : readersSlow() ? waits.readersPercent() : waits.writersPercent();
  }

  /// For how much of its time it was on a processor; -1 where unknown.
  private double busyPercent() {
    HostFigures.LaneWaits waits = host == null ? null : host.laneWaits();
    return waits == null
        ? -1
        : readersSlow() ? waits.readersBusyPercent() : waits.writersBusyPercent();
  }

  /// Whether the slow side of the lanes was at work itself for nearly all of the time in which it
  /// did not wait for other lanes: it decompressed, made rows, or copied bytes.
  private boolean isAtWork() {
    double busy = busyPercent();
    double free = 100 - share(side(), Stage.QUEUE_WAIT) - share(side(), Stage.TURN);
    return busy > 0 && busy + waitedPercent() >= free * BUSY_PERCENT_MIN / 100;
  }

  /// What the lanes' threads do themselves, with idle processors beside them.
  private String work(Stage worst) {
    String name =
        switch (worst) {
          case READ -> "Reading";
          case PARSE -> "Parsing";
          case CONVERT -> "Conversion";
          case ENCODE -> "Encoding";
          case SEND -> "Sending";
          case FILTER, SERVER_WAIT, COMMIT, TURN, QUEUE_WAIT -> "Waiting";
        };
    return name + " here is the bottleneck: " + meters() + ". " + moreLanes();
  }

  /// One of the ends: a server that is seen, a server that is not, or a file.
  private String end(Stage worst) {
    String role = role();
    HostFigures.Server server = server(role);
    if (server == null) {
      return "The " + role + " is the bottleneck: " + meters() + ". " + slowEnd(role);
    }
    if (server.cpuS() < 0 && waits.isKnown(role)) {
      String closer = "A faster network would help, or one with less delay, or larger units";
      return lanesWhy.isEmpty()
          ? waits(
              role,
              meters() + ". ",
              "More lanes help if its machine has idle processors.",
              closer + "; more lanes help where the network limits each connection.")
          : waits(role, meters() + ". ", moreLanes(), closer + ". " + moreLanes());
    }
    if (server.cpuS() < 0) {
      return "The "
          + role
          + " is the bottleneck: "
          + meters()
          + ". What its server does is not seen from here, so that only a run with more lanes can"
          + " tell whether they would help.";
    }
    return worst == Stage.COMMIT
        ? "The target's commits are the bottleneck: " + meters() + ". " + commits()
        : server(role, server);
  }

  private static String commits() {
    return "Larger commit units would help, or a faster disk under the server's log.";
  }

  private String server(String role, HostFigures.Server server) {
    String evidence = server.work() + "; " + meters() + ". ";
    boolean wantsAll = server.demandPercent() >= BUSY_PERCENT_MIN;
    if (server.busyPercentMean() >= BUSY_PERCENT_MIN || (wantsAll && !isStarved(server))) {
      return "The " + role + "'s server is the bottleneck: " + evidence + moreLanes();
    }
    if (wantsAll) {
      return "The processors are the bottleneck for the "
          + role
          + "'s server: "
          + evidence
          + "More lanes will not help: more processors, or fewer threads that compete for them,"
          + " would.";
    }
    if (waits.isKnown(role)) {
      return waits(
          role,
          evidence,
          moreLanes(),
          "Larger units may help: there is no network. " + moreLanes());
    }
    boolean processorsFree = host != null && host.cpu().idlePercent() >= IDLE_PERCENT_FREE;
    boolean quiet = server.waitingPercentMean() >= 0 ? !isStarved(server) : processorsFree;
    if (server.demandPercent() >= 0 && server.demandPercent() < BUSY_PERCENT_LOW && quiet) {
      return "The "
          + role
          + "'s server is the bottleneck, but not its processor time: "
          + evidence
          + "It waits for something that these figures do not show: locks, its log, the network, or"
          + " Millrace.";
    }
    return "The "
        + role
        + " is the bottleneck: "
        + evidence
        + "Why its server is not faster is not clear from these figures.";
  }

  /// An end whose server says what its processes wait for.
  ///
  /// @param otherwise what would help where they wait for nothing in particular
  /// @param closer what would help where they mostly wait for us, as we do for them
  private String waits(String role, String evidence, String otherwise, String closer) {
    List<ServerWaits.Wait> longest = waits.of(role);
    String says = evidence + "The server says that it was " + waits.words(role) + ". ";
    if (!longest.isEmpty()
        && longest.getFirst().isForClient()
        && longest.getFirst().sharePercent() > waits.atWorkPercent(role)) {
      return "The way between Millrace and the "
          + role
          + "'s server is the bottleneck: "
          + says
          + closer;
    }
    String help = waits.help(role, SERVER_WAIT_PERCENT_MIN);
    return "The "
        + role
        + "'s server is the bottleneck: "
        + says
        + (help.isEmpty() ? otherwise : help);
  }

  /// An end without a server, or one that nothing is known of.
  private String slowEnd(String role) {
    if (isEmbedded()) {
      return "It works in this process. " + moreLanes();
    }
    boolean onDisk =
        host != null
            && host.homes().stream()
                .anyMatch(home -> home.role().equals(role) && !home.disks().isEmpty());
    if (onDisk) {
      return "Its disk is not at its limit, so that more requests at once may help. " + moreLanes();
    }
    return lanesWhy.isEmpty()
        ? "More lanes help only if the " + role + " can serve them side by side."
        : moreLanes();
  }

  private String disk(HostFigures.Disk disk) {
    boolean shared = host != null && Boolean.TRUE.equals(host.shareDisk());
    return String.format(
        Locale.ROOT,
        "The disk %s is the bottleneck: busy %.0f %% of the time, %.1f requests waiting on the"
            + " average, %.1f MB/s read and %.1f MB/s written. %s",
        disk.name(),
        disk.busyPercent(),
        disk.readQueueMean() + disk.writeQueueMean(),
        disk.readMbPerS(),
        disk.writeMbPerS(),
        shared
            ? "Source and target share it: put them on separate disks. More lanes will not help."
            : "Only a faster disk or fewer bytes would help, more lanes will not.");
  }

  /// Every processor had something to do.
  private String processors(boolean works) {
    HostFigures figures = Objects.requireNonNull(host);
    HostFigures.Cpu cpu = figures.cpu();
    double busy = cpu.millraceS() + cpu.serversS() + cpu.restS() + cpu.stolenS();
    HostFigures.Server server = server(role());
    String backends =
        server != null
                && (server.demandPercent() >= BUSY_PERCENT_MIN || isStarved(server))
                && !works
            ? "the " + role() + "'s server has " + server.work() + ", and "
            : "";
    if (isConfined()) {
      return String.format(
          Locale.ROOT,
          "The processors are the bottleneck: %sMillrace may use %d of the machine's %d, and the"
              + " lanes' %ss waited for one for %.0f %% of their time; %s. More lanes will not"
              + " help: more processors for Millrace would.",
          backends,
          processors,
          figures.processors(),
          side(),
          waitedPercent(),
          meters());
    }
    return String.format(
        Locale.ROOT,
        "The processors are the bottleneck: %sthe machine's %d are %.0f %% busy (Millrace %.0f %%,"
            + " servers %.0f %%, others %.0f %%); %s. More lanes will not help: more processors%s"
            + " would.",
        backends,
        figures.processors(),
        100 - cpu.idlePercent(),
        100 * cpu.millraceS() / busy,
        100 * cpu.serversS() / busy,
        100 * (cpu.restS() + cpu.stolenS()) / busy,
        meters(),
        cpu.serversS() > 0 ? ", or a server on a machine of its own," : "");
  }

  private String moreLanes() {
    Optional<Report.LaneRate> more =
        lanesTried.stream().filter(tried -> tried.lanes() > lanes).findFirst();
    Optional<Report.LaneRate> these =
        lanesTried.stream().filter(tried -> tried.lanes() == lanes).findFirst();
    if (more.isPresent() && these.isPresent()) {
      return "More lanes will not help: "
          + ReportText.rate(more.get())
          + ", "
          + ReportText.rate(these.get())
          + ".";
    }
    if (!lanesWhy.isEmpty()) {
      return "More lanes are not possible here (" + lanesWhy + ").";
    }
    return switch (hasIdle()) {
      case NO -> "More lanes will not help: no processor is idle.";
      case YES ->
          String.format(
              Locale.ROOT,
              "More lanes may help: %.0f %% of the processors' time was idle.",
              Objects.requireNonNull(host).cpu().idlePercent());
      case UNKNOWN ->
          lanes < processors
              ? "More lanes may help: " + lanes + " of " + processors + " processors have one."
              : "All " + processors + " processors have a lane; whether one was idle is not known.";
    };
  }

  private String others() {
    // A filter's program is one of them.
    if (host == null || host.cpu().millraceS() < 0 || worst() == Stage.FILTER) {
      return "";
    }
    HostFigures.Cpu cpu = host.cpu();
    double all = host.elapsedS() * host.processors();
    double percent = all <= 0 ? 0 : 100 * (cpu.restS() + cpu.stolenS()) / all;
    if (percent < OTHERS_PERCENT_MIN) {
      return "";
    }
    String outcome =
        waitedForNoProcessor()
            ? String.format(
                Locale.ROOT,
                ", but the lanes' %ss waited for a processor for only %.0f %% of their time.",
                side(),
                waitedPercent())
            : ": the same run alone would be faster.";
    return String.format(Locale.ROOT, "Others took %.0f %% of the machine meanwhile", percent)
        + outcome;
  }

  private enum Answer {
    YES,
    NO,
    UNKNOWN
  }

  private Answer hasIdle() {
    double idle = host == null ? -1 : host.cpu().idlePercent();
    if (idle < 0) {
      return Answer.UNKNOWN;
    }
    return idle < IDLE_PERCENT_MIN || isConfined() ? Answer.NO : Answer.YES;
  }

  /// Whether this process may use fewer processors than the machine has (a container's share, a
  /// mask), and had to wait for those: then it is no use that others are idle.
  private boolean isConfined() {
    return host != null && processors < host.processors() && waitedPercent() >= STARVED_PERCENT_MIN;
  }

  private Optional<HostFigures.Disk> fullDisk() {
    return host == null
        ? Optional.empty()
        : host.disks().stream()
            .filter(disk -> disk.busyPercent() >= DISK_BUSY_PERCENT_MIN)
            .filter(disk -> disk.readQueueMean() + disk.writeQueueMean() >= DISK_QUEUE_MIN)
            .max(Comparator.comparingDouble(HostFigures.Disk::busyPercent));
  }

  private HostFigures.@Nullable Server server(String role) {
    return host == null
        ? null
        : host.servers().stream()
            .filter(server -> server.role().contains(role))
            .findFirst()
            .orElse(null);
  }

  /// What the meters of the slow side say.
  private String meters() {
    boolean readers = readersSlow();
    Stage worst = worst();
    return String.format(
            Locale.ROOT,
            "the lanes' %s spent %.0f %% of their time on %s (%s) and %.0f %% waiting for the %s",
            readers ? "readers" : "writers",
            share(side(), worst),
            worst.label(),
            worst.meaning(),
            share(side(), Stage.QUEUE_WAIT),
            readers ? "writers" : "readers")
        + (isWork(worst) && !isAlwaysWork(worst)
            ? String.format(
                Locale.ROOT, "; they were on a processor for %.0f %% of their time", busyPercent())
            : "");
  }

  /// The side that waits less for the other is the slow one.
  private boolean readersSlow() {
    return share("reader", Stage.QUEUE_WAIT) <= share("writer", Stage.QUEUE_WAIT);
  }

  private String side() {
    return readersSlow() ? "reader" : "writer";
  }

  /// Which end that side speaks with.
  private String role() {
    return readersSlow() ? "source" : "target";
  }

  private Stage worst() {
    List<Stage> candidates = new ArrayList<>(List.of(Stage.values()));
    candidates.remove(Stage.QUEUE_WAIT);
    return candidates.stream()
        .max(Comparator.comparingDouble(stage -> share(side(), stage)))
        .orElse(Stage.READ);
  }

  private double share(String side, Stage stage) {
    return stages.stream()
        .filter(time -> time.side().equals(side) && time.stage().equals(stage.label()))
        .mapToDouble(Report.StageTime::sharePercent)
        .sum();
  }

  /// Whether the lanes' own threads take that time, and no end makes them wait.
  private boolean isWork(Stage stage) {
    return isAlwaysWork(stage) || ((stage == Stage.READ || stage == Stage.SEND) && isAtWork());
  }

  private static boolean isAlwaysWork(Stage stage) {
    return switch (stage) {
      case PARSE, CONVERT, ENCODE -> true;
      case READ, FILTER, SEND, SERVER_WAIT, COMMIT, TURN, QUEUE_WAIT -> false;
    };
  }

  private static String capital(String text) {
    return Character.toUpperCase(text.charAt(0)) + text.substring(1);
  }
}
