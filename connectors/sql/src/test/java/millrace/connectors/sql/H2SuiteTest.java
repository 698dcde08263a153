package millrace.connectors.sql;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import millrace.spi.Connector;
import millrace.spi.Endpoint;
import millrace.spi.Secret;
import millrace.testkit.suite.Behaviour;
import millrace.testkit.suite.ConnectorSuite;
import org.junit.jupiter.api.AfterEach;

/// What systems with SQL share, by a dialect that has next to nothing of its own.
class H2SuiteTest extends ConnectorSuite {

  private static final AtomicInteger COUNT = new AtomicInteger();

  private final String database = "suite" + COUNT.incrementAndGet();

  @Override
  protected Connector connector() {
    return new H2Connector();
  }

  @Override
  protected Endpoint table(String name) {
    return end("table", name);
  }

  @Override
  protected Endpoint query(String columns, String table, String condition) {
    return end("query", "SELECT " + columns + " FROM " + table + " WHERE " + condition);
  }

  private Endpoint end(String parameter, String value) {
    return new Endpoint("h2", database, Map.of(parameter, value), Secret.NONE);
  }

  @Override
  protected boolean sql(String name, String statement) {
    try (Connection connection = DriverManager.getConnection(H2Connector.url(database));
        Statement made = connection.createStatement()) {
      made.execute(statement.formatted(name));
      return true;
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  @AfterEach
  void drop() {
    sql("", "SHUTDOWN");
  }

  @Override
  protected Map<Behaviour, String> cannot() {
    return Map.of(
        Behaviour.CASE_IN_NAMES, "names are compared without it here",
        Behaviour.SIGN_OF_ZERO, "H2 does not keep it",
        Behaviour.OTHER_PROCESS, "it is in memory");
  }
}
