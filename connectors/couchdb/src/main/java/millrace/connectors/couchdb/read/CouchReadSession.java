package millrace.connectors.couchdb.read;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Set;
import millrace.connectors.couchdb.http.CouchClient;
import millrace.connectors.couchdb.http.HttpCalls;
import millrace.connectors.couchdb.write.SizeLimit;
import millrace.connectors.json.FieldReader;
import millrace.fault.Fault;
import millrace.spi.StageClock;
import millrace.spi.read.ReadContext;
import millrace.spi.read.ReadPlan;
import millrace.spi.read.ReadSession;
import millrace.spi.read.Reader;
import millrace.spi.read.Split;
import millrace.spi.read.Splits;

/// A database that is being read: by ranges of keys, or along its changes.
final class CouchReadSession implements ReadSession {

  private final CouchClient client;
  private final HttpCalls calls;
  private final CouchIdentityOptions asking;
  private final CouchSource.SampledDatabase found;
  private final ReadPlan plan;
  private final SizeLimit sizeLimit;
  private final Set<FilterFeed> filters;

  /// @param calls the source's own, which its cancel ends
  /// @param sizeLimit what answers have been found to pass
  /// @param filters takes the programs that documents go through while they run
  CouchReadSession(
      CouchClient client,
      HttpCalls calls,
      CouchIdentityOptions asking,
      CouchSource.SampledDatabase found,
      ReadPlan plan,
      SizeLimit sizeLimit,
      Set<FilterFeed> filters) {
    this.client = client;
    this.calls = calls;
    this.asking = asking;
    this.found = found;
    this.plan = plan;
    this.sizeLimit = sizeLimit;
    this.filters = filters;
  }

  @Override
  public Splits splits() {
    if (asking.followsChanges()) {
      return new ChangeSplits(
          client,
          calls,
          found.countGuard(),
          plan.taken(),
          PageSize.first(found.documentBytes()),
          asking.deleted(),
          asking.conflicts());
    }
    return new KeySplits(
        client,
        calls,
        found.countGuard().documents(),
        Math.max(1, plan.splitBytes() / found.documentBytes()),
        asking.local());
  }

  @Override
  public Reader reader(ReadContext context) {
    PageSize size =
        PageSize.of(context.readUnit(), context.bestUnit(), found.documentBytes(), sizeLimit);
    return new CouchReader(
        client,
        plan.form(),
        found.schema(),
        new FieldReader(found.fields(), found.unexpected()),
        asking.skipsDesign(),
        (split, itsCalls) -> feed(split, itsCalls, size, context.clock()),
        this::checkStillThere,
        context);
  }

  /// A split has been read: of the database that was opened, unless another has its name by now.
  private void checkStillThere(HttpCalls itsCalls) {
    if (found.made().isEmpty()) {
      return;
    }
    JsonNode info = itsCalls.need("GET", client.address().databaseUrl(""), null, "looking at it");
    if (!found.made().equals(DatabaseState.made(info))) {
      throw new Fault.External(
          client.label() + " was deleted and made again while it was read.",
          "Copy again, from the start.",
          null);
    }
  }

  private DocumentFeed feed(Split split, HttpCalls itsCalls, PageSize size, StageClock clock) {
    Pages pages =
        switch (DocumentSelection.of(split)) {
          case DocumentSelection.Keys(KeyRange range) ->
              new KeyPages(client, itsCalls, found.countGuard(), range, split);
          case DocumentSelection.Revisions revisions -> new ChangePages(client, revisions, split);
        };
    DocumentFeed documentFeed = new PagedFeed(client, itsCalls, split, pages, size);
    String filter = asking.filter();
    return filter == null ? documentFeed : new FilterFeed(documentFeed, filter, clock, filters);
  }

  @Override
  public List<String> notes() {
    return sizeLimit.note("Pages of the source", "--read-unit").stream().toList();
  }

  @Override
  public void close() {
    // What it has open is the source's and the readers'.
  }
}
