package millrace.report.bottleneck;

import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import millrace.report.host.HostFigures;

/// The machine's processors: whether a further thread would find one, and whether they were what
/// the run waited for.
///
/// If nearly all of their time was taken, they are. If a fifth was idle or less, they are if the
/// slow half of the lanes or its end's server had to wait for one: threads do not divide the time
/// so well that none is left over. Two figures have to agree, so that equal runs get the same
/// answer.
final class ProcessorLimit {

  /// With less idle time than this, a further thread finds no processor.
  private static final double IDLE_PERCENT_MIN = 8;

  /// With less idle time than this, it may find none; whether threads had to wait tells.
  private static final double IDLE_PERCENT_SCARCE = 20;

  /// With less idle time than this, they are worth a word.
  private static final double IDLE_PERCENT_NEAR = 35;

  /// Threads that had to wait for a processor for less of their time than this were not held up by
  /// that.
  private static final double STARVED_PERCENT_MIN = 15;

  /// Others that take this much of the machine slow a run down.
  private static final double OTHERS_PERCENT_MIN = 25;

  /// A server that has less to do than this mostly waits for something else.
  private static final double DEMAND_PERCENT_LOW = 60;

  private final Evidence evidence;
  private final LaneSide slow;

  ProcessorLimit(Evidence evidence, LaneSide slow) {
    this.evidence = evidence;
    this.slow = slow;
  }

  /// Whether a further thread would find a processor.
  enum Room {
    YES,
    NO,
    UNKNOWN
  }

  Room room() {
    double idle = idlePercent();
    if (idle < 0) {
      return Room.UNKNOWN;
    }
    boolean scarce = idle <= IDLE_PERCENT_SCARCE && (isHeldUp() || slow.isEmbedded());
    return idle < IDLE_PERCENT_MIN || scarce || isConfined() ? Room.NO : Room.YES;
  }

  /// For how much of the time a processor was idle; -1 if unknown.
  double idlePercent() {
    HostFigures host = evidence.host();
    return host == null ? -1 : host.cpu().idlePercent();
  }

  /// Whether it is known that the slow half of the lanes or its end's server had to wait for a
  /// processor.
  boolean isHeldUp() {
    HostFigures.Server server = evidence.server(slow.role());
    return slow.waitedPercent() >= STARVED_PERCENT_MIN || (server != null && isStarved(server));
  }

  /// Whether a server's processes were held up by others on the processors. Of many threads each
  /// may want little, and all of them more than there is.
  static boolean isStarved(HostFigures.Server server) {
    return server.waitingPercentMean() >= STARVED_PERCENT_MIN;
  }

  /// Whether it is known that neither had to wait for one.
  boolean heldUpNobody() {
    HostFigures.Server server = evidence.server(slow.role());
    boolean serverToo =
        server == null
            ? !slow.isEmbedded()
            : server.cpuS() < 0
                || (server.demandPercent() >= 0
                    && server.demandPercent() < DEMAND_PERCENT_LOW
                    && !isStarved(server));
    double waited = slow.waitedPercent();
    return serverToo && waited >= 0 && waited < STARVED_PERCENT_MIN;
  }

  /// Whether other programs took as much of the machine as makes a run slow.
  boolean takenByOthers() {
    HostFigures host = evidence.host();
    if (host == null || host.cpu().millraceS() < 0) {
      return false;
    }
    double all = host.elapsedS() * host.hardware().processors();
    return 100 * (host.cpu().restS() + host.cpu().stolenS()) >= OTHERS_PERCENT_MIN * all;
  }

  /// Whether this process may use fewer processors than the machine has (a container's share, a
  /// mask), and had to wait for those: then it is no use that others are idle.
  private boolean isConfined() {
    HostFigures host = evidence.host();
    return host != null
        && evidence.lanes().processors() < host.hardware().processors()
        && slow.waitedPercent() >= STARVED_PERCENT_MIN;
  }

  /// That they are what the run waited for, if they are.
  Optional<String> cause() {
    boolean are = room() == Room.NO && (slow.works() || !heldUpNobody());
    return are ? Optional.of(isConfined() ? confined() : full()) : Optional.empty();
  }

  /// That they were close to being it, since equal runs differ by so much: a sentence and a blank,
  /// or empty.
  String nearlyAll() {
    double idle = idlePercent();
    return room() == Room.NO || idle < 0 || idle > IDLE_PERCENT_NEAR
        ? ""
        : String.format(
            Locale.ROOT, "The machine's processors were %.0f %% busy, too. ", 100 - idle);
  }

  private String confined() {
    return String.format(
        Locale.ROOT,
        "The processors are the bottleneck: %sMillrace may use %d of the machine's %d, and the"
            + " lanes' %ss waited for one for %.0f %% of their time; %s. More lanes will not help:"
            + " more processors for Millrace would.",
        server(),
        evidence.lanes().processors(),
        Objects.requireNonNull(evidence.host()).hardware().processors(),
        slow.name(),
        slow.waitedPercent(),
        slow.words());
  }

  private String full() {
    HostFigures host = Objects.requireNonNull(evidence.host());
    HostFigures.Cpu cpu = host.cpu();
    double busy = cpu.millraceS() + cpu.serversS() + cpu.restS() + cpu.stolenS();
    return String.format(
        Locale.ROOT,
        "The processors are the bottleneck: %sthe machine's %d are %.0f %% busy (Millrace %.0f %%,"
            + " servers %.0f %%, others %.0f %%); %s. More lanes will not help: more processors%s"
            + " would.",
        server(),
        host.hardware().processors(),
        100 - cpu.idlePercent(),
        100 * cpu.millraceS() / busy,
        100 * cpu.serversS() / busy,
        100 * (cpu.restS() + cpu.stolenS()) / busy,
        slow.words(),
        cpu.serversS() > 0 ? ", or a server on a machine of its own," : "");
  }

  /// What the slow end's server did, if it wanted more of them than it got.
  private String server() {
    HostFigures.Server server = evidence.server(slow.role());
    if (server == null || slow.works()) {
      return "";
    }
    boolean wantedMore = server.demandPercent() >= Server.BUSY_PERCENT_MIN || isStarved(server);
    return wantedMore ? "the " + slow.role() + "'s server has " + server.work() + ", and " : "";
  }
}
