package millrace.connectors.postgres;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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

  @Override
  protected List<Endpoint> spellings(String name) {
    List<Endpoint> all = new ArrayList<>();
    all.add(end("table", schema.toUpperCase(Locale.ROOT) + "." + name.toUpperCase(Locale.ROOT)));
    all.add(end("table", "\"" + schema + "\".\"" + name + "\""));
    String elsewhere = location.replace("@localhost", "@127.0.0.1");
    all.add(new Endpoint("postgres", elsewhere, Map.of("table", schema + "." + name), Secret.NONE));
    return all;
  }

  private Endpoint end(String parameter, String value) {
    return new Endpoint("postgresql", location, Map.of(parameter, value), Secret.NONE);
  }
}
