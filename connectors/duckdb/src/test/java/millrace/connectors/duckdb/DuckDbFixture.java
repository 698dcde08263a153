package millrace.connectors.duckdb;

import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import millrace.spi.Connector;
import millrace.spi.Endpoint;
import millrace.spi.Secret;
import millrace.testkit.suite.Behaviour;
import millrace.testkit.suite.IncrementalSuite;
import millrace.testkit.suite.MemoryFixture;
import millrace.testkit.suite.Suite;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;

abstract class DuckDbFixture extends MemoryFixture {

  @TempDir Path folder;

  @Override
  public Connector connector() {
    return new DuckDbConnector();
  }

  @Override
  public Endpoint table(String name) {
    return end("table", name);
  }

  @Override
  public Endpoint query(String columns, String table, String condition) {
    return end("query", "SELECT " + columns + " FROM " + table + " WHERE " + condition);
  }

  @Override
  public void sql(String name, String statement) {
    try {
      new Duck(folder.resolve("suite.db")).run(statement.formatted(name));
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public String whyNoneWritesMeanwhile() {
    return "writers while another process has the file open";
  }

  @Override
  public String anyCase() {
    return "VARCHAR COLLATE NOCASE";
  }

  @Override
  public String numbered() {
    sql("seq", "CREATE SEQUENCE IF NOT EXISTS %s");
    return "BIGINT PRIMARY KEY DEFAULT nextval('seq')";
  }

  private Endpoint end(String parameter, String value) {
    String file = folder.resolve("suite.db").toString();
    return new Endpoint("duckdb", file, Map.of(parameter, value), Secret.NONE);
  }

  @Override
  public List<List<@Nullable Object>> independently(String name, List<String> columns)
      throws SQLException {
    return new Duck(folder.resolve("suite.db")).shown(name, columns);
  }

  @Override
  public Map<Class<? extends Suite>, String> leavesOut() {
    return Map.of(IncrementalSuite.class, "what it adds to a merge is core's; one case runs here");
  }

  @Override
  public Map<Behaviour, String> cannot() {
    return Map.of(
        Behaviour.CASE_IN_NAMES, "DuckDB's names are the same in any case",
        Behaviour.SHARED_MOMENT, "the file is open in one process alone",
        Behaviour.TRIGGERS, "DuckDB has none",
        Behaviour.FILLING_TRIGGERS, "DuckDB has no triggers",
        Behaviour.ANY_BLANKS, "no type of DuckDB compares so",
        Behaviour.WRITE_LOCKS, "nobody waits for another: of two writers the later one fails",
        Behaviour.READ_LOCKS, "readers wait for nobody",
        Behaviour.ROWS_LEFT_OUT, "no table of DuckDB does so");
  }

  @Override
  public void comment(String table) {
    commentByStandard(table);
  }
}
