package millrace.connectors.jdbc;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import millrace.spi.Endpoint;
import millrace.spi.Secret;

/// A database that runs within the test.
///
/// @param url where it is, behind `jdbc:`
/// @param ending the statement that ends it, or what stands behind its URL to do so; empty if it
///   ends with its last connection
record Engine(String url, String ending) {

  private static final AtomicInteger COUNT = new AtomicInteger();
  private static final String SHUTDOWN = "SHUTDOWN";

  static {
    System.setProperty("derby.stream.error.file", "target/derby.log");
    System.setProperty("derby.locks.waitTimeout", "5");
    System.setProperty("derby.locks.deadlockTimeout", "2");
  }

  static Engine h2() {
    return new Engine(
        "h2:mem:t" + COUNT.incrementAndGet() + ";DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=50", SHUTDOWN);
  }

  static Engine hsqldb() {
    return new Engine("hsqldb:mem:t" + COUNT.incrementAndGet(), SHUTDOWN);
  }

  static Engine derby() {
    return new Engine("derby:memory:t" + COUNT.incrementAndGet() + ";create=true", ";drop=true");
  }

  static Engine h2(Path file) {
    return new Engine("h2:file:" + file.toAbsolutePath() + ";LOCK_TIMEOUT=50", "");
  }

  /// In memory, one for each file that there might be. What makes and drops tables waits for all
  /// who read.
  static Engine hsqldb(Path file) {
    return new Engine("hsqldb:mem:" + nameOf(file) + ";hsqldb.tx=mvcc", SHUTDOWN);
  }

  private static String nameOf(Path file) {
    return "f" + Integer.toHexString(file.toAbsolutePath().normalize().hashCode());
  }

  Connection connect() throws SQLException {
    return DriverManager.getConnection("jdbc:" + url);
  }

  void run(String... statements) {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    } catch (SQLException e) {
      throw new AssertionError(String.join("; ", statements), e);
    }
  }

  void end() {
    if (ending.isEmpty()) {
      return;
    }
    if (!ending.startsWith(";")) {
      run(ending);
      return;
    }
    try {
      DriverManager.getConnection("jdbc:" + url.replaceFirst(";.*", "") + ending).close();
    } catch (SQLException e) {
      // Derby says so when it has ended, or if there never was one.
      if (!"08006".equals(e.getSQLState()) && !"XJ004".equals(e.getSQLState())) {
        throw new AssertionError(e);
      }
    }
  }

  Endpoint end(String parameter, String value) {
    return new Endpoint("jdbc", url, Map.of(parameter, value), Secret.NONE);
  }
}
