package millrace.online.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import millrace.report.host.HostFigures;
import org.slf4j.LoggerFactory;

/// Whether what failed did so since the target's disk is full. What follows from that says less: a
/// server that has no room for its log ends, and then its connections are refused. Any thread.
final class FullDisk {

  /// What systems call it: the kernel, PostgreSQL, DuckDB, Kudu.
  private static final Pattern NAMED =
      Pattern.compile(
          "no space left on device|disk is full|disk full|disk quota|insufficient disk space"
              + "|insufficient space|not enough (disk )?space",
          Pattern.CASE_INSENSITIVE);

  /// With less, PostgreSQL can't begin another file of its log.
  private static final long ROOM_BYTES_MIN = 16L << 20;

  private String left = "";

  /// Whether a message says so.
  static boolean isNamedBy(String message) {
    return NAMED.matcher(message).find();
  }

  /// Looks how much room there is; called once, at the end of the writes.
  ///
  /// @param homes where data is, on this machine
  synchronized void look(List<HostFigures.Home> homes) {
    for (HostFigures.Home home : homes) {
      try {
        long room = Files.getFileStore(Path.of(home.path())).getUsableSpace();
        if (room < ROOM_BYTES_MIN && left.isEmpty()) {
          left = String.format(Locale.ROOT, "%,d kB are left under %s", room / 1_000, home.path());
        }
      } catch (IOException | RuntimeException e) {
        LoggerFactory.getLogger(FullDisk.class).debug("no room is known of {}", home.path(), e);
      }
    }
  }

  /// A sentence if that is what made calls fail.
  ///
  /// @param failures what they said
  synchronized Optional<String> sentence(Collection<String> failures) {
    boolean isNamed = failures.stream().anyMatch(FullDisk::isNamedBy);
    if (failures.isEmpty() || (!isNamed && left.isEmpty())) {
      return Optional.empty();
    }
    return Optional.of(
        "The target's disk is full"
            + (left.isEmpty() ? "" : ": " + left)
            + ". Make room there, and run it again.");
  }
}
