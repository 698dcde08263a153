package millrace.connectors.sqlite;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import millrace.spi.Endpoint;
import millrace.spi.Secret;

/// A file of SQLite's, used by other means than the connector.
record Sqlite(Path file) {

  Connection connect() throws SQLException {
    return DriverManager.getConnection("jdbc:sqlite:" + file);
  }

  void run(String... statements) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  /// The first column of a query, as text.
  List<String> texts(String query) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      List<String> texts = new ArrayList<>();
      while (rows.next()) {
        texts.add(String.valueOf(rows.getString(1)));
      }
      return texts;
    }
  }

  Endpoint table(String name) {
    return end("table", name);
  }

  Endpoint end(String parameter, String value) {
    return new Endpoint("sqlite", file.toString(), Map.of(parameter, value), Secret.NONE);
  }
}
