package millrace.connectors.couchdb.write;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import millrace.connectors.couchdb.Jsonl;
import millrace.connectors.couchdb.http.CouchClient;
import millrace.connectors.couchdb.http.CouchCounters;
import millrace.connectors.couchdb.http.HttpCalls;
import millrace.connectors.json.DocumentMaker;
import millrace.data.Form;
import millrace.data.Schema;
import millrace.fault.Fault;
import millrace.spi.Blockable;
import millrace.spi.Counters;
import millrace.spi.Endpoint;
import millrace.spi.HasCounters;
import millrace.spi.journal.JournaledRun;
import millrace.spi.load.LoadWalk;
import millrace.spi.write.DescribedTarget;
import millrace.spi.write.Landing;
import millrace.spi.write.Mode;
import millrace.spi.write.PlannedTarget;
import millrace.spi.write.Target;
import millrace.spi.write.TargetDescription;
import millrace.spi.write.TargetDescription.State;
import millrace.spi.write.WritePlan;
import millrace.spi.write.WriteRequest;
import millrace.spi.write.WriteSession;
import millrace.spi.write.WriteStart;
import org.jspecify.annotations.Nullable;

/// One database to write to.
///
/// CouchDB has neither transactions nor a way to rename a database: documents appear as they come.
public final class CouchTarget implements Target, HasCounters, Blockable {

  /// Nanoseconds of CPU per byte, ours and the server's: estimates.
  private static final double FRAMES_COST = 3;

  private static final double COLUMNS_COST = 6;

  private final CouchClient client;
  private final HttpCalls calls;
  private final boolean skipsDesign;
  private final JournalDocuments documents;
  private final CouchJournal journal;

  /// What was settled.
  record Settled(Schema schema, Mode mode) {}

  /// @param client is closed with the target
  public CouchTarget(CouchClient client, Endpoint endpoint) {
    this.client = client;
    calls = new HttpCalls(client);
    documents = new JournalDocuments(client);
    journal = new CouchJournal(documents, calls);
    skipsDesign = endpoint.flag("skip-design", false);
  }

  @Override
  public DescribedTarget describe() {
    JsonNode info = calls.json("GET", client.address().databaseUrl(""), null, "opening it", 404);
    long count = info == null ? 0 : info.path("doc_count").asLong();
    State state = info == null ? State.ABSENT : State.THERE;
    return new Described(description(state, count), info != null, count);
  }

  private TargetDescription description(State state, long count) {
    TargetDescription described =
        TargetDescription.of(client.label(), state)
            .withForms(List.of(Jsonl.FORM))
            .refusing(
                Mode.MERGE,
                "there is no mode merge into CouchDB",
                "Use --mode append: documents with a revision are added as replication would.")
            .refusingAtomic(
                "CouchDB can't make all documents appear at once", "Leave --atomic out.");
    return count == 0
        ? described
        : described.refusing(
            Mode.REPLACE,
            "CouchDB can't put a database in the place of another at once",
            "Use --mode truncate, which deletes it first, or copy into another database.");
  }

  @Override
  public <T> @Nullable T capability(Class<T> type) {
    return type.isInstance(journal) ? type.cast(journal) : Target.super.capability(type);
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
  public Counters counters() {
    return new CouchCounters(client);
  }

  @Override
  public void close() {
    client.close();
  }

  /// The database as it was when it was looked at.
  private final class Described implements DescribedTarget {

    private final TargetDescription description;
    private final boolean exists;
    private final long count;

    /// @param count how many documents are there
    private Described(TargetDescription description, boolean exists, long count) {
      this.description = description;
      this.exists = exists;
      this.count = count;
    }

    @Override
    public TargetDescription description() {
      return description;
    }

    @Override
    public boolean holdsRows() {
      return count > 0;
    }

    @Override
    public PlannedTarget plan(WriteRequest request) {
      Schema incoming = request.incoming();
      Mode mode = request.mode();
      JournaledRun resumed = request.resumed();
      List<String> notes = new ArrayList<>();
      if (resumed == null && mode == Mode.TRUNCATE) {
        notes.add(
            "The database is deleted and made again with its security object; its design documents"
                + " go as well.");
      }
      if (resumed == null && !DocumentMaker.isDocuments(incoming) && incoming.indexOf("_id") < 0) {
        notes.add("No column is _id: documents get ids of their own.");
      }
      if (mode == Mode.APPEND && count > 0 && DocumentMaker.isDocuments(incoming)) {
        notes.add(
            "A document that is there with the same revision stays as it is, and counts as a row.");
      }
      List<String> details =
          resumed == null && mode == Mode.CREATE
              ? List.of("Documents appear as they come; if the run fails, the database is deleted.")
              : List.of();
      WritePlan plan = new WritePlan(incoming, mode, "", notes, details);
      Settled settled = new Settled(incoming, mode);
      return PlannedTarget.of(
          plan, form -> cost(form, incoming), start -> open(settled, request.landing(), start));
    }

    private WriteSession open(Settled settled, Landing landing, WriteStart start) {
      JournaledRun before = start.before();
      boolean holdsOther = exists && count > 0 && before != null && !before.complete();
      if (holdsOther && settled.mode() == Mode.CREATE) {
        throw new Fault.User(
            client.label() + " holds documents of a copy that was cut off.",
            "Delete it, or say --mode truncate.");
      }
      CouchRunJournal runJournal = new CouchRunJournal(documents, calls, start.resumed());
      CouchPlace place =
          new CouchPlace(client, calls, settled, skipsDesign, runJournal, start, exists);
      return LoadWalk.open(place, place, runJournal, landing, start);
    }
  }

  private static double cost(Form form, Schema incoming) {
    if (form.equals(Form.COLUMNS)) {
      return COLUMNS_COST;
    }
    return form.equals(Jsonl.FORM) && DocumentMaker.isDocuments(incoming) ? FRAMES_COST : -1;
  }
}
