package millrace.connectors.duckdb;

import java.nio.file.Path;
import java.util.Map;
import millrace.spi.Connector;
import millrace.spi.Endpoint;
import millrace.testkit.suite.Behaviour;
import millrace.testkit.suite.OnlineStoreSuite;
import org.junit.jupiter.api.io.TempDir;

class DuckDbOnlineSuiteTest extends OnlineStoreSuite {

  @TempDir Path folder;

  @Override
  public Connector connector() {
    return new DuckDbConnector();
  }

  @Override
  public Endpoint table(String name) {
    return Duck.in(folder).table(name);
  }

  @Override
  public Map<Behaviour, String> cannot() {
    return Map.of(
        Behaviour.RANGE_PARTITIONS, "DuckDB has none",
        Behaviour.SHARED_STORE, "the process that writes the file locks it",
        Behaviour.IGNORED_REPEATS, "what arrives has no primary key; a failed write is undone");
  }
}
