package millrace.connectors.sql.write;

import java.util.List;
import millrace.connectors.sql.Dialect;
import millrace.connectors.sql.LazySession;
import millrace.connectors.sql.Locks;
import millrace.connectors.sql.ServerEnd;
import millrace.connectors.sql.SqlDatabase;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TableInfo;
import millrace.connectors.sql.TableName;
import millrace.connectors.sql.plan.LoadColumns;
import millrace.connectors.sql.plan.SqlLoad;
import millrace.connectors.sql.sink.SqlInserts;
import millrace.data.Column;
import millrace.data.Form;
import millrace.data.Schema;
import millrace.data.TableComments;
import millrace.spi.journal.JobLock;
import millrace.spi.journal.Ledger;
import millrace.spi.write.ColumnAdder;
import millrace.spi.write.DescribedTarget;
import millrace.spi.write.Mode;
import millrace.spi.write.PlannedTarget;
import millrace.spi.write.Target;
import millrace.spi.write.TargetDescription;
import millrace.spi.write.TargetDescription.State;
import millrace.spi.write.WriteOptions;
import millrace.spi.write.WritePlan;
import millrace.spi.write.WriteRequest;
import millrace.spi.write.WriteStart;
import org.jspecify.annotations.Nullable;

/// A table of a database, open for writing. What it is and how it takes rows stands here and in the
/// {@link SqlLoadPlanner}; how its rows get there is its {@link WayIn}.
public final class SqlTarget implements Target, ColumnAdder {

  private final SqlDatabase database;
  private final TableName table;
  private final String label;
  private final WriteOptions options;
  private final WayIn way;
  private final SqlJournal journal;
  private final LazySession session;

  /// Opens nothing yet.
  ///
  /// @param label how to name the table in plans, reports and errors
  public SqlTarget(SqlDatabase database, TableName table, String label, WriteOptions options) {
    this(
        database,
        table,
        label,
        options,
        database.dialect().locks() == null
            ? new SqlWay(SqlInserts.BY_ONE)
            : new SqlWay(SqlInserts.BY_ALL));
  }

  /// Opens nothing yet.
  ///
  /// @param way how rows get there
  public SqlTarget(
      SqlDatabase database, TableName table, String label, WriteOptions options, WayIn way) {
    this.database = database;
    this.way = way;
    session = new LazySession(database, true);
    this.table = table;
    this.label = label;
    this.options = options;
    journal =
        new SqlJournal(
            database.dialect(),
            table,
            new SqlJournal.Place(
                label,
                database.label(),
                session::get,
                () -> SqlSession.open(database, true),
                this::exists));
  }

  @Override
  public <T> @Nullable T capability(Class<T> type) {
    if (type == Ledger.class) {
      return type.cast(journal);
    }
    if (type == JobLock.class) {
      return type.cast(journal.lock());
    }
    T found = database.capability(type, session);
    return found == null ? Target.super.capability(type) : found;
  }

  @Override
  public DescribedTarget describe() {
    TableInfo there = find(table);
    TargetDescription description =
        TargetDescription.of(label, state(there))
            .withLanes(way.lanes(there))
            .landing(way.offer(database.dialect()))
            .naming(
                database.dialect().names().caseSensitive(), database.dialect().names().bytesMax());
    String notUndone = there == null ? "" : there.rowRules().notUndone();
    if (!notUndone.isEmpty()) {
      description =
          description
              .withoutJournal(new TargetDescription.NoJournal(notUndone, false))
              .refusingAtomic(notUndone, "Leave --atomic out, or give the table another engine.");
    }
    Dialect dialect = database.dialect();
    boolean commitsDdl = !dialect.capabilities().transactionalDdl();
    if (dialect.locks() == null && commitsDdl && dialect.statements().tables().rename().isEmpty()) {
      description =
          description.refusing(
              Mode.REPLACE, "this database can't rename tables", "Use --mode truncate.");
    }
    if (dialect.locks() == null && !dialect.statements().merging().isPossible()) {
      description =
          description.refusing(
              Mode.MERGE, "Millrace does not know how this database merges", "Use another mode.");
    }
    return new Described(
        there == null
            ? description
            : description.with(label, there.targetColumns(database.dialect().types()), there.key()),
        new SqlLoadPlanner(label, database.dialect(), table, options, there, this::holdsRows));
  }

  @Override
  public void addColumns(List<Column> columns) {
    Dialect dialect = database.dialect();
    LoadColumns added =
        LoadColumns.fresh(
            new LoadColumns.Request(
                dialect, label, Schema.of(columns), List.of(), TableComments.NONE));
    for (String declaration :
        added.declarations(dialect.names(), false, dialect.writes().commentStyle())) {
      session.get().execute("ALTER TABLE " + table.sql(dialect.names()) + " ADD " + declaration);
    }
  }

  private @Nullable TableInfo find(TableName name) {
    return database.exists().getAsBoolean()
        ? database.dialect().catalog().find(session.get(), name)
        : null;
  }

  private boolean exists(TableName name) {
    return database.exists().getAsBoolean()
        && database.dialect().catalog().exists(session.get(), name);
  }

  private static State state(@Nullable TableInfo there) {
    if (there == null) {
      return State.ABSENT;
    }
    return there.kind() == TableInfo.Kind.TABLE ? State.THERE : State.VIEW;
  }

  private boolean holdsRows() {
    String name = table.sql(database.dialect().names());
    return SqlJournal.holdsRows(session.get(), name, anyRow());
  }

  private String anyRow() {
    return database.dialect().statements().anyRow();
  }

  /// The table as it was looked at.
  private final class Described implements DescribedTarget {

    private final TargetDescription description;
    private final SqlLoadPlanner planner;

    Described(TargetDescription description, SqlLoadPlanner planner) {
      this.description = description;
      this.planner = planner;
    }

    @Override
    public TargetDescription description() {
      return description;
    }

    @Override
    public boolean holdsRows() {
      return SqlTarget.this.holdsRows();
    }

    @Override
    public boolean keepsDefinition(Schema incoming) {
      return planner.keepsDefinition(incoming);
    }

    @Override
    public PlannedTarget plan(WriteRequest request) {
      SqlLoad settled = planner.plan(request);
      WritePlan usual = planner.writePlan(settled, request);
      return PlannedTarget.ofColumns(
          request.isComplete() ? usual : way.writePlan(settled, session::get, usual),
          Form.USUAL_COLUMNS_COST,
          start -> way.open(settled, started(start)));
    }
  }

  private LoadStart started(WriteStart start) {
    return new LoadStart(database, session, journal, this::exists, start);
  }

  /// The statement that makes a table of those columns, for previews; nothing is asked.
  public static String ddl(Dialect dialect, TableName table, Schema schema) {
    return SqlLoad.ddl(dialect, table, schema);
  }

  @Override
  public void close() {
    try (ServerEnd _ = database.end();
        Locks _ = database.dialect().locks()) {
      session.close();
    }
  }
}
