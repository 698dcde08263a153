package millrace.connectors.couchdb.read;

import java.nio.charset.StandardCharsets;
import millrace.connectors.couchdb.http.CouchAddress;
import millrace.connectors.json.Json;
import org.jspecify.annotations.Nullable;

/// Documents between two keys in the order of `_all_docs`.
///
/// @param from the first key, or null for the first of all
/// @param to the key that ends it, not included, or null for the last of all
/// @param local whether they are the documents that stay with the server, `_local/…`
public record KeyRange(@Nullable String from, @Nullable String to, boolean local) {

  /// Above every id that anybody has. PouchDB drops ids above U+00FF from a range without an end.
  private static final String LAST = "\uDBFF\uDFFF".repeat(4);

  public static final KeyRange ALL = new KeyRange(null, null, false);

  /// The query of a request for it, from a key on.
  ///
  /// @param start the first key wanted; null for the range's own
  public String query(@Nullable String start, long limit) {
    String first = start == null ? from : start;
    StringBuilder query = new StringBuilder(local ? "_local_docs" : "_all_docs");
    query.append("?include_docs=true&attachments=true&limit=").append(limit);
    if (first != null) {
      query.append("&startkey=").append(key(first));
    }
    query.append("&endkey=").append(key(to == null ? LAST : to));
    if (to != null) {
      query.append("&inclusive_end=false");
    }
    return query.toString();
  }

  /// The query for the key that stands so many documents behind a key.
  ///
  /// @param start where to count from; null for the first of all
  static String queryKey(@Nullable String start, long skip) {
    String from = start == null ? "" : "&startkey=" + key(start);
    return "_all_docs?limit=1&skip=" + skip + from + "&endkey=" + key(LAST);
  }

  private static String key(String text) {
    return CouchAddress.encoded(new String(Json.quoted(text), StandardCharsets.UTF_8));
  }
}
