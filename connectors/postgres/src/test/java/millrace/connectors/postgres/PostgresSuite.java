package millrace.connectors.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import millrace.spi.Connector;
import millrace.spi.Endpoint;
import millrace.spi.Secret;
import millrace.testkit.PostgresServer;
import millrace.testkit.suite.ConnectorSuite;

/// PostgreSQL can do all that the suite asks for.
abstract class PostgresSuite extends ConnectorSuite {

  private static final AtomicInteger SCHEMAS = new AtomicInteger();
  private static final Map<PostgresServer, String> DATABASES = new ConcurrentHashMap<>();

  private final String schema = "suite_" + SCHEMAS.incrementAndGet();
  private final String location;
  private final PostgresServer server;
  private final String database;

  /// @param host how Millrace reaches the server
  PostgresSuite(PostgresServer server, String host) {
    this.server = server;
    database = DATABASES.computeIfAbsent(server, PostgresServer::newDatabase);
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
  protected boolean sql(String name, String statement) {
    server.execute(database, statement.formatted(schema + "." + name));
    return true;
  }

  @Override
  protected List<Endpoint> keepingFirst() {
    sql("keeps", "CREATE TABLE %s (id bigint, name text, amount decimal(9,2))");
    sql(
        "keeps",
        "CREATE FUNCTION %1$s_f() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN IF EXISTS (SELECT"
            + " FROM %1$s t WHERE t.id = NEW.id) THEN RETURN NULL; END IF; RETURN NEW; END'");
    sql(
        "keeps",
        "CREATE TRIGGER keep BEFORE INSERT ON %1$s FOR EACH ROW EXECUTE FUNCTION %1$s_f()");
    return List.of(table("keeps"));
  }

  @Override
  protected AutoCloseable locked(String name) {
    try {
      Connection holder = server.connect(database);
      holder.setAutoCommit(false);
      try (Statement statement = holder.createStatement()) {
        statement.execute("LOCK TABLE " + schema + "." + name + " IN SHARE MODE");
      }
      return holder;
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  private Endpoint end(String parameter, String value) {
    return new Endpoint("postgresql", location, Map.of(parameter, value), Secret.NONE);
  }
}
