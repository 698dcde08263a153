package millrace.connectors.mariadb;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.spi.Endpoint;
import millrace.spi.Secret;
import millrace.spi.write.Mode;
import millrace.testkit.Copying;
import millrace.testkit.memory.MemoryConnector;
import millrace.testkit.server.MariaDbServer;
import millrace.testkit.server.MySqlFamilyServer;
import millrace.testkit.server.MySqlServer;

/// A database of its own on one of the servers.
final class TestTables {

  final MySqlFamilyServer server;
  final String database;
  final MemoryConnector memory = new MemoryConnector();
  private final String scheme;

  /// @param scheme `mariadb` or `mysql`
  TestTables(String scheme) {
    this(scheme, scheme.equals("mysql") ? MySqlServer.shared() : MariaDbServer.shared());
  }

  /// On a server of its own, which the caller closes.
  TestTables(String scheme, MySqlFamilyServer server) {
    this.scheme = scheme;
    this.server = server;
    database = server.newDatabase();
  }

  /// Starts a server that no other test uses.
  static MySqlFamilyServer ownServer(String scheme, String... options) {
    return scheme.equals("mysql") ? MySqlServer.start(options) : MariaDbServer.start(options);
  }

  void run(String... statements) {
    server.runIn(database, statements);
  }

  Endpoint endpoint(String name, String value, String... more) {
    Map<String, String> parameters = new HashMap<>(Map.of(name, value));
    for (int i = 0; i < more.length; i += 2) {
      parameters.put(more[i], more[i + 1]);
    }
    return as("root", Secret.NONE, parameters);
  }

  Endpoint as(String user, Secret secret, Map<String, String> parameters) {
    return new Endpoint(
        scheme, "//" + user + "@127.0.0.1:" + server.port() + "/" + database, parameters, secret);
  }

  /// Copies into memory, into columns of text, so that values are spelled.
  Copying copying(Endpoint from, String... columns) {
    List<Column> texts = new ArrayList<>();
    for (String column : columns) {
      texts.add(Column.of(column, Type.Text.UNLIMITED));
    }
    memory.put("back", Schema.of(texts), List.of());
    return Copying.of(new MariaDbConnector(_ -> null), from, memory, memory.endpoint("back"))
        .mode(Mode.APPEND);
  }

  /// What has come into memory, a text for each row.
  List<String> texts() {
    return memory.rows("back").stream().map(row -> String.valueOf(row.value(0))).toList();
  }

  /// What a connection without any settings of ours says.
  List<String> bare(String sql) {
    List<String> values = new ArrayList<>();
    try (Connection connection = server.connect(database);
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
