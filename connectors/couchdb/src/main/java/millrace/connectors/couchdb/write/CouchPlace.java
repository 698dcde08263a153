package millrace.connectors.couchdb.write;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import millrace.connectors.couchdb.DatabaseSettings;
import millrace.connectors.couchdb.http.CouchClient;
import millrace.connectors.couchdb.http.HttpCalls;
import millrace.data.Form;
import millrace.fault.Fault;
import millrace.spi.journal.JournaledRun;
import millrace.spi.journal.Receipt;
import millrace.spi.journal.RunRecord;
import millrace.spi.load.LoadRows;
import millrace.spi.load.Place;
import millrace.spi.load.SplitOwners;
import millrace.spi.read.Split;
import millrace.spi.write.Mode;
import millrace.spi.write.WriteContext;
import millrace.spi.write.WriteStart;
import millrace.spi.write.Writer;
import org.jspecify.annotations.Nullable;

/// A database that is being written to. CouchDB has no transactions: what its journal says is as
/// durable as the documents before it.
final class CouchPlace implements Place, LoadRows, Place.Transaction {

  private final CouchClient client;
  private final CouchTarget.Settled settled;
  private final boolean skipsDesign;
  private final CouchRunJournal journal;
  private final @Nullable RunRecord run;
  private final boolean resumes;
  private final boolean exists;
  private final String randomId =
      Long.toHexString(ThreadLocalRandom.current().nextLong() | 1L << 63);

  /// The target's own, which its cancel ends, until {@link #reconnect}.
  private HttpCalls calls;

  /// Splits that a writer has begun: one that is begun again may have left documents.
  private final Map<Integer, Boolean> begun = new ConcurrentHashMap<>();

  /// Whether another process has begun the run, and writes receipts down.
  private boolean joined;

  /// Whether others have told of documents of theirs.
  private volatile boolean others;

  private final AtomicLong sameBefore = new AtomicLong();
  private final RequestSize.Ceilings ceilings = new RequestSize.Ceilings();

  /// Whether this run, or the one that it resumes, has made the database.
  private volatile boolean made;

  private boolean deleted;

  /// @param calls the target's own
  /// @param exists whether the database is there
  CouchPlace(
      CouchClient client,
      HttpCalls calls,
      CouchTarget.Settled settled,
      boolean skipsDesign,
      CouchRunJournal journal,
      WriteStart start,
      boolean exists) {
    this.client = client;
    this.calls = calls;
    this.settled = settled;
    this.skipsDesign = skipsDesign;
    this.journal = journal;
    this.exists = exists;
    run = start.run();
    resumes = start.resumed() != null;
    made = journal.hasMade();
  }

  @Override
  public Layout layout() {
    boolean makes = resumes ? made : !exists;
    return new Layout(
        "", List.of(), CouchRunJournal.details(makes), makes, Making.BEFORE_ENTRY, true);
  }

  /// Until it has its security object everybody may read it: without one it does not stay.
  @Override
  public void make(String staging) {
    DatabaseSettings settings = DatabaseSettings.of(settled.schema());
    make(settings);
    made = true;
    try {
      secure(settings);
    } catch (RuntimeException e) {
      reconnect();
      try {
        drop(staging);
      } catch (Fault remaining) {
        e.addSuppressed(remaining);
      }
      throw e;
    }
  }

  /// It is deleted, and made again as it was.
  @Override
  public void empty() {
    DatabaseSettings settings = databaseSettings();
    calls.need("DELETE", client.address().databaseUrl(""), null, "emptying it");
    make(settings);
    secure(settings);
  }

  /// What has the database's name by now, if it is gone, is not this run's.
  @Override
  public void drop(String staging) {
    if (isGone()) {
      return;
    }
    made = false;
    try {
      calls.json("DELETE", client.address().databaseUrl(""), null, "deleting it", 404);
      deleted = true;
    } catch (Fault e) {
      throw new Fault.External(
          client.label() + " could not be deleted and holds what was copied: " + e.getMessage(),
          "Delete it, or resume it with --resume.",
          e);
    }
  }

  @Override
  public void join(SplitOwners owners) {
    joined = true;
  }

  @Override
  public void committed(Receipt receipt) {
    others = true;
    journal.record(receipt, new HttpCalls(client));
  }

  /// One that was emptied has its own security object.
  @Override
  public void resume(JournaledRun from) {
    if (made && settled.mode() != Mode.TRUNCATE) {
      secure(DatabaseSettings.of(settled.schema()));
    }
  }

  private DatabaseSettings databaseSettings() {
    JsonNode info = calls.need("GET", client.address().databaseUrl(""), null, "opening it");
    String url = client.address().databaseUrl("_security");
    JsonNode security = calls.json("GET", url, null, "reading its security object", 404);
    return new DatabaseSettings(
        info.path("props").path("partitioned").asBoolean(),
        security == null ? DatabaseSettings.NONE.security() : security);
  }

  private void make(DatabaseSettings settings) {
    String url =
        client.address().databaseUrl("") + (settings.partitioned() ? "?partitioned=true" : "");
    if (!calls.make(url, "making it")) {
      throw new Fault.User(
          client.label() + " has been made by somebody else meanwhile.", "Use --mode append.");
    }
    journal.clear();
  }

  private void secure(DatabaseSettings settings) {
    if (!settings.security().isEmpty()) {
      calls.need(
          "PUT",
          client.address().databaseUrl("_security"),
          settings.securityJson(),
          "setting its security object");
    }
  }

  @Override
  public Writer writer(Form form, WriteContext context) {
    return new CouchWriter(client, settled.schema(), skipsDesign, new Writing(), context);
  }

  /// What the writers share.
  private final class Writing implements CouchWriter.Shared {

    @Override
    public String runId() {
      return run != null
          ? UUID.nameUUIDFromBytes(run.id().getBytes(StandardCharsets.UTF_8))
              .toString()
              .replace("-", "")
              .substring(0, 16)
          : randomId;
    }

    @Override
    public boolean beginsAgain(Split split) {
      return begun.put(split.index(), true) != null || resumes || others;
    }

    @Override
    public long rowsBefore(Split split) {
      return journal.rowsBefore(split);
    }

    @Override
    public boolean keepsReceipts() {
      return run != null;
    }

    @Override
    public boolean isDurable() {
      return !isDeletedOnFailure();
    }

    @Override
    public void record(Receipt receipt, HttpCalls itsCalls) {
      if (run != null && !joined) {
        journal.record(receipt, itsCalls);
      }
    }

    @Override
    public AtomicLong sameBefore() {
      return sameBefore;
    }

    @Override
    public RequestSize.Ceilings ceilings() {
      return ceilings;
    }
  }

  @Override
  public Transaction transaction() {
    return this;
  }

  @Override
  public void commit() {
    journal.commit(calls);
  }

  @Override
  public void reconnect() {
    if (calls.isCancelled()) {
      calls = new HttpCalls(client);
      journal.reconnect(calls);
    }
  }

  @Override
  public Outcome outcome() {
    return new Outcome(notes(), 0, hasBegun() && !isDeletedOnFailure(), documentsLeft());
  }

  private boolean hasBegun() {
    return others || !begun.isEmpty();
  }

  private List<String> notes() {
    List<String> notes = new ArrayList<>(ceilings.notes());
    long same = sameBefore.get();
    if (same > 0) {
      notes.add(
          (same == 1 ? "1 document was" : "%,d documents were".formatted(same))
              + " there already with the same content, and nothing was written for "
              + (same == 1 ? "it." : "them."));
    }
    return notes;
  }

  private boolean isDeletedOnFailure() {
    return made && (settled.mode() == Mode.CREATE || settled.mode() == Mode.REPLACE);
  }

  private boolean isGone() {
    return journal.hasForgotten();
  }

  private String documentsLeft() {
    if (!hasBegun() || deleted) {
      return "";
    }
    return isGone()
        ? "Documents of this copy may be in a database of that name, and stay."
        : "Documents that were on their way may be in the database already, and stay.";
  }
}
