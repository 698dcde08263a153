package millrace.connectors.kudu.read;

import java.util.List;
import millrace.connectors.kudu.KuduCalls;
import millrace.connectors.kudu.KuduCluster;
import millrace.connectors.kudu.KuduCounters;
import millrace.connectors.kudu.KuduIdentityOptions;
import millrace.connectors.kudu.KuduTypes;
import millrace.connectors.kudu.TabletRates;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.fault.Fault;
import millrace.fault.Nearest;
import millrace.spi.Blockable;
import millrace.spi.Counters;
import millrace.spi.Endpoint;
import millrace.spi.HasCounters;
import millrace.spi.read.ColumnRequest;
import millrace.spi.read.DescribedSource;
import millrace.spi.read.ReadPlan;
import millrace.spi.read.ReadSession;
import millrace.spi.read.Selection;
import millrace.spi.read.Snapshot;
import millrace.spi.read.Source;
import millrace.spi.read.SourceDescription;
import millrace.spi.read.SourceIdentity;
import millrace.spi.read.SqlWords;
import org.apache.kudu.ColumnSchema;
import org.apache.kudu.client.AsyncKuduScanner.ReadMode;
import org.apache.kudu.client.KuduPredicate;
import org.apache.kudu.client.KuduTable;
import org.apache.kudu.client.KuduTableStatistics;

/// A table, open for reading. What it is stands here; its rows are read by a {@link
/// KuduReadSession}.
public final class KuduSource implements Source, HasCounters, Blockable {

  private static final int FIXED_BYTES = 8;
  private static final int TEXT_BYTES = 24;

  private final KuduCluster cluster;
  private final KuduCalls calls;
  private final ScanOptions options;
  private final String decisive;
  private final Selection selection;

  /// What was found out by looking.
  ///
  /// @param positions of the columns that are read, in the table
  /// @param predicates what the servers look at
  /// @param snapshot the moment that is read, as the servers count it; -1 if it is not one moment
  record ScannedTable(
      KuduTable table,
      Schema schema,
      List<Integer> positions,
      List<KuduPredicate> predicates,
      long snapshot) {

    /// The same at another moment.
    ScannedTable at(long moment) {
      return new ScannedTable(table, schema, positions, predicates, moment);
    }
  }

  /// Opens nothing yet.
  ///
  /// @param cluster is closed with the source
  public KuduSource(KuduCluster cluster, Endpoint endpoint, Selection selection) {
    this.cluster = cluster;
    this.selection = selection;
    calls = new KuduCalls(cluster.address().label());
    options = ScanOptions.of(endpoint);
    decisive = KuduIdentityOptions.decisive(endpoint);
  }

  @Override
  public DescribedSource describe(ColumnRequest columnRequest) {
    String label = cluster.address().label();
    KuduTable table = cluster.find(calls);
    if (table == null) {
      List<String> tables = cluster.tables(calls);
      throw new Fault.User(
          label + ": there is no such table.",
          Nearest.hint(cluster.address().table(), tables).strip());
    }
    List<ColumnSchema> all = table.getSchema().getColumns();
    List<String> known = all.stream().map(ColumnSchema::getName).toList();
    List<String> requested = selection.columnsToRead();
    List<String> seen =
        all.stream()
            .filter(column -> !column.isAutoIncrementing())
            .map(ColumnSchema::getName)
            .toList();
    List<Integer> positions =
        Selection.positions(label, requested.isEmpty() ? seen : requested, known);
    List<Column> columns =
        positions.stream()
            .map(position -> KuduTypes.column(all.get(position), options.plainTimes()))
            .toList();
    List<String> key =
        table.getSchema().getPrimaryKeyColumns().stream().map(ColumnSchema::getName).toList();
    List<String> names = columns.stream().map(Column::name).toList();
    Schema schema = new Schema(columns, names.containsAll(key) ? key : List.of());
    long rowBytes = rowBytes(schema);
    long snapshot =
        options.mode() == ReadMode.READ_AT_SNAPSHOT
            ? SnapshotTime.now(cluster.client(), table, calls)
            : -1;
    List<KuduPredicate> predicates =
        Predicates.of(selection.condition(SqlWords.ENGINE), all, options.plainTimes());
    KuduTableStatistics statistics = calls.get(table::getTableStatistics);
    long rows = !selection.filters() ? statistics.getLiveRowCount() : -1;
    SourceDescription description =
        SourceDescription.of(label, schema)
            .withSize(rows, rows < 0 ? -1 : rows * rowBytes, false)
            .withConditionColumns(selection.columns().isEmpty() ? 0 : selection.conditionColumns())
            // A scan token has the moment in it.
            .withOneProcess(snapshot < 0 ? "it is not read at a snapshot" : "");
    return new Described(
        description, new ScannedTable(table, schema, positions, predicates, snapshot));
  }

  private static long rowBytes(Schema schema) {
    return schema.columns().stream()
        .mapToLong(column ->
            switch (column.type().layout()) {
              case LONGS, DOUBLES -> FIXED_BYTES;
              case BYTES -> TEXT_BYTES;
            })
        .sum();
  }

  /// The table as it was when it was looked at, or as it was at an earlier moment.
  private final class Described implements DescribedSource, Snapshot {

    private final SourceDescription description;
    private ScannedTable found;

    private Described(SourceDescription description, ScannedTable found) {
      this.description = description;
      this.found = found;
    }

    @Override
    public SourceDescription description() {
      return description;
    }

    @Override
    public SourceIdentity identity() {
      String table = "kudu " + cluster.client().getClusterId() + " " + found.table.getTableId();
      String endpoint = table + " " + decisive;
      return found.snapshot < 0
          ? SourceIdentity.unknown(
              endpoint, "it is not read at a snapshot, and may have changed", List.of(table))
          : SourceIdentity.of(endpoint, Long.toString(found.snapshot), List.of(table));
    }

    /// Looks for any row that was written, changed or deleted since.
    @Override
    public String changeSince(String before) {
      long then = Long.parseLong(before);
      long now = found.snapshot;
      if (now < 0) {
        return "it is not read at a snapshot now";
      }
      try {
        boolean changed =
            calls.get(() -> SnapshotTime.changed(cluster.client(), found.table, then, now));
        return changed ? "it is not what it was" : "";
      } catch (Fault.User e) {
        return "what it was then is not known any more (" + e.clause() + ")";
      }
    }

    @Override
    public String reopen(String content) {
      long then = Long.parseLong(content);
      try {
        calls.get(() -> SnapshotTime.look(cluster.client(), found.table, then));
      } catch (Fault.User e) {
        return "its tablet servers do not keep what it was then (" + e.clause() + ")";
      }
      found = found.at(then);
      return "";
    }

    @Override
    public ReadSession open(ReadPlan plan) {
      String table = found.table.getName();
      TabletRates rates = new TabletRates(cluster.web(), table, List.of("scanner_rows_returned"));
      return new KuduReadSession(cluster, calls, options, found, plan, rates);
    }
  }

  @Override
  public Counters counters() {
    return new KuduCounters(cluster.web(), cluster.address().table());
  }

  @Override
  public void cancel() {
    calls.cancel();
  }

  @Override
  public void close() {
    cluster.close();
  }
}
