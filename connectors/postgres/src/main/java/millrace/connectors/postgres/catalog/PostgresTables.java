package millrace.connectors.postgres.catalog;

import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Collectors;
import millrace.connectors.postgres.net.Session;
import millrace.spi.Endpoint;
import millrace.spi.catalog.TableEntry;
import millrace.spi.catalog.TableList;
import millrace.spi.catalog.TablePattern;
import millrace.spi.write.StagingName;

/// The tables that an end names, kept as they are at one moment by a transaction that has locked
/// them against being emptied or dropped, and whose snapshot their readers share.
///
/// Left out: views, which hold nothing that tables do not; partitions and tables that inherit,
/// which are read with their parents; tables of extensions.
public final class PostgresTables implements TableList {

  /// The parameter by which a reader is told which snapshot it shares.
  public static final String SNAPSHOT = "snapshot";

  private static final String TABLES =
      """
      SELECT n.nspname, c.relname, c.reltuples,
        (SELECT sum(pg_catalog.pg_relation_size(each.oid)) FROM (
            SELECT c.oid UNION SELECT i.inhrelid FROM pg_catalog.pg_inherits i
            WHERE i.inhparent = c.oid) each),
        ARRAY(SELECT a.attname FROM pg_catalog.pg_index x
            CROSS JOIN LATERAL pg_catalog.generate_subscripts(x.indkey, 1) AS k(at)
            JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum = x.indkey[k.at]
            WHERE x.indrelid = c.oid AND x.indisprimary ORDER BY k.at),
        pg_catalog.has_table_privilege(c.oid, 'SELECT')
      FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
      WHERE c.relkind IN ('r', 'p') AND c.relpersistence <> 't'
        AND n.nspname <> 'information_schema' AND n.nspname !~ '^pg_'
        AND CASE WHEN ? = '' THEN n.nspname = pg_catalog.current_schema()
            ELSE n.nspname = ? OR (? AND n.nspname = pg_catalog.lower(?)) END
        AND NOT EXISTS (SELECT FROM pg_catalog.pg_inherits i WHERE i.inhrelid = c.oid)
        AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend d
            WHERE d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass AND d.objid = c.oid
              AND d.deptype = 'e')
      ORDER BY 1, 2
      """;

  private final Session session;
  private final List<TableEntry> entries;

  private PostgresTables(Session session, List<TableEntry> entries) {
    this.session = session;
    this.entries = entries;
  }

  private record Found(TableEntry entry, boolean readable) {

    String sql() {
      return new QualifiedName(entry.schema(), entry.name(), true).sql();
    }
  }

  /// Lists and locks them.
  ///
  /// @param session is the list's from here on, and closed if it can't be made
  public static PostgresTables open(Session session, Endpoint end) {
    try {
      String locks =
          find(session, end).stream()
              .filter(Found::readable)
              .map(Found::sql)
              .collect(Collectors.joining(", "));
      session.execute(Session.BEGIN_READING);
      if (!locks.isEmpty()) {
        // Before the first query: the snapshot is then not older than the locks.
        session.execute("LOCK TABLE " + locks + " IN ACCESS SHARE MODE");
      }
      String snapshot =
          session.one("SELECT pg_catalog.pg_export_snapshot()", row -> row.getString(1));
      return new PostgresTables(
          session,
          find(session, end).stream().map(found -> reading(found.entry, snapshot)).toList());
    } catch (RuntimeException e) {
      session.close();
      throw e;
    }
  }

  private static List<Found> find(Session session, Endpoint end) {
    TablePattern pattern = TablePattern.of(end);
    return session
        .query(
            TABLES,
            row -> found(row, end),
            pattern.schema(),
            pattern.schema(),
            !pattern.schemaQuoted(),
            pattern.schema())
        .stream()
        .filter(found -> pattern.matches(found.entry.name()))
        .filter(found -> !StagingName.isOwn(found.entry.name()))
        .toList();
  }

  private static Found found(ResultSet row, Endpoint end) throws SQLException {
    String schema = row.getString(1);
    String name = row.getString(2);
    Array key = row.getArray(5);
    return new Found(
        new TableEntry(
            schema,
            name,
            new QualifiedName(null, name, true).label(),
            "table",
            Math.round(Math.max(-1, row.getDouble(3))),
            row.getLong(4),
            List.of((String[]) key.getArray()),
            end),
        row.getBoolean(6));
  }

  private static TableEntry reading(TableEntry entry, String snapshot) {
    QualifiedName name = new QualifiedName(entry.schema(), entry.name(), true);
    return new TableEntry(
        entry.schema(),
        entry.name(),
        entry.written(),
        entry.kind(),
        entry.rows(),
        entry.bytes(),
        entry.key(),
        entry.end().with("table", name.label()).with(SNAPSHOT, snapshot));
  }

  @Override
  public List<TableEntry> entries() {
    return entries;
  }

  @Override
  public String state() {
    return "all tables as they were at one moment";
  }

  @Override
  public void close() {
    session.close();
  }
}
