package millrace.connectors.couchdb.http;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Locale;
import java.util.stream.StreamSupport;
import millrace.fault.Fault;
import org.jspecify.annotations.Nullable;

/// Whether all nodes of a cluster have what was written while one of them was away.
///
/// A node that has come back answers at once, from its own copies as a rule, with status 200 and
/// without what they lack; the others send it that meanwhile, and count what they have yet to send
/// (`internal_replication_jobs`,
/// https://docs.couchdb.org/en/stable/api/server/common.html#node-node-name-system). On a cluster
/// that is written to that count is rarely 0, so it only says something of one to which a node has
/// come back not long ago.
///
/// Only an admin may see that; what is read is watched by a {@link CountGuard} besides.
public final class ClusterNodes {

  /// For so long a node has not long been back.
  private static final long BACK_SECONDS = 600;

  /// The others begin to count only when they have seen it.
  private static final long SEEN_SECONDS = 10;

  private static final String WHAT = "looking at the nodes of its cluster";

  private ClusterNodes() {}

  /// Looks at the nodes, as far as the user may.
  ///
  /// @throws Fault.Transient if one that has come back may lack documents
  public static void check(CouchClient client, HttpCalls calls) {
    JsonNode members = get(client, calls, "_membership");
    if (members == null) {
      return;
    }
    String back = "";
    long backSeconds = BACK_SECONDS;
    long left = 0;
    for (String node : names(members)) {
      JsonNode system = get(client, calls, "_node/" + CouchAddress.encoded(node) + "/_system");
      if (system != null && system.path("uptime").isNumber()) {
        left += system.path("internal_replication_jobs").asLong();
        long up = system.path("uptime").asLong();
        back = up < backSeconds ? node : back;
        backSeconds = Math.min(up, backSeconds);
      }
    }
    if (!back.isEmpty() && (left > 0 || backSeconds < SEEN_SECONDS)) {
      throw new Fault.Transient(
          String.format(
              Locale.ROOT,
              "%s: node %s came back %,d s ago, and it or another may still lack documents.",
              client.label(),
              // An @ would make it look like part of a URL with a password.
              back.replace("@", " on "),
              backSeconds),
          "Try again when internal_replication_jobs is 0 in each node's _system, or, where it never"
              + " is, when the node has been back for 10 minutes.",
          0,
          null);
    }
  }

  private static Iterable<String> names(JsonNode members) {
    return StreamSupport.stream(members.path("all_nodes").spliterator(), false)
        .map(JsonNode::asText)
        .toList();
  }

  /// Null if the user may not see it, or the node is away.
  private static @Nullable JsonNode get(CouchClient client, HttpCalls calls, String path) {
    String url = client.address().url(path);
    return calls.json("GET", url, null, WHAT, 400, 401, 403, 404, 500);
  }
}
