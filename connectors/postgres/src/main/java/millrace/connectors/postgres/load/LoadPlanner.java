package millrace.connectors.postgres.load;

import java.util.ArrayList;
import java.util.List;
import millrace.connectors.postgres.catalog.PostgresCatalog;
import millrace.connectors.postgres.catalog.QualifiedName;
import millrace.connectors.postgres.catalog.Relation;
import millrace.connectors.postgres.catalog.TableColumn;
import millrace.data.Schema;
import millrace.fault.Fault;
import millrace.spi.journal.JournaledRun;
import millrace.spi.write.Landing;
import millrace.spi.write.Mode;
import millrace.spi.write.WriteRequest;
import org.jspecify.annotations.Nullable;

/// Works out of mode and columns how rows get there. One plan.
final class LoadPlanner {

  private final TargetTable target;
  private final @Nullable JournaledRun resumed;
  private final LoadNotes gathered;
  private final @Nullable Relation relation;
  private final List<TableColumn> columns;
  private final QualifiedName table;
  private final LoadOptions options;

  /// @param resumed the run that this one goes on with; null if it begins from the start
  LoadPlanner(TargetTable target, @Nullable JournaledRun resumed, LoadNotes gathered) {
    this.target = target;
    this.resumed = resumed;
    this.gathered = gathered;
    relation = target.relation;
    columns = target.columns;
    table = target.table;
    options = target.options;
  }

  /// How these columns get there.
  ///
  /// @throws Fault.User if they can't
  LoadPlan plan(WriteRequest request) {
    if (relation == null) {
      return request.mode() == Mode.MERGE ? merge().intoNew(request) : makeNew(request);
    }
    return switch (request.mode()) {
      case CREATE ->
          throw new Fault.User(
              "The table " + table.label() + " has been made meanwhile.",
              "Drop it to go on, or begin again with --fresh and another --mode.");
      case REPLACE -> replace(relation, request);
      case APPEND, TRUNCATE -> add(relation, request);
      case MERGE -> merge().intoTable(relation, request);
    };
  }

  private MergePlanner merge() {
    return new MergePlanner(target, staging(), gathered);
  }

  private QualifiedName staging() {
    return resumed != null && resumed.begun().isStaged() && !resumed.complete()
        ? QualifiedName.parse(resumed.begun().staging())
        : StagingTable.nameFor(table, target.nameBytesMax);
  }

  private LoadPlan makeNew(WriteRequest request) {
    Landing landing = request.landing();
    Schema incoming = request.incoming();
    NewTable made = target.newTable(request, incoming.key());
    List<LoadColumn> slots = slots(made.rehearse(target.session, table));
    List<String> notes = new ArrayList<>(made.notes());
    if (!landing.staged()) {
      gathered.addUnlogged(notes);
      return new DirectLoad(landing, slots, table, false, made.createWithKey(table), notes);
    }
    QualifiedName staging = staging();
    gathered.addDetail("rows are staged in " + staging.label() + " until all are there");
    gathered.addSwap(notes, !made.key().isEmpty());
    return new SwapLoad(landing, slots, table, staging, made, null, options, notes);
  }

  /// The columns of a table that is made.
  static List<LoadColumn> slots(List<TableColumn> made) {
    return made.stream()
        .map(column ->
            new LoadColumn(column.name(), column.type(), !column.notNull(), column.isAlways()))
        .toList();
  }

  private LoadPlan replace(Relation there, WriteRequest request) {
    Schema incoming = request.incoming();
    OldTable old = new OldTable(there);
    boolean likeOld = !request.partners().isEmpty();
    old.checkDroppable(target.session, likeOld);
    QualifiedName staging = staging();
    List<String> notes = new ArrayList<>();
    gathered.addDetail("rows are staged in " + staging.label() + " until all are there");
    if (likeOld) {
      ColumnPairing columnPairing = new ColumnPairing(table.label(), columns);
      List<LoadColumn> slots = columnPairing.slots(request);
      notes.addAll(request.notes());
      notes.addAll(old.losses(target.session, null, options.unlogged()));
      gathered.addSwap(notes, !IndexCopy.all(target.session, there, staging).isEmpty());
      return new SwapLoad(request.landing(), slots, table, staging, null, old, options, notes);
    }
    NewTable made = target.newTable(request, incoming.key());
    List<LoadColumn> slots = slots(made.rehearse(target.session, staging));
    notes.addAll(made.notes());
    notes.addAll(old.losses(target.session, made, options.unlogged()));
    gathered.addSwap(notes, !made.key().isEmpty());
    return new SwapLoad(request.landing(), slots, table, staging, made, old, options, notes);
  }

  private LoadPlan add(Relation there, WriteRequest request) {
    Mode mode = request.mode();
    if (mode == Mode.TRUNCATE && resumed == null) {
      checkTruncatable(there);
    }
    ColumnPairing columnPairing = new ColumnPairing(table.label(), columns);
    List<LoadColumn> slots = columnPairing.slots(request);
    List<String> notes = new ArrayList<>(request.notes());
    if (mode == Mode.TRUNCATE && there.hasChildren() && !there.kind().equals("p")) {
      notes.add(
          "only %s itself is emptied: tables that inherit from it keep their rows"
              .formatted(table.label()));
    }
    DeferredIndexes deferred = target.deferred(there, List.of());
    if (options.freeze()) {
      checkFreezable(mode, there);
    }
    Landing landing = request.landing();
    if (options.unlogged() && landing.place() != Landing.Place.INSERT) {
      throw LoadOptions.cantUnlog(table);
    }
    if (landing.place() == Landing.Place.INSERT) {
      QualifiedName staging = staging();
      gathered.addDetail(
          "rows are staged in " + staging.label() + " and inserted in one transaction");
      boolean triggersDropRows =
          addTriggerNote(notes, target.catalog.constraints().hasInsertTriggers(there));
      gathered.addStaged(notes, deferred);
      return new InsertLoad(landing, slots, table, staging, triggersDropRows, deferred, notes);
    }
    checkTakesCopy(there);
    boolean mayDropRows =
        addTriggerNote(notes, target.catalog.constraints().hasInsertTriggers(there));
    gathered.addUpkeep(target.catalog.constraints().upkeep(there));
    if (options.deferIndexes()) {
      notes.addAll(deferred.notes());
    }
    if (!landing.whole()) {
      return new DirectLoad(landing, slots, table, mayDropRows, "", notes);
    }
    if (options.freeze()) {
      notes.add(LoadOptions.freezeNote());
    }
    boolean locks = mode == Mode.TRUNCATE || options.freeze() || !deferred.isEmpty();
    gathered.addDetail(
        "all of it is one transaction"
            + (locks
                ? ", and " + table.label() + " is locked until its end, for readers as well"
                : ""));
    return new TransactionLoad(
        landing, slots, table, mayDropRows, options.freeze(), deferred, notes);
  }

  /// @throws Fault.User if rows would go in by COPY, and policies of the table apply to this user
  private void checkTakesCopy(Relation there) {
    if (options.method() == InsertMethod.NATIVE && target.catalog.visibility().hasPolicies(there)) {
      throw new Fault.User(
          "Row security of "
              + table.label()
              + " applies to this user, and PostgreSQL takes no COPY into such a table.",
          "Use --method direct, or --atomic, which stages the rows and inserts them.");
    }
  }

  private static boolean addTriggerNote(List<String> notes, boolean hasTriggers) {
    if (hasTriggers) {
      notes.add("triggers of the table run for every row, and may change or drop it");
    }
    return hasTriggers;
  }

  /// @throws Fault.User if others refer to the table, which PostgreSQL then does not truncate
  private void checkTruncatable(Relation there) {
    List<String> references = target.catalog.constraints().foreignKeysTo(there);
    if (!references.isEmpty()) {
      throw new Fault.User(
          table.label()
              + " can't be truncated: "
              + PostgresCatalog.list(references)
              + " refers to it.",
          OldTable.KEEP_REFERENCES);
    }
  }

  /// @throws Fault.User if PostgreSQL could not freeze rows of that table
  private void checkFreezable(Mode mode, Relation there) {
    if (!there.kind().equals("r")) {
      throw LoadOptions.cantFreeze(
          table,
          "it is a " + there.kindLabel() + ", and PostgreSQL freezes rows only in a plain table",
          there.kind().equals("p")
              ? "Leave --freeze out, or load its partitions by name."
              : "Leave --freeze out.");
    }
    if (mode == Mode.TRUNCATE) {
      return;
    }
    if (target.catalog.holdsRows(table)) {
      throw LoadOptions.cantFreeze(
          table,
          "it holds rows, and PostgreSQL freezes rows only in a table that is made or emptied in"
              + " the transaction that fills it",
          "Leave --freeze out, or use --mode truncate or replace.");
    }
    List<String> references = target.catalog.constraints().foreignKeysTo(there);
    if (!references.isEmpty()) {
      throw LoadOptions.cantFreeze(
          table,
          "it would have to be truncated, and "
              + PostgresCatalog.list(references)
              + " refers to it",
          "Leave --freeze out.");
    }
  }
}
