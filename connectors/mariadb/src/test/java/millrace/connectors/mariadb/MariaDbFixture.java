package millrace.connectors.mariadb;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import millrace.connectors.sql.Names;
import millrace.spi.Connector;
import millrace.spi.Endpoint;
import millrace.testkit.Found;
import millrace.testkit.suite.Behaviour;
import millrace.testkit.suite.KitSuite;
import millrace.testkit.suite.MemoryFixture;
import millrace.testkit.suite.Suite;
import org.jspecify.annotations.Nullable;

/// What every connector promises, on a real MariaDB.
abstract class MariaDbFixture extends MemoryFixture {

  private static final Names NAMES = new Names('`', Names.Folding.EXACT);

  private final TestTables tables = new TestTables(scheme());

  /// Which of the servers it is.
  protected String scheme() {
    return "mariadb";
  }

  @Override
  public Map<Class<? extends Suite>, String> leavesOut() {
    return KitSuite.BY_THE_KIT;
  }

  @Override
  public Connector connector() {
    return new MariaDbConnector(_ -> null);
  }

  @Override
  public Endpoint table(String name) {
    return tables.endpoint("table", name);
  }

  @Override
  public Endpoint query(String columns, String table, String condition) {
    return tables.endpoint("query", "SELECT " + columns + " FROM " + table + " WHERE " + condition);
  }

  @Override
  public void sql(String name, String statement) {
    String ours = statement.formatted(name).replace('"', '`');
    tables.run(ours.replaceAll("\\b(?i:varchar)\\b(?!\\()", "varchar(100)"));
  }

  @Override
  public AutoCloseable locked(String name) {
    return locked(name, "READ");
  }

  @Override
  public AutoCloseable lockedForReaders(String name) {
    return locked(name, "WRITE");
  }

  private AutoCloseable locked(String name, String mode) {
    try {
      Connection holder = tables.server.connect(tables.database);
      try (Statement statement = holder.createStatement()) {
        statement.execute("LOCK TABLES " + name + " " + mode);
      }
      return holder;
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public String anyCase() {
    return "VARCHAR(20) COLLATE utf8mb4_general_ci";
  }

  @Override
  public String anyBlanks() {
    return "VARCHAR(20) COLLATE utf8mb4_bin";
  }

  @Override
  public String numbered() {
    return "BIGINT AUTO_INCREMENT PRIMARY KEY";
  }

  @Override
  public List<List<@Nullable Object>> independently(String name, List<String> columns)
      throws SQLException {
    try (Connection connection = tables.server.connect(tables.database);
        Statement statement = connection.createStatement()) {
      statement.execute("SET time_zone = '+00:00'");
      // Of a FLOAT the server spells six digits.
      List<String> floats =
          tables.bare(
              "SELECT column_name FROM information_schema.columns WHERE data_type = 'float'"
                  + " AND table_schema = '"
                  + tables.database
                  + "'");
      String selected =
          columns.stream()
              .map(column ->
                  floats.contains(column) ? NAMES.quoted(column) + " * 1e0" : NAMES.quoted(column))
              .collect(Collectors.joining(", "));
      return Found.rows(statement, "SELECT " + selected + " FROM " + NAMES.quoted(name));
    }
  }

  @Override
  public Map<Behaviour, String> cannot() {
    return Map.of(
        Behaviour.CASE_IN_NAMES, "names of columns are compared without it",
        Behaviour.THOUSAND_COLUMNS, "a row of InnoDB has room for fewer",
        Behaviour.TEXT_KEYS, "keys of text have a length",
        Behaviour.ALL_INSTANTS, "TIMESTAMP begins with 1970",
        Behaviour.BLANKS_IN_KEYS, "its collations compare text without the blanks at the end",
        Behaviour.SHARED_MOMENT, "no connection joins the snapshot of another",
        Behaviour.ROWS_LEFT_OUT, "no trigger can leave a row out without an error");
  }

  @Override
  public void comment(String table) {
    sql(table, "ALTER TABLE %s COMMENT 'all of them'");
    sql(table, "ALTER TABLE %s MODIFY name varchar COMMENT 'in full'");
  }

  @Override
  public void filled(String table) {
    sql(
        table,
        "CREATE TRIGGER fill BEFORE INSERT ON %s FOR EACH ROW SET NEW.id = COALESCE(NEW.id, 7)");
  }

  @Override
  public void logged(String table, String log) {
    for (String event : List.of("INSERT", "UPDATE")) {
      sql(
          table,
          "CREATE TRIGGER %3$s_%1$s AFTER %1$s ON %2$s FOR EACH ROW INSERT INTO %3$s VALUES ('%4$s')"
              .formatted(event, "%s", log, event.substring(0, 1).toLowerCase(Locale.ROOT)));
    }
  }
}
