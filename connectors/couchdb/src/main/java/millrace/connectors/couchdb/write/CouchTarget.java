package millrace.connectors.couchdb.write;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import millrace.connectors.couchdb.Jsonl;
import millrace.connectors.couchdb.Settings;
import millrace.connectors.couchdb.http.Calls;
import millrace.connectors.couchdb.http.CouchClient;
import millrace.connectors.couchdb.http.CouchCounters;
import millrace.data.Form;
import millrace.data.Schema;
import millrace.fault.Fault;
import millrace.spi.Counters;
import millrace.spi.Endpoint;
import millrace.spi.PhaseTimer;
import millrace.spi.journal.Journal;
import millrace.spi.journal.Receipt;
import millrace.spi.read.Split;
import millrace.spi.write.Mode;
import millrace.spi.write.Target;
import millrace.spi.write.TargetDescription;
import millrace.spi.write.WriteContext;
import millrace.spi.write.WriteOptions;
import millrace.spi.write.WritePlan;
import millrace.spi.write.Writer;
import org.jspecify.annotations.Nullable;

/// One database to write to.
///
/// CouchDB has neither transactions nor a way to rename a database: documents appear as they come.
/// A database that mode create has made is deleted where the run fails, unless another can go on
/// with it.
public final class CouchTarget implements Target {

  /// Nanoseconds of CPU per byte, ours and the server's: estimates.
  private static final double FRAMES_COST = 3;

  private static final double COLUMNS_COST = 6;

  private final CouchClient client;
  private final Calls calls;
  private final WriteOptions writeOptions;
  private final boolean skipsDesign;
  private final CouchJournal journal;
  private final String randomId =
      Long.toHexString(ThreadLocalRandom.current().nextLong() | 1L << 63);

  /// Splits that a writer has begun: one that is begun again may have left documents.
  private final Map<Integer, Boolean> begun = new ConcurrentHashMap<>();

  private final RequestSize.Ceilings ceilings = new RequestSize.Ceilings();

  private boolean exists;
  private long documents;
  private @Nullable Schema schema;
  private Mode mode = Mode.CREATE;
  private boolean made;
  private boolean deleted;
  private boolean emptied;

  public CouchTarget(CouchClient client, Endpoint endpoint, WriteOptions writeOptions) {
    this.client = client;
    this.writeOptions = writeOptions;
    calls = new Calls(client);
    journal = new CouchJournal(client, calls);
    skipsDesign = endpoint.flag("skip-design", false);
  }

  @Override
  public TargetDescription describe() {
    JsonNode info = calls.json("GET", client.address().databaseUrl(""), null, "opening it", 404);
    exists = info != null;
    documents = info == null ? 0 : info.path("doc_count").asLong();
    return TargetDescription.of(client.label(), null).withForms(List.of(Jsonl.FORM));
  }

  @Override
  public Journal journal() {
    return journal;
  }

  @Override
  public WritePlan fit(Schema incoming) {
    schema = incoming;
    CouchJournal.Head goesOn = journal.goesOn();
    if (goesOn != null) {
      mode = goesOn.mode();
      made = goesOn.made();
      return new WritePlan(incoming, mode, "", List.of());
    }
    mode = writeOptions.mode() == null ? (exists ? Mode.APPEND : Mode.CREATE) : writeOptions.mode();
    List<String> notes = new ArrayList<>();
    List<String> details = new ArrayList<>();
    if (writeOptions.atomic()) {
      throw new Fault.User(
          client.label() + ": CouchDB can't make all documents appear at once.",
          "Leave --atomic out.");
    }
    switch (mode) {
      case CREATE -> {
        if (exists) {
          throw new Fault.User(
              client.label() + " exists already.", "Use --mode append or truncate.");
        }
        details.add("Documents appear as they come; where the run fails, the database is deleted.");
      }
      case APPEND -> {
        if (writeOptions.mode() == null && documents > 0) {
          throw new Fault.User(
              client.label() + " holds " + documents + " documents already.",
              "Say --mode append or truncate; there is no replace, since CouchDB can't put one"
                  + " database in the place of another.");
        }
      }
      case TRUNCATE ->
          notes.add(
              "The database is deleted and made again with its security object; its design"
                  + " documents go as well.");
      case REPLACE -> {
        if (documents > 0) {
          throw new Fault.User(
              client.label() + ": CouchDB can't put a database in the place of another at once.",
              "Use --mode truncate, which deletes it first, or copy into another database.");
        }
      }
      case MERGE ->
          throw new Fault.User(
              client.label() + ": there is no mode merge into CouchDB.",
              "Use --mode append: documents with a revision are added as replication would.");
    }
    if (!DocumentMaker.isWhole(incoming) && incoming.indexOf("_id") < 0) {
      notes.add("No column is _id: documents get ids of their own.");
    }
    return new WritePlan(incoming, mode, "", notes, details);
  }

  @Override
  public double cost(Form form) {
    if (form.equals(Form.COLUMNS)) {
      return COLUMNS_COST;
    }
    boolean whole = schema != null && DocumentMaker.isWhole(schema);
    return form.equals(Jsonl.FORM) && whole ? FRAMES_COST : -1;
  }

  @Override
  public void begin(int lanes) {
    Settings settings = Settings.of(schema());
    if (journal.goesOn() != null) {
      if (made) {
        secure(settings);
      }
      return;
    }
    boolean isThere = exists && mode != Mode.TRUNCATE;
    if (isThere && documents > 0 && journal.hasBefore() && mode == Mode.CREATE) {
      throw new Fault.User(
          client.label() + " holds documents of a copy that was cut off.",
          "Delete it, or say --mode truncate.");
    }
    if (mode == Mode.TRUNCATE && exists) {
      settings = ownSettings();
      calls.need("DELETE", client.address().databaseUrl(""), null, "emptying it");
      exists = false;
      emptied = true;
    }
    boolean anew = !exists;
    if (anew) {
      make(settings);
    }
    if (journal.isOpen()) {
      journal.begin(mode, made, anew);
    }
    if (made) {
      secure(settings);
    }
  }

  private Settings ownSettings() {
    JsonNode info = calls.need("GET", client.address().databaseUrl(""), null, "opening it");
    String url = client.address().databaseUrl("_security");
    JsonNode security = calls.json("GET", url, null, "reading its security object", 404);
    return new Settings(
        info.path("props").path("partitioned").asBoolean(),
        security == null ? Settings.NONE.security() : security);
  }

  private void make(Settings settings) {
    String url =
        client.address().databaseUrl("") + (settings.partitioned() ? "?partitioned=true" : "");
    if (!calls.make(url, "making it")) {
      throw new Fault.User(
          client.label() + " has been made by somebody else meanwhile.", "Use --mode append.");
    }
    made = true;
  }

  private void secure(Settings settings) {
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
    return new CouchWriter(client, schema(), skipsDesign, new Writing(), context);
  }

  /// What the writers share.
  private final class Writing implements CouchWriter.Shared {

    @Override
    public String runId() {
      return journal.isOpen()
          ? UUID.nameUUIDFromBytes(journal.runId().getBytes(StandardCharsets.UTF_8))
              .toString()
              .replace("-", "")
              .substring(0, 16)
          : randomId;
    }

    @Override
    public boolean beginsAgain(Split split) {
      return begun.put(split.index(), true) != null || journal.goesOn() != null;
    }

    @Override
    public long rowsBefore(Split split) {
      return journal.rowsBefore(split);
    }

    @Override
    public boolean keepsReceipts() {
      return journal.isOpen();
    }

    @Override
    public boolean isDurable() {
      return !isDeletedOnFailure();
    }

    @Override
    public void record(Receipt receipt, Calls itsCalls) {
      journal.record(receipt, itsCalls);
    }

    @Override
    public RequestSize.Ceilings ceilings() {
      return ceilings;
    }
  }

  private Schema schema() {
    if (schema == null) {
      throw new Fault.Bug("fit was not called", null);
    }
    return schema;
  }

  @Override
  public void complete(PhaseTimer steps) {
    journal.commit(calls);
    if (journal.isOpen()) {
      journal.markComplete();
    }
  }

  @Override
  public boolean completesAgain() {
    return true;
  }

  @Override
  public @Nullable String waitsFor() {
    return client.waits().longest();
  }

  @Override
  public void cancel() {
    calls.cancel();
  }

  @Override
  public List<String> notes() {
    return ceilings.notes();
  }

  private boolean isDeletedOnFailure() {
    return made && (mode == Mode.CREATE || mode == Mode.REPLACE);
  }

  @Override
  public boolean keep() {
    // The journal and all that it speaks of are in the database already.
    return !isGone();
  }

  @Override
  public boolean isGone() {
    return client.isGone() || journal.isLost();
  }

  /// Without the journal they would come once more, under other ids or as conflicts.
  @Override
  public boolean abandonLeavesRows() {
    return !begun.isEmpty() && !isDeletedOnFailure();
  }

  @Override
  public void abandon() {
    if (isGone()) {
      // What has the database's name by now is not this run's.
      return;
    }
    if (isDeletedOnFailure()) {
      made = false;
      delete();
    } else {
      journal.abandon();
    }
  }

  @Override
  public String leaves() {
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

  private void delete() {
    try {
      new Calls(client).json("DELETE", client.address().databaseUrl(""), null, "deleting it", 404);
      deleted = true;
    } catch (Fault e) {
      throw new Fault.External(
          client.label() + " could not be deleted and holds what was copied: " + e.getMessage(),
          "Delete it, or go on with --resume.",
          e);
    }
  }

  @Override
  public Counters counters() {
    return new CouchCounters(client);
  }

  @Override
  public void close() {
    client.close();
  }
}
