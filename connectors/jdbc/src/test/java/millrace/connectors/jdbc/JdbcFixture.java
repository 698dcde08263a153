package millrace.connectors.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import millrace.spi.Connector;
import millrace.spi.Endpoint;
import millrace.testkit.Found;
import millrace.testkit.suite.KitSuite;
import millrace.testkit.suite.MemoryFixture;
import millrace.testkit.suite.Suite;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

/// {@link ConnectorSuite} for a database behind JDBC that makes upper-case names of those without
/// quotes.
abstract class JdbcFixture extends MemoryFixture {

  private final Engine engine;

  JdbcFixture(Engine engine) {
    this.engine = engine;
  }

  @AfterEach
  void end() {
    engine.end();
  }

  @Override
  public Map<Class<? extends Suite>, String> leavesOut() {
    return KitSuite.BY_THE_KIT;
  }

  @Override
  public Connector connector() {
    return new JdbcConnector();
  }

  @Override
  public Endpoint table(String name) {
    return engine.end("table", name);
  }

  @Override
  public Endpoint query(String columns, String table, String condition) {
    return engine.end(
        "query", dialect("SELECT " + columns + " FROM " + table + " WHERE " + condition));
  }

  @Override
  public void sql(String name, String statement) {
    engine.run(dialect(statement.formatted(name)));
  }

  /// Whole databases of H2 alone: other tables are made by their copies.
  public boolean makesTablesAlike() {
    return false;
  }

  /// A statement as the database takes it.
  String dialect(String statement) {
    return statement;
  }

  @Override
  public String kept(String name) {
    return name.matches("[A-Za-z_][A-Za-z0-9_]*") ? name.toUpperCase(Locale.ROOT) : name;
  }

  @Override
  public List<List<@Nullable Object>> independently(String name, List<String> columns)
      throws SQLException {
    try (Connection connection = engine.connect();
        Statement statement = connection.createStatement()) {
      List<String> folded = columns.stream().map(this::kept).toList();
      return Found.rows(statement, "SELECT " + Found.quoted(folded) + " FROM " + name).stream()
          .map(row -> row.stream().<@Nullable Object>map(JdbcFixture::withHours).toList())
          .toList();
    }
  }

  /// HSQLDB writes 7 o'clock as `7:00:00`.
  private static @Nullable Object withHours(@Nullable Object value) {
    return value instanceof String text && text.matches("\\d:\\d\\d:\\d\\d.*") ? "0" + text : value;
  }
}
