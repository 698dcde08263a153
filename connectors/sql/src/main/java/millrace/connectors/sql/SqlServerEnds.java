package millrace.connectors.sql;

import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import millrace.fault.Fault;
import millrace.spi.Endpoint;
import millrace.spi.OpenContext;
import millrace.spi.Scratch;
import millrace.spi.StatementRunner;
import millrace.spi.catalog.CopiedDefinition;
import millrace.spi.catalog.TableCatalog;
import millrace.spi.catalog.TableDefinitions;
import millrace.spi.catalog.TableEntry;
import millrace.spi.catalog.TableStructures;
import org.jspecify.annotations.Nullable;

/// What the connector of a server can do beside its copies; it answers with this if it is asked for
/// one of these capabilities.
///
/// @param opener opens the database that an end names
/// @param purge what stands behind the name of a table that is dropped for good; may be empty
/// @param definitions reads how tables are defined
/// @param thereAlready the errors by which the server says that something is there already
/// @param structures how tables of one of its products become tables of another; null if there is
///   one product
public record SqlServerEnds(
    Function<Endpoint, Opened> opener,
    String purge,
    Definitions definitions,
    Set<Integer> thereAlready,
    @Nullable TableStructures structures)
    implements Scratch, TableCatalog, StatementRunner, TableDefinitions {

  /// Begins a query among statements that finds what is wrong, in words; nothing if all is well.
  public static final String NO_ROWS = "/* no rows */ ";

  /// A database that an end names.
  ///
  /// @param schema that of tables that are named alone
  /// @param product tables are made like others of the same product
  /// @param release closes what belongs to it
  public record Opened(SqlDatabase database, String schema, String product, Runnable release)
      implements AutoCloseable {

    @Override
    public void close() {
      release.run();
    }

    private Names names() {
      return database.dialect().names();
    }
  }

  /// A table and the one that it goes to.
  public record Route(TableName from, TableName to) {}

  /// Reads how tables are defined.
  @FunctionalInterface
  public interface Definitions {

    /// The definitions of tables; none of one whose target is there.
    ///
    /// @param dialect the target's
    /// @param routes in the order of the tables
    /// @param scope how much else comes along; what the system can't bring is named as left
    Found of(
        SqlSession source, SqlSession target, Dialect dialect, List<Route> routes, Scope scope);
  }

  @Override
  public Endpoint scratch(Endpoint endpoint, String name) {
    return ScratchTable.beside(endpoint, name);
  }

  @Override
  public void discard(Endpoint scratch) {
    try (Opened open = opener.apply(scratch)) {
      TableName table = TableOrQuery.target(scratch, open.names(), open.schema);
      ScratchTable.discard(open.database, table, purge);
    }
  }

  @Override
  public void run(Endpoint end, List<String> statements, OpenContext context) {
    try (Opened open = opener.apply(end)) {
      open.database.run(statements, context);
    }
  }

  @Override
  public List<TableEntry> tables(Endpoint end, OpenContext context) {
    try (Opened open = opener.apply(end)) {
      return SqlTables.of(open.database, end, open.schema);
    }
  }

  @Override
  public List<MissingSchema> missingSchemas(List<Endpoint> ends, OpenContext context) {
    try (Opened open = opener.apply(ends.getFirst())) {
      return SqlTables.missingSchemas(open.database, ends);
    }
  }

  /// Between two products tables become what their structures say: each declares columns in ways
  /// that the other refuses.
  @Override
  public Found definitions(List<Placed> tables, Scope scope, OpenContext context) {
    try (Opened from = opener.apply(tables.getFirst().from().end());
        Opened to = opener.apply(tables.getFirst().to())) {
      if (!from.product.equals(to.product)) {
        return structures == null
            ? Found.ofTables(
                tables.stream().map(_ -> CopiedDefinition.NONE).toList(), List.of(), List.of())
            : TableStructures.between(structures, structures, tables, context);
      }
      try (SqlSession source = SqlSession.open(from.database, false);
          SqlSession target = SqlSession.open(to.database, false)) {
        List<Route> routes = tables.stream().map(table -> route(table, from.schema, to)).toList();
        Map<String, String> labels = new HashMap<>();
        for (int i = 0; i < routes.size(); i++) {
          labels.put(routes.get(i).from().label(), tables.get(i).from().label());
        }
        return definitions
            .of(source, target, to.database.dialect(), routes, scope)
            .withReferences(label -> labels.getOrDefault(label, ""));
      }
    }
  }

  private static Route route(Placed table, String schema, Opened to) {
    TableEntry from = table.from();
    return new Route(
        new TableName(from.schema().isEmpty() ? schema : from.schema(), from.name()),
        TableName.parse(table.to().text("table").orElseThrow(), to.names(), to.schema));
  }

  /// Each statement stays: the server commits before and after it.
  @Override
  public void carryOut(Endpoint to, List<String> statements, boolean again, OpenContext context) {
    try (Opened open = opener.apply(to);
        SqlSession session = SqlSession.open(open.database, true)) {
      statements.forEach(statement -> carryOut(session, statement, again));
    }
  }

  private void carryOut(SqlSession session, String statement, boolean again) {
    if (statement.startsWith(NO_ROWS)) {
      List<String> wrong = session.query(statement, row -> row.getString(1));
      if (!wrong.isEmpty()) {
        throw new Fault.User(
            "It is made, but does not compile: " + wrong.getFirst(),
            "Make what it lacks; it is compiled when it is used.");
      }
      return;
    }
    try {
      session.execute(statement);
    } catch (Fault e) {
      if (!(again && e.getCause() instanceof SQLException cause && isThere(cause))) {
        throw CopiedDefinition.refused(
            statement, "Make what it lacks and go on, or make it yourself.", e);
      }
    }
  }

  /// MariaDB has one number for a foreign key that is there and for one that is none: 150 is the
  /// engine's own for the latter.
  private boolean isThere(SQLException e) {
    return thereAlready.contains(e.getErrorCode())
        && !String.valueOf(e.getMessage()).contains("errno: 150");
  }
}
