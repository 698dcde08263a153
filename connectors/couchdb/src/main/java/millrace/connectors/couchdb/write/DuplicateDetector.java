package millrace.connectors.couchdb.write;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import millrace.connectors.couchdb.http.CouchAddress;
import millrace.connectors.couchdb.http.CouchClient;
import millrace.connectors.couchdb.http.HttpCalls;
import millrace.connectors.couchdb.json.SameDocument;
import millrace.connectors.json.Json;
import org.jspecify.annotations.Nullable;

/// Tells which documents that could not be written are there already with the same content: an
/// earlier try of ours came through without our hearing of it, or an earlier copy brought them. One
/// thread uses it.
final class DuplicateDetector {

  private static final String WHAT = "looking at documents";

  /// Documents are of any size there, and all of an answer is in memory.
  private static final int IDS_MAX = 1000;

  private final CouchClient client;
  private final HttpCalls calls;
  private final Map<String, JsonNode> found = new HashMap<>();

  DuplicateDetector(CouchClient client, HttpCalls calls) {
    this.client = client;
    this.calls = calls;
  }

  /// Looks for the documents of these ids; attachments are not fetched yet.
  void find(List<String> ids) {
    found.clear();
    for (int from = 0; from < ids.size(); from += IDS_MAX) {
      findSome(ids.subList(from, Math.min(ids.size(), from + IDS_MAX)));
    }
  }

  private void findSome(List<String> ids) {
    ObjectNode request = Json.MAPPER.createObjectNode();
    ArrayNode keys = request.putArray("keys");
    for (String id : ids) {
      if (id.startsWith("_local/")) {
        keep(id, calls.json("GET", url(id, ""), null, WHAT, 404));
      } else {
        keys.add(id);
      }
    }
    if (!keys.isEmpty()) {
      String url = client.address().databaseUrl("_all_docs?include_docs=true");
      byte[] body = request.toString().getBytes(StandardCharsets.UTF_8);
      JsonNode answer = calls.need("POST", url, body, WHAT);
      answer.path("rows").forEach(this::keepRow);
    }
  }

  /// What a deleted document was deleted with comes only by its revision.
  private void keepRow(JsonNode row) {
    String id = row.path("id").asText();
    JsonNode value = row.path("value");
    if (value.path("deleted").asBoolean()) {
      String revision = URLEncoder.encode(value.path("rev").asText(), StandardCharsets.UTF_8);
      keep(id, calls.json("GET", url(id, "?rev=" + revision), null, WHAT, 404));
    } else {
      keep(id, row.path("doc"));
    }
  }

  private void keep(String id, @Nullable JsonNode document) {
    if (document instanceof ObjectNode there) {
      found.put(id, there);
    }
  }

  private String url(String id, String query) {
    boolean isLocal = id.startsWith("_local/");
    String name = CouchAddress.encoded(isLocal ? id.substring(7) : id);
    return client.address().databaseUrl((isLocal ? "_local/" : "") + name + query);
  }

  /// Whether the document of that id, which was looked for, has the same content.
  boolean isThere(String id, byte[] document) throws IOException {
    JsonNode there = found.get(id);
    JsonNode ours = Json.MAPPER.readTree(document);
    if (there == null || !SameDocument.members(ours, there)) {
      return false;
    }
    return switch (SameDocument.attachments(ours, there)) {
      case SAME -> true;
      case DIFFERENT -> false;
      case UNKNOWN -> {
        String revision = URLEncoder.encode(there.path("_rev").asText(), StandardCharsets.UTF_8);
        String url = url(id, "?attachments=true&rev=" + revision);
        JsonNode fetched = calls.json("GET", url, null, WHAT, 404);
        yield fetched != null
            && SameDocument.attachments(ours, fetched) == SameDocument.Attachments.SAME;
      }
    };
  }
}
