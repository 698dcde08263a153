package millrace.connectors.postgres.load;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import millrace.connectors.postgres.PostgresConnector;
import millrace.connectors.postgres.catalog.Catalog;
import millrace.connectors.postgres.catalog.PostgresSql;
import millrace.connectors.postgres.catalog.Relation;
import millrace.connectors.postgres.catalog.TableColumn;
import millrace.connectors.postgres.catalog.TableName;
import millrace.connectors.postgres.journal.JournalTable;
import millrace.connectors.postgres.net.Session;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.fault.Fault;
import millrace.spi.write.Mode;
import millrace.spi.write.WriteOptions;
import org.jspecify.annotations.Nullable;

/// Looks at the target, and works out of mode and columns how rows get there.
public final class LoadPlanner {

  /// PostgreSQL's MaxHeapAttributeNumber.
  private static final int COLUMNS_MAX = 1600;

  private final Session session;
  private final Catalog catalog;
  private final WriteOptions writeOptions;
  private final LoadOptions options;
  private final @Nullable Relation relation;
  private final List<TableColumn> columns;
  private final TableName table;
  private final int nameBytesMax;
  private final List<String> details = new ArrayList<>();
  private JournalTable.@Nullable Details goesOn;

  public LoadPlanner(
      Session session, TableName wanted, WriteOptions writeOptions, LoadOptions options) {
    this.session = session;
    this.writeOptions = writeOptions;
    this.options = options;
    catalog = new Catalog(session);
    nameBytesMax = catalog.nameBytesMax();
    catalog.checkName(wanted);
    relation = catalog.find(wanted);
    columns = relation == null ? List.of() : columns(relation);
    table = relation == null ? inSchema(wanted.folded()) : relation.name();
    checkStays();
    if (relation != null) {
      checkKind(relation);
    }
  }

  private List<TableColumn> columns(Relation there) {
    List<TableColumn> all = catalog.columns(there);
    return options.generatesIdentity()
        ? all.stream().map(TableColumn::generatingIdentity).toList()
        : all;
  }

  /// The load that is planned goes on with one that was cut off, and is planned as it was then.
  public void goOn(JournalTable.Details with) {
    goesOn = with;
  }

  /// The name of a table to be made, in the schema that exists.
  private TableName inSchema(TableName wanted) {
    NewTable.checkName(wanted.name(), nameBytesMax);
    String schema = wanted.schema();
    if (schema == null) {
      schema =
          session.one("SELECT coalesce(pg_catalog.current_schema(), '')", row -> row.getString(1));
      if (schema.isEmpty()) {
        throw new Fault.User(
            "No schema of the search path exists to put " + wanted.label() + " in.",
            "Name one: table=schema." + wanted.name() + ".");
      }
    } else if (!isTemporary(schema)
        && session
            .query(
                "SELECT 1 FROM pg_catalog.pg_namespace WHERE nspname = ?",
                row -> row.getInt(1),
                schema)
            .isEmpty()) {
      throw new Fault.User(
          "There is no schema " + schema + " to put " + wanted.label() + " in.",
          "Make it first: CREATE SCHEMA " + PostgresSql.name(schema) + ";");
    }
    return new TableName(schema, wanted.name(), true);
  }

  /// A temporary table is its own session's, and each lane has one.
  private void checkStays() {
    if (isTemporary(table.schema())) {
      throw new Fault.User(
          table.label()
              + " is in a schema of temporary tables, which only their own session can use.",
          "Name a schema whose tables stay: table=schema." + table.name() + ".");
    }
  }

  /// Nobody else may name a schema like that.
  private static boolean isTemporary(@Nullable String schema) {
    return schema != null && (schema.equals("pg_temp") || schema.startsWith("pg_temp_"));
  }

  private void checkKind(Relation there) {
    if (!"rpf".contains(there.kind())) {
      throw new Fault.User(
          table.label() + " is a " + there.kindLabel() + ", and can't be loaded.", "Name a table.");
    }
  }

  /// The target's name with its schema.
  public TableName table() {
    return table;
  }

  /// The columns that may be written, or null if there is no table yet, or its types don't matter.
  @Nullable
  public Schema existing() {
    if (relation == null || (writeOptions.mode() == Mode.REPLACE && !writeOptions.mayKeepTypes())) {
      return null;
    }
    List<Column> writable =
        columns.stream()
            .filter(column -> column.serverMade().isEmpty())
            .map(TableColumn::column)
            .toList();
    return writable.isEmpty() ? null : Schema.of(writable);
  }

  /// Why no more than one lane can write; empty where more can.
  ///
  /// @throws Fault.User where the table does not allow what was asked for
  public String oneLaneWhy() {
    if (options.freeze()) {
      return "--freeze needs the table made or emptied in the transaction that fills it";
    }
    return relation != null && isFilledAsItIs() && !deferred(relation, List.of()).isEmpty()
        ? "--defer-indexes takes indexes away in the transaction that fills the table; with"
            + " --atomic rows are staged on more lanes"
        : "";
  }

  private boolean isFilledAsItIs() {
    return !writeOptions.atomic()
        && (writeOptions.mode() == null
            || writeOptions.mode() == Mode.APPEND
            || writeOptions.mode() == Mode.TRUNCATE);
  }

  /// Whether rows go straight into a table that a crash of the server empties.
  public boolean isEmptiedByCrash() {
    return isFilledAsItIs()
        && (relation == null
            ? options.unlogged() && writeOptions.mode() != null
            : catalog.hasUnlogged(relation));
  }

  private DeferredIndexes deferred(Relation there, List<String> needed) {
    return options.deferIndexes()
        ? DeferredIndexes.of(session, there, needed)
        : DeferredIndexes.none(table);
  }

  /// How these columns get there.
  ///
  /// @throws Fault.User where they can't
  public LoadPlan plan(Schema incoming) {
    details.clear();
    LoadPlan plan = byMode(incoming);
    ColumnPairing.checkMembers(table.label(), incoming, plan.slots());
    return plan;
  }

  /// How rows get there by the plan that was made last, one sentence each.
  public List<String> details() {
    return details;
  }

  private LoadPlan byMode(Schema incoming) {
    Mode mode = mode();
    if (relation == null) {
      return mode == Mode.MERGE ? mergeIntoNew(incoming) : makeNew(mode, incoming);
    }
    return switch (mode) {
      case CREATE ->
          throw new Fault.User(
              "The table " + table.label() + " exists already.",
              "Use --mode append, truncate, replace or merge, or name another table.");
      case REPLACE -> replace(relation, incoming);
      case APPEND, TRUNCATE -> add(mode, relation, incoming);
      case MERGE -> merge(relation, incoming);
    };
  }

  private Mode mode() {
    if (goesOn != null && !goesOn.complete()) {
      return goesOn.mode();
    }
    boolean refusesRows = writeOptions.mode() == null || writeOptions.mode() == Mode.CREATE;
    if (goesOn != null && refusesRows) {
      // The target holds the rows already, and nothing will be loaded.
      return relation == null ? Mode.CREATE : Mode.APPEND;
    }
    if (writeOptions.mode() != null) {
      return writeOptions.mode();
    }
    if (relation == null) {
      return Mode.CREATE;
    }
    if (catalog.holdsRows(table)) {
      throw new Fault.User(
          "The table " + table.label() + " holds rows already.",
          "Say what to do with them: --mode append, truncate, replace or merge.");
    }
    return Mode.APPEND;
  }

  private TableName staging() {
    return goesOn != null && goesOn.staged() && !goesOn.complete()
        ? goesOn.into()
        : StagingTable.nameFor(table, nameBytesMax);
  }

  private LoadPlan makeNew(Mode mode, Schema incoming) {
    NewTable made = newTable(incoming, incoming.key());
    boolean staged =
        writeOptions.atomic()
            || mode == Mode.CREATE
            || mode == Mode.REPLACE
            || options.freeze()
            || options.deferIndexes();
    List<LoadColumn> slots = slots(made.rehearse(session, table));
    List<String> notes = new ArrayList<>(made.notes());
    if (!staged) {
      addUnloggedNote(notes);
      return new DirectLoad(mode, slots, table, false, made.createWithKey(table), notes);
    }
    TableName staging = staging();
    details.add("rows are staged in " + staging.label() + " until all are there");
    addSwapNotes(notes, !made.key().isEmpty());
    return new SwapLoad(mode, slots, table, staging, made, null, options, notes);
  }

  private NewTable newTable(Schema incoming, List<String> key) {
    if (incoming.width() > COLUMNS_MAX) {
      throw new Fault.User(
          String.format(
              Locale.ROOT,
              "%s would have %,d columns, and a table of PostgreSQL has %,d at most.",
              table.label(),
              incoming.width(),
              COLUMNS_MAX),
          "Choose some with --select, and copy the others into a second table.");
    }
    incoming
        .names()
        .forEach(name ->
            catalog.checkHeld(
                "The column name " + name,
                name,
                "Give the column another name, or make the table in a database in UTF8."));
    return new NewTable(incoming, key, options.unlogged(), session, nameBytesMax);
  }

  private void addUnloggedNote(List<String> notes) {
    if (options.unlogged()) {
      notes.add(LoadOptions.unloggedNote(table));
    }
  }

  private void addSwapNotes(List<String> notes, boolean hasIndexes) {
    if (options.freeze()) {
      notes.add(LoadOptions.freezeNote());
    }
    if (options.deferIndexes()) {
      notes.add(
          hasIndexes
              ? "keys and indexes are made after the rows"
              : "--defer-indexes changes nothing: the new table has no key and no index");
    }
    addUnloggedNote(notes);
  }

  private static List<LoadColumn> slots(List<TableColumn> made) {
    return made.stream()
        .map(column ->
            new LoadColumn(
                column.name(), column.type(), !column.notNull(), true, column.isAlways()))
        .toList();
  }

  private LoadPlan replace(Relation there, Schema incoming) {
    OldTable old = new OldTable(there);
    boolean likeOld = isLikeOld(incoming);
    old.checkDroppable(session, likeOld);
    TableName staging = staging();
    List<String> notes = new ArrayList<>();
    details.add("rows are staged in " + staging.label() + " until all are there");
    if (likeOld) {
      ColumnPairing columnPairing = new ColumnPairing(table.label(), columns);
      List<LoadColumn> slots = columnPairing.pair(incoming, writeOptions.byPosition());
      notes.addAll(columnPairing.notes());
      notes.addAll(old.losses(session, null, options.unlogged()));
      addSwapNotes(notes, !IndexCopy.all(session, there, staging).isEmpty());
      return new SwapLoad(Mode.REPLACE, slots, table, staging, null, old, options, notes);
    }
    NewTable made = newTable(incoming, incoming.key());
    List<LoadColumn> slots = slots(made.rehearse(session, staging));
    notes.addAll(made.notes());
    notes.addAll(old.losses(session, made, options.unlogged()));
    addSwapNotes(notes, !made.key().isEmpty());
    return new SwapLoad(Mode.REPLACE, slots, table, staging, made, old, options, notes);
  }

  /// Whether the source has just the columns of the old table, of the same types: then the new
  /// table is made like the old one. A source that only guesses its types has got them from there.
  private boolean isLikeOld(Schema incoming) {
    List<String> names = incoming.names();
    boolean lacksAny =
        columns.stream()
            .anyMatch(column ->
                !names.contains(column.name())
                    && column.serverMade().isEmpty()
                    && !column.isAlways());
    return !lacksAny
        && incoming.columns().stream()
            .allMatch(column -> columns.stream().anyMatch(one -> isAlike(column, one)));
  }

  private static boolean isAlike(Column incoming, TableColumn old) {
    String declared = incoming.declaredIn(PostgresConnector.NAME);
    boolean sameType =
        declared == null
            ? incoming.type().equals(old.type().type())
            : declared.equals(old.type().declared());
    return incoming.name().equals(old.name()) && sameType;
  }

  private LoadPlan add(Mode mode, Relation there, Schema incoming) {
    if (mode == Mode.TRUNCATE && goesOn == null) {
      checkTruncatable(there);
    }
    ColumnPairing columnPairing = new ColumnPairing(table.label(), columns);
    List<LoadColumn> slots = columnPairing.pair(incoming, writeOptions.byPosition());
    List<String> notes = new ArrayList<>(columnPairing.notes());
    if (mode == Mode.TRUNCATE && there.hasChildren() && !there.kind().equals("p")) {
      notes.add(
          "only %s itself is emptied: tables that inherit from it keep their rows"
              .formatted(table.label()));
    }
    DeferredIndexes deferred = deferred(there, List.of());
    if (options.freeze()) {
      checkFreezable(mode, there);
    }
    boolean oneTransaction = options.freeze() || (!writeOptions.atomic() && !deferred.isEmpty());
    if (options.unlogged() && (oneTransaction || !writeOptions.atomic())) {
      throw LoadOptions.cantUnlog(table);
    }
    if (writeOptions.atomic() && !oneTransaction) {
      TableName staging = staging();
      details.add("rows are staged in " + staging.label() + " and inserted in one transaction");
      boolean triggersDropRows = addTriggerNote(notes, catalog.hasInsertTriggers(there));
      addStagedNotes(notes, deferred);
      return new InsertLoad(mode, slots, table, staging, triggersDropRows, deferred, notes);
    }
    checkTakesCopy(there);
    boolean mayDropRows = addTriggerNote(notes, catalog.hasInsertTriggers(there));
    if (options.deferIndexes()) {
      notes.addAll(deferred.notes());
    }
    if (!oneTransaction) {
      return new DirectLoad(mode, slots, table, mayDropRows, "", notes);
    }
    if (options.freeze()) {
      notes.add(LoadOptions.freezeNote());
    }
    details.add(
        "all of it is one transaction, and "
            + table.label()
            + " is locked until its end, for readers as well");
    return new TransactionLoad(mode, slots, table, mayDropRows, options.freeze(), deferred, notes);
  }

  /// @throws Fault.User where rows would go in by COPY, and policies of the table apply to this
  ///   user
  private void checkTakesCopy(Relation there) {
    if (options.method() == InsertMethod.NATIVE && catalog.hasPolicies(there)) {
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

  /// For tables that stay while rows come by way of a staging table.
  private void addStagedNotes(List<String> notes, DeferredIndexes deferred) {
    if (options.deferIndexes()) {
      notes.addAll(deferred.notes());
      if (!deferred.isEmpty()) {
        details.add(
            table.label()
                + " is locked during the last transaction, for readers as well, because indexes are"
                + " taken away in it");
      }
    }
    if (options.unlogged()) {
      notes.add(
          "--unlogged changes nothing: the staging table has no log anyway, and "
              + table.label()
              + " stays as it is");
    }
  }

  /// @throws Fault.User where others refer to the table, which PostgreSQL then does not truncate
  private void checkTruncatable(Relation there) {
    List<String> references = catalog.foreignKeysTo(there);
    if (!references.isEmpty()) {
      throw new Fault.User(
          table.label() + " can't be truncated: " + Catalog.list(references) + " refers to it.",
          OldTable.KEEP_REFERENCES);
    }
  }

  /// @throws Fault.User where PostgreSQL could not freeze rows of that table
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
    if (catalog.holdsRows(table)) {
      throw LoadOptions.cantFreeze(
          table,
          "it holds rows, and PostgreSQL freezes rows only in a table that is made or emptied in"
              + " the transaction that fills it",
          "Leave --freeze out, or use --mode truncate or replace.");
    }
    List<String> references = catalog.foreignKeysTo(there);
    if (!references.isEmpty()) {
      throw LoadOptions.cantFreeze(
          table,
          "it would have to be truncated, and " + Catalog.list(references) + " refers to it",
          "Leave --freeze out.");
    }
  }

  private LoadPlan merge(Relation there, Schema incoming) {
    refuseFrozenMerge();
    ColumnPairing columnPairing = new ColumnPairing(table.label(), columns);
    List<LoadColumn> slots = columnPairing.pair(incoming, writeOptions.byPosition());
    List<String> key = keyOfMerge(catalog.key(there), slots);
    TableName staging = staging();
    List<String> notes = new ArrayList<>(columnPairing.notes());
    details.add(
        "rows are staged in "
            + staging.label()
            + " and merged in one transaction by "
            + Catalog.list(key));
    boolean unique = catalog.isUnique(there, key);
    if (!unique) {
      notes.add("no unique index stands on that key, so rows of the table may share one");
      if (catalog.hasPolicies(there)) {
        notes.add(
            "row security: where policies of "
                + table.label()
                + " hide a row of that key from this user, another is inserted beside it; one that"
                + " they do not let it update stays as it is");
      }
    }
    if (catalog.hasMergeTriggers(there)) {
      notes.add(
          "triggers of the table run for every row that is inserted or gets other values, and may"
              + " change or drop it; one that they drop counts as unchanged");
    }
    if (!catalog.isReadable(there)) {
      notes.add(
          "this user may not read the whole table, so rows whose values stay the same are written"
              + " and counted as updated");
    }
    if (catalog.hasMergeRules(there)) {
      notes.add(
          "rules of the table apply to every row, and may change or drop it: none is counted as"
              + " inserted or updated");
    }
    for (LoadColumn loadColumn : slots) {
      if (loadColumn.written() && loadColumn.always() && !key.contains(loadColumn.name())) {
        notes.add(
            "column %s is GENERATED ALWAYS: rows that exist keep their value of it"
                .formatted(loadColumn.name()));
      }
    }
    DeferredIndexes deferred = deferred(there, key);
    addStagedNotes(notes, deferred);
    return new MergeLoad(
        slots, table, staging, key, unique, placeColumns(slots), null, false, deferred, notes);
  }

  private void refuseFrozenMerge() {
    if (options.freeze()) {
      throw LoadOptions.cantFreeze(
          table,
          "a merge inserts and updates rows from a staging table, and PostgreSQL freezes only those"
              + " that COPY brings",
          "Leave --freeze out, or use another --mode.");
    }
  }

  private LoadPlan mergeIntoNew(Schema incoming) {
    refuseFrozenMerge();
    List<String> names = writeOptions.key().isEmpty() ? incoming.key() : writeOptions.key();
    NewTable made = newTable(incoming, resolve(names, incoming.names()));
    List<LoadColumn> slots = slots(made.rehearse(session, table));
    List<String> key = keyOfMerge(made.key(), slots);
    TableName staging = staging();
    List<String> notes = new ArrayList<>(made.notes());
    details.add("rows are staged in " + staging.label() + ", and the last of each key goes in");
    if (options.deferIndexes()) {
      details.add("the primary key is made after the rows");
    }
    addUnloggedNote(notes);
    return new MergeLoad(
        slots,
        table,
        staging,
        key,
        true,
        placeColumns(slots),
        made,
        options.deferIndexes(),
        DeferredIndexes.none(table),
        notes);
  }

  /// The names as columns spell them.
  private List<String> resolve(List<String> wanted, List<String> known) {
    List<String> resolved = new ArrayList<>();
    for (String name : wanted) {
      resolved.add(
          known.contains(name)
              ? name
              : known.stream()
                  .filter(name::equalsIgnoreCase)
                  .findFirst()
                  .orElseThrow(() -> noKeyColumn(name)));
    }
    return resolved;
  }

  private Fault.User noKeyColumn(String name) {
    return new Fault.User(
        "The key column " + name + " is not among those that go into " + table.label() + ".",
        "Name columns of the source with --key.");
  }

  private List<String> keyOfMerge(List<String> primaryKey, List<LoadColumn> slots) {
    List<String> written =
        slots.stream().filter(LoadColumn::written).map(LoadColumn::name).toList();
    List<String> wanted = writeOptions.key().isEmpty() ? primaryKey : writeOptions.key();
    if (wanted.isEmpty()) {
      throw new Fault.User(
          "A merge into " + table.label() + " needs a key, and the table has no primary key.",
          "Name the columns that tell rows apart with --key.");
    }
    checkWritten(wanted);
    List<String> key = resolve(wanted, written);
    for (LoadColumn loadColumn : slots) {
      if (key.contains(loadColumn.name()) && loadColumn.type().type() instanceof Type.Json) {
        throw new Fault.User(
            "Column " + loadColumn.name() + " is JSON, by which rows can't be told apart.",
            "Name other columns with --key.");
      }
    }
    return key;
  }

  /// @throws Fault.User where the server makes the values of a key column by itself, so that rows
  ///   that come can't be told apart by it
  private void checkWritten(List<String> key) {
    for (TableColumn column : columns) {
      if (!column.serverMade().isEmpty()
          && key.stream().anyMatch(column.name()::equalsIgnoreCase)) {
        throw new Fault.User(
            "Column "
                + column.name()
                + " of "
                + table.label()
                + " is "
                + column.serverMade()
                + ", of which the server makes the values: rows can't be merged by it.",
            column.identity().isEmpty()
                ? "Name other columns with --key."
                : "Name other columns with --key, or leave --identity generate out.");
      }
    }
  }

  /// Names for the split and the row number that no column has.
  ///
  /// @throws Fault.User where the staging table has no room for them
  private List<String> placeColumns(List<LoadColumn> slots) {
    long written = slots.stream().filter(LoadColumn::written).count();
    if (written + 2 > COLUMNS_MAX) {
      throw new Fault.User(
          "A merge into "
              + table.label()
              + " stages rows with two columns more than the "
              + written
              + " that come, and a table of PostgreSQL has "
              + COLUMNS_MAX
              + " at most.",
          "Leave columns out with --select, or use another --mode.");
    }
    String prefix = "millrace_";
    while (startsAny(slots, prefix)) {
      prefix += "_";
    }
    return List.of(prefix + "split", prefix + "row");
  }

  private static boolean startsAny(List<LoadColumn> slots, String prefix) {
    return slots.stream().anyMatch(loadColumn -> loadColumn.name().startsWith(prefix));
  }
}
