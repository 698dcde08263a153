package millrace.connectors.kudu;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import millrace.spi.Endpoint;

/// The options that decide which rows move and as what.
public final class KuduIdentityOptions {

  private static final Set<String> DECISIVE = Set.of("timestamps", "write", "read");

  private KuduIdentityOptions() {}

  /// What of an endpoint's options decides which rows move and as what.
  public static String decisive(Endpoint endpoint) {
    Map<String, String> rows = new TreeMap<>(endpoint.parameters());
    rows.keySet().retainAll(DECISIVE);
    return rows.toString();
  }
}
