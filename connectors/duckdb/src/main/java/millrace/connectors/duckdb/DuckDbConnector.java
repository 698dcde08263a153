package millrace.connectors.duckdb;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import millrace.connectors.duckdb.load.PairedColumns;
import millrace.connectors.duckdb.read.DuckDbSource;
import millrace.connectors.duckdb.read.QuerySource;
import millrace.data.Schema;
import millrace.fault.Fault;
import millrace.io.FileIdentity;
import millrace.spi.Connector;
import millrace.spi.Endpoint;
import millrace.spi.HostLocation;
import millrace.spi.OpenContext;
import millrace.spi.Option;
import millrace.spi.Scratch;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import millrace.spi.write.Target;
import millrace.spi.write.WriteOptions;

/// Tables of DuckDB files: `duckdb:file.db?table=orders`; queries too.
public final class DuckDbConnector implements Connector, Scratch {

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
        new Option(
            "query",
            "what to read instead of a table: a SELECT in DuckDB's SQL.",
            "SELECT * FROM orders JOIN customers USING (customer_id)"),
        DuckDbDatabase.MEMORY_LIMIT);
  }

  @Override
  public String ddl(String table, Schema schema) {
    return DuckDbTarget.ddl(
        DuckDbSql.Table.parse(table),
        PairedColumns.fresh(table, schema, schema.key()),
        schema.key());
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
  public Source source(Endpoint endpoint, Selection selection, OpenContext context) {
    Path file = file(endpoint);
    String label = endpoint.text("table").map(t -> label(endpoint, t)).orElse(endpoint.label());
    if (!Files.exists(file)) {
      throw new Fault.User(label + ": there is no file " + file + ".", "Correct the path.");
    }
    String reads =
        endpoint
            .text("table")
            .map(name -> DuckDbSql.Table.parse(name).folded())
            .orElse("query " + endpoint.text("query").orElse(""));
    return new DuckDbSource(
        label,
        DuckDbTypes.SYSTEM + " " + FileIdentity.realPath(file) + " " + reads,
        () -> DuckDbDatabase.identity(endpoint.label(), file, endpoint.size("memory-limit", 0)),
        () -> DuckDbDatabase.open(endpoint.label(), file, endpoint.size("memory-limit", 0)),
        catalog -> relation(endpoint, catalog),
        selection);
  }

  /// How much memory it takes decides nothing, and the table its journal knows.
  @Override
  public String landingIdentity(Endpoint endpoint) {
    return "";
  }

  @Override
  public Target target(Endpoint endpoint, WriteOptions writeOptions, OpenContext context) {
    if (endpoint.text("query").isPresent()) {
      throw new Fault.User(
          endpoint.label() + ": a query can't be written to.", "Name a table with table=.");
    }
    return new DuckDbTarget(endpoint, writeOptions, file(endpoint));
  }

  /// How a table is named in plans, reports and errors.
  static String label(Endpoint endpoint, String table) {
    return endpoint.label() + " table " + table;
  }

  private static Path file(Endpoint endpoint) {
    if (endpoint.location().isEmpty() || endpoint.location().equals(":memory:")) {
      throw new Fault.User(
          endpoint.label() + " names no file.", "Write duckdb:path/file.db?table=orders");
    }
    return Path.of(endpoint.location());
  }

  private static QuerySource relation(Endpoint endpoint, DuckDbCatalog catalog) {
    String query = endpoint.text("query").orElse(null);
    String name = endpoint.text("table").orElse(null);
    if (query != null && name != null) {
      throw new Fault.User(
          endpoint.label() + " names both a table and a query.", "Leave one of them out.");
    }
    if (query != null) {
      String sql = query.strip().replaceFirst(";+$", "");
      List<DuckDbCatalog.Described> columns = catalog.describe("SELECT * FROM (" + sql + "\n)");
      return new QuerySource.Query(sql, new DuckDbCatalog.Found(true, columns, List.of()));
    }
    if (name == null) {
      throw new Fault.User(
          endpoint.label() + " does not say what to read.",
          tables(catalog) + " Add one, as in " + endpoint.label() + "?table=orders");
    }
    DuckDbSql.Table table = DuckDbSql.Table.parse(name);
    DuckDbCatalog.Found found = catalog.find(table);
    if (found == null) {
      throw new Fault.User(endpoint.label() + " has no table " + table + ".", tables(catalog));
    }
    return new QuerySource.Table(table, found);
  }

  private static String tables(DuckDbCatalog catalog) {
    List<String> names = catalog.names();
    return names.isEmpty()
        ? "It has no tables."
        : names.stream().limit(20).collect(Collectors.joining(", ", "It has ", "."));
  }
}
