package millrace.connectors.oracle;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import millrace.connectors.oracle.definition.OracleDefinitions;
import millrace.connectors.oracle.definition.OracleStructures;
import millrace.connectors.oracle.direct.ConfirmedReleases;
import millrace.connectors.oracle.direct.OracleTarget;
import millrace.connectors.sql.Dialect;
import millrace.connectors.sql.LockTable;
import millrace.connectors.sql.Locks;
import millrace.connectors.sql.SqlDatabase;
import millrace.connectors.sql.SqlServerEnds;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TableName;
import millrace.connectors.sql.TableOrQuery;
import millrace.connectors.sql.read.SqlSource;
import millrace.connectors.sql.sink.SqlInserts;
import millrace.connectors.sql.structure.SqlStructures;
import millrace.connectors.sql.write.SqlTarget;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.fault.Fault;
import millrace.spi.ColumnsOption;
import millrace.spi.Connector;
import millrace.spi.Endpoint;
import millrace.spi.HostLocation;
import millrace.spi.LaneLimit;
import millrace.spi.OpenContext;
import millrace.spi.Option;
import millrace.spi.catalog.SharedSnapshot;
import millrace.spi.catalog.TableStructures;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import millrace.spi.write.Mode;
import millrace.spi.write.Target;
import millrace.spi.write.WriteOptions;
import org.jspecify.annotations.Nullable;

/// `oracle://user@host:1521/service?table=orders` or `oracle://user@?tns=NAME&table=orders`,
/// queries too.
///
/// The password comes from the URL, the connection or ORACLE_PASSWORD.
public final class OracleConnector implements Connector, SharedSnapshot {

  static final String NAME = "oracle";

  private final Function<String, @Nullable String> environment;
  private final SqlServerEnds ends =
      new SqlServerEnds(
          this::opened,
          " CASCADE CONSTRAINTS PURGE",
          OracleDefinitions::of,
          OracleDefinitions.THERE_ALREADY,
          null);

  public OracleConnector() {
    this(System::getenv);
  }

  /// With another environment than the process's own.
  OracleConnector(Function<String, @Nullable String> environment) {
    this.environment = environment;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public List<String> schemes() {
    return List.of(NAME);
  }

  @Override
  public List<Option> options() {
    List<Option> options = new ArrayList<>(TableOrQuery.options("Oracle"));
    options.add(
        Option.source(
            SqlSource.COLUMNS,
            "Reads columns as other types than they are declared, name:type: DATE as date,"
                + " NUMBER(1) as boolean.",
            "day:date,active:boolean"));
    options.addAll(OracleOptions.OPTIONS);
    options.addAll(OracleConnections.OPTIONS);
    return options;
  }

  @Override
  public String ddl(String table, Schema schema) {
    Dialect dialect = OracleDialect.reading(OracleTraits.USUAL);
    return SqlTarget.ddl(dialect, TableName.parse(table, dialect.names(), ""), schema);
  }

  @Override
  public HostLocation place(Endpoint endpoint) {
    OracleAddress address = OracleAddress.of(endpoint, environment);
    if (!address.tns().isEmpty()) {
      return new HostLocation(List.of(), List.of());
    }
    HostLocation.Service server =
        new HostLocation.Service(
            "Oracle", address.at().host(), address.at().port(), "oracle", List.of());
    return new HostLocation(List.of(), List.of(server));
  }

  @Override
  public String writeOptionsKey(Endpoint endpoint) {
    OracleOptions options = OracleOptions.of(endpoint);
    return options.equals(OracleOptions.USUAL) ? "" : options.toString();
  }

  @Override
  public <T> @Nullable T capability(Class<T> type) {
    return type == TableStructures.class
        ? type.cast(new SqlStructures(this::structured))
        : type.isInstance(ends) ? type.cast(ends) : Connector.super.capability(type);
  }

  private SqlStructures.Opened structured(Endpoint end) {
    SqlServerEnds.Opened open = opened(end);
    Dialect dialect = open.database().dialect();
    boolean hasBoolean =
        dialect.types().declaration(new Column("", new Type.Bool(), true, null)).equals("BOOLEAN");
    return new SqlStructures.Opened(
        open.database(),
        open.schema(),
        (session, schema, tables) -> OracleStructures.read(session, dialect, schema, tables),
        OracleStructures.spelling(dialect.names(), hasBoolean),
        open::close);
  }

  private SqlServerEnds.Opened opened(Endpoint end) {
    OracleConnections connections = new OracleConnections(end, environment);
    try {
      OracleTraits traits = connections.traits();
      Dialect dialect = OracleDialect.reading(traits);
      return new SqlServerEnds.Opened(
          database(end, dialect, new OracleEnd(connections)),
          traits.schema(),
          NAME,
          connections::close);
    } catch (RuntimeException e) {
      connections.close();
      throw e;
    }
  }

  @Override
  public Held hold(List<Endpoint> ends, int lanes, OpenContext context) {
    Endpoint end = ends.getFirst();
    try (OracleConnections connections = new OracleConnections(end, environment)) {
      OracleTraits traits = connections.traits();
      Dialect dialect = OracleDialect.reading(traits);
      try (SqlSession session =
          SqlSession.open(database(end, dialect, new OracleEnd(connections)), false)) {
        context.needs(session);
        return ScnSnapshot.take(
            session,
            ends,
            ends.stream()
                .map(each -> TableOrQuery.source(each, dialect.names(), traits.schema()))
                .map(each ->
                    each instanceof TableOrQuery.Table(TableName name)
                        ? name.sql(dialect.names())
                        : "")
                .toList());
      }
    }
  }

  @Override
  public Source source(Endpoint endpoint, Selection selection, OpenContext context) {
    OracleOptions.checkSource(endpoint);
    OracleConnections connections = new OracleConnections(endpoint, environment);
    try {
      return source(endpoint, selection, connections);
    } catch (RuntimeException e) {
      connections.close();
      throw e;
    }
  }

  private static Source source(
      Endpoint endpoint, Selection selection, OracleConnections connections) {
    OracleTraits traits = connections.traits();
    Dialect dialect =
        OracleDialect.reading(traits, OracleOptions.splitBy(endpoint), ScnSnapshot.given(endpoint));
    TableOrQuery relation = TableOrQuery.source(endpoint, dialect.names(), traits.schema());
    SqlSource.Identity identity =
        new SqlSource.Identity(
            TableOrQuery.label(endpoint),
            NAME
                + " "
                + connections.address().identity()
                + " "
                + relation.identity(dialect.names())
                + endpoint.text(SqlSource.COLUMNS).map(" as "::concat).orElse(""),
            () -> "",
            "may have changed: the server has no number that every commit to the table changes");
    return new SqlSource(
        database(endpoint, dialect, new OracleEnd(connections)),
        relation,
        identity,
        selection,
        ColumnsOption.of(endpoint, SqlSource.COLUMNS, List.of()));
  }

  @Override
  public Target target(Endpoint endpoint, WriteOptions writeOptions, OpenContext context) {
    OracleConnections connections = new OracleConnections(endpoint, environment);
    try {
      return target(endpoint, writeOptions, connections);
    } catch (RuntimeException e) {
      connections.close();
      throw e;
    }
  }

  private static Target target(
      Endpoint endpoint, WriteOptions writeOptions, OracleConnections connections) {
    OracleOptions options = OracleOptions.of(endpoint);
    boolean appends = writeOptions.mode() == Mode.APPEND && !writeOptions.atomic();
    if (!options.partition().isEmpty() && !appends) {
      throw new Fault.User(
          "Rows are appended to a single partition, and nothing else.", "Use --mode append.");
    }
    OracleTraits traits = connections.traits();
    Locks locks = OracleLocks.of(connections, LockTable.USUAL_PAUSE);
    Dialect dialect = OracleDialect.writing(traits, locks, options);
    TableName table = TableOrQuery.target(endpoint, dialect.names(), traits.schema());
    SqlDatabase database = database(endpoint, dialect, new OracleEnd(connections));
    boolean streams = options.method() == OracleOptions.Method.NATIVE;
    if (streams && !OracleOptions.isTrial(endpoint)) {
      ConfirmedReleases.check(traits.release());
    }
    SqlInserts inserts =
        new SqlInserts(LaneLimit.NONE, "", statement -> OracleParameters.of(statement, traits));
    return new OracleTarget(
        database,
        table,
        TableOrQuery.label(endpoint)
            + (options.partition().isEmpty() ? "" : ", partition " + options.partition()),
        writeOptions,
        new OracleTarget.Sending(
            options, OracleTypeTable.of(traits, false, streams), inserts, traits.notStreamed()));
  }

  private static SqlDatabase database(Endpoint endpoint, Dialect dialect, OracleEnd end) {
    return new SqlDatabase(
        endpoint.label(), dialect, () -> true, _ -> end.connections().open(), () -> {}, end);
  }
}
