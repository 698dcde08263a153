package millrace.connectors.sql.structure;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import millrace.connectors.sql.Dialect;
import millrace.connectors.sql.SqlDatabase;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TableInfo;
import millrace.connectors.sql.TableName;
import millrace.connectors.sql.structure.StructureFacts.ReadTable;
import millrace.data.Column;
import millrace.data.TableComments;
import millrace.fault.Fault;
import millrace.spi.Endpoint;
import millrace.spi.OpenContext;
import millrace.spi.catalog.CopiedDefinition;
import millrace.spi.catalog.LeftOut;
import millrace.spi.catalog.TableEntry;
import millrace.spi.catalog.TableStructure;
import millrace.spi.catalog.TableStructures;

/// What tables have beside columns and rows, in and out of a database with a dialect.
///
/// @param opener opens the database that an end names
public record SqlStructures(Function<Endpoint, Opened> opener) implements TableStructures {

  /// A database that an end names.
  ///
  /// @param schema that of tables that are named alone
  /// @param reader what its catalog says
  /// @param spelling how it gives tables what structures say
  /// @param release closes what belongs to it
  public record Opened(
      SqlDatabase database,
      String schema,
      FactReader reader,
      StructureSpelling spelling,
      Runnable release)
      implements AutoCloseable {

    @Override
    public void close() {
      release.run();
    }
  }

  /// Asks a catalog.
  @FunctionalInterface
  public interface FactReader {

    /// What it says of some tables of a schema.
    StructureFacts read(SqlSession session, String schema, List<String> tables);
  }

  @Override
  public Structures structures(List<TableEntry> tables, OpenContext context) {
    try (Opened open = opener.apply(tables.getFirst().end());
        SqlSession session = SqlSession.open(open.database, false)) {
      context.needs(session);
      Map<TableName, String> labels = new HashMap<>();
      Map<String, List<String>> schemas = new TreeMap<>();
      List<TableName> names = new ArrayList<>();
      for (TableEntry table : tables) {
        String schema = table.schema().isEmpty() ? open.schema : table.schema();
        TableName name = new TableName(schema, table.name());
        names.add(name);
        labels.put(name, table.label());
        schemas.computeIfAbsent(schema, _ -> new ArrayList<>()).add(table.name());
      }
      Map<String, StructureFacts> facts = new HashMap<>();
      schemas.forEach(
          (schema, within) -> facts.put(schema, open.reader.read(session, schema, within)));
      List<LeftOut> leftOut =
          schemas.keySet().stream()
              .flatMap(each -> facts.getOrDefault(each, StructureFacts.NONE).leftOut().stream())
              .toList();
      List<TableStructure> structures = new ArrayList<>();
      for (TableName name : names) {
        structures.add(
            facts
                .getOrDefault(name.schema(), StructureFacts.NONE)
                .structure(read(open.database.dialect(), session, name), labels::get));
      }
      return new Structures(structures, leftOut);
    }
  }

  private static ReadTable read(Dialect dialect, SqlSession session, TableName name) {
    TableInfo info = dialect.catalog().find(session, name);
    if (info == null) {
      throw new Fault.User("There is no table " + name.label() + " any more.", "Begin again.");
    }
    List<String> invisible = info.invisible(false);
    List<Column> columns =
        info.columns().stream()
            .filter(column -> !invisible.contains(column.name()))
            .map(column -> column.column(dialect.types()))
            .toList();
    TableComments comments = dialect.catalog().comments(session, name);
    return new ReadTable(name, columns, comments);
  }

  @Override
  public List<Optional<CopiedDefinition>> statements(List<Structured> tables, OpenContext context) {
    try (Opened open = opener.apply(tables.getFirst().table().to())) {
      Dialect dialect = open.database.dialect();
      List<StructureStatements.Made> all = new ArrayList<>();
      List<Boolean> there = new ArrayList<>();
      if (open.database.exists().getAsBoolean()) {
        try (SqlSession session = SqlSession.open(open.database, false)) {
          context.needs(session);
          for (Structured each : tables) {
            there.add(dialect.catalog().exists(session, target(each, open)));
          }
        }
      }
      for (Structured each : tables) {
        all.add(
            new StructureStatements.Made(
                each.table().from(), target(each, open), each.structure()));
      }
      StructureStatements statements =
          new StructureStatements(
              open.spelling,
              (column, keyColumns) -> {
                String declared = dialect.types().declaration(column);
                return keyColumns > 0 ? dialect.writes().keyed(declared, keyColumns) : declared;
              },
              dialect.writes().commentStyle());
      Iterator<Boolean> exists = there.iterator();
      return statements.of(all).stream()
          .map(each ->
              exists.hasNext() && exists.next()
                  ? Optional.<CopiedDefinition>empty()
                  : Optional.of(each))
          .toList();
    }
  }

  private static TableName target(Structured table, Opened open) {
    return TableName.parse(
        table.table().to().text("table").orElseThrow(),
        open.database.dialect().names(),
        open.schema);
  }
}
