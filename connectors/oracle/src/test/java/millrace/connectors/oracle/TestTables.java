package millrace.connectors.oracle;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicInteger;
import millrace.spi.Endpoint;
import millrace.spi.Secret;
import millrace.testkit.oracle.OracleServer;
import millrace.testkit.oracle.engine.Account;

/// A user with an empty schema on a stand-in that all tests of a class share.
final class TestTables {

  private static final AtomicInteger USERS = new AtomicInteger();
  private static final String PASSWORD = "secret";

  /// How long a table can't be read as of now after a DDL, but for the tests of that.
  private static final Duration GRAIN = Duration.ZERO;

  final OracleServer server;
  final String user = "U" + USERS.incrementAndGet();

  TestTables(OracleServer server) {
    this.server = server;
    server.put(new Account(user, PASSWORD, Account.State.OPEN));
    server.setScnGrain(GRAIN);
  }

  /// An endpoint with parameters, each a name and its value.
  Endpoint endpoint(String... parameters) {
    Map<String, String> all = new HashMap<>();
    for (int i = 0; i < parameters.length; i += 2) {
      all.put(parameters[i], parameters[i + 1]);
    }
    String location =
        "//" + user + "@" + server.host() + ":" + server.port() + "/" + server.service();
    return new Endpoint("oracle", location, all, Secret.of(PASSWORD));
  }

  /// A connection without any settings of ours.
  Connection connect() throws SQLException {
    return connect(server.port());
  }

  /// The same by something in between.
  Connection connect(int port) throws SQLException {
    Properties properties = new Properties();
    properties.put("user", user);
    properties.put("password", PASSWORD);
    properties.put("oracle.jdbc.ReadTimeout", "60000");
    return DriverManager.getConnection(
        server.url().replace(":" + server.port() + "/", ":" + port + "/"), properties);
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

  /// The first column of a query.
  List<String> bare(String sql) {
    List<String> values = new ArrayList<>();
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        values.add(rows.getString(1));
      }
    } catch (SQLException e) {
      throw new AssertionError(sql, e);
    }
    return values;
  }
}
