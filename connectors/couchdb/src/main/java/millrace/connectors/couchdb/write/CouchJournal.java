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
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import millrace.connectors.couchdb.http.Calls;
import millrace.connectors.couchdb.http.CouchAddress;
import millrace.connectors.couchdb.http.CouchClient;
import millrace.connectors.couchdb.json.Json;
import millrace.fault.Fault;
import millrace.spi.journal.Journal;
import millrace.spi.journal.JournalText;
import millrace.spi.journal.Receipt;
import millrace.spi.journal.RunRecord;
import millrace.spi.read.Split;
import millrace.spi.write.Mode;
import org.jspecify.annotations.Nullable;

/// Receipts of a copy into a database, in documents of the database itself that stay with the
/// server, as the checkpoints of CouchDB's own replicator do: `_local/millrace-JOB` tells of the
/// run, `_local/millrace-JOB-N` has the receipts of some splits.
///
/// A receipt is written once the server has taken its documents. Nothing is locked: documents may
/// be written again, so that of two runs at once each writes what the other does; and a receipt
/// that is lost only makes its documents be written once more. What tells of the run goes with the
/// database where somebody deletes it, and with it what was written: so the run looks for it again
/// before it writes to it, and at its end. Lanes call {@link #record}; all else is the target's.
public final class CouchJournal implements Journal {

  /// What the names of its documents begin with.
  public static final String PREFIX = "_local/millrace-";

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

  /// So many splits share a document: one that held all would be written over and over.
  private static final int SPLITS_PER_DOCUMENT = 32;

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
  private record Bundle(
      @JsonProperty("_rev") @Nullable String revision, String run, List<String> receipts) {}

  private final CouchClient client;
  private final Calls calls;

  /// Revisions of the documents that are there, by name.
  private final Map<String, String> revisions = new HashMap<>();

  /// Receipts by split, each by where it begins.
  private final Map<Integer, Map<Long, Receipt>> receipts = new HashMap<>();

  private @Nullable Head before;
  private @Nullable Head goesOn;
  private @Nullable Head head;
  private @Nullable RunRecord run;
  private @Nullable Boolean mustBeAsked;
  private volatile boolean lost;

  CouchJournal(CouchClient client, Calls calls) {
    this.client = client;
    this.calls = calls;
  }

  private static String name(String job) {
    return PREFIX + job.substring(0, Math.min(job.length(), JOB_CHARACTERS));
  }

  private static String name(String job, int part) {
    return name(job) + "-" + part;
  }

  @Override
  public @Nullable JournaledRun find(String job) {
    Head found = get(name(job), Head.class, calls);
    if (found == null || !found.run().job().equals(job)) {
      return null;
    }
    List<Receipt> all = receipts(found);
    all.forEach(this::keep);
    before = found;
    return kept(found, all);
  }

  private static JournaledRun kept(Head of, List<Receipt> all) {
    // Truncate empties the database once more; all else would add to what is there.
    boolean stays = of.mode() != Mode.TRUNCATE;
    return new JournaledRun(of.run(), of.completion(), stays, all);
  }

  @Override
  public List<JournaledRun> list() {
    List<JournaledRun> all = new ArrayList<>();
    for (String name : heads()) {
      Head head = get(name, Head.class, calls);
      if (head != null) {
        all.add(kept(head, receipts(head)));
      }
    }
    all.sort(Comparator.comparing(each -> each.run().id()));
    return all;
  }

  private List<Receipt> receipts(Head of) {
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

  /// Ids that are made have the run's name in them, so that rows of another run come beside its
  /// own. Whether it is at work nobody can tell.
  @Override
  public @Nullable JournaledRun findOther(List<String> origins) {
    for (String name : heads()) {
      Head other = get(name, Head.class, calls);
      if (other != null
          && !other.complete()
          && !Collections.disjoint(other.run().origins(), origins)) {
        return new JournaledRun(other.run(), null, true, receipts(other));
      }
    }
    return null;
  }

  /// The documents that tell of runs; none where the server does not list those that stay with it.
  private List<String> heads() {
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

  private void keep(Receipt receipt) {
    Split split = receipt.split();
    receipts.computeIfAbsent(split.index(), _ -> new HashMap<>()).put(split.from(), receipt);
  }

  /// Documents are there before their receipt is.
  @Override
  public boolean tellsAll() {
    return false;
  }

  @Override
  public JournaledRun resume(JournaledRun journaledRun) {
    goesOn = before;
    head = before;
    run = journaledRun.run();
    return journaledRun;
  }

  @Override
  public void open(RunRecord begun, @Nullable JournaledRun journaledRun) {
    run = begun;
    goesOn = null;
    head = null;
    receipts.clear();
  }

  /// Whether receipts are kept.
  boolean isOpen() {
    return run != null;
  }

  /// The run that this one goes on with; null where it begins from the start.
  @Nullable Head goesOn() {
    return goesOn;
  }

  /// Whether this run takes the place of one that was cut off.
  boolean hasBefore() {
    return before != null && !before.complete() && goesOn == null;
  }

  /// The name of the run, the same for one that goes on with it.
  String runId() {
    return run().id();
  }

  private RunRecord run() {
    if (run == null) {
      throw new Fault.Bug("no run has been begun", null);
    }
    return run;
  }

  /// Writes down that a run begins.
  ///
  /// @param anew whether the database has just been made, so that nothing is in it
  void begin(Mode mode, boolean made, boolean anew) {
    if (anew) {
      revisions.clear();
    }
    put(new Head(null, run(), mode, made, false, null, 0));
  }

  /// The documents that it speaks of have been taken. From any lane's thread.
  ///
  /// @param itsCalls the lane's
  synchronized void record(Receipt receipt, Calls itsCalls) {
    keep(receipt);
    commit(itsCalls);
    Head known = head();
    int part = receipt.split().index() / SPLITS_PER_DOCUMENT;
    if (part >= known.parts()) {
      checkStillThere(itsCalls);
      put(known.with(part + 1), itsCalls);
    }
    List<String> some = new ArrayList<>();
    for (int i = 0; i < SPLITS_PER_DOCUMENT; i++) {
      int split = part * SPLITS_PER_DOCUMENT + i;
      receipts
          .getOrDefault(split, Map.of())
          .values()
          .forEach(each -> some.add(JournalText.write(each)));
    }
    put(name(run().job(), part), new Bundle(null, run().id(), some), itsCalls);
  }

  /// How many rows of a split came before it is read on from there, written or refused.
  synchronized long rowsBefore(Split split) {
    return receipts.getOrDefault(split.index(), Map.of()).values().stream()
        .filter(receipt -> receipt.split().from() < split.from())
        .mapToLong(receipt -> receipt.rows() + receipt.refused())
        .sum();
  }

  /// CouchDB 1 writes documents to the disk some time later unless it is asked to. Later ones,
  /// whose databases know of their cluster, have done so before they answer. Their own greeting
  /// tells the version as well, but takes seconds where their nodes for search are out of reach.
  void commit(Calls itsCalls) {
    if (mustBeAsked == null) {
      String url = client.address().databaseUrl("");
      JsonNode database = itsCalls.json("GET", url, null, "looking at it", 401, 403, 404);
      mustBeAsked = database == null || !database.has("cluster");
    }
    if (mustBeAsked) {
      String url = client.address().databaseUrl("_ensure_full_commit");
      itsCalls.json("POST", url, new byte[] {'{', '}'}, "committing", 404, 405);
    }
  }

  /// All documents are there.
  void markComplete() {
    Head known = head();
    checkStillThere(calls);
    put(known.completed());
  }

  private void checkStillThere(Calls itsCalls) {
    Head there = get(name(run().job()), Head.class, itsCalls);
    if (there == null || !there.run().id().equals(run().id())) {
      lost = true;
      throw new Fault.External(
          "What "
              + client.label()
              + " had to say of this copy is gone: somebody has deleted the database meanwhile, and"
              + " with it what was copied, or the same copy was begun again or gone on with.",
          "Compare both ends with millrace verify, or copy again.",
          null);
    }
  }

  /// Whether what it knew was gone while the run went on, so that no other run can go on with it.
  boolean isLost() {
    return lost;
  }

  private Head head() {
    if (head == null) {
      throw new Fault.Bug("the journal has not been begun", null);
    }
    return head;
  }

  private void put(Head next) {
    put(next, calls);
  }

  private void put(Head next, Calls itsCalls) {
    put(name(run().job()), next, itsCalls);
    head = next;
  }

  /// The run has failed and leaves nothing to go on with. Where the run was cancelled, so were the
  /// calls that it had.
  void abandon() {
    if (run != null && head != null) {
      forget(run, new Calls(client));
    }
  }

  @Override
  public void forget(RunRecord known) {
    forget(known, calls);
  }

  private void forget(RunRecord known, Calls asking) {
    Head last = get(name(known.job()), Head.class, asking);
    int parts = last == null ? 0 : last.parts();
    delete(name(known.job()), asking);
    for (int i = 0; i < parts; i++) {
      get(name(known.job(), i), Bundle.class, asking);
      delete(name(known.job(), i), asking);
    }
  }

  private void delete(String name, Calls asking) {
    String revision = revisions.remove(name);
    if (revision != null) {
      String url = client.address().databaseUrl(name + "?rev=" + CouchAddress.encoded(revision));
      asking.json("DELETE", url, null, WHAT, 404, 409);
    }
  }

  private <T> @Nullable T get(String name, Class<T> kind, Calls asking) {
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
  private void put(String name, Object content, Calls itsCalls) {
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
