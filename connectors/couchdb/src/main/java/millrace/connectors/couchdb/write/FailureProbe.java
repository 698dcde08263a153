package millrace.connectors.couchdb.write;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ThreadLocalRandom;
import millrace.connectors.couchdb.http.CouchClient;
import millrace.connectors.couchdb.http.HttpCalls;

/// Tells a server that fails on one document from one that fails on all: it is asked for a request
/// of the same kind without a document, and to keep a document that stays with it (`_local/…`),
/// which is deleted at once. One thread uses it.
final class FailureProbe {

  private static final String WHAT = "asking the server whether it takes other documents";

  private final CouchClient client;
  private final HttpCalls calls;

  FailureProbe(CouchClient client, HttpCalls calls) {
    this.client = client;
    this.calls = calls;
  }

  /// Whether the server takes what has nothing to do with the document.
  ///
  /// @throws IOException if the connection fails
  boolean takesOthers() throws IOException {
    String local =
        client
            .address()
            .databaseUrl(
                "_local/probe-millrace-"
                    + Long.toHexString(ThreadLocalRandom.current().nextLong() >>> 1));
    if (!takes("POST", client.address().databaseUrl("_bulk_docs"), "{\"docs\":[]}")
        || !takes("PUT", local, "{}")) {
      return false;
    }
    JsonNode there = calls.json("GET", local, null, WHAT, 401, 403, 404);
    if (there != null) {
      calls.json(
          "DELETE", local + "?rev=" + there.path("_rev").asText(), null, WHAT, 401, 403, 404, 409);
    }
    return true;
  }

  /// Not only a success counts: who may not write that document, or a server that has none of the
  /// kind, is answered in time and in words.
  private boolean takes(String method, String url, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    HttpCalls.Answer answer = calls.finish(calls.start(method, url, bytes, bytes.length, WHAT));
    try (InputStream stream = answer.body()) {
      stream.readAllBytes();
      return answer.status() < 500;
    }
  }
}
