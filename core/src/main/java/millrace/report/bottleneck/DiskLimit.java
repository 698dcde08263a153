package millrace.report.bottleneck;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import millrace.report.host.HostFigures;
import millrace.spi.Stage;
import org.jspecify.annotations.Nullable;

/// The disks under both ends: one at its limit, or one that is held back before it.
final class DiskLimit {

  /// A disk that is this busy and has this many requests waiting is at its limit.
  private static final double BUSY_PERCENT_MIN = 90;

  private static final double QUEUE_MIN = 1;

  /// One that is less busy than this is not near it.
  private static final double BUSY_PERCENT_LOW = 60;

  /// So many lanes that wait for it at once, on the average, are worth a word.
  private static final double WAITING_LANES_MIN = 0.5;

  /// Requests of lanes that wait are in a disk's queue, but for this share of them. If nearly none
  /// are, something keeps them from it.
  private static final double QUEUED_SHARE_MAX = 0.25;

  private final Evidence evidence;
  private final LaneSide slow;
  private final @Nullable HostFigures host;

  DiskLimit(Evidence evidence, LaneSide slow) {
    this.evidence = evidence;
    this.slow = slow;
    host = evidence.host();
  }

  /// That one is at its limit, if it is and the lanes do not work themselves.
  Optional<String> full() {
    return host == null || slow.works()
        ? Optional.empty()
        : host.storage().disks().stream()
            .filter(disk -> disk.busyPercent() >= BUSY_PERCENT_MIN)
            .filter(disk -> disk.readQueueMean() + disk.writeQueueMean() >= QUEUE_MIN)
            .max(Comparator.comparingDouble(HostFigures.Disk::busyPercent))
            .map(this::full);
  }

  private String full(HostFigures.Disk disk) {
    boolean shared = host != null && Boolean.TRUE.equals(host.storage().shareDisk());
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

  /// That the lanes wait for one which is not near its limit and has no requests waiting.
  Optional<String> heldBack() {
    return whatIsHeldBack()
        .map(disk ->
            String.format(
                Locale.ROOT,
                "The disk under the %s is the bottleneck, held back before its limit: %s. They"
                    + " waited for it, yet it was busy only %.0f %% of the time, with %.1f requests"
                    + " waiting on the average. Something limits what may be read or written, such"
                    + " as a container's io.max: raise that limit. More lanes will not help.",
                slow.role(),
                slow.words(),
                disk.busyPercent,
                disk.queue));
  }

  /// The same beside processors that lanes had to wait for as well: they may also have waited for a
  /// thread that reads ahead and waits for one.
  Optional<String> alsoHeldBack() {
    return whatIsHeldBack()
        .map(disk ->
            String.format(
                Locale.ROOT,
                "They also waited for the disk under the %s, which was busy only %.0f %% of the"
                    + " time, with %.1f requests waiting: something may limit it, such as a"
                    + " container's io.max.",
                slow.role(),
                disk.busyPercent,
                disk.queue));
  }

  /// What the disks under the slow end did while lanes waited for them.
  private record HeldBack(double busyPercent, double queue) {}

  private Optional<HeldBack> whatIsHeldBack() {
    Stage worst = slow.worst();
    boolean isFile = evidence.server(slow.role()) == null;
    if (host == null || slow.works() || !isFile || !isDiskTime(worst) || slow.busyPercent() < 0) {
      return Optional.empty();
    }
    double idlePercent = slow.share(worst) - slow.busyPercent() - Math.max(0, slow.waitedPercent());
    double waitingLanes = evidence.lanes().count() * idlePercent / 100;
    List<HostFigures.Disk> disks = disksOf(slow.role());
    double queue =
        disks.stream()
            .mapToDouble(disk -> slow.readers() ? disk.readQueueMean() : disk.writeQueueMean())
            .sum();
    double busy = disks.stream().mapToDouble(HostFigures.Disk::busyPercent).max().orElse(100);
    boolean isHeldBack =
        waitingLanes >= WAITING_LANES_MIN
            && queue < QUEUED_SHARE_MAX * waitingLanes
            && busy < BUSY_PERCENT_LOW;
    return isHeldBack ? Optional.of(new HeldBack(busy, queue)) : Optional.empty();
  }

  private static boolean isDiskTime(Stage stage) {
    return stage == Stage.READ || stage == Stage.SEND || stage == Stage.COMMIT;
  }

  private List<HostFigures.Disk> disksOf(String role) {
    if (host == null) {
      return List.of();
    }
    Set<String> names =
        host.storage().homes().stream()
            .filter(home -> home.role().equals(role))
            .flatMap(home -> home.disks().stream())
            .collect(Collectors.toSet());
    return host.storage().disks().stream().filter(disk -> names.contains(disk.name())).toList();
  }

  /// Whether an end lies on a disk.
  boolean hasDisk(String role) {
    return !disksOf(role).isEmpty();
  }
}
