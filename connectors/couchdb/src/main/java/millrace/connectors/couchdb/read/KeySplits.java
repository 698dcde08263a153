package millrace.connectors.couchdb.read;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import millrace.connectors.couchdb.http.CouchClient;
import millrace.connectors.couchdb.http.HttpCalls;
import millrace.connectors.json.Json;
import millrace.spi.read.Position;
import millrace.spi.read.Split;
import millrace.spi.read.Splits;
import org.jspecify.annotations.Nullable;

/// Cuts a database into key ranges of about as many documents each: as lanes ask for more, it asks
/// the server for the key that stands so many documents further on.
final class KeySplits implements Splits {

  private final CouchClient client;
  private final HttpCalls calls;
  private final long documentsMax;
  private final boolean withLocal;
  private long left;
  private int index;
  private @Nullable String from;
  private boolean keysDone;
  private boolean localDone;

  /// @param documents how many there are, about
  /// @param documentsMax of a split
  /// @param withLocal whether the documents that stay with a server come last
  KeySplits(
      CouchClient client, HttpCalls calls, long documents, long documentsMax, boolean withLocal) {
    this.client = client;
    this.calls = calls;
    this.documentsMax = Math.max(1, documentsMax);
    this.withLocal = withLocal;
    left = documents;
  }

  @Override
  public @Nullable Split next() {
    if (!keysDone) {
      String to = boundary();
      KeyRange range = new KeyRange(from, to, false);
      keysDone = to == null;
      from = to;
      left -= documentsMax;
      return split(range);
    }
    if (withLocal && !localDone) {
      localDone = true;
      return split(new KeyRange(null, null, true));
    }
    return null;
  }

  private Split split(KeyRange range) {
    // A split is the same for a run that goes on if it begins with the same key.
    String resource = client.label() + (range.local() ? " local" : at(range.from()));
    long begin = index * documentsMax;
    Position position = new DocumentSelection.Keys(range).position(begin, begin + documentsMax);
    return new Split(index++, resource, position, 0, 0);
  }

  private static String at(@Nullable String key) {
    return key == null ? "" : " at " + new String(Json.quoted(key), StandardCharsets.UTF_8);
  }

  /// The key at which the next split begins, or null if there is none. A rest that is hardly larger
  /// than a split is one.
  private @Nullable String boundary() {
    if (left <= documentsMax + documentsMax / 4) {
      return null;
    }
    String url = client.address().databaseUrl(KeyRange.queryKey(from, documentsMax));
    JsonNode row = calls.need("GET", url, null, "looking for keys").path("rows").path(0);
    return row.hasNonNull("id") ? row.path("id").asText() : null;
  }
}
