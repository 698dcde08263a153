package millrace.connectors.sql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import millrace.connectors.sql.SqlFaults.Kind;
import millrace.data.Type;
import millrace.fault.Fault;
import millrace.io.Digest;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Locks by name in a database that has none: each is a row of the table `millrace_lock` that a
/// transaction of a dedicated connection holds. The database lets go of it when that ends.
///
/// Such a connection does nothing for as long as a load takes, and servers and firewalls end those
/// that are idle. So the server is asked now and then, and a lock that is lost is taken again.
///
/// Any thread may call it.
public final class LockTable implements Locks {

  /// The table's name, as it is written without quotes.
  public static final String NAME = "millrace_lock";

  /// Usual pause until the server is asked again.
  public static final Duration USUAL_PAUSE = Duration.ofSeconds(30);

  private static final Logger LOG = LoggerFactory.getLogger(LockTable.class);
  private static final Duration WAIT = Duration.ofSeconds(20);
  private static final long LOOK_NANOS = Duration.ofMillis(100).toNanos();
  private static final int ANSWER_MILLIS_MAX = 10_000;

  private final Dialect.Profile profile;
  private final RowLock words;
  private final Opener connections;
  private final String table;
  private final String server;
  private final Duration pause;
  private final Map<String, Connection> held = new HashMap<>();
  private @Nullable Thread watch;
  private volatile boolean lost;

  /// How a query holds the rows that it gives, until its transaction ends.
  ///
  /// @param now what it ends with if it fails at once when another holds one, or after a while that
  ///   the connection says
  /// @param waiting the same if it waits `%d` seconds; empty if it can't be said
  /// @param reading how others who are writing rows of table `%s` are waited for
  /// @param advice what may have ended a session that held a lock, as a sentence
  public record RowLock(String now, String waiting, LockingRead reading, String advice) {

    /// The standard's, with a connection whose driver or URL says how long it waits.
    public static final RowLock STANDARD =
        new RowLock("FOR UPDATE", "", new LockingRead("", "FOR UPDATE"), "");
  }

  /// Opens connections.
  @FunctionalInterface
  public interface Opener {

    /// Opens one.
    ///
    /// @param longer how much longer than usual an answer may take
    /// @throws SQLException what the driver says against it
    Connection open(Duration longer) throws SQLException;
  }

  /// Opens nothing yet.
  ///
  /// @param schema where the table lies, and is made; empty for the default one
  /// @param server how to name it in errors
  /// @param pause until the server is asked again
  public LockTable(
      Dialect.Profile profile,
      RowLock words,
      String schema,
      String server,
      Opener connections,
      Duration pause) {
    this.profile = profile;
    this.words = words;
    this.connections = connections;
    this.pause = pause;
    this.server = server;
    Names names = profile.names();
    table = new TableName(schema, names.folded(NAME)).sql(names);
  }

  @Override
  public LockingRead lockingRead(TableName locked) {
    String name = locked.sql(profile.names());
    return new LockingRead(words.reading.before().formatted(name), words.reading.after());
  }

  /// Takes a lock, or has it already.
  @Override
  public boolean lock(SqlSession session, String name, Duration wait) {
    return lock(name, wait);
  }

  /// The same: connections of its own hold it.
  public synchronized boolean lock(String name, Duration wait) {
    try {
      Connection before = held.get(name);
      if (before != null && isHeld(before, name)) {
        return true;
      }
      Connection holder = connections.open(wait);
      boolean isTaken = false;
      try {
        isTaken = take(holder, key(name), wait);
        if (isTaken) {
          holder.setNetworkTimeout(Runnable::run, ANSWER_MILLIS_MAX);
          held.put(name, holder);
        }
      } finally {
        if (!isTaken) {
          holder.close();
        }
      }
      if (isTaken && watch == null) {
        watch = Thread.ofPlatform().name("locks").daemon().start(this::watch);
      }
      return isTaken;
    } catch (SQLException e) {
      throw fault(e);
    }
  }

  private boolean isHeld(Connection holder, String name) {
    try {
      return has(holder, key(name), words.now);
    } catch (SQLException e) {
      LOG.debug("lock {} is lost", name, e);
      return false;
    }
  }

  /// Takes a row, or has it already. Returns whether it is there.
  private boolean has(Connection by, String key, String how) throws SQLException {
    String sql = "SELECT %1$s FROM %2$s WHERE %1$s = ? %3$s".formatted(column(), table, how);
    try (PreparedStatement select = by.prepareStatement(sql)) {
      select.setString(1, key);
      try (ResultSet row = select.executeQuery()) {
        return row.next();
      }
    }
  }

  private String column() {
    return profile.names().quoted(profile.names().folded("name"));
  }

  private void watch() {
    try {
      while (!lost) {
        Thread.sleep(pause);
        refresh();
      }
    } catch (InterruptedException _) {
      LOG.debug("locks are looked after no more");
    }
  }

  private synchronized void refresh() {
    for (String name : Set.copyOf(held.keySet())) {
      try {
        if (!lock(name, WAIT)) {
          lost = true;
        }
      } catch (Fault e) {
        // The lanes notice it, too, and the next look tries again.
        LOG.debug("lock {} is not looked after", name, e);
      }
    }
  }

  @Override
  public void check(boolean asks) {
    if (asks) {
      refresh();
    }
    if (lost) {
      throw Fault.Transient.endingRun(
          server
              + ": the session that held the copy's lock has ended, and somebody else has taken the"
              + " lock.",
          ("See who runs the same copy, and compare both ends with millrace verify. "
                  + words.advice)
              .strip(),
          null);
    }
  }

  private boolean take(Connection holder, String key, Duration wait) throws SQLException {
    holder.setAutoCommit(false);
    long end = System.nanoTime() + wait.toNanos();
    String how =
        words.waiting.isEmpty()
            ? words.now
            : words.waiting.replace("%d", String.valueOf(wait.toSeconds()));
    while (true) {
      try {
        put(holder, key);
        if (has(holder, key, how)) {
          return true;
        }
        // Whoever had it has taken the row away.
      } catch (SQLException e) {
        holder.rollback();
        if (!profile.faults().isLock(e)) {
          throw e;
        }
        if (!words.waiting.isEmpty() || System.nanoTime() > end) {
          return false;
        }
        LockSupport.parkNanos(LOOK_NANOS);
      }
    }
  }

  /// The row has to be there before somebody can hold it.
  private void put(Connection holder, String key) throws SQLException {
    if (inserted(holder, key)) {
      return;
    }
    SQLException why = make(holder);
    if (!inserted(holder, key) && why != null) {
      throw why;
    }
  }

  /// Whether the row is there; else there is no table.
  private boolean inserted(Connection holder, String key) throws SQLException {
    String sql = "INSERT INTO %s (%s) VALUES (?)".formatted(table, column());
    try (PreparedStatement insert = holder.prepareStatement(sql)) {
      insert.setString(1, key);
      insert.executeUpdate();
      holder.commit();
      return true;
    } catch (SQLException e) {
      holder.rollback();
      return switch (profile.faults().kind(e)) {
        case DATA -> true;
        case USER, EXTERNAL -> false;
        default -> throw e;
      };
    }
  }

  /// Makes the table. Returns why it can't be made; another may have made it in between.
  private @Nullable SQLException make(Connection holder) throws SQLException {
    String text = profile.types().ddl().apply(new Type.Text(100));
    String columns = column() + " " + text + " NOT NULL PRIMARY KEY";
    try (Statement statement = holder.createStatement()) {
      statement.execute(profile.statements().tables().create().formatted(table, columns));
      holder.commit();
      return null;
    } catch (SQLException e) {
      holder.rollback();
      return e;
    }
  }

  private static String key(String name) {
    return Digest.of(name).hex();
  }

  @Override
  public void unlock(SqlSession session, String name) {
    unlock(name);
  }

  private synchronized void unlock(String name) {
    Connection holder = held.remove(name);
    if (holder == null) {
      return;
    }
    String sql = "DELETE FROM %s WHERE %s = ?".formatted(table, column());
    try (holder;
        PreparedStatement delete = holder.prepareStatement(sql)) {
      delete.setString(1, key(name));
      delete.executeUpdate();
      holder.commit();
    } catch (SQLException e) {
      throw fault(e);
    }
  }

  @Override
  public synchronized boolean isFree(SqlSession session, String name) {
    if (held.containsKey(name)) {
      return true;
    }
    try (Connection asks = connections.open(Duration.ZERO)) {
      asks.setAutoCommit(false);
      try {
        has(asks, key(name), words.now);
        return true;
      } catch (SQLException e) {
        if (profile.faults().kind(e) == Kind.USER) {
          return true; // There is no table.
        }
        if (profile.faults().isLock(e)) {
          return false;
        }
        throw e;
      } finally {
        asks.rollback();
      }
    } catch (SQLException e) {
      throw fault(e);
    }
  }

  private Fault fault(SQLException e) {
    return profile.faults().of(e, server + " table " + table);
  }

  /// Lets go of all.
  @Override
  public synchronized void close() {
    if (watch != null) {
      watch.interrupt();
    }
    for (String name : Set.copyOf(held.keySet())) {
      try {
        unlock(name);
      } catch (Fault e) {
        // The connection is lost, and the lock with it.
        LOG.debug("not unlocked", e);
      }
    }
  }
}
