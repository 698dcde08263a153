package millrace.connectors.postgres;

import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import millrace.spi.Connector;
import millrace.spi.Endpoint;
import millrace.spi.Secret;
import millrace.testkit.ConnectorSuite;
import millrace.testkit.PostgresServer;

/// PostgreSQL can do all that the suite asks for.
class PostgresSuiteTest extends ConnectorSuite {

  private static final PostgresServer SERVER = PostgresServer.shared();
  private static final String DATABASE = SERVER.newDatabase();
  private static final AtomicInteger SCHEMAS = new AtomicInteger();

  private final String schema = "suite_" + SCHEMAS.incrementAndGet();

  PostgresSuiteTest() {
    SERVER.execute(DATABASE, "CREATE SCHEMA " + schema);
  }

  @Override
  protected Connector connector() {
    return new PostgresConnector();
  }

  @Override
  protected Endpoint table(String name) {
    return new Endpoint(
        "postgresql", SERVER.location(DATABASE), Map.of("table", schema + "." + name), Secret.NONE);
  }
}
