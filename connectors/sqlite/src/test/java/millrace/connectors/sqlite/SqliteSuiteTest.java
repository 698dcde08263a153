package millrace.connectors.sqlite;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import millrace.spi.Connector;
import millrace.spi.Endpoint;
import millrace.testkit.suite.Behaviour;
import millrace.testkit.suite.ConnectorSuite;
import org.junit.jupiter.api.io.TempDir;

class SqliteSuiteTest extends ConnectorSuite {

  @TempDir Path folder;

  private Sqlite sqlite() {
    return new Sqlite(folder.resolve("suite.sqlite"));
  }

  @Override
  protected Connector connector() {
    return new SqliteConnector();
  }

  @Override
  protected Endpoint table(String name) {
    return sqlite().table(name);
  }

  @Override
  protected Endpoint query(String columns, String table, String condition) {
    return sqlite().end("query", "SELECT " + columns + " FROM " + table + " WHERE " + condition);
  }

  @Override
  protected boolean sql(String name, String statement) {
    try {
      sqlite().run(statement.formatted(name));
      return true;
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  protected AutoCloseable locked(String name) {
    try {
      Connection holder = sqlite().connect();
      holder.createStatement().execute("BEGIN IMMEDIATE");
      return holder;
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  protected String otherFormat() {
    return "PAR1\0\0\0\0";
  }

  @Override
  protected String otherFormatIs() {
    return "a Parquet file";
  }

  @Override
  protected Map<Behaviour, String> cannot() {
    return Map.of(
        Behaviour.CASE_IN_NAMES,
        "SQLite's names are the same in any case",
        Behaviour.SIGN_OF_ZERO,
        "SQLite stores a zero in a column of numbers as an integer");
  }
}
