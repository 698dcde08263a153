package millrace.connectors.couchdb.read;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import millrace.connectors.couchdb.http.ClusterNodes;
import millrace.connectors.couchdb.http.CouchClient;
import millrace.connectors.couchdb.http.HttpCalls;
import millrace.fault.Fault;

/// How many documents a database of a cluster has at least, so that it shows if an answer lacks
/// some.
///
/// Each document lies on several nodes, and one that was away lacks what was written meanwhile. It
/// brings that in bit by bit, but answers at once: a page of `_all_docs` and a list of `_changes`
/// are of whichever copies are first, with status 200 and no word of what they lack. How many
/// documents these copies have, a page says at its head (`total_rows`).
///
/// The lanes of a source share it. Any thread.
final class CountGuard {

  /// How often a node of the cluster is asked for each copy that there is: which copies it asks is
  /// chance.
  private static final int ANSWERS_PER_COPY = 2;

  private static final String DELETED = "doc_del_count";

  private static final String WHAT = "counting its documents";

  private final CouchClient client;
  private final int answers;
  private volatile long documents;
  private long deleted;

  /// @param answers how many to ask for if a page lacks documents; none if none can
  private CountGuard(CouchClient client, int answers, JsonNode info) {
    this.client = client;
    this.answers = answers;
    documents = count(info, "doc_count");
    deleted = count(info, DELETED);
  }

  /// Counts the documents, unless there is but one copy of each: then no answer can lack any.
  ///
  /// @param info what the server says of the database
  /// @throws Fault.Transient if a node has come back and has yet to catch up
  static CountGuard of(CouchClient client, HttpCalls calls, JsonNode info) {
    int copies = info.path("cluster").path("n").asInt(1);
    if (copies <= 1) {
      return new CountGuard(client, 0, info);
    }
    ClusterNodes.check(client, calls);
    int answers = copies * ANSWERS_PER_COPY;
    return new CountGuard(client, answers, newest(client, calls, answers));
  }

  /// Of several answers the one that knows of most documents: those that are deleted count too, so
  /// that there are never fewer.
  private static JsonNode newest(CouchClient client, HttpCalls calls, int answers) {
    String url = client.address().databaseUrl("");
    List<HttpCalls.Pending> requested =
        Stream.generate(() -> calls.start("GET", url, null, 0, WHAT)).limit(answers).toList();
    return requested.stream()
        .map(calls::need)
        .max(Comparator.comparingLong(info -> count(info, "doc_count") + count(info, DELETED)))
        .orElseThrow();
  }

  private static long count(JsonNode info, String what) {
    return info.path(what).asLong();
  }

  /// How many documents there are, of those that are not deleted.
  long documents() {
    return documents;
  }

  /// An answer is of copies that have so many documents.
  ///
  /// @param count -1 if it does not say
  /// @throws Fault.Transient if it lacks some that the database had, and that were not deleted
  ///   since
  void check(long count, HttpCalls calls) {
    if (answers > 0 && count >= 0 && count < documents) {
      checkAgain(count, calls);
    }
  }

  private synchronized void checkAgain(long count, HttpCalls calls) {
    long deletedNow = Math.max(deleted, count(newest(client, calls, answers), DELETED));
    documents = Math.max(0, documents - (deletedNow - deleted));
    deleted = deletedNow;
    if (count < documents) {
      throw new Fault.Transient(
          String.format(
              Locale.ROOT,
              "%s: a node of the cluster answered with fewer than the %,d documents that there are,"
                  + " as one does that was away and has yet to catch up.",
              client.label(),
              documents),
          "Try again when it has, or ask another node.",
          0,
          null);
    }
  }
}
