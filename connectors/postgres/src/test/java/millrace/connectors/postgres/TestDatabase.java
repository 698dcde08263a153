package millrace.connectors.postgres;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import millrace.spi.Connector;
import millrace.spi.Endpoint;
import millrace.spi.Secret;
import millrace.testkit.Copying;
import millrace.testkit.PostgresServer;
import org.jspecify.annotations.Nullable;

/// A database of its own on the test server, and copies between its tables.
public final class TestDatabase {

  public final PostgresServer server;
  public final String name;
  private @Nullable Connection connection;

  private TestDatabase(PostgresServer server) {
    this.server = server;
    name = server.newDatabase();
  }

  public static TestDatabase make() {
    return new TestDatabase(PostgresServer.shared());
  }

  /// On the embedded server, whose users can be asked for passwords.
  public static TestDatabase embedded() {
    return new TestDatabase(PostgresServer.embedded());
  }

  /// On that server.
  static TestDatabase on(PostgresServer server) {
    return new TestDatabase(server);
  }

  /// Runs statements as the superuser, each in a transaction of its own.
  public synchronized void sql(String... statements) {
    for (String sql : statements) {
      try (Statement statement = connection().createStatement()) {
        statement.setEscapeProcessing(false);
        statement.execute(sql);
      } catch (SQLException e) {
        throw new AssertionError("the test's own SQL fails: " + sql, e);
      }
    }
  }

  /// The first column of all rows, as text.
  public synchronized List<@Nullable String> column(String query) {
    try (Statement statement = connection().createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      List<@Nullable String> values = new ArrayList<>();
      while (rows.next()) {
        values.add(rows.getString(1));
      }
      return values;
    } catch (SQLException e) {
      throw new AssertionError("the test's own SQL fails: " + query, e);
    }
  }

  /// Stays open until the tests end: a new one for every statement would take most of their time.
  private Connection connection() throws SQLException {
    if (connection == null) {
      connection = server.connect(name);
      try (Statement statement = connection.createStatement()) {
        statement.execute(
            "SET TimeZone = 'UTC'; SET bytea_output = 'hex'; SET lc_monetary = 'C';"
                // A copy that hangs fails its own test, and no other.
                + " SET lock_timeout = '1min'");
      }
    }
    return connection;
  }

  /// The one value that a query gives.
  @Nullable
  public String value(String query) {
    List<@Nullable String> values = column(query);
    if (values.size() != 1) {
      throw new AssertionError("one row wanted from " + query + ", not " + values);
    }
    return values.getFirst();
  }

  /// How many staging tables there are of the tables whose names begin so. What a run leaves that
  /// another may go on with has some, and a journal beside them.
  @Nullable String staged(String table) {
    return value(
        "SELECT count(*) FROM pg_class WHERE relname LIKE '" + table + "%\\_millrace\\_%'");
  }

  /// Returns once a query's one value is true.
  public void awaitTrue(String query) {
    while (!"t".equals(value(query))) {
      Thread.onSpinWait();
    }
  }

  public Endpoint table(String table) {
    return endpoint(Map.of("table", table));
  }

  public Endpoint query(String query) {
    return endpoint(Map.of("query", query));
  }

  public Endpoint endpoint(Map<String, String> parameters) {
    return new Endpoint("postgresql", server.location(name), parameters, Secret.NONE);
  }

  public Endpoint as(String user, Secret secret, Map<String, String> parameters) {
    return new Endpoint(
        "postgresql",
        "//" + user + "@" + server.host() + ":" + server.port() + "/" + name,
        new HashMap<>(parameters),
        secret);
  }

  /// A copy within a database or between two. Both ends are of one connector, which knows which of
  /// its connections read.
  public static Copying copy(Endpoint from, Endpoint to) {
    Connector postgres = new PostgresConnector();
    return Copying.of(postgres, from, postgres, to);
  }
}
