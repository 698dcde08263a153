package millrace.connectors.postgres;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import millrace.spi.Connector;
import millrace.spi.Endpoint;
import millrace.spi.Secret;
import millrace.testkit.ConnectorSuite;
import millrace.testkit.PostgresServer;

/// PostgreSQL can do all that the suite asks for.
abstract class PostgresSuite extends ConnectorSuite {

  private static final AtomicInteger SCHEMAS = new AtomicInteger();
  private static final Map<PostgresServer, String> DATABASES = new ConcurrentHashMap<>();

  private final String schema = "suite_" + SCHEMAS.incrementAndGet();
  private final String location;

  /// @param host how Millrace reaches the server
  PostgresSuite(PostgresServer server, String host) {
    String database = DATABASES.computeIfAbsent(server, PostgresServer::newDatabase);
    server.execute(database, "CREATE SCHEMA " + schema);
    location = server.location(database).replace("@" + server.host(), "@" + host);
  }

  @Override
  protected Connector connector() {
    return new PostgresConnector();
  }

  @Override
  protected Endpoint table(String name) {
    return end("table", schema + "." + name);
  }

  @Override
  protected Endpoint query(String columns, String table, String condition) {
    return end(
        "query", "SELECT " + columns + " FROM " + schema + "." + table + " WHERE " + condition);
  }

  private Endpoint end(String parameter, String value) {
    return new Endpoint("postgresql", location, Map.of(parameter, value), Secret.NONE);
  }
}
