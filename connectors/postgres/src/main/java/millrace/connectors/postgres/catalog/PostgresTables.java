package millrace.connectors.postgres.catalog;

import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import millrace.connectors.postgres.net.Session;
import millrace.spi.Endpoint;
import millrace.spi.catalog.TableCatalog.MissingSchema;
import millrace.spi.catalog.TableEntry;
import millrace.spi.catalog.TablePattern;
import millrace.spi.write.StagingName;

/// The tables that an end names.
///
/// Left out: views, which hold nothing that tables do not; partitions, which are read with their
/// parents; tables of extensions. Tables that inherit have rows of their own, and so have those
/// that they inherit from.
public final class PostgresTables {

  private static final String TABLES =
      """
      SELECT n.nspname, c.relname, c.reltuples,
        (SELECT sum(pg_catalog.pg_relation_size(each.oid)) FROM (
            SELECT c.oid UNION SELECT i.inhrelid FROM pg_catalog.pg_inherits i
            WHERE i.inhparent = c.oid AND c.relkind = 'p') each),
        ARRAY(SELECT a.attname FROM pg_catalog.pg_index x
            CROSS JOIN LATERAL pg_catalog.generate_subscripts(x.indkey, 1) AS k(at)
            JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum = x.indkey[k.at]
            WHERE x.indrelid = c.oid AND x.indisprimary ORDER BY k.at),
        (SELECT CASE WHEN pg_catalog.count(*) = 0 THEN '%s'
            WHEN pg_catalog.bool_and(a.attgenerated <> '') THEN '%s'
            ELSE 'table' END
          FROM pg_catalog.pg_attribute a
          WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped),
        c.relkind = 'r' AND EXISTS (
          SELECT FROM pg_catalog.pg_inherits i WHERE i.inhparent = c.oid)
      FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
      WHERE c.relkind IN ('r', 'p') AND c.relpersistence <> 't'
        AND n.nspname <> 'information_schema' AND n.nspname !~ '^pg_'
        AND CASE WHEN ? THEN true WHEN ? = '' THEN n.nspname = pg_catalog.current_schema()
            ELSE n.nspname = ? OR (? AND n.nspname = pg_catalog.lower(?)) END
        AND NOT c.relispartition
        AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend d
            WHERE d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass AND d.objid = c.oid
              AND d.deptype = 'e')
      ORDER BY 1, 2
      """
          .formatted(TableEntry.NO_COLUMNS, TableEntry.COMPUTED);

  private PostgresTables() {}

  /// Lists them, in the order of their names.
  public static List<TableEntry> of(Session session, Endpoint end) {
    TablePattern pattern = TablePattern.of(end);
    boolean isWild = !pattern.schemaQuoted() && pattern.schema().matches(".*[*?].*");
    return session
        .query(
            TABLES,
            row -> found(session, row, end),
            isWild,
            pattern.schema(),
            pattern.schema(),
            !pattern.schemaQuoted(),
            pattern.schema())
        .stream()
        .filter(found ->
            isWild
                ? pattern.matchesIn(found.schema(), found.name())
                : pattern.matches(found.name()))
        .filter(found -> !StagingName.isOwn(found.name()))
        .toList();
  }

  /// The schemas that ends name and that are not there. Those of temporary tables are each
  /// session's.
  public static List<MissingSchema> missingSchemas(Session session, List<Endpoint> ends) {
    List<QualifiedName> named =
        ends.stream()
            .map(end -> QualifiedName.parse(end.text("table").orElse("")))
            .filter(name -> name.schema() != null)
            .toList();
    return session.query(
        """
        SELECT DISTINCT name, pg_catalog.format('CREATE SCHEMA %I', name)
        FROM unnest(?::text[], ?::text[]) AS each(written, name)
        WHERE name !~ '^pg_temp' AND NOT EXISTS (
          SELECT FROM pg_catalog.pg_namespace WHERE nspname IN (written, name))
        ORDER BY 1
        """,
        row -> new MissingSchema("schema", row.getString(1), row.getString(2)),
        named.stream().map(QualifiedName::schema).toArray(String[]::new),
        named.stream().map(name -> name.folded().schema()).toArray(String[]::new));
  }

  private static TableEntry found(Session session, ResultSet row, Endpoint end)
      throws SQLException {
    String schema = row.getString(1);
    String name = row.getString(2);
    Array key = row.getArray(5);
    String kind = row.getString(6);
    QualifiedName table = new QualifiedName(schema, name, true);
    return new TableEntry(
        schema,
        name,
        new QualifiedName(null, name, true).label(),
        kind,
        kind.equals("table")
            ? Math.round(Math.max(-1, row.getDouble(3)))
            : session.one("SELECT count(*) FROM " + table.sql(), each -> each.getLong(1)),
        row.getLong(4),
        List.of((String[]) key.getArray()),
        row.getBoolean(7)
            ? end.with("table", table.label()).with("own-rows", "true")
            : end.with("table", table.label()));
  }
}
