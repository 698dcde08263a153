package millrace.connectors.couchdb.write;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
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
import millrace.spi.load.LoadLedger;
import millrace.spi.load.SplitOwners;
import millrace.spi.read.Split;
import org.jspecify.annotations.Nullable;

/// What the journal keeps of the run that is under way.
///
/// A receipt is written once the server has taken its documents; one that is lost only makes its
/// documents be written once more. What tells of the run goes with the database if somebody deletes
/// it, and with it what was written: so the run looks for it again before it writes to it, and at
/// its end. Lanes call {@link #record}; all else is the target's.
final class CouchRunJournal implements LoadLedger, SplitOwners.Table {

  /// So many splits share a document: one that held all would be written over and over.
  private static final int SPLITS_PER_DOCUMENT = 32;

  private final JournalDocuments documents;
  private final CouchClient client;

  /// The target's own, until {@link #reconnect}.
  private HttpCalls calls;

  /// Receipts by split, each by where it begins.
  private final Map<Integer, Map<Long, Receipt>> receipts = new HashMap<>();

  private @Nullable Begun begun;

  /// How many documents have receipts.
  private int parts;

  private @Nullable Boolean mustBeRequested;
  private final boolean resumes;
  private volatile boolean lost;

  /// @param calls the target's own
  /// @param resumed the run that is resumed; null if it begins
  CouchRunJournal(JournalDocuments documents, HttpCalls calls, @Nullable JournaledRun resumed) {
    this.documents = documents;
    this.calls = calls;
    client = documents.client();
    resumes = resumed != null;
    if (resumed != null) {
      begun = resumed.begun();
      resumed.receipts().forEach(this::keep);
      parts = receipts.keySet().stream().mapToInt(split -> part(split) + 1).max().orElse(0);
    }
  }

  /// What else is known of a run.
  static JsonNode details(boolean made) {
    return JournalText.details(new JournalDocuments.Details(made));
  }

  @Override
  public String name() {
    return client.label();
  }

  /// Calls of the target may have been stopped: from now on others are made.
  void reconnect(HttpCalls other) {
    calls = other;
  }

  /// The database has just been made, so that nothing is in it.
  void clear() {
    documents.clear();
  }

  private static int part(int split) {
    return split / SPLITS_PER_DOCUMENT;
  }

  private void keep(Receipt receipt) {
    Split split = receipt.split();
    receipts.computeIfAbsent(split.index(), _ -> new HashMap<>()).put(split.from(), receipt);
  }

  /// Whether the run resumes one that has made the database.
  boolean hasMade() {
    return resumes && documents.details(known()).made();
  }

  @Override
  public void begin(Begun begins) {
    put(begins, 0, null, calls);
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
    RunRecord run = known().run();
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

  @Override
  public SplitOwners.Table owners() {
    return this;
  }

  @Override
  public synchronized void put(RunRecord run, int split, long token, Consumer<List<Entry>> check) {
    if (split != SplitOwners.ALL) {
      check.accept(documents.head(run, new HttpCalls(client)));
    }
  }

  /// Of one split it is what counts from now on: documents get their ids by it.
  @Override
  public synchronized List<Entry> taken(RunRecord run, int split) {
    HttpCalls asking = new HttpCalls(client);
    if (split == SplitOwners.ALL) {
      return documents.read(run.job(), asking);
    }
    receipts.remove(split);
    List<Entry> taken = new ArrayList<>();
    for (Entry each : documents.part(run, part(split), asking)) {
      if (each instanceof Taken of && of.receipt().split().index() == split) {
        keep(of.receipt());
        taken.add(each);
      }
    }
    return taken;
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
    if (mustBeRequested == null) {
      mustBeRequested = mustBeRequested(client, itsCalls);
    }
    if (mustBeRequested) {
      ask(client, itsCalls);
    }
  }

  private static boolean mustBeRequested(CouchClient client, HttpCalls calls) {
    String url = client.address().databaseUrl("");
    JsonNode database = calls.json("GET", url, null, "looking at it", 401, 403, 404);
    return database == null || !database.has("cluster");
  }

  private static void ask(CouchClient client, HttpCalls calls) {
    String url = client.address().databaseUrl("_ensure_full_commit");
    calls.json("POST", url, new byte[] {'{', '}'}, "committing", 404, 405);
  }

  /// What it speaks of is on the disk before it is.
  @Override
  public synchronized void append(RunRecord run, Entry entry) {
    commit(calls);
    checkStillThere(calls);
    put(known(), parts, entry, calls);
  }

  private void checkStillThere(HttpCalls itsCalls) {
    RunRecord run = known().run();
    Begun there = documents.begun(run.job(), itsCalls);
    if (there == null || !there.run().id().equals(run.id())) {
      lost = true;
      throw new Fault.External(
          "What "
              + client.label()
              + " had to say of this copy is gone: somebody has deleted the database meanwhile, and"
              + " with it what was copied, or the same copy was begun again or resumed.",
          "Compare both ends with millrace verify, or copy again.",
          null);
    }
  }

  @Override
  public boolean hasForgotten() {
    return lost || client.isGone();
  }

  @Override
  public Progress progress(RunRecord run) {
    return Progress.of(documents.read(run.job(), calls));
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
    documents.put(
        JournalDocuments.name(known.run().job()),
        new Page(known.run().id(), spelled, count),
        itsCalls);
    begun = known;
    parts = count;
  }

  @Override
  public void forget(RunRecord run) {
    documents.forget(run, calls);
  }
}
