package millrace.connectors.couchdb.write;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import millrace.connectors.couchdb.http.Calls;
import millrace.connectors.couchdb.http.CouchAddress;
import millrace.connectors.couchdb.http.CouchClient;
import millrace.connectors.couchdb.json.Json;
import org.jspecify.annotations.Nullable;

/// Tells which documents that could not be written are there already, because an earlier try of
/// ours came through without our hearing of it. One thread uses it.
final class DuplicateDetector {

  private static final String WHAT = "looking at documents";

  private final CouchClient client;
  private final Calls calls;
  private final Map<String, ObjectNode> found = new HashMap<>();

  DuplicateDetector(CouchClient client, Calls calls) {
    this.client = client;
    this.calls = calls;
  }

  /// Looks for the documents of these ids, all at once but for those that stay with their server.
  void find(List<String> ids) {
    found.clear();
    ObjectNode request = Json.MAPPER.createObjectNode();
    ArrayNode keys = request.putArray("keys");
    for (String id : ids) {
      if (id.startsWith("_local/")) {
        String url =
            client.address().databaseUrl("_local/" + CouchAddress.encoded(id.substring(7)));
        keep(id, calls.json("GET", url, null, WHAT, 404));
      } else {
        keys.add(id);
      }
    }
    if (!keys.isEmpty()) {
      String url = client.address().databaseUrl("_all_docs?include_docs=true&attachments=true");
      byte[] body = request.toString().getBytes(StandardCharsets.UTF_8);
      JsonNode answer = calls.need("POST", url, body, WHAT);
      answer.path("rows").forEach(row -> keep(row.path("id").asText(), row.path("doc")));
    }
  }

  private void keep(String id, @Nullable JsonNode document) {
    if (document instanceof ObjectNode there) {
      there.remove("_rev");
      found.put(id, there);
    }
  }

  /// Whether the document of that id, which was looked for, has the same members, but for its
  /// revision.
  boolean isThere(String id, byte[] document) throws IOException {
    return Json.MAPPER.readTree(document).equals(found.get(id));
  }
}
