package millrace.connectors.kudu.read;

import java.util.Locale;
import millrace.fault.Fault;
import millrace.spi.Endpoint;
import org.apache.kudu.client.AsyncKuduScanner.ReadMode;
import org.apache.kudu.client.ReplicaSelection;
import org.jspecify.annotations.Nullable;

/// How a table is scanned, as the endpoint says.
///
/// @param mode which state is read
/// @param replica which replica is read
/// @param faultTolerant whether scans go on at another replica
/// @param plainTimes whether times have no zone; null if each column tells
public record ScanOptions(
    ReadMode mode, ReplicaSelection replica, boolean faultTolerant, @Nullable Boolean plainTimes) {

  /// Reads them.
  ///
  /// @throws Fault.User if one is not understood
  public static ScanOptions of(Endpoint endpoint) {
    String mode = text(endpoint, "read", "snapshot");
    String replica = text(endpoint, "replica", "leader");
    return new ScanOptions(
        switch (mode) {
          case "snapshot" -> ReadMode.READ_AT_SNAPSHOT;
          case "latest" -> ReadMode.READ_LATEST;
          case "yours" -> ReadMode.READ_YOUR_WRITES;
          default -> throw bad("read", mode, "snapshot, latest and yours");
        },
        switch (replica) {
          case "leader" -> ReplicaSelection.LEADER_ONLY;
          case "closest" -> ReplicaSelection.CLOSEST_REPLICA;
          default -> throw bad("replica", replica, "leader and closest");
        },
        endpoint.flag("fault-tolerant", false),
        plainTimes(endpoint));
  }

  /// Whether an endpoint says that times have no zone; null if it does not say.
  public static @Nullable Boolean plainTimes(Endpoint endpoint) {
    String times = text(endpoint, "timestamps", "");
    return switch (times) {
      case "" -> null;
      case "plain" -> Boolean.TRUE;
      case "instant" -> Boolean.FALSE;
      default -> throw bad("timestamps", times, "instant and plain");
    };
  }

  private static String text(Endpoint endpoint, String name, String otherwise) {
    return endpoint.text(name).orElse(otherwise).toLowerCase(Locale.ROOT);
  }

  private static Fault.User bad(String name, String value, String all) {
    return new Fault.User(name + "=" + value + " is none of " + all + ".", "");
  }
}
