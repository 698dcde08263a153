package millrace.connectors.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import millrace.connectors.sql.FileEnd;
import millrace.connectors.sql.Names;
import millrace.connectors.sql.ServerEnd;
import millrace.connectors.sql.SqlDatabase;
import millrace.connectors.sql.SqlFaults;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.SqlTables;
import millrace.connectors.sql.TableName;
import millrace.connectors.sql.TableOrQuery;
import millrace.connectors.sql.read.SqlSource;
import millrace.connectors.sql.structure.JdbcFacts;
import millrace.connectors.sql.structure.SqlStructures;
import millrace.connectors.sql.write.SqlTarget;
import millrace.fault.Fault;
import millrace.spi.Connector;
import millrace.spi.Endpoint;
import millrace.spi.OpenContext;
import millrace.spi.Option;
import millrace.spi.StatementRunner;
import millrace.spi.catalog.CopiedDefinition;
import millrace.spi.catalog.LeftOut;
import millrace.spi.catalog.TableCatalog;
import millrace.spi.catalog.TableDefinitions;
import millrace.spi.catalog.TableEntry;
import millrace.spi.catalog.TableStructures;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import millrace.spi.write.Target;
import millrace.spi.write.WriteOptions;
import org.jspecify.annotations.Nullable;

/// Tables of any database whose JDBC driver the user has: `jdbc:h2:./shop?table=orders`; queries
/// too.
public final class JdbcConnector
    implements Connector, TableCatalog, StatementRunner, TableDefinitions {

  private static final SqlStructures STRUCTURES = new SqlStructures(JdbcConnector::structured);

  private static final SqlFaults UNKNOWN =
      new SqlFaults(List.of(), e -> SqlFaults.firstLine(e.getMessage()));

  @Override
  public String name() {
    return "jdbc";
  }

  @Override
  public List<String> schemes() {
    return List.of("jdbc");
  }

  @Override
  public List<Option> options() {
    List<Option> options = new ArrayList<>(TableOrQuery.options("the database"));
    options.add(
        new Option(
            "driver",
            "the JDBC driver: .jar files or folders of them, with commas between.",
            "drivers/h2.jar"));
    options.add(new Option("user", "who connects.", "sa"));
    return options;
  }

  @Override
  public String writeOptionsKey(Endpoint endpoint) {
    return ""; // The journal knows the table, and lies in the database.
  }

  /// A database, and the schema of a table that is named alone.
  private record Database(SqlDatabase database, JdbcDialect dialect, String schema) {}

  /// Connects once to see which product it is.
  private static Database database(Endpoint endpoint) {
    if (endpoint.location().startsWith("oracle:")) {
      // What stands behind it may be a password.
      throw new Fault.User(
          "jdbc:oracle: names a database that has a connector of its own.",
          "Write oracle://user@host:1521/service?table=orders.");
    }
    DriverFiles drivers = new DriverFiles(endpoint.text("driver").orElse(""));
    try (Connection connection = connect(drivers, endpoint)) {
      JdbcDialect dialect = JdbcDialect.of(connection);
      boolean hasSchemas = connection.getMetaData().supportsSchemasInTableDefinitions();
      String schema = hasSchemas ? connection.getSchema() : connection.getCatalog();
      SqlDatabase database =
          new SqlDatabase(
              endpoint.label(),
              dialect.dialect(),
              () -> true,
              _ -> connect(drivers, endpoint),
              () -> {},
              connection.getMetaData().usesLocalFiles() ? new FileEnd() : ServerEnd.NONE);
      return new Database(database, dialect, schema == null ? "" : schema);
    } catch (SQLException e) {
      throw UNKNOWN.of(e, endpoint.label());
    }
  }

  private static Connection connect(DriverFiles drivers, Endpoint endpoint) throws SQLException {
    Properties properties = new Properties();
    endpoint.text("user").ifPresent(user -> properties.setProperty("user", user));
    String password = endpoint.secret().reveal();
    if (password != null) {
      properties.setProperty("password", password);
    }
    return drivers.connect("jdbc:" + endpoint.location(), properties, endpoint.label());
  }

  @Override
  public <T> @Nullable T capability(Class<T> type) {
    return type == TableStructures.class ? type.cast(STRUCTURES) : Connector.super.capability(type);
  }

  private static SqlStructures.Opened structured(Endpoint end) {
    Database found = database(end);
    return new SqlStructures.Opened(
        found.database,
        found.schema,
        new JdbcFacts(found.dialect.file().text("checks")),
        found.dialect.file().spelling(found.dialect.profile().names()),
        () -> {});
  }

  @Override
  public void run(Endpoint end, List<String> statements, OpenContext context) {
    database(end).database.run(statements, context);
  }

  /// To the letter if the database writes a script of itself and both are of one product; else
  /// tables become what JDBC tells of them.
  @Override
  public Found definitions(List<Placed> tables, Scope scope, OpenContext context) {
    Database from = database(tables.getFirst().from().end());
    Database to = database(tables.getFirst().to());
    boolean isScripted =
        from.dialect.file().equals(to.dialect.file())
            && !from.dialect.file().text("script").isEmpty();
    List<LeftOut> leftOut = new ArrayList<>();
    try {
      Found found = isScripted ? scripted(from, to, tables, scope) : null;
      if (found != null) {
        return found;
      }
    } catch (Fault.User | Fault.External e) {
      if (scope.reach() == Scope.Reach.ALL) {
        throw e;
      }
      leftOut.add(LeftOut.of("text", "of all else", "since " + e.clause()));
    }
    Found found = TableStructures.between(STRUCTURES, STRUCTURES, tables, context);
    leftOut.addAll(found.leftOut());
    return new Found(found.tables(), List.of(), List.of(), leftOut, found.advice(), found.whole());
  }

  private static @Nullable Found scripted(
      Database from, Database to, List<Placed> tables, Scope scope) {
    Names names = to.dialect.profile().names();
    List<ScriptDefinitions.Route> routes = new ArrayList<>();
    for (Placed each : tables) {
      TableEntry table = each.from();
      routes.add(
          new ScriptDefinitions.Route(
              new TableName(table.schema().isEmpty() ? from.schema : table.schema(), table.name()),
              TableName.parse(each.to().text("table").orElseThrow(), names, to.schema),
              table.label()));
    }
    try (SqlSession source = SqlSession.open(from.database, false);
        SqlSession target = SqlSession.open(to.database, false)) {
      return new ScriptDefinitions(source, target, to.dialect, routes, scope).found();
    }
  }

  @Override
  public void carryOut(Endpoint to, List<String> statements, boolean again, OpenContext context) {
    Database opened = database(to);
    List<String> there = List.of(opened.dialect.file().text("script.there").split(" "));
    try (SqlSession session = SqlSession.open(opened.database, true)) {
      context.needs(session);
      for (String statement : statements) {
        try {
          session.execute(statement);
        } catch (Fault e) {
          if (!(again
              && e.getCause() instanceof SQLException cause
              && there.contains(cause.getSQLState()))) {
            throw CopiedDefinition.refused(
                statement, "Make what it lacks and go on, or make the table yourself.", e);
          }
        }
      }
    }
  }

  @Override
  public List<TableEntry> tables(Endpoint end, OpenContext context) {
    Database found = database(end);
    return SqlTables.of(found.database, end, found.schema);
  }

  @Override
  public List<MissingSchema> missingSchemas(List<Endpoint> ends, OpenContext context) {
    return SqlTables.missingSchemas(database(ends.getFirst()).database, ends);
  }

  @Override
  public Source source(Endpoint endpoint, Selection selection, OpenContext context) {
    Database found = database(endpoint);
    TableOrQuery relation =
        TableOrQuery.source(endpoint, found.dialect.profile().names(), found.schema);
    SqlSource.Identity identity =
        new SqlSource.Identity(
            TableOrQuery.label(endpoint),
            endpoint.label() + " " + relation.identity(found.dialect.profile().names()),
            () -> "",
            "may have other rows by now: JDBC has nothing that tells");
    return new SqlSource(found.database, relation, identity, selection);
  }

  @Override
  public Target target(Endpoint endpoint, WriteOptions writeOptions, OpenContext context) {
    Database found = database(endpoint);
    if (!found.dialect.file().flag("writes")) {
      throw new Fault.User(
          endpoint.label()
              + " is only read: this database has no transactions that could be undone.",
          "Write a file, and load it with the database's own tool.");
    }
    TableName table = TableOrQuery.target(endpoint, found.dialect.profile().names(), found.schema);
    return new SqlTarget(found.database, table, TableOrQuery.label(endpoint), writeOptions);
  }
}
