package millrace.connectors.couchdb.write;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import millrace.connectors.couchdb.http.CouchAddress;
import millrace.connectors.couchdb.http.CouchClient;
import millrace.connectors.couchdb.http.HttpCalls;
import millrace.connectors.json.Json;
import millrace.fault.Fault;
import millrace.spi.journal.Entry;
import millrace.spi.journal.Entry.Begun;
import millrace.spi.journal.Entry.Complete;
import millrace.spi.journal.JournalText;
import millrace.spi.journal.RunRecord;
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

  /// A document.
  ///
  /// @param run the id of the run that it tells of
  /// @param entries JSON as text, since servers that are not CouchDB round large numbers
  /// @param parts in the one that tells of the run itself: how many more have its receipts
  record Page(String run, List<String> entries, int parts) {}

  /// What else is known of a run.
  ///
  /// @param made whether the database was made for it
  record Details(boolean made) {}

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

  private JournalText text(String name) {
    return new JournalText(
        client.label() + ": its journal (" + name + ")",
        "Delete the documents _local/millrace-… and copy from the start.",
        JournalDocuments::earlier);
  }

  /// What versions before journals had one spelling have kept of a run.
  private static List<Entry> earlier(JsonNode head) throws JsonProcessingException {
    RunRecord run = JournalText.run(head);
    Begun begun =
        Begun.of(run, JournalText.mode(head)).with(new Details(head.path("made").asBoolean()));
    return head.path("complete").asBoolean()
        ? List.of(begun, new Complete(head.path("at").asText(""), "", false))
        : List.of(begun);
  }

  private List<Entry> entries(JsonNode page, String name) {
    JsonNode texts = page.has("receipts") ? page.path("receipts") : page.path("entries");
    if (!texts.isArray()) {
      return text(name).entries(page.toString());
    }
    List<Entry> entries = new ArrayList<>();
    texts.forEach(each -> entries.addAll(text(name).entries(each.asText())));
    return entries;
  }

  private static @Nullable Begun begun(List<Entry> entries) {
    for (Entry entry : entries) {
      if (entry instanceof Begun begun) {
        return begun;
      }
    }
    return null;
  }

  /// What else is known of a run that begins so.
  Details details(Begun begun) {
    return text(name(begun.run().job())).details(begun.details(), Details.class);
  }

  /// How the run of a job has begun; null if none is known.
  @Nullable Begun begun(String job, HttpCalls asking) {
    JsonNode head = get(name(job), asking);
    return head == null ? null : begun(entries(head, name(job)));
  }

  /// All that is known of the run of a job.
  List<Entry> read(String job, HttpCalls asking) {
    JsonNode head = get(name(job), asking);
    if (head == null) {
      return List.of();
    }
    List<Entry> all = entries(head, name(job));
    Begun begun = begun(all);
    for (int i = 0; begun != null && i < head.path("parts").asInt(); i++) {
      all.addAll(part(begun.run(), i, asking));
    }
    return all;
  }

  /// The receipts of a run in one document.
  List<Entry> part(RunRecord run, int number, HttpCalls asking) {
    JsonNode part = get(name(run.job(), number), asking);
    return part != null && part.path("run").asText().equals(run.id())
        ? entries(part, name(run.job()))
        : List.of();
  }

  /// What is known of a run but for its receipts.
  List<Entry> head(RunRecord run, HttpCalls asking) {
    JsonNode head = get(name(run.job()), asking);
    return head == null ? List.of() : entries(head, name(run.job()));
  }

  /// The jobs whose runs it knows of, by as much of their names as names of documents have of them;
  /// none if the server does not list those that stay with it.
  List<String> jobs(HttpCalls calls) {
    String list = client.address().databaseUrl(LIST);
    JsonNode listed = calls.json("GET", list, null, "looking for a journal", 400, 404);
    List<String> jobs = new ArrayList<>();
    if (listed != null) {
      for (JsonNode row : listed.path("rows")) {
        String name = row.path("id").asText();
        if (HEAD_NAME.matcher(name).matches()) {
          jobs.add(name.substring(PREFIX.length()));
        }
      }
    }
    return jobs;
  }

  /// Nobody needs to know any more that the run was there.
  void forget(RunRecord known, HttpCalls asking) {
    JsonNode last = get(name(known.job()), asking);
    int parts = last == null ? 0 : last.path("parts").asInt();
    delete(name(known.job()), asking);
    for (int i = 0; i < parts; i++) {
      get(name(known.job(), i), asking);
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

  private @Nullable JsonNode get(String name, HttpCalls asking) {
    JsonNode found =
        asking.json("GET", client.address().databaseUrl(name), null, "looking for a journal", 404);
    if (found != null) {
      revisions.put(name, found.path("_rev").asText());
    }
    return found;
  }

  /// Writes a document over whatever is there: of two runs at once, either is right.
  void put(String name, Page content, HttpCalls itsCalls) {
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
