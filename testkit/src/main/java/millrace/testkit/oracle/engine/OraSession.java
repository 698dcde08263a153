package millrace.testkit.oracle.engine;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import millrace.testkit.oracle.OraException;
import millrace.testkit.oracle.catalog.OraTable;
import millrace.testkit.oracle.catalog.Partitioning;
import millrace.testkit.oracle.catalog.Rights;
import millrace.testkit.oracle.dictionary.DictionaryFunctions;
import millrace.testkit.oracle.dictionary.SessionFigures;
import millrace.testkit.oracle.dictionary.SessionNumber;
import millrace.testkit.oracle.dictionary.SessionWait;
import millrace.testkit.oracle.rules.H2Errors;
import millrace.testkit.oracle.rules.TableLocks;
import millrace.testkit.oracle.sql.ParsedSql;
import millrace.testkit.oracle.sql.SqlNames;
import millrace.testkit.oracle.sql.StatementKind;
import millrace.testkit.oracle.value.TtcType;
import org.jspecify.annotations.Nullable;

/// One session with its transaction, on a connection of its own to H2.
///
/// The client's thread uses it; {@link #cancel} may come from any.
public final class OraSession implements AutoCloseable, TableLocks.Owner {

  /// How long a statement waits for another transaction's lock.
  static final long LOCK_SECONDS = 60;

  private static final long PARTS_MAX = 1_000_000;

  private final OraDatabase database;
  private final long id;
  private final String user;
  private final SessionFigures figures;
  private final Connection connection;
  private final SessionSettings settings = new SessionSettings();
  private final Set<Long> appended = new HashSet<>();
  private volatile @Nullable Statement running;
  private volatile boolean cancelled;
  private volatile boolean active;
  private volatile SessionWait wait = SessionWait.NONE;
  private final long embeddedId;
  private volatile boolean dirty;
  private boolean fixedTransaction;
  private boolean serializable;
  private @Nullable DirectPathLoad load;

  /// What a client sets by ALTER SESSION or tells about itself; others read it in V$SESSION.
  static final class SessionSettings {
    volatile String schema = "";
    volatile ZoneId zone = ZoneOffset.UTC;
    volatile String zoneName = "+00:00";
    volatile String machine = "";
    volatile String program = "";
    volatile String module = "";
    volatile String action = "";
  }

  OraSession(OraDatabase database, long id, String user, SessionFigures figures)
      throws SQLException {
    this.database = database;
    this.id = id;
    this.user = user;
    this.figures = figures;
    connection = database.connect();
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      statement.execute("SET TIME ZONE 'UTC'");
      try (ResultSet row = statement.executeQuery("SELECT SESSION_ID()")) {
        row.next();
        embeddedId = row.getLong(1);
      }
    }
    useSchema(user);
    DictionaryFunctions.register(key(), new SessionContext(this));
  }

  public OraDatabase database() {
    return database;
  }

  public long id() {
    return id;
  }

  /// How the views number it.
  public SessionNumber number() {
    return database.number(id);
  }

  public String user() {
    return user;
  }

  public SessionFigures figures() {
    return figures;
  }

  /// H2's own number of it.
  long embeddedId() {
    return embeddedId;
  }

  SessionWait waits() {
    return wait;
  }

  /// Says what it waits for from now on, within a call.
  public void setWait(SessionWait now) {
    wait = now;
  }

  @Override
  public void waitsFor(TableLocks.@Nullable Owner holder) {
    wait =
        holder instanceof OraSession other
            ? new SessionWait("enq: TM - contention", "Application", other.id)
            : SessionWait.NONE;
  }

  SessionSettings settings() {
    return settings;
  }

  Connection connection() {
    return connection;
  }

  /// By which H2's functions find this session among those of all databases.
  long key() {
    return (long) database.number() << 32 | id;
  }

  /// What its user may do with tables.
  Rights rights() {
    return database.rights(user);
  }

  SqlNames names() {
    return new SqlNames(
        database.catalog(), rights(), settings.schema, DictionaryFunctions::isView, key());
  }

  /// What the client says about itself when it logs on.
  public void describe(String machine, String program) {
    settings.machine = machine;
    settings.program = program;
  }

  /// Which part of a program is at work.
  public void setModule(String module, String action) {
    settings.module = module;
    settings.action = action;
  }

  /// Names without a schema are looked for there from now on.
  public void useSchema(String schema) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      String quoted = "\"" + schema + "\"";
      statement.execute("SET SCHEMA " + quoted);
      statement.execute("SET SCHEMA_SEARCH_PATH " + quoted + ", ORA");
      settings.schema = schema;
    }
  }

  /// Prepares a query or DML for binds of those types.
  public CompiledStatement compile(ParsedSql parsed, List<TtcType> bindTypes) throws OraException {
    figures.parses().increment();
    return CompiledStatement.of(this, parsed, bindTypes);
  }

  /// Carries out what is neither query nor DML.
  ///
  /// @return values that go out, by the number of their bind
  public OutBinds execute(ParsedSql parsed, List<@Nullable Object> binds) throws OraException {
    figures.executions().increment();
    StatementKind kind = parsed.kind();
    if (kind == StatementKind.BLOCK) {
      return new BlockRunner(this).run(parsed, binds);
    }
    if (kind == StatementKind.DDL) {
      DdlRunner.run(this, parsed.sql());
    } else {
      SessionStatements.run(this, parsed);
    }
    return OutBinds.NONE;
  }

  public void commit() throws OraException {
    end(true);
  }

  public void rollback() throws OraException {
    end(false);
  }

  private void end(boolean keep) throws OraException {
    try {
      if (keep) {
        connection.commit();
      } else {
        connection.rollback();
      }
      if (fixedTransaction) {
        fixedTransaction = false;
        setIsolation(serializable);
      }
    } catch (SQLException e) {
      throw H2Errors.of(e, keep ? "COMMIT" : "ROLLBACK", null, false);
    }
    (keep ? figures.commits() : figures.rollbacks()).increment();
    if (keep && dirty) {
      database.advanceScn();
    }
    dirty = false;
    appended.clear();
    database.locks().releaseAll(this);
  }

  /// The transaction that begins now sees one state.
  void fixTransaction() throws SQLException {
    fixedTransaction = true;
    setIsolation(true);
  }

  /// From now on each transaction sees one state, or each statement the state at its beginning.
  void setSerializable(boolean on) throws SQLException {
    serializable = on;
    setIsolation(on);
  }

  private void setIsolation(boolean fixed) throws SQLException {
    String level = fixed ? "SNAPSHOT" : "READ COMMITTED";
    try (Statement statement = connection.createStatement()) {
      statement.execute("SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL " + level);
    }
  }

  /// Whether rows were changed since the last commit, or a direct path load is under way.
  public boolean isInTransaction() {
    return dirty || load != null || fixedTransaction;
  }

  boolean hasChanges() {
    return dirty;
  }

  void setDirty() {
    dirty = true;
  }

  /// Takes a table for rows to be changed, or for itself.
  void lock(OraTable table, TableLocks.Mode mode, long seconds) throws OraException {
    database.locks().take(this, table.objectId(), mode, seconds, TimeUnit.SECONDS);
  }

  /// Takes a partition; others may do as they like with the rest of the table.
  void lockPart(OraTable table, String part, TableLocks.Mode mode, long seconds)
      throws OraException {
    lock(table, TableLocks.Mode.ROWS, seconds);
    Partitioning division = table.partitioning();
    long number = division == null ? 0 : division.names().indexOf(part) + 1;
    long key = -(table.objectId() * PARTS_MAX + number);
    database.locks().take(this, key, mode, seconds, TimeUnit.SECONDS);
  }

  /// Nobody may look at a table after a direct path insert into it, before the commit.
  void checkNotAppended(List<OraTable> tables) throws OraException {
    for (OraTable table : tables) {
      if (appended.contains(table.objectId())) {
        throw new OraException(
            12838, "cannot read/modify an object after modifying it in parallel");
      }
    }
  }

  void setAppended(OraTable table) {
    appended.add(table.objectId());
  }

  /// The direct path load under way; null if there is none.
  public @Nullable DirectPathLoad load() {
    return load;
  }

  void setLoad(@Nullable DirectPathLoad now) {
    load = now;
  }

  /// Begins a direct path load.
  public DirectPathLoad openLoad(DirectPathLoad.Request request) throws OraException {
    return DirectPathLoad.open(this, request);
  }

  /// A call begins, or is over.
  public void setActive(boolean now) {
    active = now;
    if (now) {
      cancelled = false;
    }
  }

  boolean isActive() {
    return active;
  }

  void setRunning(@Nullable Statement statement) {
    running = statement;
  }

  /// Whether what is under way is to be broken off.
  @Override
  public boolean isCancelled() {
    return cancelled;
  }

  /// Breaks off what is under way.
  public void cancel() {
    if (!active) {
      return;
    }
    cancelled = true;
    Statement statement = running;
    if (statement != null) {
      try {
        statement.cancel();
      } catch (SQLException _) {
        // It ended in the meantime.
        Thread.onSpinWait();
      }
    }
  }

  /// Waits, unless the client breaks it off.
  void sleep(long millis) throws OraException {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    while (System.nanoTime() < end) {
      if (cancelled) {
        throw H2Errors.cancelled();
      }
      try {
        TimeUnit.MILLISECONDS.sleep(2);
      } catch (InterruptedException _) {
        throw H2Errors.cancelled();
      }
    }
  }

  private void abortLoad() {
    DirectPathLoad open = load;
    if (open != null) {
      try {
        open.abort();
      } catch (OraException _) {
        // The database is down already.
        Thread.onSpinWait();
      }
    }
  }

  /// Ends the session; what was not committed is gone.
  @Override
  public void close() {
    DictionaryFunctions.unregister(key());
    database.forget(this);
    abortLoad();
    try {
      connection.rollback();
      connection.close();
    } catch (SQLException _) {
      // The database is down already.
      Thread.onSpinWait();
    }
    database.locks().releaseAll(this);
  }
}
