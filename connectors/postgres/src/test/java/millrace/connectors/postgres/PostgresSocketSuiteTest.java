package millrace.connectors.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import millrace.spi.Connector;
import millrace.spi.Endpoint;
import millrace.spi.Secret;
import millrace.testkit.PostgresServer;
import millrace.testkit.suite.MemoryFixture;
import millrace.testkit.suite.TablesSuite;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;

/// ... and through the server's socket in the file system: what bytes pass there, both ways. What
/// the server makes of statements does not depend on how they came, so that {@link
/// PostgresTypesSuiteTest} has tried it.
class PostgresSocketSuiteTest extends MemoryFixture implements TablesSuite {

  private static final PostgresServer SERVER = PostgresServer.embedded();
  private static final String DATABASE = SERVER.newDatabase();
  private static final AtomicInteger SCHEMAS = new AtomicInteger();

  private final String schema = "socket_" + SCHEMAS.incrementAndGet();

  @BeforeEach
  void makeSchema() {
    SERVER.execute(DATABASE, "CREATE SCHEMA " + schema);
  }

  @Override
  public Connector connector() {
    return new PostgresConnector();
  }

  @Override
  public Endpoint table(String name) {
    String location = SERVER.location(DATABASE).replace("@" + SERVER.host(), "@%2Ftmp");
    return new Endpoint("postgresql", location, Map.of("table", schema + "." + name), Secret.NONE);
  }

  /// Through the network.
  @Override
  public List<List<@Nullable Object>> independently(String name, List<String> columns)
      throws SQLException {
    try (Connection connection = SERVER.connect(DATABASE);
        Statement statement = connection.createStatement()) {
      return PostgresFixture.shown(statement, schema + "." + name, columns);
    }
  }
}
