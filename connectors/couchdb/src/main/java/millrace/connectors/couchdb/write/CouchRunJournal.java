package millrace.connectors.couchdb.write;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import millrace.connectors.couchdb.http.CouchClient;
import millrace.connectors.couchdb.http.HttpCalls;
import millrace.connectors.couchdb.write.JournalDocuments.Page;
import millrace.fault.Fault;
import millrace.spi.journal.Entry;
import millrace.spi.journal.Entry.Begun;
import millrace.spi.journal.Entry.Taken;
import millrace.spi.journal.JournalText;
import millrace.spi.journal.JournaledRun;
import millrace.spi.journal.Receipt;
import millrace.spi.journal.RunRecord;
import millrace.spi.read.Split;
import millrace.spi.write.Mode;
import org.jspecify.annotations.Nullable;

/// What the journal keeps of the run that is under way.
///
/// A receipt is written once the server has taken its documents; one that is lost only makes its
/// documents be written once more. What tells of the run goes with the database if somebody deletes
/// it, and with it what was written: so the run looks for it again before it writes to it, and at
/// its end. Lanes call {@link #record}; all else is the target's.
final class CouchRunJournal {

  /// So many splits share a document: one that held all would be written over and over.
  private static final int SPLITS_PER_DOCUMENT = 32;

  private final JournalDocuments documents;
  private final CouchClient client;
  private final HttpCalls calls;
  private final RunRecord run;

  /// Receipts by split, each by where it begins.
  private final Map<Integer, Map<Long, Receipt>> receipts = new HashMap<>();

  private @Nullable Begun begun;

  /// How many documents have receipts.
  private int parts;

  private @Nullable Boolean mustBeAsked;
  private final boolean goesOn;
  private volatile boolean lost;

  /// @param calls the target's own
  /// @param goesOn the run that it goes on with; null if it begins
  CouchRunJournal(
      JournalDocuments documents, HttpCalls calls, RunRecord run, @Nullable JournaledRun goesOn) {
    this.documents = documents;
    this.calls = calls;
    this.run = run;
    client = documents.client();
    this.goesOn = goesOn != null;
    if (goesOn != null) {
      begun = goesOn.begun();
      goesOn.receipts().forEach(this::keep);
      parts = receipts.keySet().stream().mapToInt(split -> part(split) + 1).max().orElse(0);
    }
  }

  private static int part(int split) {
    return split / SPLITS_PER_DOCUMENT;
  }

  private void keep(Receipt receipt) {
    Split split = receipt.split();
    receipts.computeIfAbsent(split.index(), _ -> new HashMap<>()).put(split.from(), receipt);
  }

  /// Whether the run goes on with another.
  boolean goesOn() {
    return goesOn;
  }

  /// Whether the run goes on with one that has made the database.
  boolean hasMade() {
    return goesOn && begun != null && documents.details(begun).made();
  }

  /// The name of the run, the same for one that goes on with it.
  String runId() {
    return run.id();
  }

  /// Writes down that a run begins.
  ///
  /// @param anew whether the database has just been made, so that nothing is in it
  void begin(Mode mode, boolean made, boolean anew) {
    if (anew) {
      documents.clear();
    }
    put(Begun.of(run, mode).with(new JournalDocuments.Details(made)), 0, null, calls);
  }

  /// The documents that it speaks of have been taken. From any lane's thread.
  ///
  /// It counts only once it is written down: a lane that fails before goes on behind the receipt
  /// before it, and its documents must get the ids that they had.
  ///
  /// @param itsCalls the lane's
  synchronized void record(Receipt receipt, HttpCalls itsCalls) {
    commit(itsCalls);
    int part = part(receipt.split().index());
    if (part >= parts) {
      checkStillThere(itsCalls);
      put(known(), part + 1, null, itsCalls);
    }
    List<String> some = new ArrayList<>();
    for (int i = 0; i < SPLITS_PER_DOCUMENT; i++) {
      int split = part * SPLITS_PER_DOCUMENT + i;
      Map<Long, Receipt> ofSplit = new HashMap<>(receipts.getOrDefault(split, Map.of()));
      if (split == receipt.split().index()) {
        ofSplit.put(receipt.split().from(), receipt);
      }
      ofSplit.values().forEach(each -> some.add(JournalText.spell(new Taken(each, null))));
    }
    documents.put(JournalDocuments.name(run.job(), part), new Page(run.id(), some, 0), itsCalls);
    keep(receipt);
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
  void commit(HttpCalls itsCalls) {
    if (mustBeAsked == null) {
      mustBeAsked = mustBeAsked(client, itsCalls);
    }
    if (mustBeAsked) {
      ask(client, itsCalls);
    }
  }

  /// The same without a journal.
  static void commit(CouchClient client, HttpCalls calls) {
    if (mustBeAsked(client, calls)) {
      ask(client, calls);
    }
  }

  private static boolean mustBeAsked(CouchClient client, HttpCalls calls) {
    String url = client.address().databaseUrl("");
    JsonNode database = calls.json("GET", url, null, "looking at it", 401, 403, 404);
    return database == null || !database.has("cluster");
  }

  private static void ask(CouchClient client, HttpCalls calls) {
    String url = client.address().databaseUrl("_ensure_full_commit");
    calls.json("POST", url, new byte[] {'{', '}'}, "committing", 404, 405);
  }

  /// All documents are there.
  void markComplete() {
    checkStillThere(calls);
    put(known(), parts, Entry.Complete.now("", false), calls);
  }

  private void checkStillThere(HttpCalls itsCalls) {
    Begun there = documents.begun(run.job(), itsCalls);
    if (there == null || !there.run().id().equals(run.id())) {
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

  private Begun known() {
    if (begun == null) {
      throw new Fault.Bug("the journal has not been begun", null);
    }
    return begun;
  }

  private void put(Begun known, int count, @Nullable Entry last, HttpCalls itsCalls) {
    List<Entry> entries = last == null ? List.of(known) : List.of(known, last);
    List<String> spelled = entries.stream().map(JournalText::spell).toList();
    documents.put(JournalDocuments.name(run.job()), new Page(run.id(), spelled, count), itsCalls);
    begun = known;
    parts = count;
  }

  /// The run has failed and leaves nothing to go on with. Where the run was cancelled, so were the
  /// calls that it had.
  void abandon() {
    if (begun != null) {
      documents.forget(run, new HttpCalls(client));
    }
  }
}
