package millrace.connectors.sql;

import millrace.data.Form;
import millrace.data.Schema;
import millrace.fault.Fault;
import millrace.spi.LaneLimit;
import millrace.spi.PhaseTimer;
import millrace.spi.journal.Journal;
import millrace.spi.write.MergeCounts;
import millrace.spi.write.Mode;
import millrace.spi.write.Target;
import millrace.spi.write.TargetDescription;
import millrace.spi.write.WriteContext;
import millrace.spi.write.WriteOptions;
import millrace.spi.write.WritePlan;
import millrace.spi.write.Writer;
import org.jspecify.annotations.Nullable;

/// A table of a database, open for writing. What it is and how it takes rows stands here and in the
/// {@link LoadPlanner}; rows are written by a {@link LoadSession}.
public final class SqlTarget implements Target {

  private static final LaneLimit ONE =
      new LaneLimit(1, "all rows are written in one transaction, by one connection");

  private final SqlDatabase database;
  private final TableName table;
  private final String label;
  private final WriteOptions options;
  private final SqlJournal journal;
  private volatile @Nullable SqlSession session;
  private @Nullable TableInfo found;
  private @Nullable LoadPlan plan;
  private @Nullable LoadSession load;

  /// Opens nothing yet.
  ///
  /// @param label how to name the table in plans, reports and errors
  public SqlTarget(SqlDatabase database, TableName table, String label, WriteOptions options) {
    this.database = database;
    this.table = table;
    this.label = label;
    this.options = options;
    journal = new SqlJournal(database, label, table, this::session);
  }

  private SqlSession session() {
    SqlSession open = session;
    if (open == null) {
      open = SqlSession.open(database, true);
      session = open;
    }
    return open;
  }

  @Override
  public Journal journal() {
    return journal;
  }

  @Override
  public TargetDescription describe() {
    if (database.exists().getAsBoolean()) {
      found = database.dialect().find(session(), table);
    }
    boolean matters = options.mode() != Mode.REPLACE || options.mayKeepTypes();
    Schema existing =
        found == null || !matters ? null : found.schema(database.dialect().types(), true);
    return TargetDescription.of(label, existing).withLanes(ONE);
  }

  @Override
  public WritePlan fit(Schema incoming) {
    boolean holdsRows =
        found != null && SqlJournal.holdsRows(session(), table.sql(database.dialect().names()));
    LoadPlanner planner =
        new LoadPlanner(
            label, database.dialect(), table, options, found, holdsRows, journal.isComplete());
    LoadPlan settled = planner.plan(incoming);
    plan = settled;
    return planner.told(settled);
  }

  /// The statement that makes a table of those columns, for previews; nothing is asked.
  public static String ddl(Dialect dialect, TableName table, Schema schema) {
    return LoadPlan.ddl(dialect, table, schema);
  }

  @Override
  public void begin(int lanes) {
    LoadPlan settled = plan;
    if (settled == null) {
      throw new Fault.Bug("begin before fit", null);
    }
    LoadSession begun = new LoadSession(settled, session(), journal);
    load = begun;
    begun.begin();
  }

  private LoadSession load() {
    LoadSession running = load;
    if (running == null) {
      throw new Fault.Bug("a writer before begin", null);
    }
    return running;
  }

  @Override
  public Writer writer(Form form, WriteContext context) {
    return load().writer(context);
  }

  @Override
  public void complete(PhaseTimer steps) {
    load().complete(steps);
  }

  @Override
  public @Nullable MergeCounts merged() {
    LoadSession running = load;
    return running == null ? null : running.merged();
  }

  @Override
  public void abandon() {
    LoadSession running = load;
    load = null;
    try {
      if (running != null) {
        running.abandon();
      }
    } finally {
      close();
    }
    if (running != null) {
      database.undone().run();
    }
  }

  @Override
  public @Nullable String waitsFor() {
    SqlSession open = session;
    return open == null ? null : open.waitsFor();
  }

  @Override
  public void cancel() {
    SqlSession open = session;
    if (open != null) {
      open.cancel();
    }
  }

  @Override
  public void close() {
    SqlSession open = session;
    session = null;
    if (open != null) {
      open.close();
    }
  }
}
