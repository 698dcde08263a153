package millrace.connectors.sql;

import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import millrace.spi.Endpoint;
import millrace.spi.catalog.TableCatalog.MissingSchema;
import millrace.spi.catalog.TableEntry;
import millrace.spi.catalog.TablePattern;
import millrace.spi.write.StagingName;

/// The tables of a database, for connectors that are a {@link millrace.spi.catalog.TableCatalog}.
/// Views are left out: they hold nothing that the tables do not.
public final class SqlTables {

  private static final String TABLE = "table";

  /// How large a row is if nobody has looked.
  private static final long ROW_BYTES = 100;

  private SqlTables() {}

  /// The tables that an end names.
  ///
  /// @param defaultSchema the schema of tables that are named alone; empty if there is none
  public static List<TableEntry> of(SqlDatabase database, Endpoint end, String defaultSchema) {
    TablePattern pattern = TablePattern.of(end);
    Dialect dialect = database.dialect();
    Names names = dialect.names();
    String schema =
        pattern.schema().isEmpty()
            ? defaultSchema
            : pattern.schemaQuoted() ? pattern.schema() : names.folded(pattern.schema());
    List<TableEntry> entries = new ArrayList<>();
    try (SqlSession session = SqlSession.open(database, false)) {
      for (String name : dialect.catalog().tables(session, schema)) {
        TableName table = new TableName(schema, name);
        boolean isMeant = pattern.matches(name) && !StagingName.isOwn(name);
        TableInfo found = isMeant ? dialect.catalog().find(session, table) : null;
        if (found != null && found.kind() == TableInfo.Kind.TABLE) {
          String within = pattern.schema().isEmpty() ? "" : schema;
          boolean isComputed = found.columns().stream().allMatch(TableInfo.ColumnInfo::generated);
          entries.add(
              isComputed
                  ? computed(entry(end, names, within, table, found), rows(session, names, table))
                  : entry(end, names, within, table, found));
        }
      }
    }
    return entries;
  }

  /// The schemas, or databases of a server that has no schemas, that ends name and that are not
  /// there.
  public static List<MissingSchema> missingSchemas(SqlDatabase database, List<Endpoint> ends) {
    Names names = database.dialect().names();
    Set<String> missing = new TreeSet<>();
    for (Endpoint end : ends) {
      missing.add(TableName.parse(end.text(TABLE).orElse(""), names, "").schema());
    }
    missing.remove("");
    try (SqlSession session = SqlSession.open(database, false)) {
      return session.ask(connection -> {
        DatabaseMetaData meta = connection.getMetaData();
        boolean hasSchemas = meta.supportsSchemasInTableDefinitions();
        try (ResultSet there = hasSchemas ? meta.getSchemas() : meta.getCatalogs()) {
          while (there.next()) {
            String name = there.getString(1);
            missing.removeIf(each -> each.equalsIgnoreCase(name));
          }
        }
        boolean areUsers = meta.getDatabaseProductName().equals("Oracle");
        String kind = hasSchemas ? "schema" : "database";
        String make = "CREATE " + kind.toUpperCase(Locale.ROOT) + " ";
        return missing.stream()
            .map(each -> new MissingSchema(kind, each, areUsers ? "" : make + names.quoted(each)))
            .toList();
      });
    }
  }

  private static TableEntry entry(
      Endpoint end, Names names, String schema, TableName table, TableInfo found) {
    String written = written(names, table.name());
    return new TableEntry(
        schema,
        table.name(),
        written,
        "table",
        found.rows(),
        found.rows() < 0 ? -1 : found.rows() * ROW_BYTES,
        found.key(),
        end.with(TABLE, schema.isEmpty() ? written : written(names, schema) + "." + written));
  }

  /// One whose rows are made with it, as many as there are.
  private static TableEntry computed(TableEntry entry, long rows) {
    return new TableEntry(
        entry.schema(),
        entry.name(),
        entry.written(),
        TableEntry.COMPUTED,
        rows,
        rows * ROW_BYTES,
        entry.key(),
        entry.end());
  }

  private static long rows(SqlSession session, Names names, TableName table) {
    return session
        .query("SELECT count(*) FROM " + table.sql(names), row -> row.getLong(1))
        .getFirst();
  }

  private static String written(Names names, String name) {
    return TablePattern.isPlain(name) && names.folded(name).equals(name)
        ? name
        : TablePattern.quoted(name);
  }
}
