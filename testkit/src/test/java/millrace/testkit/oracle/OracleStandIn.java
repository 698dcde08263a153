package millrace.testkit.oracle;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.assertj.core.api.Assertions;
import org.jspecify.annotations.Nullable;

/// What the tests of the stand-in share: they speak to it through Oracle's own driver.
final class OracleStandIn {
  private OracleStandIn() {}

  static Connection connect(OracleServer server) throws SQLException {
    return connect(server, server.user(), server.password());
  }

  static Connection connect(OracleServer server, String user, String password) throws SQLException {
    Properties properties = new Properties();
    properties.put("user", user);
    properties.put("password", password);
    // Nothing is to hang if an answer is wrong.
    properties.put("oracle.jdbc.ReadTimeout", "20000");
    return DriverManager.getConnection(server.url(), properties);
  }

  static void execute(Connection connection, String... statements) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  /// The rows of a query, each as its values with a bar between them.
  static List<String> query(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      return rows(rows);
    }
  }

  static List<String> rows(ResultSet rows) throws SQLException {
    ResultSetMetaData meta = rows.getMetaData();
    List<String> all = new ArrayList<>();
    while (rows.next()) {
      List<@Nullable String> row = new ArrayList<>();
      for (int i = 1; i <= meta.getColumnCount(); i++) {
        row.add(rows.getString(i));
      }
      all.add(String.join("|", row.stream().map(String::valueOf).toList()));
    }
    return all;
  }

  /// The error code in which something ends.
  static int errorOf(Action action) {
    SQLException error = Assertions.catchThrowableOfType(SQLException.class, action::run);
    return error == null ? 0 : error.getErrorCode();
  }

  static int errorOf(Connection connection, String sql) {
    return errorOf(() -> execute(connection, sql));
  }

  /// Waits until it holds.
  static void await(BooleanSupplier condition) {
    long end = System.nanoTime() + Duration.ofSeconds(10).toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("it does not come about");
      }
      LockSupport.parkNanos(1_000_000);
    }
  }

  /// Something that the driver may refuse.
  interface Action {
    void run() throws Exception;
  }
}
