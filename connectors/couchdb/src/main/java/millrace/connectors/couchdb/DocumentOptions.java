package millrace.connectors.couchdb;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import millrace.spi.Endpoint;

/// The options that decide which documents move and as what.
public final class DocumentOptions {

  private static final Set<String> DECISIVE =
      Set.of("fields", "filter", "skip-design", "local", "changes", "deleted", "conflicts");

  private DocumentOptions() {}

  /// What of an endpoint's options decides which documents move and as what.
  public static String decisive(Endpoint endpoint) {
    Map<String, String> rows = new TreeMap<>(endpoint.parameters());
    rows.keySet().retainAll(DECISIVE);
    return rows.toString();
  }
}
