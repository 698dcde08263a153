package millrace.connectors.postgres.net;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import millrace.connectors.postgres.read.RowStream;
import millrace.fault.Fault;
import millrace.io.Wire;
import org.jspecify.annotations.Nullable;
import org.postgresql.copy.CopyIn;
import org.postgresql.copy.CopyOut;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.TransactionState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One connection. One thread uses it, except for {@link #cancel}.
///
/// Transactions are begun and ended by statements, so that what is sent is what is written here.
public final class Session extends OpenConnection {

  /// Begins a transaction that sees everything as it is at its first query, and changes nothing.
  public static final String BEGIN_READING = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

  private static final String NO_SUCH_CHARACTER = "22P05";

  private static final Logger LOG = LoggerFactory.getLogger(Session.class);

  private static final Duration ALIVE_WITHIN = Duration.ofSeconds(10);

  /// Makes one value of a row of a result.
  public interface RowReader<T> {
    T read(ResultSet row) throws SQLException;
  }

  private final @Nullable MessageInput input;
  private Wire wire;
  private int version;
  private int process;

  /// What the server said when something that it was asked for failed and may work another time.
  private volatile Fault.@Nullable Transient lastWords;

  private boolean inTransaction;

  private SessionSettings.Given given =
      new SessionSettings.Given(new SessionSettings.SearchPaths(null, null), Map.of());

  /// What the server has said that stays as it is.
  private final Map<String, Object> known;

  /// @param input what the connection's driver reads from, if rows can be seen in it
  /// @param wire counts what crosses it
  Session(Connection connection, @Nullable MessageInput input, Wire wire) throws SQLException {
    super(connection.unwrap(BaseConnection.class));
    this.input = input;
    this.wire = wire;
    known = new HashMap<>();
  }

  private Session(Session before) {
    super(before.connection);
    input = before.input;
    wire = before.wire;
    known = before.known;
    version = before.version;
    process = before.process;
    given = before.given;
  }

  /// The connection of one that was closed and has been left to another.
  Session again() {
    return new Session(this);
  }

  /// Lets somebody have the connection when it is closed, unless it was cancelled or can't answer.
  /// Called before it is used.
  ///
  /// @param counter counts what it is used for
  void whenClosed(Wire counter, Consumer<Session> leaves) {
    wire = counter;
    leaveBy(() -> leaves.accept(this));
  }

  /// Undoes what was begun, locked or set on a connection that was closed, and has the server's
  /// statistics say what it did; whether it is as good as new.
  boolean forget() {
    try {
      boolean isIdle = connection.getTransactionState() == TransactionState.IDLE;
      within(ALIVE_WITHIN, () -> execute(SessionSettings.again(isIdle, version, given)));
      return true;
    } catch (Fault e) {
      LOG.debug("a connection is not left to others", e);
      return false;
    }
  }

  /// The number of the process of the server that answers now, which also says what version it is.
  /// If a pooler stands between, it is not the one that the driver was told when it connected.
  int askProcess() throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT pg_catalog.pg_backend_pid(),"
                    + " pg_catalog.current_setting('server_version_num')::int")) {
      row.next();
      process = row.getInt(1);
      version = row.getInt(2);
      return process;
    }
  }

  /// The number of the process of the server that serves the connection.
  public int process() {
    return process;
  }

  /// Sends the settings; the connection factory calls it once, after it has asked for the process.
  void prepare() throws SQLException {
    given = SessionSettings.send(connection, version);
    useInternalSettings();
  }

  /// From here on, names without a schema mean what they mean to the user, in statements of his and
  /// in functions that triggers of his tables call.
  public void useUserSettings() {
    speak(given.paths().users());
  }

  /// From here on, they mean the server's own first; so it is at the beginning.
  public void useInternalSettings() {
    speak(given.paths().internal());
  }

  private void speak(@Nullable String path) {
    if (path != null) {
      setPath(path);
    }
  }

  /// Does some work with what names mean to the user.
  public void asUser(Runnable work) {
    useUserSettings();
    work.run();
    useInternalSettings();
  }

  /// Runs a query with only `pg_catalog` on the search path, so that the server spells every other
  /// name with its schema.
  public <T> T withQualifiedNames(Supplier<T> query) {
    String path = one("SELECT pg_catalog.current_setting('search_path')", row -> row.getString(1));
    setPath("pg_catalog");
    T result = query.get();
    setPath(path);
    return result;
  }

  private void setPath(String path) {
    one("SELECT pg_catalog.set_config('search_path', ?, false)", row -> row.getString(1), path);
  }

  /// The server's version, for example 180001.
  public int version() {
    return version;
  }

  /// Looks something up that stays the same as long as the connection is open; it is looked up
  /// once.
  ///
  /// @param what names it
  public <T> T known(String what, Class<T> type, Supplier<T> lookup) {
    Object before = known.get(what);
    if (before != null) {
      return type.cast(before);
    }
    T found = lookup.get();
    known.put(what, found);
    return found;
  }

  /// Runs one statement, sent as it stands.
  public void execute(String sql) {
    called();
    try (Statement statement = connection.createStatement()) {
      statement.setEscapeProcessing(false);
      statement.execute(sql);
    } catch (SQLException e) {
      throw fault(e);
    }
  }

  /// Runs one statement that changes rows.
  ///
  /// @return how many rows, as the server says
  public long change(String sql) {
    called();
    try (Statement statement = connection.createStatement()) {
      statement.setEscapeProcessing(false);
      return statement.executeLargeUpdate(sql);
    } catch (SQLException e) {
      throw fault(e);
    }
  }

  /// Runs a query of ours with parameters for its question marks, and reads all its rows.
  public <T> List<T> query(String sql, RowReader<T> reader, Object... parameters) {
    called();
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < parameters.length; i++) {
        statement.setObject(i + 1, parameters[i]);
      }
      List<T> rows = new ArrayList<>();
      try (ResultSet result = statement.executeQuery()) {
        while (result.next()) {
          rows.add(reader.read(result));
        }
      }
      return rows;
    } catch (SQLException e) {
      throw fault(e);
    }
  }

  /// Whether the database's encoding has all characters of a text. If it has not, the transaction
  /// is over.
  public boolean holds(String text) {
    called();
    try (PreparedStatement statement = connection.prepareStatement("SELECT ?::text")) {
      statement.setString(1, text);
      statement.execute();
      return true;
    } catch (SQLException e) {
      if (PostgresFaults.state(e).equals(NO_SUCH_CHARACTER)) {
        return false;
      }
      throw fault(e);
    }
  }

  /// Runs a query of ours that gives exactly one row.
  public <T> T one(String sql, RowReader<T> reader, Object... parameters) {
    List<T> rows = query(sql, reader, parameters);
    if (rows.size() != 1) {
      throw new Fault.Bug("one row wanted, not " + rows.size() + ": " + sql, null);
    }
    return rows.getFirst();
  }

  /// Begins a transaction that {@link #commit} ends, or the connection's end undoes.
  public void begin() {
    begin("BEGIN");
  }

  /// Begins one by that statement.
  public void begin(String statement) {
    execute(statement);
    inTransaction = true;
  }

  /// Ends it.
  public void commit() {
    commit("");
  }

  /// Ends it with that statement, in one message.
  public void commit(String last) {
    execute(last.isEmpty() ? "COMMIT" : last + "; COMMIT");
    inTransaction = false;
  }

  /// Does work in which no answer may take longer; one that does is a fault, and the end of the
  /// connection.
  public void within(Duration longest, Runnable work) {
    answersWithin(longest);
    try {
      work.run();
    } finally {
      answersWithin(Duration.ZERO);
    }
  }

  /// From here on no answer may take longer; zero for any time. A connection that has ended keeps
  /// nobody waiting.
  void answersWithin(Duration longest) {
    try {
      if (!connection.isClosed()) {
        connection.setNetworkTimeout(Runnable::run, Math.toIntExact(longest.toMillis()));
      }
    } catch (SQLException e) {
      throw fault(e);
    }
  }

  /// Why the transaction that was begun here is over, in the server's own last words if it had
  /// some; null if it is not. Lanes that ask at the same time get the same answer: only the first
  /// hears those words.
  public synchronized @Nullable Fault whyLost() {
    try {
      within(ALIVE_WITHIN, () -> execute("SELECT"));
      return null;
    } catch (Fault e) {
      Fault.Transient reported = lastWords;
      return reported == null ? e : reported;
    }
  }

  /// Lets go of what its transaction keeps, unless the server does not answer: then that is gone as
  /// soon as it sees that the connection is.
  public void letGo() {
    within(ALIVE_WITHIN, () -> execute("ROLLBACK"));
  }

  public boolean isInTransaction() {
    return inTransaction;
  }

  /// Does the work in one transaction; nothing of it stays if it throws. It is part of a
  /// transaction that has begun already.
  public void transaction(Runnable work) {
    if (inTransaction) {
      work.run();
      return;
    }
    begin();
    try {
      work.run();
    } catch (RuntimeException e) {
      rollBack(e);
      throw e;
    }
    commit();
  }

  /// Does the work in a transaction, and undoes it.
  public <T> T tryOut(Supplier<T> work) {
    execute("BEGIN");
    T result;
    try {
      result = work.get();
    } catch (RuntimeException e) {
      rollBack(e);
      throw e;
    }
    execute("ROLLBACK");
    return result;
  }

  /// Undoes the transaction, unless that has come with the connection's end.
  public void rollback() {
    inTransaction = false;
    try {
      execute("ROLLBACK");
    } catch (Fault e) {
      LOG.debug("nothing to roll back", e);
    }
  }

  private void rollBack(RuntimeException cause) {
    inTransaction = false;
    try {
      execute("ROLLBACK");
    } catch (Fault e) {
      // The connection is gone, and the transaction with it.
      cause.addSuppressed(e);
    }
  }

  /// The server is asked for something by {@link #driver}.
  public void called() {
    wire.called();
  }

  /// The driver's connection, for what has no wrapper here.
  public BaseConnection driver() {
    return connection;
  }

  /// Begins a COPY TO STDOUT.
  ///
  /// @param binary whether the statement asks for the binary form
  public RowStream copyOut(String sql, boolean binary) throws SQLException {
    called();
    CopyOut copy = connection.getCopyAPI().copyOut(sql);
    begins(copy);
    return new RowStream(copy, input, binary);
  }

  public CopyIn copyIn(String sql) throws SQLException {
    called();
    CopyIn copy = connection.getCopyAPI().copyIn(sql);
    begins(copy);
    return copy;
  }

  /// Sorts a failure; one that a cancel caused is no fault of the server.
  public Fault fault(SQLException e) {
    hasFailed();
    if (isCancelled()) {
      return cancelledFault();
    }
    Fault fault = PostgresFaults.of(e);
    if (fault instanceof Fault.Transient passing && PostgresFaults.server(e) != null) {
      lastWords = passing;
    }
    return fault;
  }
}
