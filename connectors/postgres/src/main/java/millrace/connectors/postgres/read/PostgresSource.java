package millrace.connectors.postgres.read;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import millrace.connectors.postgres.PostgresConnector;
import millrace.connectors.postgres.PostgresCounters;
import millrace.connectors.postgres.catalog.PostgresCatalog;
import millrace.connectors.postgres.catalog.PostgresType;
import millrace.connectors.postgres.catalog.PostgresTypes;
import millrace.connectors.postgres.catalog.Relation;
import millrace.connectors.postgres.catalog.TableColumn;
import millrace.connectors.postgres.codec.PostgresForms;
import millrace.connectors.postgres.net.Address;
import millrace.connectors.postgres.net.Blockers;
import millrace.connectors.postgres.net.ConnectionFactory;
import millrace.connectors.postgres.net.LaneConnections;
import millrace.connectors.postgres.net.Session;
import millrace.data.Column;
import millrace.data.Form;
import millrace.data.Schema;
import millrace.data.TableComments;
import millrace.spi.Blockable;
import millrace.spi.Counters;
import millrace.spi.HasCounters;
import millrace.spi.LaneLimit;
import millrace.spi.read.ColumnRequest;
import millrace.spi.read.DescribedSource;
import millrace.spi.read.ReadPlan;
import millrace.spi.read.ReadSession;
import millrace.spi.read.Source;
import millrace.spi.read.SourceDescription;
import millrace.spi.read.SourceIdentity;
import org.jspecify.annotations.Nullable;

/// A table, view or query. All lanes read one snapshot, which a transaction of its own connection
/// holds from the moment that the source is opened until all is read.
public final class PostgresSource implements Source, HasCounters, Blockable {

  private final ConnectionFactory connectionFactory;
  private final Session session;
  private final LaneConnections lanes;
  private final Blockers blockers;
  private final PostgresCatalog catalog;
  private final Scan scan;
  private final String origin;

  /// @param session in the transaction that holds the snapshot
  /// @param origin what it reads from, in words that are the same whatever of it is asked for
  PostgresSource(ConnectionFactory connectionFactory, Session session, Scan scan, String origin) {
    this.connectionFactory = connectionFactory;
    lanes = new LaneConnections(connectionFactory);
    this.session = session;
    this.scan = scan;
    this.origin = origin;
    blockers = new Blockers(connectionFactory);
    catalog = new PostgresCatalog(session);
  }

  @Override
  public DescribedSource describe(ColumnRequest columnRequest) {
    boolean severalLanes = scan.oneLaneWhy().isEmpty();
    List<Column> described = scan.columns().stream().map(TableColumn::column).toList();
    return new DescribedScan(
        SourceDescription.of(scan.label(), new Schema(described, key()))
            .pushingDown()
            .withForms(forms())
            .withSize(
                rowsEstimate(),
                scan.selection().filters() ? -1 : bytesEstimate(),
                severalLanes && Scan.findsRanges(session.version()))
            .withLanes(LaneLimit.oneIf(scan.oneLaneWhy()))
            .withReading(remarks(), Map.of(), comments(columnRequest)));
  }

  private TableComments comments(ColumnRequest columnRequest) {
    Relation relation = scan.relation();
    return relation == null || !(columnRequest instanceof ColumnRequest.Typed)
        ? TableComments.NONE
        : TableComments.of(
            session.query(
                """
                SELECT coalesce(a.attname, ''), d.description FROM pg_catalog.pg_description d
                LEFT JOIN pg_catalog.pg_attribute a
                  ON a.attrelid = d.objoid AND a.attnum = d.objsubid AND d.objsubid > 0
                WHERE d.classoid = 'pg_catalog.pg_class'::pg_catalog.regclass AND d.objoid = ?
                """,
                row -> Map.entry(row.getString(1), row.getString(2)),
                relation.oid()));
  }

  private List<String> remarks() {
    List<String> remarks = new ArrayList<>(catalog.visibility().missingFromStandby());
    Relation relation = scan.relation();
    remarks.addAll(
        relation == null
            ? catalog.visibility().hiddenRows(scan.from())
            : catalog.visibility().hiddenRows(relation));
    return remarks;
  }

  private List<String> key() {
    Relation relation = scan.relation();
    if (relation == null) {
      return List.of();
    }
    List<String> key = catalog.constraints().key(relation);
    List<String> names = scan.columns().stream().map(TableColumn::name).toList();
    return names.containsAll(key) ? key : List.of();
  }

  private List<Form> forms() {
    List<Form> forms = new ArrayList<>();
    String binary = PostgresTypes.wireSignature(types());
    if (binary != null) {
      forms.add(new Form(PostgresForms.BINARY, binary));
    }
    forms.add(new Form(PostgresForms.TEXT, PostgresForms.textSignature(types())));
    return forms;
  }

  private List<PostgresType> types() {
    return scan.columns().stream().map(TableColumn::type).toList();
  }

  private long rowsEstimate() {
    if (scan.relation() == null || scan.selection().filters() || scan.leaves().isEmpty()) {
      return -1;
    }
    double rows = 0;
    for (PostgresCatalog.Leaf leaf : scan.leaves()) {
      // Older servers say 0 if nobody has counted yet.
      if (leaf.rows() < 0 || leaf.blocks() < 0 || (leaf.rows() == 0 && leaf.blocks() > 0)) {
        return -1;
      }
      rows += leaf.rows();
    }
    return Math.round(rows);
  }

  private long bytesEstimate() {
    long bytes = scan.leaves().stream().mapToLong(PostgresCatalog.Leaf::bytes).sum();
    return scan.relation() == null || (bytes == 0 && !scan.oneLaneWhy().isEmpty()) ? -1 : bytes;
  }

  /// Whatever the URL leaves to the environment and the search path.
  private String endpointIdentity() {
    Address address = connectionFactory.address();
    return PostgresConnector.NAME
        + " "
        + address.user()
        + " "
        + catalog.cluster().orElse(address.server())
        + " "
        + address.database()
        + " "
        + scan.from();
  }

  /// A lane that begins has to wait behind who waits for a lock of the whole table, as long as the
  /// others keep it as it is.
  @Override
  public @Nullable String waitsFor() {
    return blockers.of(connectionFactory.backends());
  }

  @Override
  public void cancel() {
    session.cancel();
    lanes.cancel();
  }

  @Override
  public Counters counters() {
    return new PostgresCounters(connectionFactory, session);
  }

  @Override
  public void close() {
    blockers.close();
    session.close();
  }

  /// The rows as they were looked at.
  private final class DescribedScan implements DescribedSource {

    private final SourceDescription description;

    DescribedScan(SourceDescription description) {
      this.description = description;
    }

    @Override
    public SourceDescription description() {
      return description;
    }

    @Override
    public double cost(Form form) {
      if (description.forms().contains(form)) {
        return form.name().equals(PostgresForms.BINARY)
            ? PostgresForms.READ_BINARY
            : PostgresForms.READ_TEXT;
      }
      if (form.equals(Form.COLUMNS)) {
        return PostgresForms.READ_COLUMNS;
      }
      return PostgresForms.csvOptions(form) == null ? -1 : PostgresForms.READ_CSV;
    }

    /// The state that was read is gone with its connections: whether it is still the same can only
    /// be seen by reading it again. Rows come in any order, since the server may begin a scan where
    /// another is.
    @Override
    public SourceIdentity identity() {
      return SourceIdentity.byChecksums(endpointIdentity(), List.of(origin));
    }

    @Override
    public ReadSession open(ReadPlan plan) {
      return new PostgresReadSession(connectionFactory, lanes, session, scan, plan);
    }
  }
}
