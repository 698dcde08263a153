package millrace.connectors.couchdb.read;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import millrace.connectors.couchdb.DatabaseSettings;
import millrace.connectors.couchdb.DocumentOptions;
import millrace.connectors.couchdb.Jsonl;
import millrace.connectors.couchdb.http.CouchAddress;
import millrace.connectors.couchdb.http.CouchClient;
import millrace.connectors.couchdb.http.CouchCounters;
import millrace.connectors.couchdb.http.HttpCalls;
import millrace.connectors.couchdb.write.SizeLimit;
import millrace.connectors.json.DocumentPath;
import millrace.connectors.json.DocumentSample;
import millrace.connectors.json.Each;
import millrace.connectors.json.FieldChoice;
import millrace.data.Column;
import millrace.data.Form;
import millrace.data.Schema;
import millrace.fault.Fault;
import millrace.spi.Blockable;
import millrace.spi.Counters;
import millrace.spi.Endpoint;
import millrace.spi.HasCounters;
import millrace.spi.LaneLimit;
import millrace.spi.read.ColumnRequest;
import millrace.spi.read.DescribedSource;
import millrace.spi.read.ReadPlan;
import millrace.spi.read.ReadSession;
import millrace.spi.read.RecordFile;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import millrace.spi.read.SourceDescription;
import millrace.spi.read.SourceIdentity;
import millrace.spi.read.Split;
import org.jspecify.annotations.Nullable;

/// One database open for reading.
public final class CouchSource implements Source, HasCounters, Blockable {

  /// Nanoseconds of CPU per byte, ours and the server's: estimates.
  private static final double FRAMES_COST = 2;

  private static final double COLUMNS_COST = 5;

  private static final int SAMPLE_ROWS = 100;

  /// Of large documents fewer are enough.
  private static final long SAMPLE_BYTES = 4 << 20;

  private final CouchClient client;
  private final HttpCalls calls;
  private final Selection selection;
  private final String options;
  private final CouchIdentityOptions asking;
  private final SizeLimit sizeLimit = new SizeLimit();
  private final Set<FilterFeed> filters = ConcurrentHashMap.newKeySet();

  /// What was found out by looking.
  ///
  /// @param schema of the fields
  /// @param unexpected fields that no column takes, which later documents may have
  /// @param state what tells whether it is the same later
  /// @param made when it was made, as the server knows it; empty if it does not tell
  /// @param countGuard knows how many documents there are
  /// @param documentBytes about how large one is
  record SampledDatabase(
      Schema schema,
      List<DocumentPath> fields,
      List<DocumentPath.Member> unexpected,
      String state,
      String made,
      CountGuard countGuard,
      long documentBytes) {

    /// Whether documents are given as they are.
    boolean givesDocuments() {
      return fields.size() == 1 && fields.getFirst() instanceof DocumentPath.Entire;
    }
  }

  /// @param client is closed with the source
  public CouchSource(CouchClient client, Endpoint endpoint, Selection selection) {
    this.client = client;
    this.selection = selection;
    options = DocumentOptions.decisive(endpoint);
    calls = new HttpCalls(client);
    asking = CouchIdentityOptions.of(endpoint, client.label());
  }

  @Override
  public DescribedSource describe(ColumnRequest columnRequest) {
    JsonNode info = calls.need("GET", client.address().databaseUrl(""), null, "opening it");
    if (asking.local()) {
      needLocalList();
    }
    CountGuard counted = CountGuard.of(client, calls, info);
    long documents = counted.documents();
    List<byte[]> sample = sample(counted);
    Column document = settings(info).column();
    FieldChoice.Chosen chosen =
        new FieldChoice(
                client.label(),
                asking.named(),
                selection,
                DocumentSample.of(Each.DOCUMENT, sample),
                document)
            .choose(columnRequest);
    List<DocumentPath> fields = chosen.fields().stream().map(CouchSource::named).toList();
    List<Column> columns = fields.stream().map(DocumentPath::column).toList();
    boolean keyed = columns.stream().anyMatch(column -> column.name().equals("_id"));
    SampledDatabase found =
        new SampledDatabase(
            new Schema(columns, keyed ? List.of("_id") : List.of()),
            fields,
            chosen.unexpected(),
            DatabaseState.of(info, sample, asking.followsChanges()),
            DatabaseState.made(info),
            counted,
            documentBytes(info, documents, sample));
    SourceDescription description =
        SourceDescription.of(client.label(), found.schema())
            .withConditionColumns(chosen.conditionColumns())
            // A document keeps its id, and so its split.
            .withOneProcess("")
            .withForms(found.givesDocuments() ? List.of(Jsonl.FORM) : List.of())
            .withReading("", List.of(), found.givesDocuments() ? Jsonl.RECORDS : RecordFile.ROWS)
            .withSize(documents, documents * found.documentBytes(), false)
            .withLanes(
                LaneLimit.oneIf(
                    asking.followsChanges() ? "changes are followed in their order" : ""));
    return new Described(description, found);
  }

  /// A server of before 2.1 answers as for a document that is not there.
  private void needLocalList() {
    String url = client.address().databaseUrl("_local_docs?limit=1");
    if (calls.json("GET", url, null, "listing its local documents", 404) == null) {
      throw new Fault.User(
          client.label()
              + ": this server does not list the documents that stay with it (CouchDB does from"
              + " 2.1 on).",
          "Leave --local out.");
    }
  }

  /// About how large a document is. One that is very large may be all that the sample has; so if
  /// the server knows how large all of them are (CouchDB does from 2.0 on), they are no larger than
  /// that says.
  private static long documentBytes(JsonNode info, long documents, List<byte[]> sample) {
    long mean =
        sample.stream().mapToLong(each -> each.length + 1L).sum() / Math.max(1, sample.size());
    long all = info.path("sizes").path("external").asLong();
    return Math.max(1, all > 0 && documents > 0 ? Math.min(mean, all / documents) : mean);
  }

  private DatabaseSettings settings(JsonNode info) {
    boolean partitioned = info.path("props").path("partitioned").asBoolean();
    String url = client.address().databaseUrl("_security");
    JsonNode security = calls.json("GET", url, null, "reading its security object", 401, 403, 404);
    if (security == null || !security.isObject() || security.has("error")) {
      return new DatabaseSettings(partitioned, DatabaseSettings.NONE.security());
    }
    return new DatabaseSettings(partitioned, security);
  }

  private List<byte[]> sample(CountGuard counted) {
    List<byte[]> sample = new ArrayList<>();
    Split all = new Split(0, client.label(), 0, SAMPLE_ROWS, 0, 0);
    Pages pages = new KeyPages(client, calls, counted, KeyRange.ALL, all);
    PageSize size = PageSize.of(SAMPLE_ROWS, sizeLimit);
    try (DocumentFeed documentFeed = new PagedFeed(client, calls, all, pages, size, false)) {
      long bytes = 0;
      while (sample.size() < SAMPLE_ROWS && bytes < SAMPLE_BYTES && documentFeed.next()) {
        sample.add(
            java.util.Arrays.copyOfRange(
                documentFeed.bytes(), documentFeed.start(), documentFeed.end()));
        bytes += documentFeed.end() - documentFeed.start();
      }
    }
    return sample;
  }

  /// Every document has its id.
  private static DocumentPath named(DocumentPath field) {
    return field
                instanceof
                DocumentPath.Member(Column column, List<byte[]> path, boolean guess, boolean of)
            && column.name().equals("_id")
        ? new DocumentPath.Member(new Column("_id", column.type(), false, null), path, guess, of)
        : field;
  }

  /// The database as it was when it was looked at.
  private final class Described implements DescribedSource {

    private final SourceDescription description;
    private final SampledDatabase found;

    private Described(SourceDescription description, SampledDatabase found) {
      this.description = description;
      this.found = found;
    }

    @Override
    public SourceDescription description() {
      return description;
    }

    @Override
    public double cost(Form form) {
      if (form.equals(Form.COLUMNS)) {
        return COLUMNS_COST;
      }
      return form.equals(Jsonl.FORM) && found.givesDocuments() ? FRAMES_COST : -1;
    }

    /// Whoever logs in, in whatever way, and however patiently.
    @Override
    public SourceIdentity identity() {
      CouchAddress address = client.address();
      String endpoint =
          DatabaseSettings.SYSTEM
              + " "
              + address.server()
              + address.path()
              + address.database()
              + " "
              + options;
      return SourceIdentity.of(endpoint, found.state(), List.of(address.databaseUrl("")));
    }

    @Override
    public String changeSince(String before) {
      return DatabaseState.change(client, calls, before, found.state(), asking.followsChanges());
    }

    @Override
    public ReadSession open(ReadPlan plan) {
      return new CouchReadSession(client, calls, asking, found, plan, sizeLimit, filters);
    }
  }

  @Override
  public @Nullable String waitsFor() {
    return filters.stream().anyMatch(FilterFeed::isWaitedFor)
        ? "the filter: " + asking.filter()
        : client.waits().longest();
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
}
