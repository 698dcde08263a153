package millrace.connectors.duckdb;

import java.nio.file.Path;
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
    Map<String, String> parameters = Map.of("table", name);
    return new Endpoint("duckdb", folder.resolve("suite.db").toString(), parameters, Secret.NONE);
  }

  @Override
  protected Map<Behaviour, String> cannot() {
    return Map.of(Behaviour.CASE_IN_NAMES, "DuckDB's names are the same in any case");
  }
}
