package millrace.connectors.couchdb.read;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import millrace.connectors.couchdb.http.CouchAddress;
import millrace.connectors.couchdb.http.CouchClient;
import millrace.connectors.couchdb.http.HttpCalls;
import millrace.connectors.json.Json;
import millrace.fault.Fault;
import millrace.spi.journal.Receipt;
import millrace.spi.read.Split;
import millrace.spi.read.Splits;
import org.jspecify.annotations.Nullable;

/// Follows `_changes` until it has caught up with the server, a page a split; what is written
/// meanwhile comes at its end. Sequences are the server's own affair: strings, numbers or lists.
/// The next page is asked for while the documents of one are read.
///
/// A run that goes on is given the splits of the one before as they were, and reads on behind the
/// last sequence of what that has taken. That works since one lane takes all splits in their order:
/// behind what was taken, nothing was.
final class ChangeSplits implements Splits {

  private final CouchClient client;
  private final HttpCalls calls;
  private final CountGuard countGuard;
  private final Deque<Split> taken = new ArrayDeque<>();
  private final @Nullable Split rest;
  private final long documentsMax;
  private final boolean withDeleted;
  private final boolean withConflicts;
  private HttpCalls.@Nullable Pending ahead;
  private String since = "0";
  private int index;
  private long position;

  /// Documents that are not deleted among the changes so far; at least, behind what was taken.
  private long documents;

  private boolean caughtUp;

  /// Revisions of a page.
  private record Page(List<byte[]> revisions, List<String> sequences) {

    DocumentSelection from(long begin) {
      return new DocumentSelection.Revisions(revisions, sequences, begin);
    }
  }

  /// @param countGuard tells changes that lack documents
  /// @param receipts what an earlier run has taken
  /// @param documentsMax of a split
  ChangeSplits(
      CouchClient client,
      HttpCalls calls,
      CountGuard countGuard,
      List<Receipt> receipts,
      long documentsMax,
      boolean withDeleted,
      boolean withConflicts) {
    this.client = client;
    this.calls = calls;
    this.countGuard = countGuard;
    this.documentsMax = Math.max(1, documentsMax);
    this.withDeleted = withDeleted;
    this.withConflicts = withConflicts;
    rest = resume(receipts);
  }

  /// Finds the splits of the earlier run, and what is left of the last of them.
  private @Nullable Split resume(List<Receipt> receipts) {
    List<Receipt> inOrder =
        receipts.stream()
            .sorted(
                Comparator.comparingInt((Receipt receipt) -> receipt.split().index())
                    .thenComparingLong(receipt -> receipt.split().from()))
            .toList();
    for (Receipt receipt : inOrder) {
      int number = receipt.split().index();
      if (number > taken.size()) {
        throw new Fault.User(
            "The copy can't be resumed: split "
                + taken.size()
                + " of "
                + client.label()
                + " is missing.",
            "Begin again with --fresh.");
      }
      if (number == taken.size()) {
        taken.add(receipt.split());
      }
    }
    if (inOrder.isEmpty()) {
      return null;
    }
    Receipt last = inOrder.getLast();
    Split left = last.rest();
    Span span = Span.of(client.label(), (left == null ? last.split() : left).resource());
    if (span == null) {
      throw new Fault.User(
          "The copy can't be resumed: it was not one of changes.", "Begin again with --fresh.");
    }
    since = left == null ? span.until() : span.since();
    position = last.split().to();
    documents = position;
    return left;
  }

  @Override
  public @Nullable Split next() {
    Split known = taken.poll();
    if (known != null) {
      index = known.index() + 1;
      if (taken.isEmpty() && rest != null) {
        Page page = page();
        return new Split(
            known.index(),
            known.resource(),
            page.from(rest.from()).position(known.from(), known.to()),
            0,
            0);
      }
      return known;
    }
    String from = since;
    Page page = new Page(List.of(), List.of());
    while (page.revisions.isEmpty() && !caughtUp) {
      page = page();
    }
    if (page.revisions.isEmpty()) {
      // If that was not all, it is asked for when this is tried again.
      caughtUp = false;
      countGuard.check(documents, calls);
      return null;
    }
    String resource = new Span(from, since).resource(client.label());
    long to = position + page.revisions.size();
    Split split = new Split(index++, resource, page.from(position).position(position, to), 0, 0);
    position = to;
    return split;
  }

  private HttpCalls.Pending ask() {
    String text = since.startsWith("\"") ? plain(since) : since;
    String query =
        "_changes?limit="
            + documentsMax
            + "&style="
            + (withConflicts ? "all_docs" : "main_only")
            + "&since="
            + CouchAddress.encoded(text);
    String url = client.address().databaseUrl(query);
    return calls.start("GET", url, null, 0, "following changes");
  }

  private static String plain(String quoted) {
    byte[] bytes = quoted.getBytes(java.nio.charset.StandardCharsets.UTF_8);
    return String.valueOf(Json.text(bytes, 0, bytes.length));
  }

  /// The next page; and asks for the one behind it.
  private Page page() {
    HttpCalls.Pending requested = ahead == null ? ask() : ahead;
    ahead = null;
    JsonNode answer = calls.need(requested);
    JsonNode rows = answer.path("results");
    caughtUp = rows.size() < documentsMax;
    since = answer.path("last_seq").toString();
    if (!caughtUp) {
      ahead = ask();
    }
    Page page = new Page(new ArrayList<>(), new ArrayList<>());
    for (JsonNode row : rows) {
      boolean isDeleted = row.path("deleted").asBoolean();
      documents += isDeleted ? 0 : 1;
      if (withDeleted || !isDeleted) {
        add(row, page);
      }
    }
    return page;
  }

  private static void add(JsonNode row, Page to) {
    JsonNode sequence = row.path("seq");
    int left = row.path("changes").size();
    for (JsonNode change : row.path("changes")) {
      to.revisions.add(
          Json.object(
              "id",
              Json.quoted(row.path("id").asText()),
              "rev",
              Json.quoted(change.path("rev").asText())));
      left--;
      boolean canResume = left == 0 && !sequence.isMissingNode() && !sequence.isNull();
      to.sequences.add(canResume ? sequence.toString() : "");
    }
  }

  @Override
  public void close() {
    HttpCalls.Pending requested = ahead;
    ahead = null;
    if (requested != null) {
      calls.drop(requested);
    }
  }
}
