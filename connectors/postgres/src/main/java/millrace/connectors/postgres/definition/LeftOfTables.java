package millrace.connectors.postgres.definition;

import java.util.List;
import millrace.connectors.postgres.net.Session;
import millrace.spi.catalog.LeftOut;

/// What does not come along if only tables do.
final class LeftOfTables {

  /// What belongs to tables: gives their places, what it is, and its name.
  static final String PARTS =
      """
      SELECT place, what, name FROM (
        SELECT asked.place, 1, 'trigger', tgname
          FROM asked JOIN pg_catalog.pg_trigger ON tgrelid = asked.oid AND NOT tgisinternal
        UNION ALL SELECT asked.place, 2, 'policy', polname
          FROM asked JOIN pg_catalog.pg_policy ON polrelid = asked.oid
        UNION ALL SELECT asked.place, 3, 'rule', rulename
          FROM asked JOIN pg_catalog.pg_rewrite ON ev_class = asked.oid
        UNION ALL SELECT asked.place, 4, 'statistics', stxname
          FROM asked JOIN pg_catalog.pg_statistic_ext ON stxrelid = asked.oid
        UNION ALL SELECT asked.place, 5,
            'partitioning', 'by ' || pg_catalog.pg_get_partkeydef(partrelid)
          FROM asked JOIN pg_catalog.pg_partitioned_table ON partrelid = asked.oid
        UNION ALL SELECT asked.place, 6, 'inheritance',
            'from ' || pg_catalog.format('%I.%I', n.nspname, p.relname)
          FROM asked JOIN pg_catalog.pg_inherits i ON i.inhrelid = asked.oid
          JOIN pg_catalog.pg_class p ON p.oid = i.inhparent
          JOIN pg_catalog.pg_namespace n ON n.oid = p.relnamespace
        UNION ALL SELECT asked.place, 7, 'grants', ''
          FROM asked JOIN pg_catalog.pg_class c ON c.oid = asked.oid AND c.relacl IS NOT NULL
        UNION ALL SELECT asked.place, 8, 'tablespace', s.spcname
          FROM asked JOIN pg_catalog.pg_class c ON c.oid = asked.oid
          JOIN pg_catalog.pg_tablespace s ON s.oid = c.reltablespace
      ) AS each(place, kind, what, name) ORDER BY place, kind, name
      """;

  private LeftOfTables() {}

  /// What a schema holds beside tables.
  static List<LeftOut> of(Session source, String schema) {
    return source.query(
        """
        SELECT what, name
        FROM (
          SELECT CASE relkind WHEN 'v' THEN 'view' WHEN 'm' THEN 'materialized view'
              ELSE 'foreign table' END, relname, relnamespace
            FROM pg_catalog.pg_class WHERE relkind IN ('v', 'm', 'f')
          UNION ALL SELECT 'function', proname, pronamespace FROM pg_catalog.pg_proc
          UNION ALL SELECT 'type', typname, typnamespace FROM pg_catalog.pg_type
            WHERE typtype IN ('d', 'e', 'r')
        ) AS each(what, name, namespace)
        JOIN pg_catalog.pg_namespace n ON n.oid = namespace AND n.nspname = ?
        ORDER BY what, name
        """,
        row -> LeftOut.of(row.getString(1), schema + "." + row.getString(2)),
        schema);
  }
}
