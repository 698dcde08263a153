package millrace.connectors.postgres.load;

import java.util.List;
import java.util.Locale;
import millrace.connectors.postgres.PostgresConnector;
import millrace.connectors.postgres.catalog.PostgresCatalog;
import millrace.connectors.postgres.catalog.PostgresSql;
import millrace.connectors.postgres.catalog.QualifiedName;
import millrace.connectors.postgres.catalog.Relation;
import millrace.connectors.postgres.catalog.TableColumn;
import millrace.connectors.postgres.net.Session;
import millrace.connectors.sql.plan.ReplacedTable;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.TableComments;
import millrace.fault.Fault;
import millrace.spi.write.Landing;
import millrace.spi.write.Mode;
import millrace.spi.write.TargetColumn;
import millrace.spi.write.TargetDescription.State;
import millrace.spi.write.WriteOptions;
import millrace.spi.write.WriteRequest;
import org.jspecify.annotations.Nullable;

/// What stands under the name that a load is for, and what was asked for it. Looks at the server,
/// and changes nothing.
public final class TargetTable {

  /// PostgreSQL's MaxHeapAttributeNumber.
  static final int COLUMNS_MAX = 1600;

  final Session session;
  final PostgresCatalog catalog;
  final WriteOptions writeOptions;
  final LoadOptions options;
  final @Nullable Relation relation;
  final List<TableColumn> columns;
  final QualifiedName table;
  final int nameBytesMax;

  /// @param session the target's own
  /// @param wanted as the user names it
  /// @throws Fault.User if nothing can be loaded under that name
  public TargetTable(
      Session session, QualifiedName wanted, WriteOptions writeOptions, LoadOptions options) {
    this.session = session;
    this.writeOptions = writeOptions;
    this.options = options;
    catalog = new PostgresCatalog(session);
    nameBytesMax = catalog.nameBytesMax();
    catalog.checkName(wanted);
    relation = catalog.find(wanted);
    columns = relation == null ? List.of() : columns(relation);
    table = relation == null ? inSchema(wanted.folded()) : relation.name();
    checkNotTemporary();
    if (relation != null) {
      checkKind(relation);
    }
  }

  /// Gives the table columns that take nulls, and looks at it again.
  public TargetTable with(List<Column> added) {
    NewTable columns =
        new NewTable(
            Schema.of(added),
            new NewTable.Traits(List.of(), false, TableComments.NONE),
            session,
            nameBytesMax);
    session.execute(columns.add(table));
    return new TargetTable(session, table, writeOptions, options);
  }

  /// How long the name of a column may be, in UTF-8.
  public int nameBytesMax() {
    return nameBytesMax;
  }

  private List<TableColumn> columns(Relation there) {
    List<TableColumn> all = catalog.columns(there);
    return options.generatesIdentity()
        ? all.stream().map(TableColumn::generatingIdentity).toList()
        : all;
  }

  /// The name of a table to be made, in the schema that exists.
  private QualifiedName inSchema(QualifiedName wanted) {
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
    return new QualifiedName(schema, wanted.name(), true);
  }

  /// A temporary table is its own session's, and each lane has one.
  private void checkNotTemporary() {
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
  public QualifiedName name() {
    return table;
  }

  public State state() {
    return relation == null ? State.ABSENT : State.THERE;
  }

  public boolean holdsRows() {
    return catalog.holdsRows(table);
  }

  /// Its columns, as a target describes them.
  public List<TargetColumn> targetColumns() {
    boolean triggered =
        relation != null
            && columns.stream().anyMatch(column -> column.notNull() && !column.hasDefault())
            && catalog.constraints().hasInsertTriggers(relation);
    return columns.stream().map(column -> column.targetColumn(triggered)).toList();
  }

  /// Names of its primary key's columns; empty if it has none.
  public List<String> key() {
    return relation == null ? List.of() : catalog.constraints().key(relation);
  }

  /// Why no more than one lane can write; empty if more can.
  ///
  /// @throws Fault.User if the table does not allow what was asked for
  public String oneLaneWhy() {
    if (options.freeze()) {
      return "--freeze needs the table made or emptied in the transaction that fills it";
    }
    return relation != null && isFilledAsItIs() && !deferred(relation, List.of()).isEmpty()
        ? "--defer-indexes takes indexes away in the transaction that fills the table; with"
            + " --atomic rows are staged on more lanes"
        : "";
  }

  /// How rows can get into it. COPY freezes rows, and indexes are taken away, in the transaction
  /// that fills the table.
  public Landing.Offer offer() {
    Landing.Commits parts = Landing.Commits.PARTS;
    Landing.Commits oneTransaction = Landing.Commits.WHOLE;
    if (options.freeze()) {
      return Landing.Offer.into(oneTransaction)
          .staging(oneTransaction, Landing.Place.SWAP, Landing.Place.MERGE)
          .choosingSteps()
          .swappingLike();
    }
    boolean defers =
        relation == null ? options.deferIndexes() : !deferred(relation, List.of()).isEmpty();
    Landing.Offer direct =
        defers ? Landing.Offer.into(oneTransaction) : Landing.Offer.into(parts, oneTransaction);
    return direct
        .staging(parts, Landing.Place.SWAP, Landing.Place.INSERT, Landing.Place.MERGE)
        .choosingSteps()
        .swappingLike();
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

  /// The indexes of the table that are to be made after the rows.
  ///
  /// @param needed columns of a key that stays
  DeferredIndexes deferred(Relation there, List<String> needed) {
    return options.deferIndexes()
        ? DeferredIndexes.of(session, there, needed)
        : DeferredIndexes.none(table);
  }

  /// Whether a replace makes the new table like the old one.
  ///
  /// @throws Fault.User if it can't, and the user did not give up what would be lost
  public boolean keepsDefinition(Schema incoming) {
    boolean keeps = isLike(incoming);
    Relation there = relation;
    if (!keeps && there != null && writeOptions.types() != WriteOptions.Types.SOURCE) {
      OldTable old = new OldTable(there);
      old.checkDroppable(session, false);
      new ReplacedTable(
              table.label(),
              PostgresConnector.NAME,
              targetColumns(),
              key(),
              old.rules(session, options.unlogged()),
              List.of())
          .checkGivenUp(incoming);
    }
    return keeps;
  }

  /// Whether the source has just the columns of the old table, of the same types. A source that
  /// only guesses its types has got them from there.
  private boolean isLike(Schema incoming) {
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
            : declared.equals(old.type().asNative().declaration());
    return incoming.name().equals(old.name()) && (sameType || !old.serverMade().isEmpty());
  }

  /// How these columns get there.
  ///
  /// @throws Fault.User if they can't
  public PlannedLoad plan(WriteRequest request) {
    LoadNotes notes = new LoadNotes(table, options);
    LoadPlan plan = new LoadPlanner(this, request.resumed(), notes).plan(request);
    ColumnPairing.checkMembers(table.label(), request.incoming(), plan.slots());
    return new PlannedLoad(plan, notes.details(), notes.rowCosts());
  }

  /// The definition of a table that is to be made.
  ///
  /// @param key names of the primary key's columns; empty for none
  NewTable newTable(WriteRequest request, List<String> key) {
    Schema incoming = request.incoming();
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
    return new NewTable(
        incoming,
        new NewTable.Traits(key, options.unlogged(), request.comments()),
        session,
        nameBytesMax);
  }
}
