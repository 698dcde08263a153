package millrace.connectors.mariadb;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import millrace.connectors.sql.Dialect;
import millrace.connectors.sql.ServerAddress;
import millrace.connectors.sql.SqlDatabase;
import millrace.connectors.sql.SqlServerEnds;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TableName;
import millrace.connectors.sql.TableOrQuery;
import millrace.connectors.sql.read.HeldStates;
import millrace.connectors.sql.read.SqlSource;
import millrace.connectors.sql.structure.SqlStructures;
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
import millrace.spi.catalog.SharedSnapshot;
import millrace.spi.catalog.TableStructures;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import millrace.spi.write.Target;
import millrace.spi.write.WriteOptions;
import org.jspecify.annotations.Nullable;

/// `mariadb://user@host:port/database?table=orders` or `mysql://…`, queries too. Both names lead to
/// either server.
///
/// The password comes from the URL, the connection or MYSQL_PWD.
public final class MariaDbConnector implements Connector, SharedSnapshot {

  static final String NAME = "mariadb";

  private final Function<String, @Nullable String> environment;
  private final SqlStructures structures = new SqlStructures(this::structured);
  private final SqlServerEnds ends =
      new SqlServerEnds(
          this::opened, "", MariaDbDefinitions::of, MariaDbDefinitions.THERE_ALREADY, structures);

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
  public <T> @Nullable T capability(Class<T> type) {
    return type == TableStructures.class
        ? type.cast(structures)
        : type.isInstance(ends) ? type.cast(ends) : Connector.super.capability(type);
  }

  private SqlStructures.Opened structured(Endpoint end) {
    SqlServerEnds.Opened open = opened(end);
    boolean isMariaDb = open.product().equals("MariaDB");
    return new SqlStructures.Opened(
        open.database(),
        open.schema(),
        MariaDbStructures.reader(isMariaDb),
        MariaDbStructures.spelling(open.database().dialect(), isMariaDb),
        open::close);
  }

  private SqlServerEnds.Opened opened(Endpoint end) {
    MariaDbConnections connections = new MariaDbConnections(end, environment);
    try {
      return new SqlServerEnds.Opened(
          database(end, connections),
          connections.address().database(),
          connections.traits().isMariaDb() ? "MariaDB" : "MySQL",
          connections::close);
    } catch (RuntimeException e) {
      connections.close();
      throw e;
    }
  }

  @Override
  public Held hold(List<Endpoint> ends, int lanes, OpenContext context) {
    if (context.shared() == null) {
      return Held.none(ends, "the server has no snapshot that other connections can join");
    }
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
