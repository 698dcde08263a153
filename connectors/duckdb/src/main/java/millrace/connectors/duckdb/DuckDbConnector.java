package millrace.connectors.duckdb;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import millrace.connectors.duckdb.online.DuckDbOnline;
import millrace.connectors.duckdb.read.DuckDbSource;
import millrace.connectors.duckdb.read.QuerySource;
import millrace.connectors.sql.KeptFiles;
import millrace.connectors.sql.SqlDatabase;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.SqlTables;
import millrace.connectors.sql.TableInfo;
import millrace.connectors.sql.TableName;
import millrace.connectors.sql.TableOrQuery;
import millrace.connectors.sql.read.HeldState;
import millrace.connectors.sql.read.HeldStates;
import millrace.connectors.sql.structure.SqlStructures;
import millrace.connectors.sql.write.SqlTarget;
import millrace.data.Schema;
import millrace.fault.Fault;
import millrace.io.FileIdentity;
import millrace.spi.Connector;
import millrace.spi.Endpoint;
import millrace.spi.HostLocation;
import millrace.spi.OpenContext;
import millrace.spi.Option;
import millrace.spi.Scratch;
import millrace.spi.StatementRunner;
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

/// Tables of DuckDB files: `duckdb:file.db?table=orders`; queries too.
public final class DuckDbConnector
    implements Connector,
        Scratch,
        Online,
        TableCatalog,
        StatementRunner,
        SharedSnapshot,
        TableDefinitions {

  private static final SqlStructures STRUCTURES = new SqlStructures(DuckDbConnector::structured);

  @Override
  public <T> @Nullable T capability(Class<T> type) {
    return type == TableStructures.class ? type.cast(STRUCTURES) : Connector.super.capability(type);
  }

  /// A file that is not there yet is not made by a look at it.
  private static SqlStructures.Opened structured(Endpoint end) {
    Path file = file(end);
    boolean exists = Files.exists(file);
    DuckDbDatabase database =
        exists
            ? DuckDbDatabase.open(end.label(), file, end.size("memory-limit", 0))
            : DuckDbDatabase.inMemory(end.label(), 0);
    return new SqlStructures.Opened(
        sql(end, database),
        DuckDbSql.MAIN,
        DuckDbStructures.READER,
        DuckDbStructures.SPELLING,
        database::close);
  }

  @Override
  public String name() {
    return DuckDbTypes.SYSTEM;
  }

  @Override
  public List<String> schemes() {
    return List.of("duckdb");
  }

  @Override
  public List<Option> options() {
    return List.of(
        new Option("table", "the table or view, with its schema unless that is main.", "orders"),
        TableOrQuery.options("DuckDB").getLast(),
        DuckDbDatabase.MEMORY_LIMIT);
  }

  @Override
  public String ddl(String table, Schema schema) {
    return SqlTarget.ddl(DuckDbDialect.DUCKDB, DuckDbSql.table(table), schema);
  }

  @Override
  public HostLocation place(Endpoint endpoint) {
    return HostLocation.of(file(endpoint));
  }

  @Override
  public Endpoint scratch(Endpoint endpoint, String name) {
    return endpoint.beside(name);
  }

  @Override
  public void discard(Endpoint scratch) {
    DuckDbDatabase.delete(Path.of(scratch.location()));
  }

  @Override
  public void run(Endpoint end, List<String> statements, OpenContext context) {
    try (DuckDbDatabase database = opened(end)) {
      sql(end, database).run(statements, context);
    }
  }

  @Override
  public List<TableEntry> tables(Endpoint end, OpenContext context) {
    Path file = file(end);
    checkExists(end.label(), file);
    try (DuckDbDatabase database = opened(end)) {
      return SqlTables.of(sql(end, database), end, DuckDbSql.MAIN);
    }
  }

  /// As long as this process has the file open, no other may write to it.
  @Override
  public Held hold(List<Endpoint> ends, int lanes, OpenContext context) {
    Endpoint end = ends.getFirst();
    Path file = file(end);
    checkExists(end.label(), file);
    if (context.shared() == null) {
      return Held.none(ends, "DuckDB lets no second process open a file that one has open");
    }
    long memoryBytes = end.size("memory-limit", 0);
    String identity = DuckDbDatabase.identity(end.label(), file, memoryBytes);
    DuckDbDatabase database = DuckDbDatabase.open(end.label(), file, memoryBytes);
    // As a source sets it that has the file for itself.
    database.threads(1);
    HeldState state = new HeldState(identity, List.of(), List.of(), database::close);
    HeldStates.keep(state, ends, context);
    return Held.all(ends, state::close);
  }

  @Override
  public Found definitions(List<Placed> tables, Scope scope, OpenContext context) {
    Endpoint from = tables.getFirst().from().end();
    Endpoint to = tables.getFirst().to();
    checkExists(from.label(), file(from));
    try (DuckDbDatabase read = opened(from);
        SqlSession source = SqlSession.open(sql(from, read), false)) {
      if (!Files.exists(file(to))) {
        return DuckDbDefinitions.of(source, null, tables, scope);
      }
      try (DuckDbDatabase written = opened(to);
          SqlSession target = SqlSession.open(sql(to, written), false)) {
        return DuckDbDefinitions.of(source, target, tables, scope);
      }
    }
  }

  @Override
  public void carryOut(Endpoint to, List<String> statements, boolean again, OpenContext context) {
    try (DuckDbDatabase database = opened(to)) {
      DuckDbDefinitions.carryOut(sql(to, database), statements, again);
    }
  }

  private static DuckDbDatabase opened(Endpoint end) {
    return DuckDbDatabase.open(end.label(), file(end), end.size("memory-limit", 0));
  }

  private static SqlDatabase sql(Endpoint end, DuckDbDatabase database) {
    return new SqlDatabase(
        end.label(), DuckDbDialect.DUCKDB, () -> true, _ -> database.own(), () -> {});
  }

  private static void checkExists(String label, Path file) {
    if (!Files.exists(file)) {
      throw new Fault.User(label + ": there is no file " + file + ".", "Correct the path.");
    }
  }

  @Override
  public Source source(Endpoint endpoint, Selection selection, OpenContext context) {
    Path file = file(endpoint);
    String label = TableOrQuery.label(endpoint);
    checkExists(label, file);
    long memoryBytes = endpoint.size("memory-limit", 0);
    HeldState held = HeldStates.find(endpoint, context);
    String reads =
        endpoint
            .text("table")
            .map(name -> DuckDbSql.identity(DuckDbSql.table(name)))
            .orElse("query " + endpoint.text("query").orElse(""));
    return new DuckDbSource(
        label,
        DuckDbTypes.SYSTEM + " " + FileIdentity.realPath(file) + " " + reads,
        held == null
            ? () -> DuckDbDatabase.identity(endpoint.label(), file, memoryBytes)
            : held::identity,
        () -> DuckDbDatabase.open(endpoint.label(), file, memoryBytes),
        session -> relation(endpoint, session),
        selection);
  }

  /// How much memory it takes decides nothing, and the table its journal knows.
  @Override
  public String writeOptionsKey(Endpoint endpoint) {
    return "";
  }

  @Override
  public Target target(Endpoint endpoint, WriteOptions writeOptions, OpenContext context) {
    TableName table = TableOrQuery.target(endpoint, DuckDbSql.NAMES, DuckDbSql.MAIN);
    String label = TableOrQuery.label(endpoint);
    DuckDbWay way =
        new DuckDbWay(
            label,
            endpoint.label(),
            file(endpoint),
            endpoint.size("memory-limit", 0),
            KeptFiles.of(context));
    return new SqlTarget(way.database(), table, label, writeOptions, way);
  }

  @Override
  public String tableName(Endpoint endpoint) {
    return endpoint.text("table").map(text -> DuckDbSql.table(text).name()).orElse("");
  }

  @Override
  public OnlineStore online(Endpoint endpoint, OnlineLayout layout, OpenContext context) {
    Path file = file(endpoint);
    long memoryBytes = endpoint.size("memory-limit", 0);
    return DuckDbOnline.open(
        endpoint, () -> DuckDbDatabase.open(endpoint.label(), file, memoryBytes), layout, context);
  }

  private static Path file(Endpoint endpoint) {
    if (endpoint.location().isEmpty() || endpoint.location().equals(":memory:")) {
      throw new Fault.User(
          endpoint.label() + " names no file.", "Write duckdb:path/file.db?table=orders");
    }
    return Path.of(endpoint.location());
  }

  private static QuerySource relation(Endpoint endpoint, SqlSession session) {
    return switch (TableOrQuery.of(endpoint, DuckDbSql.NAMES, DuckDbSql.MAIN)) {
      case TableOrQuery.Query(String sql) ->
          new QuerySource.Query(sql, DuckDbDialect.DUCKDB.catalog().describe(session, sql));
      case TableOrQuery.Table(TableName table) -> {
        TableInfo found = DuckDbDialect.DUCKDB.catalog().find(session, table);
        if (found == null) {
          throw new Fault.User(
              endpoint.label() + " has no table " + DuckDbSql.shown(table) + ".",
              TableOrQuery.tables(DuckDbCatalog.names(session)));
        }
        yield new QuerySource.Table(table, found);
      }
      case null ->
          throw new Fault.User(
              endpoint.label() + " does not say what to read.",
              TableOrQuery.tables(DuckDbCatalog.names(session))
                  + " Add one, as in "
                  + endpoint.label()
                  + "?table=orders");
    };
  }
}
