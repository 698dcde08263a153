package millrace.connectors.kudu.write;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import millrace.connectors.kudu.KuduCalls;
import millrace.connectors.kudu.KuduCluster;
import millrace.connectors.kudu.KuduCounters;
import millrace.connectors.kudu.KuduTypes;
import millrace.data.Column;
import millrace.data.Form;
import millrace.data.Schema;
import millrace.fault.Fault;
import millrace.spi.Blockable;
import millrace.spi.Counters;
import millrace.spi.Endpoint;
import millrace.spi.HasCounters;
import millrace.spi.LaneLimit;
import millrace.spi.journal.JournaledRun;
import millrace.spi.load.LoadWalk;
import millrace.spi.write.DescribedTarget;
import millrace.spi.write.Landing;
import millrace.spi.write.Mode;
import millrace.spi.write.PlannedTarget;
import millrace.spi.write.Target;
import millrace.spi.write.TargetColumn;
import millrace.spi.write.TargetDescription;
import millrace.spi.write.TargetDescription.NoJournal;
import millrace.spi.write.TargetDescription.State;
import millrace.spi.write.WriteOptions;
import millrace.spi.write.WritePlan;
import millrace.spi.write.WriteRequest;
import millrace.spi.write.WriteSession;
import millrace.spi.write.WriteStart;
import millrace.text.NameList;
import org.apache.kudu.ColumnSchema;
import org.apache.kudu.client.KuduScanner;
import org.apache.kudu.client.KuduTable;
import org.jspecify.annotations.Nullable;

/// A table, open for writing. What it is and how it takes rows stands here; rows are written by a
/// {@link KuduPlace}.
public final class KuduTarget implements Target, HasCounters, Blockable {

  private static final Landing.Offer OFFER =
      Landing.Offer.into(Landing.Commits.PARTS, Landing.Commits.WHOLE)
          .staging(Landing.Commits.PARTS, Landing.Place.SWAP);

  private final KuduCluster cluster;
  private final KuduCalls calls;
  private final TableOptions table;
  private final WriteOptions options;
  private final String label;
  private final KuduJournal journal;

  /// Opens nothing yet.
  ///
  /// @param cluster is closed with the target
  public KuduTarget(KuduCluster cluster, Endpoint endpoint, WriteOptions options) {
    this.cluster = cluster;
    table = TableOptions.of(endpoint);
    this.options = options;
    label = cluster.address().label();
    calls = new KuduCalls(label);
    journal = new KuduJournal(cluster, calls, this::holdsRows, this::whyNotSame);
  }

  @Override
  public <T> @Nullable T capability(Class<T> type) {
    return type.isInstance(journal) ? type.cast(journal) : Target.super.capability(type);
  }

  @Override
  public DescribedTarget describe() {
    KuduTable there = cluster.find(calls);
    return new Described(description(there), there);
  }

  private TargetDescription description(@Nullable KuduTable there) {
    TargetDescription described =
        TargetDescription.of(label, there == null ? State.ABSENT : State.THERE)
            .naming(true, KuduPlace.NAME_BYTES_MAX)
            .landing(OFFER);
    boolean inserts = table.write() != TableOptions.Operation.UPSERT;
    if (options.mode() != Mode.APPEND || !inserts) {
      described =
          described.refusingAtomic(
              "transactions of Kudu insert rows, and do nothing else",
              "Use --mode append without write=upsert, or leave --atomic out.");
    }
    if (options.mode() == Mode.MERGE) {
      described =
          described.withLanes(
              new LaneLimit(1, "the last row of a key wins, and lanes have no order"));
    }
    if (there != null && !there.getSchema().isPrimaryKeyUnique()) {
      described =
          described.withoutJournal(
              new NoJournal(
                  "the key of " + label + " is not unique, so that rows can't be written again",
                  false));
    }
    if (there != null && options.atomic()) {
      described =
          described.withoutJournal(
              new NoJournal("a transaction that is cut off leaves nothing", false));
    }
    String name = cluster.address().table();
    return there == null
        ? described.with(name, List.of(), table.key())
        : described.with(
            name,
            there.getSchema().getColumns().stream().map(this::targetColumn).toList(),
            OldDefinition.key(there.getSchema()));
  }

  /// Why rows that are written again are not the same, as the end of a sentence; empty if they are.
  private String whyNotSame() {
    if (options.mode() == Mode.MERGE) {
      return "of a merge the last row of a key wins, and processes have no order";
    }
    KuduTable there = cluster.find(calls);
    return there == null
        ? ""
        : there.getSchema().isPrimaryKeyUnique()
            ? options.atomic() ? "with --atomic they are one transaction" : ""
            : "its key is not unique, so that they can't be written again";
  }

  private boolean holdsRows(KuduTable there) {
    return calls.get(() -> {
      KuduScanner scanner =
          cluster
              .client()
              .newScannerBuilder(there)
              .setProjectedColumnIndexes(List.of(0))
              .limit(1)
              .build();
      while (scanner.hasMoreRows()) {
        if (scanner.nextRows().getNumRows() > 0) {
          scanner.close();
          return true;
        }
      }
      return false;
    });
  }

  private TargetColumn targetColumn(ColumnSchema column) {
    Column plain = KuduTypes.column(column, table.plainTimes());
    return new TargetColumn(
        plain.name(),
        KuduTypes.writable(column, table.plainTimes()),
        plain.declared(),
        plain.nullable(),
        column.getDefaultValue() != null,
        column.isAutoIncrementing() ? "a number that Kudu gives each row" : "");
  }

  private static Column written(Column column) {
    return new Column(
        column.name(), KuduTypes.written(column), column.nullable(), column.declared());
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

  /// The table as it was when it was looked at.
  private final class Described implements DescribedTarget {

    private final TargetDescription description;
    private final @Nullable KuduTable there;

    /// @param there null if there is none
    private Described(TargetDescription description, @Nullable KuduTable there) {
      this.description = description;
      this.there = there;
    }

    @Override
    public TargetDescription description() {
      return description;
    }

    @Override
    public boolean holdsRows() {
      return there != null && KuduTarget.this.holdsRows(there);
    }

    @Override
    public PlannedTarget plan(WriteRequest request) {
      Mode mode = request.mode();
      List<String> notes = new ArrayList<>(request.notes());
      List<String> details = new ArrayList<>();
      TableLayout make = null;
      List<Column> columns;
      if (request.partners().isEmpty()) {
        make = planTable(request, notes, details);
        columns = request.incoming().columns().stream().map(KuduTarget::written).toList();
      } else {
        columns = request.partners().stream().map(TargetColumn::column).toList();
      }
      notes.addAll(Warnings.cells(request.incoming()));
      if (make == null && there != null && table.partitions() == null) {
        notes.addAll(Warnings.of(there, cluster, calls));
      }
      boolean repeatable =
          make != null
              ? make.uniqueKey()
              : Objects.requireNonNull(there, "found").getSchema().isPrimaryKeyUnique();
      if (mode == Mode.MERGE) {
        checkMergeKey(make, repeatable, request.key());
      }
      KuduLoad settled =
          new KuduLoad(
              Schema.of(columns),
              request.landing(),
              make,
              mode == Mode.MERGE ? TableOptions.Operation.UPSERT : table.write(),
              repeatable,
              ranges(make),
              table.ahead());
      if (mode != Mode.MERGE && settled.write() == TableOptions.Operation.UPSERT) {
        notes.add("a row whose key is there updates the one that is there, and counts as a row");
      }
      details.addAll(how(settled));
      String ddl = make == null ? "" : make.ddl(cluster.address().table());
      WritePlan plan = new WritePlan(settled.schema(), mode, ddl, notes, details);
      return PlannedTarget.ofColumns(
          plan, Form.USUAL_COLUMNS_COST, start -> open(settled, there, start));
    }

    private TableLayout planTable(WriteRequest request, List<String> notes, List<String> details) {
      int servers = calls.get(() -> cluster.client().listTabletServers()).getTabletServersCount();
      Schema incoming = request.incoming();
      boolean replaces = request.mode() == Mode.REPLACE && request.resumed() == null;
      OldDefinition old = replaces && there != null ? new OldDefinition(there, table) : null;
      boolean keeps = old != null && options.types() != WriteOptions.Types.SOURCE;
      TableOptions requested = old != null && keeps ? old.taken(incoming) : table;
      TableLayout make = TableLayout.plan(label, incoming, requested, servers);
      if (old != null && keeps) {
        old.keep(label, make);
      } else if (old != null && !old.lost(make).isEmpty()) {
        notes.add("the new table will not have the old one's " + String.join(", ", old.lost(make)));
      }
      if (!make.uniqueKey()) {
        notes.add(
            "The source has no key: the key is "
                + make.schema().getColumnByIndex(0).getName()
                + " and a number that Kudu adds. --primary-key names a better one.");
      }
      notes.addAll(Warnings.of(make, servers));
      details.add(
          make.replicas() == 1
              ? "The table has one replica: a tablet server that is lost loses rows."
              : "The table has " + make.replicas() + " replicas.");
      return make;
    }

    /// How rows get in, in sentences.
    private List<String> how(KuduLoad settled) {
      List<String> details = new ArrayList<>();
      if (settled.mode() == Mode.TRUNCATE && there != null) {
        details.add(
            Truncate.dropsRanges(there)
                ? "The table is emptied at once: its range partitions are dropped and made again."
                : "The table is emptied first, row by row: it has no range partitions to drop.");
      }
      details.add(
          settled.landing().staged()
              ? "Rows are staged in another table, which takes its name at the end."
              : settled.transactional()
                  ? "One transaction: all rows appear at once, when the run is complete."
                  : "Rows appear as they come.");
      return details;
    }

    /// Those of a table that is there, if the user says how wide they are.
    private @Nullable RangeSteps ranges(@Nullable TableLayout make) {
      PartitionBy by = table.partitions();
      return make != null || by == null || by.ranges().isEmpty() || there == null
          ? null
          : Ranges.stepsOf(there, by.ranges().getLast());
    }

    private void checkMergeKey(@Nullable TableLayout make, boolean unique, List<String> requested) {
      org.apache.kudu.Schema schema =
          make != null ? make.schema() : Objects.requireNonNull(there, "found").getSchema();
      List<String> key = OldDefinition.key(schema);
      if (!unique) {
        throw new Fault.User(
            label + " has no unique key to merge by.", "Use --mode append, or make it anew.");
      }
      if (!requested.equals(key)) {
        throw new Fault.User(
            label + " merges by its primary key alone: " + NameList.spelled(key, ", ") + ".",
            "Leave --key out.");
      }
    }
  }

  /// @param there the table of that name when it was looked at; null if there was none
  private WriteSession open(KuduLoad settled, @Nullable KuduTable there, WriteStart start) {
    // Rows whose key is not unique can't be written again.
    boolean keeps = settled.repeatable() && !settled.transactional();
    WriteStart resumable =
        keeps
            ? start
            : new WriteStart(
                start.lanes(), start.setsAside(), start.size(), new WriteStart.Journal.None());
    JournaledRun before = start.before();
    if (!keeps && before != null) {
      journal.forget(before.run());
    }
    TableLayout make = settled.make();
    journal.replicas(
        make != null ? make.replicas() : Objects.requireNonNull(there, "found").getNumReplicas());
    KuduPlace place = new KuduPlace(cluster, calls, settled, there, journal, resumable);
    return LoadWalk.open(place, place, journal, settled.landing(), resumable);
  }
}
