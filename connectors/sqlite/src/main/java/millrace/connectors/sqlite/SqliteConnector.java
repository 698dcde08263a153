package millrace.connectors.sqlite;

import java.nio.file.Path;
import java.util.List;
import millrace.connectors.sql.Relation;
import millrace.connectors.sql.SqlSource;
import millrace.connectors.sql.SqlTarget;
import millrace.connectors.sql.TableName;
import millrace.data.Schema;
import millrace.fault.Fault;
import millrace.io.FileIdentity;
import millrace.spi.Connector;
import millrace.spi.Endpoint;
import millrace.spi.HostLocation;
import millrace.spi.Option;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import millrace.spi.write.Target;
import millrace.spi.write.WriteOptions;

/// Tables of SQLite files: `sqlite:file.db?table=orders`; queries too.
public final class SqliteConnector implements Connector {

  private static final SqliteDialect DIALECT = SqliteDialect.INSTANCE;

  @Override
  public String name() {
    return SqliteTypes.SYSTEM;
  }

  @Override
  public List<String> schemes() {
    return List.of("sqlite");
  }

  @Override
  public List<String> fileEndings() {
    return List.of(".sqlite", ".sqlite3");
  }

  @Override
  public List<Option> options() {
    return List.of(
        new Option("table", "the table or view.", "orders"),
        new Option(
            "query",
            "what to read instead of a table: a SELECT in SQLite's SQL.",
            "SELECT * FROM orders JOIN customers USING (customer_id)"));
  }

  @Override
  public String ddl(String table, Schema schema) {
    return SqlTarget.ddl(DIALECT, TableName.parse(table, DIALECT.names(), ""), schema);
  }

  @Override
  public HostLocation place(Endpoint endpoint) {
    return HostLocation.of(file(endpoint).path());
  }

  /// The table its journal knows, and the file that is in.
  @Override
  public String landingIdentity(Endpoint endpoint) {
    return "";
  }

  @Override
  public Endpoint scratch(Endpoint endpoint, String name) {
    return endpoint.beside(name);
  }

  @Override
  public void discard(Endpoint scratch) {
    file(scratch).remove();
  }

  @Override
  public Source source(Endpoint endpoint, Selection selection) {
    SqliteFile file = file(endpoint);
    Relation relation = Relation.of(endpoint, DIALECT.names(), SqliteDialect.MAIN);
    if (!file.exists()) {
      throw new Fault.User(
          Relation.label(endpoint) + ": there is no file " + file.path() + ".",
          "Correct the path.");
    }
    if (relation == null) {
      throw new Fault.User(
          endpoint.label() + " does not say what to read.",
          "Add a table, as in " + endpoint.label() + "?table=orders");
    }
    String reads =
        SqliteTypes.SYSTEM
            + " "
            + FileIdentity.realPath(file.path())
            + " "
            + relation.identity(DIALECT.names());
    SqlSource.Identity identity =
        new SqlSource.Identity(
            Relation.label(endpoint),
            reads,
            file::identity,
            "is in the very file that the copy writes to");
    return new SqlSource(file.database(false), relation, identity, selection);
  }

  @Override
  public Target target(Endpoint endpoint, WriteOptions writeOptions) {
    SqliteFile file = file(endpoint);
    TableName table = Relation.target(endpoint, DIALECT.names(), SqliteDialect.MAIN);
    if (!table.schema().equalsIgnoreCase(SqliteDialect.MAIN)) {
      throw new Fault.User(
          endpoint.label() + " has no schema " + table.schema() + ".",
          "Name the table alone: a file of SQLite has one schema, main.");
    }
    return new SqlTarget(
        file.database(!file.exists()), table, Relation.label(endpoint), writeOptions);
  }

  private static SqliteFile file(Endpoint endpoint) {
    if (endpoint.location().isEmpty() || endpoint.location().equals(":memory:")) {
      throw new Fault.User(
          endpoint.label() + " names no file.", "Write sqlite:path/file.db?table=orders");
    }
    return new SqliteFile(endpoint.label(), Path.of(endpoint.location()));
  }
}
