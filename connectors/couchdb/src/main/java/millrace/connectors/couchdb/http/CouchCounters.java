package millrace.connectors.couchdb.http;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import millrace.fault.Fault;
import millrace.spi.Counters;
import org.jspecify.annotations.Nullable;

/// What crosses the connections of one end, and what the server counts: `/_node/_local/_stats` of
/// CouchDB 2 and later, `/_stats` of CouchDB 1, asked on a connection aside
/// (https://docs.couchdb.org/en/stable/api/server/common.html). Both are of the whole server, of a
/// cluster of the one node that answers.
public final class CouchCounters implements Counters {

  private static final String GROUP = "_stats";
  private static final String WHAT = "reading the server's counters";

  /// Of the many that CouchDB 2 and later keep, those that tell of requests, databases, documents.
  private static final List<String> PARTS = List.of("couchdb", "fabric", "fsync");

  /// What is counted up and down, whatever its type says, or not counted but measured.
  private static final List<String> NO_COUNTERS =
      List.of(
          "couchdb.open_databases",
          "couchdb.open_os_files",
          "couchdb.request_time",
          "couchdb.auth_cache_hits_ratio",
          "couchdb.httpd.clients_requesting_changes",
          "httpd.clients_requesting_changes");

  /// What a clock of whole seconds, and an answer on its way, may make of the same moment.
  private static final long SAME_START_NANOS = TimeUnit.SECONDS.toNanos(3);

  /// By how much less than this part of the time two clocks differ.
  private static final long CLOCKS_AGREE = 1000;

  private static final String HIDDEN =
      "wire bytes below HTTP (TLS, chunk sizes, headers that the JDK adds, connecting): the JDK"
          + " hides its sockets";

  private final CouchClient client;
  private final CouchClient aside;

  /// When the server was asked first, and how long it had been up then.
  private record Up(long requestedNanos, long upNanos) {}

  /// Null if it did not say.
  private @Nullable Up first;

  public CouchCounters(CouchClient client) {
    this.client = client;
    aside = client.aside();
  }

  @Override
  public Reading read() {
    List<Count> counts = new ArrayList<>(client.wire().counts());
    List<String> missing = new ArrayList<>(List.of(HIDDEN));
    try {
      HttpCalls calls = new HttpCalls(aside);
      if (isAnother(calls)) {
        missing.add(
            GROUP + ": the server was started again during the run, or another one answers now");
        return new Reading(counts, missing);
      }
      JsonNode stats = get(calls, "_node/_local/_stats");
      JsonNode old = stats == null ? get(calls, "_stats") : null;
      if (stats != null) {
        PARTS.forEach(part -> nested(part, stats.path(part), counts));
      } else if (old != null) {
        flat(old, counts);
      } else {
        missing.add(GROUP + ": the server has neither _node/_local/_stats nor _stats");
      }
    } catch (Fault e) {
      missing.add(GROUP + ": " + e.clause());
    }
    return new Reading(counts, missing);
  }

  /// Whether the counters began anew since the first reading.
  private boolean isAnother(HttpCalls calls) {
    JsonNode system = get(calls, "_node/_local/_system");
    if (system == null || !system.path("uptime").isNumber()) {
      return false;
    }
    Up now = new Up(System.nanoTime(), TimeUnit.SECONDS.toNanos(system.path("uptime").asLong()));
    Up known = first == null ? now : first;
    first = known;
    long between = now.requestedNanos - known.requestedNanos;
    long lacking = known.upNanos + between - now.upNanos;
    return Math.abs(lacking) > SAME_START_NANOS + between / CLOCKS_AGREE;
  }

  private @Nullable JsonNode get(HttpCalls calls, String path) {
    JsonNode answer = calls.json("GET", aside.address().url(path), null, WHAT, 400, 404);
    return answer != null && answer.isObject() && !answer.has("error") ? answer : null;
  }

  /// CouchDB 2 and later: members of members, down to `{"value": 7, "type": "counter", …}`.
  private static void nested(String name, JsonNode node, List<Count> into) {
    if (NO_COUNTERS.contains(name)) {
      return;
    }
    if (node.path("type").asText().equals("counter")) {
      into.add(new Count(GROUP, name, Scope.SERVER, node.path("value").asLong()));
      return;
    }
    for (Map.Entry<String, JsonNode> member : node.properties()) {
      if (member.getValue().isObject()) {
        nested(name + "." + member.getKey(), member.getValue(), into);
      }
    }
  }

  /// CouchDB 1: `{"httpd": {"requests": {"current": 7, …}, …}, …}`; null before the first.
  private static void flat(JsonNode stats, List<Count> into) {
    for (Map.Entry<String, JsonNode> group : stats.properties()) {
      for (Map.Entry<String, JsonNode> each : group.getValue().properties()) {
        String name = group.getKey() + "." + each.getKey();
        if (!NO_COUNTERS.contains(name)) {
          into.add(new Count(GROUP, name, Scope.SERVER, each.getValue().path("current").asLong()));
        }
      }
    }
  }

  @Override
  public void close() {
    aside.close();
  }
}
