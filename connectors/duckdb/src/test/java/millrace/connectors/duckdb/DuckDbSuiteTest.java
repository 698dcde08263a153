package millrace.connectors.duckdb;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import millrace.spi.Connector;
import millrace.spi.Endpoint;
import millrace.spi.Secret;
import millrace.testkit.Behaviour;
import millrace.testkit.ConnectorSuite;
import org.junit.jupiter.api.io.TempDir;

class DuckDbSuiteTest extends ConnectorSuite {

  @TempDir Path folder;

  @Override
  protected Connector connector() {
    return new DuckDbConnector();
  }

  @Override
  protected Endpoint table(String name) {
    return end("table", name);
  }

  @Override
  protected Endpoint query(String columns, String table, String condition) {
    return end("query", "SELECT " + columns + " FROM " + table + " WHERE " + condition);
  }

  @Override
  protected List<Endpoint> spellings(String name) {
    String fromHere =
        Path.of("").toAbsolutePath().relativize(folder.resolve("suite.db")).toString();
    return List.of(
        end("table", "main." + name),
        end("table", "MAIN." + name.toUpperCase(Locale.ROOT)),
        end("table", "\"" + name + "\""),
        new Endpoint("duckdb", fromHere, Map.of("table", name), Secret.NONE));
  }

  private Endpoint end(String parameter, String value) {
    String file = folder.resolve("suite.db").toString();
    return new Endpoint("duckdb", file, Map.of(parameter, value), Secret.NONE);
  }

  @Override
  protected Map<Behaviour, String> cannot() {
    return Map.of(Behaviour.CASE_IN_NAMES, "DuckDB's names are the same in any case");
  }
}
