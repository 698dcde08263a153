package millrace.connectors.couchdb;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;

/// Tells whether a document that could not be written is there already, because an earlier try of
/// ours came through without our hearing of it. One thread uses it.
final class Twins {

  private final CouchClient client;
  private final Calls calls;

  Twins(CouchClient client, Calls calls) {
    this.client = client;
    this.calls = calls;
  }

  /// Whether the document of that id has the same members, but for its revision.
  boolean isThere(String id, byte[] document) throws IOException {
    String path =
        CouchAddress.encoded(id).replace("_design%2F", "_design/").replace("_local%2F", "_local/");
    String url = client.address().databaseUrl(path + "?attachments=true");
    JsonNode there = calls.json("GET", url, null, "looking at a document", 404);
    if (!(there instanceof ObjectNode found)
        || !(Json.MAPPER.readTree(document) instanceof ObjectNode ours)) {
      return false;
    }
    found.remove("_rev");
    return found.equals(ours);
  }
}
