package millrace.connectors.sql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import millrace.fault.Fault;
import millrace.spi.Blockable;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/// One connection, whose statements wait for locks of others and can be stopped.
///
/// One thread at a time runs statements; any may ask what they wait for, and {@link #cancel}.
public final class SqlSession implements Blockable, AutoCloseable {

  static final long LOCK_LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final Connection connection;
  private final ConnectionCut cut;

  /// Those that this one stops.
  private final List<SqlSession> additional = new CopyOnWriteArrayList<>();

  private final String label;
  private final Faults faults;
  private final @Nullable SqlSession first;
  private volatile @Nullable Statement running;
  private volatile @Nullable String waitsFor;
  private volatile Runnable beforeStatement = () -> {};
  private volatile boolean asking;
  private volatile boolean cancelled;
  private volatile boolean closed;
  private volatile boolean ended;
  private boolean inTransaction;
  private boolean bySql;
  private boolean own;

  /// @param connection belongs to the session
  /// @param label how to name the database in errors
  public SqlSession(Connection connection, String label, Faults faults) {
    this(connection, label, faults, _ -> connection, null);
  }

  /// @param driver stops what runs
  SqlSession(Connection connection, String label, Faults faults, SqlDatabase.Connector driver) {
    this(connection, label, faults, driver, null);
  }

  /// @param first tells what it waits for, and stops it when it is stopped; null if nobody does
  private SqlSession(
      Connection connection,
      String label,
      Faults faults,
      SqlDatabase.Connector driver,
      @Nullable SqlSession first) {
    this.first = first;
    this.connection = connection;
    cut = new ConnectionCut(connection, driver);
    this.label = label;
    this.faults = faults;
  }

  /// Tells who can do something about what a driver throws.
  @FunctionalInterface
  public interface Faults {

    /// The fault that an exception stands for.
    ///
    /// @param label the database or table, to name it
    Fault of(SQLException e, String label);

    /// Whether others hold a lock, so that the statement has done nothing and can be given again.
    default boolean isLock(SQLException e) {
      return false;
    }
  }

  /// Makes something of a row.
  @FunctionalInterface
  public interface RowMapper<T extends @Nullable Object> {

    /// Reads the row that the result stands at.
    ///
    /// @throws SQLException what the driver says against it
    T map(ResultSet row) throws SQLException;
  }

  /// Does something with the connection.
  @FunctionalInterface
  public interface Work<T extends @Nullable Object> {

    /// Does it; is called again if others held a lock.
    ///
    /// @throws SQLException what the driver says against it
    T with(Connection connection) throws SQLException;
  }

  /// Connects.
  ///
  /// @param writes whether rows will be written
  /// @throws Fault if that can't be done
  public static SqlSession open(SqlDatabase database, boolean writes) {
    Faults faults = database.dialect().faults();
    try {
      return new SqlSession(
          database.connector().open(writes), database.label(), faults, database.connector());
    } catch (SQLException e) {
      throw faults.of(e, database.label());
    }
  }

  /// Connects once more, to read. This session tells what the other one waits for, and stops it.
  ///
  /// @throws Fault if that can't be done
  public SqlSession additional(SqlDatabase database) {
    return reading(run(_ -> database.connector().open(false)), database);
  }

  /// A connection that is open already, to read by. This session tells what the other one waits
  /// for, and stops it; neither closes it.
  public SqlSession reading(Connection open, SqlDatabase database) {
    SqlSession reader = new SqlSession(open, label, faults, database.connector(), this);
    additional.add(reader);
    database.end().opened(reader);
    return reader;
  }

  /// What a statement waits for if it waits.
  static String lockOn(String label) {
    return "a lock that others hold on " + label;
  }

  /// Does something, again and again while others hold a lock.
  ///
  /// @throws Fault what the database says against it, or that it was stopped
  public <T extends @Nullable Object> T run(Work<T> work) {
    SqlSession teller = first == null ? this : first;
    boolean waited = false;
    try {
      while (true) {
        stopIfCancelled();
        try {
          return work.with(connection);
        } catch (SQLException e) {
          if (!faults.isLock(e)) {
            throw fault(e);
          }
          waited = true;
          teller.waitsFor = lockOn(label);
          LockSupport.parkNanos(LOCK_LOOK_NANOS);
        }
      }
    } finally {
      if (waited) {
        teller.waitsFor = null;
      }
      running = null;
    }
  }

  /// The same for what the driver finds out by statements of its own. They may wait for locks too,
  /// and nobody can end them: {@link #cancel} cuts the connection.
  public <T extends @Nullable Object> T ask(Work<T> work) {
    return run(open -> {
      asking = true;
      try {
        stopIfCancelled();
        return work.with(open);
      } finally {
        asking = false;
      }
    });
  }

  /// The fault that an exception stands for.
  public Fault fault(SQLException e) {
    return isCancelled() ? stopped() : faults.of(e, label);
  }

  private Fault.Cancelled stopped() {
    return new Fault.Cancelled(label + " was stopped");
  }

  /// Runs a statement.
  public void execute(String sql) {
    run(open -> {
      try (Statement statement = open.createStatement()) {
        runs(statement);
        return statement.execute(sql);
      }
    });
  }

  /// Runs a statement with texts for its parameters, and gives the number of rows that it changed.
  public long update(String sql, String... texts) {
    return run(open -> {
      try (PreparedStatement statement = prepared(open, sql, texts)) {
        return statement.executeLargeUpdate();
      }
    });
  }

  /// All rows of a query.
  public <T extends @Nullable Object> List<T> query(
      String sql, RowMapper<T> mapper, String... texts) {
    return run(open -> {
      try (PreparedStatement statement = prepared(open, sql, texts);
          ResultSet rows = statement.executeQuery()) {
        List<T> found = new ArrayList<>();
        while (rows.next()) {
          found.add(mapper.map(rows));
        }
        return found;
      }
    });
  }

  private PreparedStatement prepared(Connection open, String sql, String... texts)
      throws SQLException {
    PreparedStatement statement = open.prepareStatement(sql);
    for (int i = 0; i < texts.length; i++) {
      statement.setString(i + 1, texts[i]);
    }
    runs(statement);
    return statement;
  }

  /// Begins a transaction.
  ///
  /// @param statement what begins it; empty if the driver does
  public void begin(String statement) {
    bySql = !statement.isEmpty();
    if (bySql) {
      execute(statement);
    } else {
      run(open -> {
        open.setAutoCommit(false);
        return true;
      });
    }
    inTransaction = true;
  }

  /// Commits, and waits while others keep it from doing so.
  public void commit() {
    if (bySql) {
      execute("COMMIT");
    } else {
      run(open -> {
        open.commit();
        open.setAutoCommit(true);
        return true;
      });
    }
    inTransaction = false;
  }

  /// Undoes the transaction, if there is one; also once it was stopped.
  public void rollback() {
    if (!inTransaction) {
      return;
    }
    inTransaction = false;
    try {
      if (bySql) {
        try (Statement statement = connection.createStatement()) {
          statement.execute("ROLLBACK");
        }
      } else {
        connection.rollback();
        connection.setAutoCommit(true);
      }
    } catch (SQLException e) {
      // Some faults end the transaction; closing the connection undoes it in any case.
      LoggerFactory.getLogger(SqlSession.class).debug("nothing to roll back", e);
    }
  }

  /// Its user has begun a transaction by a statement of its own, or has ended it.
  public void ownTransaction(boolean begun) {
    own = begun;
  }

  /// Whether there is a transaction, so that it may see what others do not.
  public boolean isInTransaction() {
    return inTransaction || own;
  }

  /// Says which statement is under way, so that it can be stopped; null once it has ended.
  ///
  /// @throws Fault.Cancelled if the session was stopped
  public void runs(@Nullable Statement statement) {
    if (statement != null) {
      beforeStatement.run();
    }
    running = statement;
    stopIfCancelled();
  }

  /// What each thread does before it runs a statement.
  void beforeStatements(Runnable work) {
    beforeStatement = work;
  }

  /// Whether a statement is under way.
  boolean isRunning() {
    return running != null;
  }

  /// Whether it was stopped, so that it runs no more statements.
  public boolean isCancelled() {
    return cancelled || (first != null && first.cancelled);
  }

  /// Does nothing unless it was stopped.
  ///
  /// @throws Fault.Cancelled if it was
  public void stopIfCancelled() {
    if (isCancelled()) {
      throw stopped();
    }
  }

  @Override
  public @Nullable String waitsFor() {
    return waitsFor;
  }

  @Override
  public void cancel() {
    cancelled = true;
    if (asking) {
      cut.now();
    }
    interrupt();
    cutUnless(() -> ended);
    // A server that has gone silent takes no cancel of theirs either.
    additional.forEach(each -> each.cutUnless(() -> each.ended));
  }

  /// Ends the statement that is under way, if there is one; others may follow.
  public void interrupt() {
    cut.cancel(running);
  }

  /// Cuts the connection in some seconds, unless whoever was stopped has ended.
  public void cutUnless(BooleanSupplier hasEnded) {
    cut.unless(hasEnded, true);
  }

  /// Whether its connection has ended.
  public boolean isClosed() {
    return closed;
  }

  @Override
  public void close() {
    closed = true;
    cut.unless(() -> ended, isCancelled());
    try {
      rollback();
      SqlDatabase.Connector closing = isCancelled() ? _ -> connection : cut.driver();
      closing.close(connection);
    } catch (SQLException e) {
      throw faults.of(e, label);
    } finally {
      ended = true;
      if (first != null) {
        first.additional.remove(this);
      }
    }
  }
}
