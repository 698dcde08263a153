package millrace.report.host;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Which disks lie under a path, and what they have done since the machine started.
///
/// A path's mount names a device by its numbers; partitions, volumes and RAIDs are followed down to
/// the disks. Any thread.
final class Disks {

  /// The kernel's sectors have this many bytes whatever the disk's own have.
  private static final int SECTOR_BYTES = 512;

  private final Proc proc;
  private final Path sys;
  private final Path devices;

  /// @param sys `/sys`, or a recorded copy of it
  /// @param devices `/dev`, likewise
  Disks(Proc proc, Path sys, Path devices) {
    this.proc = proc;
    this.sys = sys;
    this.devices = devices;
  }

  /// A line of mountinfo.
  private record Mount(String device, Path point, String fileSystem, String source) {}

  /// What lies under a path.
  ///
  /// @param fileSystem the kind, for example `ext4`
  /// @param disks names of the disks, sorted; empty if it has none, as tmpfs and NFS
  record Under(String fileSystem, List<String> disks) {}

  /// What lies under a path; null if no mount is known. A path that does not exist yet lies where
  /// its folder does.
  @Nullable Under under(Path path) throws IOException {
    Path real = real(path.toAbsolutePath().normalize());
    Mount found = null;
    for (Mount mount : mounts()) {
      // A later mount on the same point hides the earlier one.
      if (real.startsWith(mount.point)
          && (found == null || mount.point.getNameCount() >= found.point.getNameCount())) {
        found = mount;
      }
    }
    if (found == null) {
      return null;
    }
    Set<String> disks = new TreeSet<>();
    String device = deviceName(found);
    if (device != null) {
      addDisks(device, disks);
    }
    return new Under(found.fileSystem, List.copyOf(disks));
  }

  private static Path real(Path path) throws IOException {
    for (Path each = path; each != null; each = each.getParent()) {
      if (Files.exists(each)) {
        return each.toRealPath().resolve(each.relativize(path));
      }
    }
    return path;
  }

  private List<Mount> mounts() throws IOException {
    List<Mount> mounts = new ArrayList<>();
    for (String line : proc.lines("self/mountinfo")) {
      int dash = line.indexOf(" - ");
      String[] left = line.substring(0, dash).split(" ", -1);
      String[] right = line.substring(dash + 3).split(" ", -1);
      mounts.add(new Mount(left[2], Path.of(unescaped(left[4])), right[0], unescaped(right[1])));
    }
    return mounts;
  }

  /// Blanks, tabs, line ends and backslashes are written as octal numbers.
  private static String unescaped(String text) {
    return text.replace("\\040", " ")
        .replace("\\011", "\t")
        .replace("\\012", "\n")
        .replace("\\134", "\\");
  }

  /// The kernel's name of a mount's device: by its numbers, or, if the file system has made numbers
  /// up (btrfs), by what was mounted.
  private @Nullable String deviceName(Mount mount) throws IOException {
    Map<String, String> names = new HashMap<>();
    for (String line : proc.lines("diskstats")) {
      String[] all = line.strip().split(" +", -1);
      names.put(all[0] + ":" + all[1], all[2]);
    }
    String byNumber = names.get(mount.device);
    if (byNumber != null || !mount.source.startsWith("/dev/")) {
      return byNumber;
    }
    Path link = devices.resolve(mount.source.substring("/dev/".length()));
    Path file = Files.exists(link) ? link.toRealPath() : link;
    String name = String.valueOf(file.getFileName());
    return names.containsValue(name) ? name : null;
  }

  private void addDisks(String device, Set<String> disks) throws IOException {
    Path folder = sys.resolve("class/block").resolve(device);
    Path slaves = folder.resolve("slaves");
    List<String> below = new ArrayList<>();
    if (Files.isDirectory(slaves)) {
      try (DirectoryStream<Path> entries = Files.newDirectoryStream(slaves)) {
        entries.forEach(each -> below.add(String.valueOf(each.getFileName())));
      }
    }
    if (Files.exists(folder.resolve("partition"))) {
      Path disk = folder.toRealPath().getParent();
      below.add(disk == null ? device : String.valueOf(disk.getFileName()));
    }
    if (below.isEmpty()) {
      disks.add(device);
    }
    for (String each : below) {
      addDisks(each, disks);
    }
  }

  /// What a disk has done since the machine started; see the kernel's iostats.rst.
  ///
  /// @param readBytes bytes read
  /// @param writeBytes bytes written
  /// @param readMs milliseconds that reads took, summed over those under way at once
  /// @param writeMs likewise for writes
  /// @param busyMs milliseconds in which anything was under way
  record Counters(long readBytes, long writeBytes, long readMs, long writeMs, long busyMs) {}

  /// The counters of all disks by name.
  Map<String, Counters> counters() throws IOException {
    Map<String, Counters> counters = new HashMap<>();
    for (String line : proc.lines("diskstats")) {
      String[] all = line.strip().split(" +", -1);
      counters.put(
          all[2],
          new Counters(
              Long.parseLong(all[5]) * SECTOR_BYTES,
              Long.parseLong(all[9]) * SECTOR_BYTES,
              Long.parseLong(all[6]),
              Long.parseLong(all[10]),
              Long.parseLong(all[12])));
    }
    return counters;
  }

  /// What the disks did between two looks, in the order of their names.
  static List<HostFigures.Disk> between(
      Map<String, Counters> before, Map<String, Counters> after, double seconds) {
    List<HostFigures.Disk> disks = new ArrayList<>();
    before.forEach((name, from) -> {
      Counters to = after.get(name);
      if (to != null && seconds > 0) {
        disks.add(
            new HostFigures.Disk(
                name,
                (to.readBytes - from.readBytes) / seconds / (1 << 20),
                (to.writeBytes - from.writeBytes) / seconds / (1 << 20),
                (to.readMs - from.readMs) / seconds / 1000,
                (to.writeMs - from.writeMs) / seconds / 1000,
                Math.min(100, (to.busyMs - from.busyMs) / seconds / 10)));
      }
    });
    disks.sort(Comparator.comparing(HostFigures.Disk::name));
    return disks;
  }
}
