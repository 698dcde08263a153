package millrace.connectors.postgres.definition;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import millrace.connectors.postgres.net.Session;
import millrace.spi.catalog.LeftOut;

/// What a database holds that never comes along, such as grants and publications.
///
/// @param schemas those that are copied
/// @param isAll whether all are
/// @param owner who owns what is made
/// @param grants whether owners and grants come along
record LeftObjects(
    Session source, Set<String> schemas, boolean isAll, String owner, boolean grants) {

  /// Objects of users with their owners, grants and schemas. Takes whether all schemas are meant,
  /// and their names.
  static final String USERS =
      """
      WITH owned(catalog, oid, owner, acl, nsp, kind, col) AS (
        SELECT 'pg_catalog.pg_class'::pg_catalog.regclass, oid, relowner, relacl, relnamespace,
            CASE relkind WHEN 'S' THEN 's' ELSE 'r' END::"char", NULL::name
          FROM pg_catalog.pg_class WHERE relkind IN ('r', 'p', 'v', 'm', 'S')
        UNION ALL SELECT 'pg_catalog.pg_proc'::pg_catalog.regclass, oid, proowner, proacl,
            pronamespace, 'f', NULL
          FROM pg_catalog.pg_proc
        UNION ALL SELECT 'pg_catalog.pg_type'::pg_catalog.regclass, oid, typowner, typacl,
            typnamespace, 'T', NULL
          FROM pg_catalog.pg_type t WHERE typtype IN ('e', 'd', 'r') OR EXISTS (
            SELECT FROM pg_catalog.pg_class c WHERE c.oid = t.typrelid AND c.relkind = 'c')
        UNION ALL SELECT 'pg_catalog.pg_namespace'::pg_catalog.regclass, oid, nspowner, nspacl, oid,
            'n', NULL
          FROM pg_catalog.pg_namespace
        UNION ALL SELECT 'pg_catalog.pg_operator'::pg_catalog.regclass, oid, oprowner, NULL,
            oprnamespace, 'r', NULL
          FROM pg_catalog.pg_operator
        UNION ALL SELECT 'pg_catalog.pg_collation'::pg_catalog.regclass, oid, collowner, NULL,
            collnamespace, 'r', NULL
          FROM pg_catalog.pg_collation
        UNION ALL SELECT 'pg_catalog.pg_statistic_ext'::pg_catalog.regclass, oid, stxowner, NULL,
            stxnamespace, 'r', NULL
          FROM pg_catalog.pg_statistic_ext
        UNION ALL SELECT 'pg_catalog.pg_attribute'::pg_catalog.regclass, a.attrelid, 0, a.attacl,
            c.relnamespace, 'c', a.attname
          FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_class c ON c.oid = a.attrelid
          WHERE a.attacl IS NOT NULL),
      users AS (
        SELECT o.*, n.nspname, CASE WHEN catalog = 'pg_catalog.pg_attribute'::pg_catalog.regclass
          THEN 'pg_catalog.pg_class'::pg_catalog.regclass ELSE catalog END AS class
        FROM owned o JOIN pg_catalog.pg_namespace n ON n.oid = o.nsp
        WHERE n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
          AND (? OR n.nspname = ANY (?::text[]))
          AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend e WHERE e.classid = o.catalog
            AND e.objid = o.oid AND e.deptype = 'e'))
      """;

  private static final String OWNED =
      USERS
          + """
          SELECT DISTINCT 'grant', i.type || ' ' || i.identity
            FROM users u
            CROSS JOIN LATERAL pg_catalog.pg_identify_object(u.class, u.oid, 0) i
            CROSS JOIN LATERAL pg_catalog.acldefault(u.kind, u.owner) AS usual
            WHERE u.acl IS NOT NULL AND NOT (u.acl @> usual AND usual @> u.acl) AND NOT EXISTS (
              SELECT FROM pg_catalog.pg_init_privs p WHERE p.classoid = u.catalog
                AND p.objoid = u.oid AND p.objsubid = 0 AND p.initprivs = u.acl)
          UNION ALL SELECT 'owner', pg_catalog.pg_get_userbyid(u.owner) || ' of '
              || pg_catalog.count(*) || ' objects'
            FROM users u JOIN pg_catalog.pg_roles r ON r.oid = u.owner
            WHERE r.rolname NOT IN (?, 'pg_database_owner')
              AND NOT (u.nspname = 'public' AND u.oid < 16384)
            GROUP BY u.owner
          ORDER BY 1, 2
          """;

  private static final String TABLESPACES =
      USERS
          + """
          SELECT 'tablespace', s.spcname || ' of ' || pg_catalog.count(*) || ' objects'
            FROM users u JOIN pg_catalog.pg_class c ON c.oid = u.oid
              OR c.oid IN (SELECT indexrelid FROM pg_catalog.pg_index WHERE indrelid = u.oid)
            JOIN pg_catalog.pg_tablespace s ON s.oid = c.reltablespace
            WHERE u.catalog = 'pg_catalog.pg_class'::pg_catalog.regclass
            GROUP BY s.spcname ORDER BY 2
          """;

  /// What is in no schema.
  private static final String GLOBAL =
      """
      SELECT i.type, i.identity FROM (
        SELECT 'pg_catalog.pg_cast'::pg_catalog.regclass, oid FROM pg_catalog.pg_cast
        UNION ALL SELECT 'pg_catalog.pg_event_trigger'::pg_catalog.regclass, oid
          FROM pg_catalog.pg_event_trigger
        UNION ALL SELECT 'pg_catalog.pg_publication'::pg_catalog.regclass, oid
          FROM pg_catalog.pg_publication
        UNION ALL SELECT 'pg_catalog.pg_foreign_data_wrapper'::pg_catalog.regclass, oid
          FROM pg_catalog.pg_foreign_data_wrapper
        UNION ALL SELECT 'pg_catalog.pg_foreign_server'::pg_catalog.regclass, oid
          FROM pg_catalog.pg_foreign_server
        UNION ALL SELECT 'pg_catalog.pg_language'::pg_catalog.regclass, oid
          FROM pg_catalog.pg_language
        UNION ALL SELECT 'pg_catalog.pg_transform'::pg_catalog.regclass, oid
          FROM pg_catalog.pg_transform
        UNION ALL SELECT 'pg_catalog.pg_am'::pg_catalog.regclass, oid FROM pg_catalog.pg_am
        UNION ALL SELECT 'pg_catalog.pg_default_acl'::pg_catalog.regclass, oid
          FROM pg_catalog.pg_default_acl) AS each(catalog, oid)
      CROSS JOIN LATERAL pg_catalog.pg_identify_object(catalog, each.oid, 0) i
      WHERE each.oid >= 16384 AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend e
        WHERE e.classid = each.catalog AND e.objid = each.oid AND e.deptype IN ('e', 'i'))
      UNION ALL SELECT 'subscription', s.subname
        FROM pg_catalog.pg_subscription s JOIN pg_catalog.pg_database d ON d.oid = s.subdbid
        WHERE d.datname = pg_catalog.current_database()
      UNION ALL SELECT 'large object', pg_catalog.count(*)::text
        FROM pg_catalog.pg_largeobject_metadata HAVING pg_catalog.count(*) > 0
      UNION ALL SELECT 'security label', objtype || ' ' || objname
        FROM pg_catalog.pg_seclabels WHERE objtype NOT IN ('database', 'role', 'tablespace')
      ORDER BY 1, 2
      """;

  List<LeftOut> all() {
    String[] names = schemas.toArray(new String[0]);
    List<LeftOut> owned = grants ? List.of() : left(OWNED, isAll, names, owner);
    return Stream.of(owned, left(TABLESPACES, isAll, names), left(GLOBAL))
        .flatMap(List::stream)
        .filter(each -> !(grants && each.kind().equals("default acl")))
        .toList();
  }

  private List<LeftOut> left(String sql, Object... parameters) {
    return source.query(sql, row -> LeftOut.of(row.getString(1), row.getString(2)), parameters);
  }
}
