package millrace.connectors.couchdb;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import millrace.spi.Split;
import millrace.spi.Splits;
import org.jspecify.annotations.Nullable;

/// Follows `_changes` until it has caught up with the server, a page a split; what is written
/// meanwhile comes at its end. Sequences are the server's own affair: strings, numbers or lists.
final class ChangeSplits implements Splits {

  private final CouchClient client;
  private final Calls calls;
  private final Map<Integer, Part> parts;
  private final long documentsMax;
  private final boolean withDeleted;
  private final boolean withConflicts;
  private String since = "0";
  private int index;
  private boolean caughtUp;

  /// @param parts takes what each split stands for, by its number
  /// @param documentsMax of a split
  ChangeSplits(
      CouchClient client,
      Calls calls,
      Map<Integer, Part> parts,
      long documentsMax,
      boolean withDeleted,
      boolean withConflicts) {
    this.client = client;
    this.calls = calls;
    this.parts = parts;
    this.documentsMax = Math.max(1, documentsMax);
    this.withDeleted = withDeleted;
    this.withConflicts = withConflicts;
  }

  @Override
  public @Nullable Split next() {
    List<byte[]> revisions = List.of();
    while (revisions.isEmpty() && !caughtUp) {
      revisions = page();
    }
    if (revisions.isEmpty()) {
      return null;
    }
    parts.put(index, new Part.Revisions(revisions));
    Split split = new Split(index, client.label(), index, index + 1, 0, 0);
    index++;
    return split;
  }

  private List<byte[]> page() {
    String query =
        "_changes?limit="
            + documentsMax
            + "&style="
            + (withConflicts ? "all_docs" : "main_only")
            + "&since="
            + CouchAddress.encoded(since);
    JsonNode answer =
        calls.need("GET", client.address().databaseUrl(query), null, "following changes");
    JsonNode rows = answer.path("results");
    caughtUp = rows.size() < documentsMax;
    JsonNode last = answer.path("last_seq");
    since = last.isTextual() ? last.asText() : last.toString();
    List<byte[]> revisions = new ArrayList<>();
    for (JsonNode row : rows) {
      if (withDeleted || !row.path("deleted").asBoolean()) {
        for (JsonNode change : row.path("changes")) {
          revisions.add(
              Json.object(
                  "id",
                  Json.quoted(row.path("id").asText()),
                  "rev",
                  Json.quoted(change.path("rev").asText())));
        }
      }
    }
    return revisions;
  }
}
