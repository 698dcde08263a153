package millrace.online.run;

import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;
import java.util.Properties;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import millrace.fault.Fault;
import millrace.online.job.OnlineJob;
import millrace.online.window.Aggregator;
import millrace.online.window.Windows;
import millrace.spi.online.OnlineLayout.Level;
import millrace.spi.online.Window;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Has another engine aggregate by a statement of the user's, such as Impala over tables of Kudu.
/// Any thread; connections are used again.
final class EngineAggregator implements Aggregator, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(EngineAggregator.class);

  private final OnlineJob.Engine engine;
  private final @Nullable URLClassLoader loader;
  private final ConcurrentLinkedQueue<Connection> idle = new ConcurrentLinkedQueue<>();
  private final Set<Statement> running = ConcurrentHashMap.newKeySet();
  private volatile boolean cancelled;

  /// Opens a first connection: an engine that can't be had is told before the first row.
  ///
  /// @throws Fault.User if there is no such driver, or no such engine
  EngineAggregator(OnlineJob.Engine engine) {
    this.engine = engine;
    loader = engine.driver().isEmpty() ? null : loader(Path.of(engine.driver()));
    try {
      idle.add(connect());
    } catch (SQLException e) {
      throw new Fault.User(
          "engine.jdbc: there is no connection (SQLSTATE " + e.getSQLState() + ").",
          "Look whether the engine runs, and whether the job names its driver.",
          e);
    }
  }

  private static URLClassLoader loader(Path jar) {
    try {
      if (!Files.isRegularFile(jar)) {
        throw new Fault.User("engine.driver: there is no file " + jar + ".", "");
      }
      return new URLClassLoader(new URL[] {jar.toUri().toURL()});
    } catch (MalformedURLException e) {
      throw new Fault.User("engine.driver: " + jar + " is no file.", "", e);
    }
  }

  @Override
  public long aggregate(Level below, Level level, Window window) {
    String sql =
        engine
            .statement()
            .replace("{source}", below.table())
            .replace("{target}", level.table())
            .replace("{start}", Windows.shown(window.start()))
            .replace("{end}", Windows.shown(window.end()));
    try {
      Connection connection = idle.poll();
      Connection used = connection == null ? connect() : connection;
      try (Statement statement = used.createStatement()) {
        int rows = run(statement, sql);
        idle.add(used);
        return rows;
      } catch (SQLException | RuntimeException e) {
        closeFailed(used);
        throw e;
      }
    } catch (SQLException e) {
      if (cancelled) {
        throw stopped();
      }
      // The message of a driver may repeat its URL, which may hold a password.
      String why =
          "The engine does not aggregate"
              + (FullDisk.isNamedBy(String.valueOf(e.getMessage())) ? ", its disk is full" : "")
              + " (SQLSTATE "
              + e.getSQLState()
              + ").";
      throw mayPass(e)
          ? new Fault.Transient(why, "Try the statement by itself.", 0, e)
          : new Fault.User(why, "Try the statement by itself.", e);
    }
  }

  private int run(Statement statement, String sql) throws SQLException {
    running.add(statement);
    try {
      // Looked at after it is known to who cancels: one of the two sees the other.
      if (cancelled) {
        throw stopped();
      }
      return statement.executeUpdate(sql);
    } finally {
      running.remove(statement);
    }
  }

  private static Fault.Cancelled stopped() {
    return new Fault.Cancelled("the engine was stopped");
  }

  @Override
  public void cancel() {
    cancelled = true;
    for (Statement each : running) {
      try {
        each.cancel();
      } catch (SQLException e) {
        // Some drivers can't; then the run ends without waiting for it.
        LOG.debug("a statement can't be cancelled", e);
      }
    }
  }

  /// All but what the statement itself has wrong: classes 22, 23 and 42 of SQL. A driver that tells
  /// no class is that of a library in this process, which is never away.
  private static boolean mayPass(SQLException e) {
    String state = e.getSQLState();
    return state != null && !state.matches("(22|23|42).*");
  }

  /// Why it failed matters more than that it can't be closed.
  private static void closeFailed(Connection connection) {
    try {
      connection.close();
    } catch (SQLException e) {
      LOG.debug("a connection can't be closed", e);
    }
  }

  private Connection connect() throws SQLException {
    if (loader == null) {
      return DriverManager.getConnection(engine.jdbc());
    }
    for (Driver driver : ServiceLoader.load(Driver.class, loader)) {
      if (driver.acceptsURL(engine.jdbc())) {
        return Objects.requireNonNull(driver.connect(engine.jdbc(), new Properties()));
      }
    }
    throw new SQLException("no driver for the URL", "08001");
  }

  @Override
  public void close() {
    try {
      for (Connection each = idle.poll(); each != null; each = idle.poll()) {
        each.close();
      }
      if (loader != null) {
        loader.close();
      }
    } catch (SQLException | IOException e) {
      throw new Fault.External("The engine's connections can't be closed.", "", e);
    }
  }
}
