package millrace.connectors.couchdb.write;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import millrace.connectors.couchdb.http.CouchAddress;
import millrace.connectors.couchdb.http.CouchClient;
import millrace.connectors.couchdb.http.HttpCalls;
import millrace.connectors.couchdb.json.Json;
import millrace.fault.Fault;
import millrace.spi.journal.JournalText;
import millrace.spi.journal.JournaledRun.Completion;
import millrace.spi.journal.Receipt;
import millrace.spi.journal.RunRecord;
import millrace.spi.write.Mode;
import org.jspecify.annotations.Nullable;

/// The documents of a database's journal, which stay with the server, as the checkpoints of
/// CouchDB's own replicator do: `_local/millrace-JOB` tells of a run, `_local/millrace-JOB-N` has
/// the receipts of some splits. One thread at a time.
final class JournalDocuments {

  /// What the names of its documents begin with.
  static final String PREFIX = "_local/millrace-";

  private static final int JOB_CHARACTERS = 16;

  /// What a document that tells of a run is named, and no other.
  private static final Pattern HEAD_NAME =
      Pattern.compile(Pattern.quote(PREFIX) + "[0-9a-f]{" + JOB_CHARACTERS + "}");

  /// The query for the names of its documents, which lie between these keys.
  private static final String LIST =
      "_local_docs?startkey="
          + CouchAddress.encoded("\"" + PREFIX + "\"")
          + "&endkey="
          + CouchAddress.encoded("\"" + PREFIX + "g\"");

  private static final int TRIES_MAX = 5;

  private static final String WHAT = "keeping the journal";

  /// What is known of a run.
  ///
  /// @param revision of the document itself
  /// @param made whether the database was made for it
  /// @param at when the run was complete; journals of earlier versions do not say
  /// @param parts how many documents have its receipts
  @JsonIgnoreProperties(ignoreUnknown = true)
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Head(
      @JsonProperty("_rev") @Nullable String revision,
      RunRecord run,
      Mode mode,
      boolean made,
      boolean complete,
      @Nullable String at,
      int parts) {

    Head with(int count) {
      return new Head(null, run, mode, made, false, null, count);
    }

    Head completed() {
      String now = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
      return new Head(null, run, mode, made, true, now, parts);
    }

    @Nullable Completion completion() {
      return complete ? new Completion(at == null ? run.startedAt() : at, "") : null;
    }
  }

  /// Receipts of some splits.
  ///
  /// @param receipts JSON as text, since servers that are not CouchDB round large numbers
  @JsonIgnoreProperties(ignoreUnknown = true)
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Bundle(
      @JsonProperty("_rev") @Nullable String revision, String run, List<String> receipts) {}

  private final CouchClient client;

  /// Revisions of the documents that are there, by name.
  private final Map<String, String> revisions = new HashMap<>();

  JournalDocuments(CouchClient client) {
    this.client = client;
  }

  static String name(String job) {
    return PREFIX + job.substring(0, Math.min(job.length(), JOB_CHARACTERS));
  }

  static String name(String job, int part) {
    return name(job) + "-" + part;
  }

  /// Whose journal it is.
  CouchClient client() {
    return client;
  }

  /// The database has just been made, so that nothing is in it.
  void clear() {
    revisions.clear();
  }

  /// What tells of the run of a job, or null.
  @Nullable Head head(String job, HttpCalls asking) {
    return get(name(job), Head.class, asking);
  }

  List<Receipt> receipts(Head of, HttpCalls calls) {
    String job = of.run().job();
    List<Receipt> all = new ArrayList<>();
    for (int i = 0; i < of.parts(); i++) {
      Bundle part = get(name(job, i), Bundle.class, calls);
      if (part != null && part.run().equals(of.run().id())) {
        part.receipts().forEach(text -> all.add(read(text, Receipt.class, name(job))));
      }
    }
    return all;
  }

  /// The documents that tell of runs; none where the server does not list those that stay with it.
  List<String> heads(HttpCalls calls) {
    String list = client.address().databaseUrl(LIST);
    JsonNode listed = calls.json("GET", list, null, "looking for a journal", 400, 404);
    List<String> names = new ArrayList<>();
    if (listed != null) {
      for (JsonNode row : listed.path("rows")) {
        String name = row.path("id").asText();
        if (HEAD_NAME.matcher(name).matches()) {
          names.add(name);
        }
      }
    }
    return names;
  }

  /// Nobody needs to know any more that the run was there.
  void forget(RunRecord known, HttpCalls asking) {
    Head last = get(name(known.job()), Head.class, asking);
    int parts = last == null ? 0 : last.parts();
    delete(name(known.job()), asking);
    for (int i = 0; i < parts; i++) {
      get(name(known.job(), i), Bundle.class, asking);
      delete(name(known.job(), i), asking);
    }
  }

  private void delete(String name, HttpCalls asking) {
    String revision = revisions.remove(name);
    if (revision != null) {
      String url = client.address().databaseUrl(name + "?rev=" + CouchAddress.encoded(revision));
      asking.json("DELETE", url, null, WHAT, 404, 409);
    }
  }

  <T> @Nullable T get(String name, Class<T> kind, HttpCalls asking) {
    JsonNode found =
        asking.json("GET", client.address().databaseUrl(name), null, "looking for a journal", 404);
    if (found == null) {
      return null;
    }
    revisions.put(name, found.path("_rev").asText());
    return read(found.toString(), kind, name);
  }

  private <T> T read(String text, Class<T> kind, String name) {
    return new JournalText(
            client.label() + ": its journal (" + name + ")",
            "Delete the documents _local/millrace-… and copy from the start.")
        .read(text, kind);
  }

  /// Writes a document over whatever is there: of two runs at once, either is right.
  void put(String name, Object content, HttpCalls itsCalls) {
    for (int tries = 1; ; tries++) {
      JsonNode document = Json.MAPPER.valueToTree(content);
      if (document instanceof ObjectNode members) {
        String revision = revisions.get(name);
        members.put("_id", name);
        if (revision != null) {
          members.put("_rev", revision);
        }
      }
      byte[] body = document.toString().getBytes(StandardCharsets.UTF_8);
      String url = client.address().databaseUrl(name);
      JsonNode answer = itsCalls.json("PUT", url, body, WHAT, 409);
      if (answer != null) {
        revisions.put(name, answer.path("rev").asText());
        return;
      }
      if (tries == TRIES_MAX) {
        throw new Fault.Transient(
            client.label() + ": " + name + " is written to by somebody else all the time.",
            "Is the same copy under way elsewhere?",
            0,
            null);
      }
      JsonNode there = itsCalls.json("GET", url, null, WHAT, 404);
      revisions.remove(name);
      if (there != null) {
        revisions.put(name, there.path("_rev").asText());
      }
    }
  }
}
