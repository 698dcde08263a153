package millrace.connectors.mariadb;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import millrace.connectors.sql.Dialect;
import millrace.connectors.sql.ScratchTable;
import millrace.connectors.sql.ServerAddress;
import millrace.connectors.sql.SqlDatabase;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.SqlTables;
import millrace.connectors.sql.TableName;
import millrace.connectors.sql.TableOrQuery;
import millrace.connectors.sql.read.HeldStates;
import millrace.connectors.sql.read.SqlSource;
import millrace.connectors.sql.write.SqlTarget;
import millrace.connectors.sql.write.SqlWay;
import millrace.data.Schema;
import millrace.fault.Fault;
import millrace.spi.ColumnsOption;
import millrace.spi.Connector;
import millrace.spi.Endpoint;
import millrace.spi.HostLocation;
import millrace.spi.OpenContext;
import millrace.spi.Option;
import millrace.spi.Scratch;
import millrace.spi.StatementRunner;
import millrace.spi.catalog.CopiedDefinition;
import millrace.spi.catalog.SharedSnapshot;
import millrace.spi.catalog.TableCatalog;
import millrace.spi.catalog.TableDefinitions;
import millrace.spi.catalog.TableEntry;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import millrace.spi.write.Target;
import millrace.spi.write.WriteOptions;
import org.jspecify.annotations.Nullable;

/// `mariadb://user@host:port/database?table=orders` or `mysql://…`, queries too. Both names lead to
/// either server.
///
/// The password comes from the URL, the connection or MYSQL_PWD.
public final class MariaDbConnector
    implements Connector, Scratch, TableCatalog, StatementRunner, TableDefinitions, SharedSnapshot {

  static final String NAME = "mariadb";

  private final Function<String, @Nullable String> environment;

  public MariaDbConnector() {
    this(System::getenv);
  }

  /// With another environment than the process's own.
  MariaDbConnector(Function<String, @Nullable String> environment) {
    this.environment = environment;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public List<String> schemes() {
    return List.of(NAME, "mysql");
  }

  @Override
  public List<Option> options() {
    List<Option> options = new ArrayList<>(TableOrQuery.options("the server"));
    options.add(
        Option.source(
            SqlSource.COLUMNS,
            "Reads columns as other types than they are declared, name:type: dates, times and"
                + " numbers as text, whole numbers as boolean, text as uuid or json.",
            "at:text,active:boolean"));
    options.addAll(MariaDbConnections.OPTIONS);
    return options;
  }

  @Override
  public String ddl(String table, Schema schema) {
    Dialect dialect = MariaDbDialect.of(ServerTraits.USUAL);
    return SqlTarget.ddl(dialect, TableName.parse(table, dialect.names(), ""), schema);
  }

  @Override
  public HostLocation place(Endpoint endpoint) {
    ServerAddress address = MariaDbConnections.address(endpoint, environment);
    boolean isMySql = endpoint.scheme().equals("mysql");
    HostLocation.Service server =
        new HostLocation.Service(
            isMySql ? "MySQL" : "MariaDB",
            address.host(),
            address.port(),
            isMySql ? "mysqld" : "mariadbd",
            List.of());
    return new HostLocation(List.of(), List.of(server));
  }

  @Override
  public String writeOptionsKey(Endpoint endpoint) {
    return "";
  }

  @Override
  public void run(Endpoint end, List<String> statements, OpenContext context) {
    try (MariaDbConnections connections = new MariaDbConnections(end, environment)) {
      database(end, connections).run(statements, context);
    }
  }

  @Override
  public List<TableEntry> tables(Endpoint end, OpenContext context) {
    try (MariaDbConnections connections = new MariaDbConnections(end, environment)) {
      return SqlTables.of(database(end, connections), end, connections.address().database());
    }
  }

  @Override
  public Held hold(List<Endpoint> ends, int lanes, OpenContext context) {
    Endpoint end = ends.getFirst();
    try (MariaDbConnections connections = new MariaDbConnections(end, environment)) {
      SqlDatabase database = database(end, connections);
      try (SqlSession session = SqlSession.open(database, false)) {
        context.needs(session);
        return new HeldTables(database, session)
            .take(ends, connections.address().database(), lanes, context);
      }
    }
  }

  /// Between MariaDB and MySQL tables become what their copies make of them: each declares columns
  /// in ways that the other refuses.
  @Override
  public Found definitions(List<Placed> tables, OpenContext context) {
    Endpoint from = tables.getFirst().from().end();
    Endpoint to = tables.getFirst().to();
    try (MariaDbConnections sources = new MariaDbConnections(from, environment);
        MariaDbConnections targets = new MariaDbConnections(to, environment)) {
      if (sources.traits().isMariaDb() != targets.traits().isMariaDb()) {
        return new Found(
            tables.stream().map(_ -> CopiedDefinition.NONE).toList(), List.of(), List.of());
      }
      Dialect dialect = MariaDbDialect.of(targets.traits());
      try (SqlSession source = SqlSession.open(database(from, sources), false);
          SqlSession target = SqlSession.open(database(to, targets), false)) {
        return MariaDbDefinitions.of(
            source,
            target,
            dialect,
            MariaDbDefinitions.names(
                tables, dialect, sources.address().database(), targets.address().database()));
      }
    }
  }

  @Override
  public void carryOut(Endpoint to, List<String> statements, boolean again, OpenContext context) {
    try (MariaDbConnections connections = new MariaDbConnections(to, environment);
        SqlSession session = SqlSession.open(database(to, connections), true)) {
      MariaDbDefinitions.carryOut(session, statements, again);
    }
  }

  @Override
  public Source source(Endpoint endpoint, Selection selection, OpenContext context) {
    MariaDbConnections connections = new MariaDbConnections(endpoint, environment);
    ServerAddress address = connections.address();
    Dialect dialect = MariaDbDialect.of(connections.traits(), HeldStates.find(endpoint, context));
    TableOrQuery relation = TableOrQuery.source(endpoint, dialect.names(), address.database());
    if (relation instanceof TableOrQuery.Table(TableName name)) {
      checkDatabase(endpoint, address, name);
    }
    List<ColumnsOption.Named> readAs = ColumnsOption.of(endpoint, SqlSource.COLUMNS, List.of());
    SqlSource.Identity identity =
        new SqlSource.Identity(
            TableOrQuery.label(endpoint),
            NAME
                + " "
                + address.server()
                + "/"
                + address.database()
                + " "
                + relation.identity(dialect.names())
                + endpoint.text(SqlSource.COLUMNS).map(" as "::concat).orElse(""),
            () -> "",
            "may have changed: the server has no number that every commit changes");
    return new SqlSource(
        database(endpoint, dialect, connections), relation, identity, selection, readAs);
  }

  @Override
  public Target target(Endpoint endpoint, WriteOptions writeOptions, OpenContext context) {
    MariaDbConnections connections = new MariaDbConnections(endpoint, environment);
    SqlDatabase database = database(endpoint, connections);
    TableName table =
        TableOrQuery.target(endpoint, database.dialect().names(), connections.address().database());
    checkDatabase(endpoint, connections.address(), table);
    return new SqlTarget(
        database, table, TableOrQuery.label(endpoint), writeOptions, new SqlWay(new LoadData()));
  }

  private static SqlDatabase database(Endpoint endpoint, MariaDbConnections connections) {
    return database(endpoint, MariaDbDialect.of(connections.traits()), connections);
  }

  private static SqlDatabase database(
      Endpoint endpoint, Dialect dialect, MariaDbConnections connections) {
    return new SqlDatabase(
        endpoint.label(),
        dialect,
        () -> true,
        connections::open,
        () -> {},
        new MariaDbEnd(connections));
  }

  @Override
  public Endpoint scratch(Endpoint endpoint, String name) {
    return ScratchTable.beside(endpoint, name);
  }

  @Override
  public void discard(Endpoint scratch) {
    try (MariaDbConnections connections = new MariaDbConnections(scratch, environment)) {
      SqlDatabase database = database(scratch, connections);
      TableName table =
          TableOrQuery.target(
              scratch, database.dialect().names(), connections.address().database());
      ScratchTable.discard(database, table, "");
    }
  }

  private static void checkDatabase(Endpoint endpoint, ServerAddress address, TableName table) {
    if (table.schema().isEmpty()) {
      throw new Fault.User(
          endpoint.label() + " names no database.",
          "Name it in the URL, as in "
              + endpoint.scheme()
              + "://"
              + address.server()
              + "/shop, or with the table: table=shop.orders.");
    }
  }
}
