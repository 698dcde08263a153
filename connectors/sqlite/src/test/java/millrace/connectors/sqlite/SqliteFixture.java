package millrace.connectors.sqlite;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import millrace.spi.Connector;
import millrace.spi.Endpoint;
import millrace.testkit.Found;
import millrace.testkit.suite.Behaviour;
import millrace.testkit.suite.MemoryFixture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;

abstract class SqliteFixture extends MemoryFixture {

  @TempDir Path folder;

  private Sqlite sqlite() {
    return new Sqlite(folder.resolve("suite.sqlite"));
  }

  @Override
  public Connector connector() {
    return new SqliteConnector();
  }

  @Override
  public Endpoint table(String name) {
    return sqlite().table(name);
  }

  @Override
  public Endpoint query(String columns, String table, String condition) {
    return sqlite().end("query", "SELECT " + columns + " FROM " + table + " WHERE " + condition);
  }

  @Override
  public void sql(String name, String statement) {
    try {
      sqlite().run(statement.formatted(name));
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  /// Without a write-ahead log, nobody can commit while a file is read.
  @Override
  public String whyNoneWritesMeanwhile() {
    sql("", "PRAGMA journal_mode = WAL");
    return "";
  }

  @Override
  public AutoCloseable locked(String name) {
    return holding("BEGIN IMMEDIATE");
  }

  /// With a journal beside the file.
  @Override
  public AutoCloseable lockedForReaders(String name) {
    return holding("BEGIN EXCLUSIVE", "DELETE FROM " + name);
  }

  private AutoCloseable holding(String... statements) {
    try {
      Connection holder = sqlite().connect();
      for (String each : statements) {
        holder.createStatement().execute(each);
      }
      return holder;
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public List<Endpoint> keepingFirst() {
    String others = ", name TEXT, amount DECIMAL(9,2)";
    List<String> columns =
        List.of(
            "id INTEGER PRIMARY KEY ON CONFLICT IGNORE" + others,
            "id BIGINT NOT NULL UNIQUE on conflict\nignore" + others,
            "id BIGINT" + others + ", PRIMARY KEY (id) ON CONFLICT IGNORE",
            "id BIGINT" + others);
    List<Endpoint> tables = new ArrayList<>();
    for (String each : columns) {
      String name = "keeps_" + tables.size();
      sql(name, "CREATE TABLE %s (" + each + ")");
      tables.add(table(name));
    }
    sql(
        "keeps_3",
        "CREATE TRIGGER keep BEFORE INSERT ON %1$s WHEN EXISTS (SELECT 1 FROM %1$s t WHERE t.id ="
            + " new.id) BEGIN SELECT raise(ignore); END");
    return tables;
  }

  @Override
  public String anyCase() {
    return "TEXT COLLATE NOCASE";
  }

  @Override
  public String anyBlanks() {
    return "TEXT COLLATE RTRIM";
  }

  @Override
  public String numbered() {
    return "INTEGER PRIMARY KEY AUTOINCREMENT";
  }

  @Override
  public void logged(String table, String log) {
    for (String event : List.of("INSERT", "UPDATE")) {
      sql(
          table,
          "CREATE TRIGGER log_%1$s AFTER %1$s ON %2$s BEGIN INSERT INTO %3$s VALUES (lower(substr('%1$s', 1, 1))); END"
              .formatted(event, "%s", log));
    }
  }

  @Override
  public String otherFormat() {
    return "PAR1\0\0\0\0";
  }

  @Override
  public String otherFormatIs() {
    return "a Parquet file";
  }

  @Override
  public List<List<@Nullable Object>> independently(String name, List<String> columns)
      throws SQLException {
    try (Connection connection = sqlite().connect();
        Statement statement = connection.createStatement()) {
      return Found.rows(statement, "SELECT " + Found.quoted(columns) + " FROM " + name);
    }
  }

  @Override
  public Map<Behaviour, String> cannot() {
    return Map.of(
        Behaviour.CASE_IN_NAMES, "SQLite's names are the same in any case",
        Behaviour.SIGN_OF_ZERO, "SQLite stores a zero in a column of numbers as an integer",
        Behaviour.FILLING_TRIGGERS, "no trigger of SQLite changes the row that is inserted",
        Behaviour.SHARED_MOMENT, "a state is seen by connections of one process",
        Behaviour.COMMENTS, "SQLite has none");
  }
}
