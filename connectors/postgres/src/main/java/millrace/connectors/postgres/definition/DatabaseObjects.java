package millrace.connectors.postgres.definition;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import millrace.connectors.postgres.catalog.PostgresSql;
import millrace.connectors.postgres.definition.DatabaseObject.CatalogRow;
import millrace.connectors.postgres.definition.DatabaseObject.Phase;
import millrace.connectors.postgres.net.Session;
import org.jspecify.annotations.Nullable;

/// What a database holds of its users' own, and what of it needs what else. What extensions bring
/// stands for the extension.
///
/// Read with `pg_catalog` alone on the search path, so that the server spells names whole.
final class DatabaseObjects {

  /// Rows of catalogs that are a part of others: columns of a table, types of rows and of arrays,
  /// partitions, the query of a view. Keys and indexes of a table come when its rows are in.
  private static final String PARTS =
      """
      SELECT 'pg_class'::regclass::bigint, i.inhrelid::bigint, 'pg_class'::regclass::bigint,
          i.inhparent::bigint, false
        FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid AND c.relispartition
          AND c.relkind IN ('r', 'p')
      UNION ALL SELECT 'pg_class'::regclass::bigint, c.oid::bigint, d.refclassid::bigint,
          d.refobjid::bigint, false
        FROM pg_class c JOIN pg_depend d ON d.classid = 'pg_class'::regclass AND d.objid = c.oid
          AND d.deptype IN ('a', 'i') AND d.refclassid = 'pg_class'::regclass
        WHERE c.relkind = 'S'
      UNION ALL SELECT 'pg_class'::regclass::bigint, i.indexrelid::bigint,
          'pg_class'::regclass::bigint, i.indrelid::bigint, c.relkind IN ('r', 'p')
        FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
      UNION ALL SELECT 'pg_class'::regclass::bigint, c.oid::bigint, 'pg_type'::regclass::bigint,
          c.reltype::bigint, false
        FROM pg_class c WHERE c.relkind = 'c'
      UNION ALL SELECT 'pg_type'::regclass::bigint, t.oid::bigint, 'pg_class'::regclass::bigint,
          t.typrelid::bigint, false
        FROM pg_type t JOIN pg_class c ON c.oid = t.typrelid AND c.relkind <> 'c'
      UNION ALL SELECT 'pg_type'::regclass::bigint, t.typarray::bigint,
          'pg_type'::regclass::bigint, t.oid::bigint, false
        FROM pg_type t WHERE t.typarray <> 0
      UNION ALL SELECT 'pg_type'::regclass::bigint, (to_jsonb(r) ->> 'rngmultitypid')::bigint,
          'pg_type'::regclass::bigint, r.rngtypid::bigint, false
        FROM pg_range r WHERE to_jsonb(r) ->> 'rngmultitypid' IS NOT NULL
      UNION ALL SELECT 'pg_rewrite'::regclass::bigint, r.oid::bigint,
          'pg_class'::regclass::bigint, r.ev_class::bigint, false
        FROM pg_rewrite r WHERE r.rulename = '_RETURN'
      UNION ALL SELECT 'pg_attrdef'::regclass::bigint, f.oid::bigint,
          'pg_class'::regclass::bigint, f.adrelid::bigint, false
        FROM pg_attrdef f
      UNION ALL SELECT 'pg_constraint'::regclass::bigint, k.oid::bigint,
          CASE WHEN k.contypid <> 0 THEN 'pg_type'::regclass ELSE 'pg_class'::regclass END::bigint,
          CASE WHEN k.contypid <> 0 THEN k.contypid ELSE k.conrelid END::bigint, k.contypid = 0
        FROM pg_constraint k
      """;

  private static final String COMMENTS =
      """
      SELECT d.classoid::bigint, d.objoid::bigint, i.type, i.identity,
        CASE i.type WHEN 'domain constraint' THEN (
            SELECT format('CONSTRAINT %I ON DOMAIN %s', k.conname,
              format_type(k.contypid, NULL))
            FROM pg_constraint k WHERE k.oid = d.objoid)
          WHEN 'aggregate' THEN concat('AGGREGATE ', replace(i.identity, '()', '(*)'))
          ELSE concat(CASE WHEN i.type LIKE '% column' THEN 'COLUMN'
            WHEN i.type = 'table constraint' THEN 'CONSTRAINT'
            WHEN i.type = 'statistics object' THEN 'STATISTICS' ELSE upper(i.type) END, ' ',
            i.identity) END, d.description
      FROM pg_description d
      CROSS JOIN LATERAL pg_identify_object(d.classoid, d.objoid, d.objsubid) i
      WHERE i.type NOT IN ('table', 'table column', 'extension')
        AND (d.objoid >= 16384 OR d.classoid = 'pg_namespace'::regclass)
      ORDER BY 3, 4
      """;

  private final Session session;
  private final Map<CatalogRow, DatabaseObject> objects = new LinkedHashMap<>();
  private final Map<CatalogRow, Part> parts = new HashMap<>();
  private final Map<CatalogRow, CatalogRow> ofExtensions = new HashMap<>();
  private final Map<CatalogRow, Set<CatalogRow>> needs = new HashMap<>();
  private final Set<CatalogRow> needKeys = new HashSet<>();

  /// @param late whether it is made after rows
  private record Part(CatalogRow whole, boolean late) {}

  private DatabaseObjects(Session session) {
    this.session = session;
  }

  static DatabaseObjects read(Session session) {
    DatabaseObjects read = new DatabaseObjects(session);
    ObjectSql.BEFORE.forEach(kind -> read.add(kind, Phase.BEFORE_ROWS));
    ObjectSql.AFTER.forEach(kind -> read.add(kind, Phase.AFTER_ROWS));
    ObjectSql.OTHERS.forEach(kind -> read.add(kind, Phase.NEVER));
    read.link();
    read.comments();
    return read;
  }

  private void add(ObjectSql.Kind kind, Phase phase) {
    String sql =
        ObjectSql.WITH
            + """
            SELECT '%1$s'::regclass::bigint, each.oid::bigint, n.nspname, i.type, i.identity,
              array_remove(each.statements, NULL)
            FROM (%2$s) AS each(oid, nsp, statements)
            JOIN pg_namespace n ON n.oid = each.nsp
            CROSS JOIN LATERAL pg_identify_object('%1$s'::regclass, each.oid, 0) i
            WHERE ((n.nspname !~ '^pg_' AND n.nspname <> 'information_schema')
                OR '%1$s' = 'pg_extension')
              AND NOT EXISTS (SELECT FROM pg_depend e WHERE e.classid = '%1$s'::regclass
                AND e.objid = each.oid AND e.deptype = 'e')
            ORDER BY i.identity COLLATE "C"
            """
                .replace("%1$s", kind.catalog())
                .replace("%2$s", kind.sql());
    session
        .query(sql, row -> object(row, phase))
        .forEach(object -> objects.put(object.id(), object));
  }

  private static DatabaseObject object(ResultSet row, Phase phase) throws SQLException {
    return new DatabaseObject(
        new CatalogRow(row.getLong(1), row.getLong(2)),
        row.getString(3),
        row.getString(4),
        row.getString(5),
        Arrays.asList((String[]) row.getArray(6).getArray()),
        phase);
  }

  private void link() {
    session
        .query(
            PARTS,
            row ->
                Map.entry(
                    new CatalogRow(row.getLong(1), row.getLong(2)),
                    new Part(new CatalogRow(row.getLong(3), row.getLong(4)), row.getBoolean(5))))
        .forEach(entry -> parts.put(entry.getKey(), entry.getValue()));
    List<CatalogRow[]> edges =
        session.query(
            """
            SELECT classid::bigint, objid::bigint, refclassid::bigint, refobjid::bigint,
              deptype = 'e'
            FROM pg_depend WHERE classid <> 0 AND objid >= 16384
            """,
            row -> {
              CatalogRow id = new CatalogRow(row.getLong(1), row.getLong(2));
              CatalogRow needed = new CatalogRow(row.getLong(3), row.getLong(4));
              if (row.getBoolean(5)) {
                ofExtensions.put(id, needed);
              }
              return new CatalogRow[] {id, needed};
            });
    edges.forEach(edge -> link(edge[0], edge[1]));
  }

  private void link(CatalogRow from, CatalogRow to) {
    DatabaseObject object = whole(from);
    DatabaseObject needed = whole(to);
    if (object == null || needed == null || isLate(from) || object.equals(needed)) {
      return;
    }
    needs.computeIfAbsent(object.id(), _ -> new LinkedHashSet<>()).add(needed.id());
    if (isLate(to)) {
      needKeys.add(object.id());
    }
  }

  private boolean isLate(CatalogRow id) {
    Part part = objects.containsKey(id) ? null : parts.get(id);
    return part != null && part.late;
  }

  /// What a row of a catalog is a part of, or itself; null if it is no user's.
  @Nullable DatabaseObject whole(CatalogRow id) {
    CatalogRow at = id;
    while (!objects.containsKey(at)) {
      Part part = parts.get(at);
      CatalogRow next = part == null ? ofExtensions.get(at) : part.whole;
      if (next == null) {
        return null;
      }
      at = next;
    }
    return objects.get(at);
  }

  /// Of all that there are so far.
  private void comments() {
    session
        .query(
            COMMENTS,
            row ->
                new Comment(
                    new CatalogRow(row.getLong(1), row.getLong(2)),
                    row.getString(3) + " " + row.getString(4),
                    "COMMENT ON " + row.getString(5) + " IS " + PostgresSql.text(row.getString(6))))
        .forEach(this::add);
  }

  private record Comment(CatalogRow of, String on, String statement) {}

  private void add(Comment comment) {
    DatabaseObject of = whole(comment.of);
    if (of == null || of.kind().equals("extension")) {
      return;
    }
    CatalogRow id = new CatalogRow(-1, objects.size());
    objects.put(
        id,
        new DatabaseObject(
            id,
            of.schema(),
            "comment",
            "on " + comment.on,
            List.of(comment.statement),
            Phase.AFTER_ROWS));
    needs.put(id, Set.of(of.id()));
  }

  List<DatabaseObject> all() {
    return new ArrayList<>(objects.values());
  }

  /// What an object needs of the others.
  Set<DatabaseObject> neededBy(DatabaseObject object) {
    Set<DatabaseObject> needed = new LinkedHashSet<>();
    for (CatalogRow id : needs.getOrDefault(object.id(), Set.of())) {
      DatabaseObject each = objects.get(id);
      if (each != null) {
        needed.add(each);
      }
    }
    return needed;
  }

  /// Whether it needs a key or index of a table, which follow the rows.
  boolean needsKeys(DatabaseObject object) {
    return needKeys.contains(object.id());
  }
}
