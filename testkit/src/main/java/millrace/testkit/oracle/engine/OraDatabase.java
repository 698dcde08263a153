package millrace.testkit.oracle.engine;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import millrace.testkit.oracle.OraException;
import millrace.testkit.oracle.OracleRelease;
import millrace.testkit.oracle.catalog.OraCatalog;
import millrace.testkit.oracle.catalog.OraTable;
import millrace.testkit.oracle.catalog.Rights;
import millrace.testkit.oracle.dictionary.SessionFigures;
import millrace.testkit.oracle.dictionary.SessionNumber;
import millrace.testkit.oracle.rules.ChunkTasks;
import millrace.testkit.oracle.rules.OraFunctions;
import millrace.testkit.oracle.rules.RowRules;
import millrace.testkit.oracle.rules.TableLocks;
import millrace.testkit.oracle.value.DatabaseCharset;
import org.jspecify.annotations.Nullable;

/// The database of one stand-in: an H2 in memory, what its DDL said, its users and its sessions.
///
/// Any thread may call it.
public final class OraDatabase implements AutoCloseable {

  private static final AtomicInteger DATABASES = new AtomicInteger();
  private static final long FIRST_SCN = 1_000_000;

  /// The number of the first session.
  public static final long FIRST_SESSION = 101;

  /// Words that H2 keeps for itself, and that Oracle has as names of columns.
  private static final String FREE_WORDS =
      "VALUE,KEY,DAY,MONTH,YEAR,HOUR,MINUTE,SECOND,LIMIT,QUALIFY,GROUPS,ILIKE,REGEXP,ARRAY,WINDOW";

  private final int number = DATABASES.incrementAndGet();
  private final String url =
      "jdbc:h2:mem:oracle-"
          + number
          + ";MODE=Oracle;DB_CLOSE_DELAY=-1;DEFAULT_NULL_ORDERING=HIGH;LOCK_TIMEOUT=60000"
          + ";NON_KEYWORDS="
          + FREE_WORDS;
  private final OracleRelease release;
  private final DatabaseCharset charset;
  private final Instant started = Instant.now();
  private final OraCatalog catalog = new OraCatalog();
  private final Map<String, Account> accounts = new ConcurrentHashMap<>();
  private final Map<Long, OraSession> sessions = new ConcurrentSkipListMap<>();
  private final Set<String> administrators = ConcurrentHashMap.newKeySet();
  private final Map<String, Set<String>> systemRights = new ConcurrentHashMap<>();
  private final Set<String> grants = ConcurrentHashMap.newKeySet();
  private final Map<String, String> proxies = new ConcurrentHashMap<>();
  private final Set<String> closed = ConcurrentHashMap.newKeySet();
  private final Set<String> discarded = ConcurrentHashMap.newKeySet();
  private final Map<Long, SessionNumber> numbers = new ConcurrentHashMap<>();
  private volatile int instances = 1;
  private volatile long firstSession = FIRST_SESSION;
  private final AtomicLong scn = new AtomicLong(FIRST_SCN);
  private final SessionFigures ended = new SessionFigures();
  private final TableLocks locks = new TableLocks();
  private final ReentrantLock ddl = new ReentrantLock();
  private final Snapshots snapshots = new Snapshots(this);
  private final ChunkTasks chunks = new ChunkTasks();
  private final Connection keeper;
  private volatile boolean readOnly;
  private volatile Duration scnGrain = Duration.ofSeconds(3);

  public OraDatabase(OracleRelease release, DatabaseCharset charset) {
    this.release = release;
    this.charset = charset;
    catalog.setCompatible(release.version());
    try {
      keeper = connect();
      try (Statement statement = keeper.createStatement()) {
        statement.execute("CREATE SCHEMA ORA");
        statement.execute("CREATE TABLE ORA.DUAL (DUMMY VARCHAR(1))");
        statement.execute("INSERT INTO ORA.DUAL VALUES ('X')");
        OraFunctions.create(statement);
      }
    } catch (SQLException e) {
      throw new IllegalStateException("the embedded database does not start", e);
    }
  }

  Connection connect() throws SQLException {
    return DriverManager.getConnection(url, "sa", "");
  }

  public OracleRelease release() {
    return release;
  }

  public DatabaseCharset charset() {
    return charset;
  }

  /// Its number among the databases of this JVM.
  int number() {
    return number;
  }

  public OraCatalog catalog() {
    return catalog;
  }

  TableLocks locks() {
    return locks;
  }

  Snapshots snapshots() {
    return snapshots;
  }

  ChunkTasks chunks() {
    return chunks;
  }

  /// One DDL at a time.
  ReentrantLock ddl() {
    return ddl;
  }

  Instant started() {
    return started;
  }

  Set<String> grants() {
    return grants;
  }

  /// Lets everybody see a view that is closed to them otherwise, such as `DBA_EXTENTS`.
  public void grant(String view) {
    grants.add(view);
    closed.remove(view);
  }

  Set<String> closed() {
    return closed;
  }

  /// Closes a view to everybody that is open to all here, such as `V$SESSTAT`.
  public void revoke(String view) {
    closed.add(view);
  }

  /// Makes a user with a schema, or changes one.
  public void put(Account account) {
    accounts.put(account.name(), account);
    if (catalog.schemas().add(account.name())) {
      systemRights(account.name()).add("CREATE TABLE");
      try (Statement statement = keeper.createStatement()) {
        statement.execute("CREATE SCHEMA \"" + account.name() + "\"");
      } catch (SQLException e) {
        throw new IllegalStateException("no schema for " + account.name(), e);
      }
    }
  }

  /// The user of that name; null if there is none. A user may log on as another one, as after
  /// `ALTER USER … GRANT CONNECT THROUGH …`.
  public void letProxy(String client, String proxy) {
    proxies.put(client, proxy);
  }

  /// Whether a user may log on as another one.
  public boolean mayProxy(String client, String proxy) {
    return proxy.equals(proxies.get(client));
  }

  public @Nullable Account account(String name) {
    return accounts.get(name);
  }

  /// Lets a user do all with the tables of all.
  public void administer(String user) {
    administrators.add(user);
  }

  /// Rights of a user that are of no single table, such as `CREATE ANY TABLE`.
  Set<String> systemRights(String user) {
    return systemRights.computeIfAbsent(user, _ -> ConcurrentHashMap.newKeySet());
  }

  Rights rights(String user) {
    return new Rights(user, administrators.contains(user), systemRights(user), release);
  }

  Collection<Account> accounts() {
    return accounts.values();
  }

  /// Rows that are inserted into tables of that name are counted and thrown away from now on.
  public void discard(String table) {
    discarded.add(table);
  }

  boolean discards(OraTable table) {
    return !discarded.isEmpty() && discarded.contains(table.name());
  }

  long currentScn() {
    return scn.get();
  }

  /// That it is open for reading only, as a snapshot or a refreshable clone is.
  public void setReadOnly(boolean now) {
    readOnly = now;
  }

  /// @throws OraException ORA-16000 if it is open for reading only
  void checkWritable() throws OraException {
    if (readOnly) {
      throw new OraException(16000, "database or pluggable database open for read-only access");
    }
  }

  /// How long after a DDL a table can't be read as of an SCN: no finer is it known when that was.
  Duration scnGrain() {
    return scnGrain;
  }

  /// Sets that.
  public void setScnGrain(Duration grain) {
    scnGrain = grain;
  }

  /// A transaction has been committed.
  void advanceScn() {
    scn.incrementAndGet();
  }

  /// Begins a session of a user who has logged on.
  ///
  /// @param id the session's number, as V$SESSION shows it
  public OraSession open(long id, String user, SessionFigures figures) throws SQLException {
    OraSession session = new OraSession(this, id, user, figures);
    number(id);
    sessions.put(id, session);
    return session;
  }

  void forget(OraSession session) {
    sessions.remove(session.id());
    ended.add(session.figures());
  }

  /// From now on sessions are spread over instances, each of which numbers them from the first.
  ///
  /// @param next the next session, which has the first number
  public void renumber(int spread, long next) {
    instances = spread;
    firstSession = next;
  }

  SessionNumber number(long id) {
    return numbers.computeIfAbsent(
        id,
        _ -> {
          long at = id - firstSession;
          return new SessionNumber(1 + at % instances, FIRST_SESSION + at / instances, id - 94);
        });
  }

  Collection<OraSession> sessions() {
    return sessions.values();
  }

  /// What the sessions that are over have done.
  SessionFigures ended() {
    return ended;
  }

  @Override
  public void close() {
    sessions.values().forEach(OraSession::cancel);
    snapshots.close();
    RowRules.forget(number);
    try (Statement statement = keeper.createStatement()) {
      statement.execute("SHUTDOWN IMMEDIATELY");
    } catch (SQLException _) {
      // H2 says that it is closed now, which was asked for.
      Thread.onSpinWait();
    }
  }
}
