package millrace.connectors.postgres.definition;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import millrace.connectors.postgres.definition.DatabaseObject.CatalogRow;
import millrace.connectors.postgres.net.Session;
import millrace.spi.catalog.LeftOut;
import millrace.spi.catalog.TableDefinitions.Made;
import org.jspecify.annotations.Nullable;

/// Owners and rights: as statements by which objects that have just been made come to have those of
/// the source, if their roles are in the target.
///
/// @param schemas those that are copied
/// @param isAll whether all are
record Grants(Session source, Session target, Set<String> schemas, boolean isAll) {

  private static final String NO_ROLE = "which is no role of the target";

  /// Owners first, then what is taken away of the rights that everything has by itself, then what
  /// is given.
  private static final String QUERY =
      LeftObjects.USERS
          + """
          , named AS (
            SELECT u.*, i.type, i.identity,
              CASE WHEN u.catalog = 'pg_class'::regclass AND i.type <> 'sequence'
                  OR u.col IS NOT NULL THEN 'TABLE'
                WHEN u.catalog = 'pg_proc'::regclass THEN 'ROUTINE' ELSE upper(i.type) END AS word
            FROM users u CROSS JOIN LATERAL pg_identify_object(u.class, u.oid, 0) i),
          acls(class, oid, kind, label, begin, what, col, acl, usual, role) AS (
            SELECT class, oid, 'grants', type || ' ' || identity, '', word || ' ' || identity,
                coalesce(' (' || quote_ident(col) || ')', ''), acl,
                coalesce((SELECT p.initprivs FROM pg_init_privs p WHERE p.classoid = n.catalog
                  AND p.objoid = n.oid AND p.objsubid = 0), acldefault(kind, owner)), NULL::name
              FROM named n WHERE acl IS NOT NULL
            UNION ALL SELECT 0, d.oid, 'default privileges', concat('of ', r.rolname, ' in ', n.nspname),
                format('ALTER DEFAULT PRIVILEGES FOR ROLE %I ', r.rolname)
                  || coalesce('IN SCHEMA ' || quote_ident(n.nspname) || ' ', ''),
                CASE d.defaclobjtype WHEN 'r' THEN 'TABLES' WHEN 'S' THEN 'SEQUENCES'
                  WHEN 'f' THEN 'FUNCTIONS' WHEN 'T' THEN 'TYPES' ELSE 'SCHEMAS' END, '', d.defaclacl,
                acldefault(CASE WHEN d.defaclnamespace <> 0 THEN 'c' WHEN d.defaclobjtype = 'S' THEN 's'
                  ELSE d.defaclobjtype END, d.defaclrole),
                r.rolname
              FROM pg_default_acl d JOIN pg_roles r ON r.oid = d.defaclrole
              LEFT JOIN pg_namespace n ON n.oid = d.defaclnamespace
              WHERE $all OR n.nspname = ANY ($schemas)),
          changes AS (
            SELECT a.*, 1 AS step, x.* FROM acls a CROSS JOIN LATERAL (
              SELECT grantee, privilege_type, is_grantable FROM aclexplode(a.usual)
              EXCEPT SELECT grantee, privilege_type, is_grantable FROM aclexplode(a.acl)) x
            UNION ALL SELECT a.*, 2, x.* FROM acls a CROSS JOIN LATERAL (
              SELECT grantee, privilege_type, is_grantable FROM aclexplode(a.acl)
              EXCEPT SELECT grantee, privilege_type, is_grantable FROM aclexplode(a.usual)) x)
          SELECT 0 AS step, class::bigint, oid::bigint, 'owner', type || ' ' || identity,
              ARRAY[pg_get_userbyid(owner)]::text[],
              format('ALTER %s %s OWNER TO %I', CASE type WHEN 'statistics object' THEN 'STATISTICS'
                ELSE upper(type) END, identity, pg_get_userbyid(owner))
            FROM named n WHERE col IS NULL AND NOT (nspname = 'public' AND oid < 16384 AND (owner = 10
                OR pg_get_userbyid(owner) = 'pg_database_owner'))
              AND NOT EXISTS (SELECT FROM pg_depend d WHERE n.kind = 's' AND d.objid = n.oid
                AND d.classid = n.class AND d.deptype IN ('a', 'i')
                AND d.refclassid = 'pg_class'::regclass)
          UNION ALL SELECT step, class::bigint, oid::bigint, kind, label,
              array_remove(ARRAY[role, CASE grantee WHEN 0 THEN NULL ELSE pg_get_userbyid(grantee) END],
                NULL)::text[],
              begin || CASE step WHEN 1 THEN 'REVOKE ' ELSE 'GRANT ' END
                || string_agg(privilege_type || col, ', ' ORDER BY privilege_type) || ' ON ' || what
                || CASE step WHEN 1 THEN ' FROM ' ELSE ' TO ' END
                || CASE grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(grantee)) END
                || CASE WHEN is_grantable AND step = 2 THEN ' WITH GRANT OPTION' ELSE '' END
            FROM changes
            GROUP BY step, class, oid, kind, label, role, grantee, begin, what, is_grantable, col
          ORDER BY 1, 5, 7
          """
              .replace("$all", "?")
              .replace("$schemas", "?::text[]");

  /// @param of what it is about; nothing for rights on what will be made
  /// @param roles whom it names
  private record Right(
      CatalogRow of, String kind, String label, List<String> roles, String statement) {

    static Right read(ResultSet row) throws SQLException {
      return new Right(
          new CatalogRow(row.getLong(2), row.getLong(3)),
          row.getString(4),
          row.getString(5),
          Arrays.asList((String[]) row.getArray(6).getArray()),
          row.getString(7));
    }
  }

  /// What is made after all else.
  ///
  /// @param tableOf the label of the table that an object is, of which whoever copies needs all
  ///   rights until its rows are in; null if it is not in the target in the end
  /// @param leftOut takes in what has no role in the target
  List<Made> made(Function<CatalogRow, @Nullable String> tableOf, List<LeftOut> leftOut) {
    Set<String> roles =
        new HashSet<>(
            target.query("SELECT rolname FROM pg_catalog.pg_roles", row -> row.getString(1)));
    String owner = target.one("SELECT current_user", row -> row.getString(1));
    boolean mayAll =
        target.one(
            "SELECT rolsuper FROM pg_catalog.pg_roles WHERE rolname = current_user",
            row -> row.getBoolean(1));
    Set<String> there = new HashSet<>();
    rights(target, true).forEach(right -> there.add(right.statement));
    Map<String, Integer> owners = new TreeMap<>();
    Set<LeftOut> left = new HashSet<>();
    Map<Made, List<String>> made = new LinkedHashMap<>();
    for (Right right : rights(source, isAll)) {
      String table = right.of.catalog() == 0 ? "" : tableOf.apply(right.of);
      boolean isOwner = right.kind.equals("owner");
      List<String> lacks = right.roles.stream().filter(role -> !roles.contains(role)).toList();
      if (table == null
          || there.contains(right.statement)
          || (isOwner && right.roles.contains(owner))) {
        continue;
      }
      if (lacks.isEmpty()) {
        // Others than a superuser make foreign keys and views as owners alone.
        boolean waits = isOwner && (table.isEmpty() || !mayAll);
        Made first = new Made(right.kind, right.label, List.of(), waits ? Made.ALL_TABLES : table);
        made.computeIfAbsent(first, _ -> new ArrayList<>()).add(right.statement);
      } else if (isOwner) {
        owners.merge(lacks.getFirst(), 1, Integer::sum);
      } else {
        lacks.forEach(role -> left.add(LeftOut.of("grant", "to " + role, NO_ROLE)));
      }
    }
    owners.forEach((role, count) ->
        leftOut.add(LeftOut.of("owner", role + " of " + count + " objects", NO_ROLE)));
    left.stream().sorted(Comparator.comparing(LeftOut::name)).forEach(leftOut::add);
    return made.entrySet().stream()
        .map(each ->
            new Made(each.getKey().kind(), each.getKey().name(), each.getValue())
                .of(each.getKey().table()))
        .toList();
  }

  private List<Right> rights(Session session, boolean all) {
    String[] names = schemas.toArray(new String[0]);
    return session.withQualifiedNames(
        () -> session.query(QUERY, Right::read, true, new String[0], all, names));
  }
}
