package millrace.connectors.postgres;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import millrace.connectors.postgres.catalog.PostgresSql;
import millrace.connectors.postgres.catalog.PostgresTables;
import millrace.connectors.postgres.catalog.QualifiedName;
import millrace.connectors.postgres.definition.DefinitionCopy;
import millrace.connectors.postgres.definition.StatementRun;
import millrace.connectors.postgres.definition.StructureCatalog;
import millrace.connectors.postgres.load.LoadOptions;
import millrace.connectors.postgres.load.NewTable;
import millrace.connectors.postgres.load.StagingTable;
import millrace.connectors.postgres.net.Address;
import millrace.connectors.postgres.net.Blockers;
import millrace.connectors.postgres.net.ConnectionFactory;
import millrace.connectors.postgres.net.ConnectionRoom;
import millrace.connectors.postgres.net.Session;
import millrace.connectors.postgres.net.SharedConnections;
import millrace.connectors.postgres.online.PostgresOnline;
import millrace.connectors.postgres.read.ExportedSnapshot;
import millrace.connectors.postgres.read.SourceOpening;
import millrace.connectors.sql.TableOrQuery;
import millrace.data.Schema;
import millrace.fault.Fault;
import millrace.spi.Connector;
import millrace.spi.Endpoint;
import millrace.spi.HostLocation;
import millrace.spi.OpenContext;
import millrace.spi.Option;
import millrace.spi.Scratch;
import millrace.spi.Shared;
import millrace.spi.StatementRunner;
import millrace.spi.catalog.CopiedDefinition;
import millrace.spi.catalog.SharedSnapshot;
import millrace.spi.catalog.TableCatalog;
import millrace.spi.catalog.TableDefinitions;
import millrace.spi.catalog.TableEntry;
import millrace.spi.catalog.TableStructures;
import millrace.spi.online.Online;
import millrace.spi.online.OnlineLayout;
import millrace.spi.online.OnlineStore;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import millrace.spi.write.Target;
import millrace.spi.write.WriteOptions;
import org.jspecify.annotations.Nullable;

/// `postgresql://user@host:port/database?table=schema.table` or `?query=…`, read and written by
/// COPY.
///
/// What the URL leaves out comes from a service and the environment, as with libpq; the password
/// from the connection, the service, PGPASSWORD, `~/.pgpass` (or PGPASSFILE) or the terminal.
public final class PostgresConnector
    implements Connector,
        Scratch,
        Online,
        TableCatalog,
        StatementRunner,
        TableDefinitions,
        TableStructures,
        SharedSnapshot {

  public static final String NAME = "postgresql";

  private static final String OWN_ROWS = "own-rows";

  private static final List<Option> OPTIONS =
      Stream.concat(
              Stream.of(
                  new Option(
                      "table",
                      "The table, with its schema or found by the search path; quotes as in SQL.",
                      "public.orders"),
                  Option.source(
                      "query", "A query to read from instead of a table.", "SELECT * FROM orders"),
                  Option.sourceFlag(
                      OWN_ROWS,
                      "Reads the own rows of a table, without those of tables that inherit from"
                          + " it."),
                  Option.source(
                      ExportedSnapshot.NAME,
                      "Reads what another session sees: what its pg_export_snapshot() gave. That"
                          + " session stays open until the end.",
                      "00000003-0000001B-1"),
                  new Option(
                      "sslmode",
                      "disable, allow, prefer (the default), require, verify-ca or verify-full.",
                      "verify-full"),
                  new Option(
                      "sslrootcert",
                      "Certificates to trust for verify-ca and verify-full; ~/.postgresql/root.crt"
                          + " if not given.",
                      "/etc/ssl/db-ca.pem"),
                  new Option("sslcert", "The client's own certificate.", "client.crt"),
                  new Option("sslkey", "The key of the client's own certificate.", "client.pk8")),
              LoadOptions.options().stream())
          .toList();

  private final Function<String, @Nullable String> environment;
  private final ConnectionRoom room = new ConnectionRoom();

  public PostgresConnector() {
    this(System::getenv);
  }

  /// With another environment than the process's own.
  PostgresConnector(Function<String, @Nullable String> environment) {
    this.environment = environment;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public List<String> schemes() {
    return List.of(NAME, "postgres");
  }

  @Override
  public List<Option> options() {
    return OPTIONS;
  }

  /// With libpq's parameters, which a URL takes and a command line does not: an option would go to
  /// both ends.
  @Override
  public List<Option> options(Endpoint endpoint) {
    List<String> names = OPTIONS.stream().map(Option::name).toList();
    Stream<Option> more =
        Address.urlOptions().stream().filter(option -> !names.contains(option.name()));
    return Stream.concat(OPTIONS.stream(), more).toList();
  }

  @Override
  public String ddl(String table, Schema schema) {
    return NewTable.anywhere(schema).createWithKey(QualifiedName.parse(table));
  }

  /// Only whether the table has a log: the other options say how rows get there, not what becomes
  /// of them.
  @Override
  public String writeOptionsKey(Endpoint endpoint) {
    return LoadOptions.of(endpoint).unlogged() ? "unlogged" : "";
  }

  @Override
  public HostLocation place(Endpoint endpoint) {
    Address address = Address.of(endpoint, environment);
    HostLocation.Service server =
        new HostLocation.Service(
            "PostgreSQL",
            address.networkHost(),
            address.port(),
            "postgres",
            List.of("pg_wal", "pg_tblspc"));
    return new HostLocation(List.of(), List.of(server));
  }

  @Override
  public @Nullable Endpoint scratch(Endpoint endpoint, String name) {
    String schema = endpoint.text("table").map(QualifiedName::schemaAsWritten).orElse("");
    return endpoint.with("table", schema + name);
  }

  @Override
  public void discard(Endpoint scratch) {
    QualifiedName table = QualifiedName.parse(scratch.text("table").orElseThrow()).folded();
    try (Session session = new ConnectionFactory(scratch, environment).connect()) {
      session.execute(StagingTable.LOCK_TIMEOUT);
      StagingTable.drop(session, table);
      StagingTable.of(session, table).forEach(staging -> StagingTable.drop(session, staging));
    } catch (Fault e) {
      String left = "The scratch table " + table.label() + " is left behind: " + e.getMessage();
      String dropIt = "Drop it: DROP TABLE " + table.sql() + ";";
      throw e instanceof Fault.Transient passing
          ? new Fault.Transient(left, dropIt, passing.retryAfterMillis(), e)
          : new Fault.External(left, dropIt, e);
    }
  }

  @Override
  public void run(Endpoint end, List<String> statements, OpenContext context) {
    ConnectionFactory connectionFactory = new ConnectionFactory(end, environment, room);
    try (Session session = connectionFactory.connect();
        Blockers blockers = new Blockers(connectionFactory)) {
      context.needs(blockers.waitingOf(session));
      session.useUserSettings();
      statements.forEach(session::execute);
    }
  }

  @Override
  public List<TableEntry> tables(Endpoint end, OpenContext context) {
    return asked(end, context, session -> PostgresTables.of(session, end));
  }

  @Override
  public List<MissingSchema> missingSchemas(List<Endpoint> ends, OpenContext context) {
    return asked(ends.getFirst(), context, session -> PostgresTables.missingSchemas(session, ends));
  }

  @Override
  public Held hold(List<Endpoint> ends, int lanes, OpenContext context) {
    ConnectionFactory connectionFactory = connections(ends.getFirst(), context);
    Session session = connectionFactory.connect();
    try (Blockers blockers = new Blockers(connectionFactory)) {
      context.needs(blockers.waitingOf(session));
      return ExportedSnapshot.take(session, ends);
    }
  }

  private ConnectionFactory connections(Endpoint end, OpenContext context) {
    Shared shared = context.shared();
    return shared == null
        ? new ConnectionFactory(end, environment, room)
        : shared
            .get(SharedConnections.class, () -> new SharedConnections(room))
            .of(end, environment);
  }

  @Override
  public Found definitions(List<Placed> tables, Scope scope, OpenContext context) {
    ConnectionFactory from =
        new ConnectionFactory(tables.getFirst().from().end(), environment, room);
    ConnectionFactory to = new ConnectionFactory(tables.getFirst().to(), environment, room);
    try (Session source = from.connect();
        Blockers ofSource = new Blockers(from);
        Session target = to.connect();
        Blockers ofTarget = new Blockers(to)) {
      context.needs(ofSource.waitingOf(source));
      context.needs(ofTarget.waitingOf(target));
      return DefinitionCopy.of(source, target, tables, scope);
    }
  }

  @Override
  public Structures structures(List<TableEntry> tables, OpenContext context) {
    return asked(
        tables.getFirst().end(),
        context,
        session -> new StructureCatalog(session).structures(tables));
  }

  @Override
  public List<Optional<CopiedDefinition>> statements(List<Structured> tables, OpenContext context) {
    Endpoint end = tables.getFirst().table().to();
    return asked(end, context, session -> new StructureCatalog(session).statements(tables));
  }

  private <T> T asked(Endpoint end, OpenContext context, Function<Session, T> work) {
    ConnectionFactory connectionFactory = new ConnectionFactory(end, environment, room);
    try (Session session = connectionFactory.connect();
        Blockers blockers = new Blockers(connectionFactory)) {
      context.needs(blockers.waitingOf(session));
      return work.apply(session);
    }
  }

  @Override
  public void carryOut(Endpoint to, List<String> statements, boolean again, OpenContext context) {
    ConnectionFactory connectionFactory = connections(to, context);
    try (Session session = connectionFactory.connect();
        Blockers blockers = new Blockers(connectionFactory)) {
      context.needs(blockers.waitingOf(session));
      new StatementRun(session, again).all(statements);
    }
  }

  @Override
  public Source source(Endpoint endpoint, Selection selection, OpenContext context) {
    LoadOptions.refuse(endpoint);
    TableOrQuery relation = TableOrQuery.source(endpoint, PostgresSql.NAMES, "");
    ConnectionFactory connectionFactory = connections(endpoint, context);
    Session session = connectionFactory.connect();
    // Others may have locked what is to be read.
    try (Blockers blockers = new Blockers(connectionFactory)) {
      context.needs(blockers.waitingOf(session));
      SourceOpening opening =
          new SourceOpening(
              connectionFactory, session, selection, endpoint.text(ExportedSnapshot.NAME));
      return switch (relation) {
        case TableOrQuery.Query(String sql) -> opening.ofQuery(sql);
        case TableOrQuery.Table _ ->
            opening.ofTable(QualifiedName.of(endpoint), endpoint.flag(OWN_ROWS, false));
      };
    }
  }

  @Override
  public Target target(Endpoint endpoint, WriteOptions writeOptions, OpenContext context) {
    TableOrQuery.target(endpoint, PostgresSql.NAMES, "");
    return new PostgresTarget(
        connections(endpoint, context),
        QualifiedName.of(endpoint),
        writeOptions,
        LoadOptions.of(endpoint),
        context);
  }

  @Override
  public String tableName(Endpoint endpoint) {
    return endpoint.text("table").map(text -> QualifiedName.parse(text).folded().name()).orElse("");
  }

  @Override
  public OnlineStore online(Endpoint endpoint, OnlineLayout layout, OpenContext context) {
    ConnectionFactory connectionFactory = new ConnectionFactory(endpoint, environment, room);
    return PostgresOnline.open(connectionFactory, endpoint, layout, context);
  }
}
