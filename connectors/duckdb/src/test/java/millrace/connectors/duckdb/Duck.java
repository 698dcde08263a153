package millrace.connectors.duckdb;

import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import millrace.spi.Endpoint;
import millrace.spi.Secret;
import millrace.testkit.Found;
import org.duckdb.DuckDBConnection;
import org.jspecify.annotations.Nullable;

/// A DuckDB file of a test's own, spoken to in SQL beside the connector.
///
/// @param file the database
public record Duck(Path file) {

  /// A file `test.db` in a folder.
  public static Duck in(Path folder) {
    return new Duck(folder.resolve("test.db"));
  }

  /// A connection to the instance that the connector shares.
  public DuckDBConnection connect() throws SQLException {
    String url = "jdbc:duckdb:" + file.toAbsolutePath();
    return DuckDBConnection.newConnection(url, false, null, new Properties());
  }

  /// Runs statements.
  public void run(String... statements) throws SQLException {
    try (DuckDBConnection connection = connect();
        Statement statement = connection.createStatement()) {
      statement.execute("SET TimeZone = 'UTC'");
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  /// The rows of a query, each as its values' texts joined by ` | `.
  public List<String> rows(String query) throws SQLException {
    List<String> found = new ArrayList<>();
    try (DuckDBConnection connection = connect();
        Statement statement = connection.createStatement()) {
      statement.execute("SET TimeZone = 'UTC'");
      try (ResultSet rows = statement.executeQuery(query)) {
        while (rows.next()) {
          List<String> values = new ArrayList<>();
          for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
            values.add(String.valueOf(rows.getString(i)));
          }
          found.add(String.join(" | ", values));
        }
      }
    }
    return found;
  }

  /// The rows of a table, each value as DuckDB shows it, and raw bytes as hexadecimal digits.
  List<List<@Nullable Object>> shown(String from, List<String> columns) throws SQLException {
    try (DuckDBConnection connection = connect();
        Statement statement = connection.createStatement()) {
      statement.execute("SET TimeZone = 'UTC'");
      Set<String> raw = new HashSet<>();
      try (ResultSet types = statement.executeQuery("DESCRIBE SELECT * FROM " + from)) {
        while (types.next()) {
          if (types.getString("column_type").equals("BLOB")) {
            raw.add(types.getString("column_name"));
          }
        }
      }
      List<String> values = new ArrayList<>();
      for (String column : columns) {
        String quoted = Found.quoted(List.of(column));
        values.add(
            raw.contains(column) ? "hex(" + quoted + ")" : "CAST(" + quoted + " AS VARCHAR)");
      }
      return Found.rows(statement, "SELECT " + String.join(", ", values) + " FROM " + from);
    }
  }

  /// The endpoint of a table.
  public Endpoint table(String name) {
    return with("table", name);
  }

  /// The endpoint of a query.
  public Endpoint query(String sql) {
    return with("query", sql);
  }

  /// The endpoint with parameters, given as names and values in turn.
  public Endpoint with(String... parameters) {
    Map<String, String> map = new HashMap<>();
    for (int i = 0; i < parameters.length; i += 2) {
      map.put(parameters[i], parameters[i + 1]);
    }
    return new Endpoint("duckdb", file.toString(), map, Secret.NONE);
  }
}
