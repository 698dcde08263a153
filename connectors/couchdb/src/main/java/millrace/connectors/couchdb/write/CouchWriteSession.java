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
import millrace.spi.PhaseTimer;
import millrace.spi.journal.Receipt;
import millrace.spi.read.Split;
import millrace.spi.write.Aborted;
import millrace.spi.write.Completed;
import millrace.spi.write.Mode;
import millrace.spi.write.Recoverable;
import millrace.spi.write.WriteContext;
import millrace.spi.write.WriteSession;
import millrace.spi.write.Writer;
import org.jspecify.annotations.Nullable;

/// A database that is being written to. One that mode create has made is deleted if the run fails,
/// unless another can go on with it.
final class CouchWriteSession implements WriteSession, Recoverable {

  private final CouchClient client;
  private final HttpCalls calls;
  private final CouchTarget.Settled settled;
  private final boolean skipsDesign;
  private final @Nullable CouchRunJournal journal;
  private final boolean goesOn;
  private final String randomId =
      Long.toHexString(ThreadLocalRandom.current().nextLong() | 1L << 63);

  /// Splits that a writer has begun: one that is begun again may have left documents.
  private final Map<Integer, Boolean> begun = new ConcurrentHashMap<>();

  private final AtomicLong sameBefore = new AtomicLong();
  private final RequestSize.Ceilings ceilings = new RequestSize.Ceilings();
  private boolean made;
  private boolean deleted;
  private boolean emptied;

  /// @param calls the target's own, which its cancel ends
  /// @param journal what is kept of the run; null if nothing is
  CouchWriteSession(
      CouchClient client,
      HttpCalls calls,
      CouchTarget.Settled settled,
      boolean skipsDesign,
      @Nullable CouchRunJournal journal) {
    this.client = client;
    this.calls = calls;
    this.settled = settled;
    this.skipsDesign = skipsDesign;
    this.journal = journal;
    made = journal != null && journal.hasMade();
    goesOn = journal != null && journal.goesOn();
  }

  /// The run goes on with another, whose database is there. One that was emptied has its own
  /// security object.
  void goOn() {
    if (made && settled.mode() != Mode.TRUNCATE) {
      secure(DatabaseSettings.of(settled.schema()));
    }
  }

  /// The run begins from the start.
  ///
  /// @param exists whether the database is there
  /// @param holdsOther whether it holds documents of a copy that was cut off
  void begin(boolean exists, boolean holdsOther) {
    DatabaseSettings settings = DatabaseSettings.of(settled.schema());
    boolean empties = exists && settled.mode() == Mode.TRUNCATE;
    if (exists && holdsOther && settled.mode() == Mode.CREATE) {
      throw new Fault.User(
          client.label() + " holds documents of a copy that was cut off.",
          "Delete it, or say --mode truncate.");
    }
    if (empties) {
      settings = ownSettings();
      calls.need("DELETE", client.address().databaseUrl(""), null, "emptying it");
      emptied = true;
    }
    boolean anew = !exists || empties;
    if (anew) {
      make(settings);
      // Before anything else: until then everybody may read it.
      secure(settings);
    }
    if (journal != null) {
      journal.begin(settled.mode(), made, anew);
    }
  }

  private DatabaseSettings ownSettings() {
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
    made = true;
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
      return journal != null
          ? UUID.nameUUIDFromBytes(journal.runId().getBytes(StandardCharsets.UTF_8))
              .toString()
              .replace("-", "")
              .substring(0, 16)
          : randomId;
    }

    @Override
    public boolean beginsAgain(Split split) {
      return begun.put(split.index(), true) != null || goesOn;
    }

    @Override
    public long rowsBefore(Split split) {
      return journal == null ? 0 : journal.rowsBefore(split);
    }

    @Override
    public boolean keepsReceipts() {
      return journal != null;
    }

    @Override
    public boolean isDurable() {
      return !isDeletedOnFailure();
    }

    @Override
    public void record(Receipt receipt, HttpCalls itsCalls) {
      if (journal != null) {
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
  public Completed complete(PhaseTimer steps) {
    if (journal != null) {
      journal.commit(calls);
      journal.markComplete();
    } else {
      CouchRunJournal.commit(client, calls);
    }
    return Completed.noting(notes());
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
    return client.isGone() || (journal != null && journal.isLost());
  }

  /// Without the journal they would come once more, under other ids or as conflicts.
  @Override
  public boolean leavesRows() {
    return !begun.isEmpty() && !isDeletedOnFailure();
  }

  /// The journal and all that it speaks of are in the database already. What has the database's
  /// name by now, if it is gone, is not this run's.
  @Override
  public Aborted abort(boolean keep) {
    boolean gone = isGone();
    Aborted aborted = keep && !gone ? Aborted.KEPT : Aborted.CLEAN;
    if (!keep && !gone) {
      try {
        remove();
      } catch (Fault e) {
        aborted = aborted.failing(e);
      }
    }
    return aborted.goneIf(isGone()).leaving(leaves()).noting(notes());
  }

  private void remove() {
    if (isDeletedOnFailure()) {
      made = false;
      delete();
    } else if (journal != null) {
      journal.abandon();
    }
  }

  private void delete() {
    try {
      new HttpCalls(client)
          .json("DELETE", client.address().databaseUrl(""), null, "deleting it", 404);
      deleted = true;
    } catch (Fault e) {
      throw new Fault.External(
          client.label() + " could not be deleted and holds what was copied: " + e.getMessage(),
          "Delete it, or go on with --resume.",
          e);
    }
  }

  private String leaves() {
    String before = emptied ? client.label() + " was emptied first: what it held is gone. " : "";
    return (before + documentsLeft()).strip();
  }

  private String documentsLeft() {
    if (begun.isEmpty() || deleted) {
      return "";
    }
    return isGone()
        ? "Documents of this copy may be in a database of that name, and stay."
        : "Documents that were on their way may be in the database already, and stay.";
  }

  @Override
  public void close() {
    // The client is the target's.
  }
}
