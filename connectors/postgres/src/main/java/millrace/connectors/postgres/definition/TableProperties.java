package millrace.connectors.postgres.definition;

/// What tables have beside columns, keys and indexes, as one query. Its rows say for a table where
/// a piece of text stands among its statements.
final class TableProperties {

  /// Whether a table `c` with columns of its own came to inherit later: they stand in another order
  /// than those of its parents, or are computed.
  private static final String APART =
      """
      (NOT EXISTS (SELECT FROM att a WHERE a.place = c.place AND NOT a.attislocal)
        AND EXISTS (
          SELECT FROM inherited a JOIN inherited b ON b.place = a.place AND b.attnum >= a.attnum
          WHERE a.place = c.place AND b.attinhcount > 0
            AND (a.attinhcount = 0 OR a.at > b.at OR b.attgenerated <> '')))
      """;

  /// @param asked the tables, as a common table expression
  /// @param whole whether policies, partitions and those that inherit come along
  static String query(String asked, boolean whole) {
    return (asked
            + """
              , rel AS (
                SELECT asked.place, c.*, n.nspname
                FROM asked JOIN pg_catalog.pg_class c ON c.oid = asked.oid
                JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace),
              att AS (
                SELECT c.place, a.*, t.typstorage FROM rel c
                JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0
                  AND NOT a.attisdropped
                JOIN pg_catalog.pg_type t ON t.oid = a.atttypid),
              inherited AS (
                SELECT a.*, (
                  SELECT min(i.inhseqno * 2000 + p.attnum) FROM pg_catalog.pg_inherits i
                  JOIN pg_catalog.pg_attribute p ON p.attrelid = i.inhparent
                  WHERE i.inhrelid = a.attrelid AND p.attname = a.attname) AS at
                FROM att a WHERE a.attrelid IN (SELECT inhrelid FROM pg_catalog.pg_inherits))
            SELECT place, slot, text FROM (
              SELECT c.place, 'UNLOGGED', '' FROM rel c WHERE c.relpersistence = 'u'
              UNION ALL SELECT c.place, 'WITH', ' PARTITION BY '
                  || pg_catalog.pg_get_partkeydef(c.oid)
                FROM rel c WHERE c.relkind = 'p' AND $whole
              UNION ALL SELECT c.place, 'WITH', (
                  SELECT ' INHERITS (' || pg_catalog.string_agg(pg_catalog.format('%I.%I', n.nspname,
                    p.relname), ', ' ORDER BY i.inhseqno) || ')'
                  FROM pg_catalog.pg_inherits i JOIN pg_catalog.pg_class p ON p.oid = i.inhparent
                  JOIN pg_catalog.pg_namespace n ON n.oid = p.relnamespace
                  WHERE i.inhrelid = c.oid)
                FROM rel c WHERE NOT c.relispartition AND $whole AND NOT $apart
              UNION ALL SELECT c.place, 'WITH', (
                  SELECT pg_catalog.format(' USING %I', amname) FROM pg_catalog.pg_am
                  WHERE oid = c.relam AND amname <> 'heap')
                FROM rel c WHERE c.relkind = 'r' OR $whole
              UNION ALL SELECT c.place, 'WITH',
            """
            + ObjectSql.OPTIONS
            + """
               FROM rel c
            UNION ALL SELECT c.place, 'ATTACH',
                pg_catalog.format('ALTER TABLE ONLY %I.%I ATTACH PARTITION %I.%I %s', n.nspname,
                  p.relname, c.nspname, c.relname, pg_catalog.pg_get_expr(c.relpartbound, c.oid))
              FROM rel c JOIN pg_catalog.pg_inherits i ON i.inhrelid = c.oid
              JOIN pg_catalog.pg_class p ON p.oid = i.inhparent
              JOIN pg_catalog.pg_namespace n ON n.oid = p.relnamespace
              WHERE c.relispartition AND $whole
            UNION ALL (SELECT c.place, 'ALTER',
                pg_catalog.format('INHERIT %I.%I', n.nspname, p.relname)
              FROM rel c JOIN pg_catalog.pg_inherits i ON i.inhrelid = c.oid
              JOIN pg_catalog.pg_class p ON p.oid = i.inhparent
              JOIN pg_catalog.pg_namespace n ON n.oid = p.relnamespace
              WHERE NOT c.relispartition AND $whole AND $apart ORDER BY i.inhseqno)
            UNION ALL SELECT c.place, 'ALTER', 'OF ' || pg_catalog.format_type(c.reloftype, NULL)
              FROM rel c WHERE c.reloftype <> 0 AND $whole
            UNION ALL SELECT a.place, 'ALTER',
                pg_catalog.format('ALTER COLUMN %I SET %s', a.attname, s.setting)
              FROM att a CROSS JOIN LATERAL
            """
            + ObjectSql.COLUMN_SETTINGS
            + """
               WHERE s.setting IS NOT NULL
            UNION ALL SELECT a.place, 'ALTER', pg_catalog.format('ALTER COLUMN %I ', a.attname)
                || coalesce('SET DEFAULT ' || pg_catalog.pg_get_expr(f.adbin, f.adrelid),
                  'DROP DEFAULT')
              FROM att a JOIN rel c ON c.oid = a.attrelid AND NOT c.relispartition
              LEFT JOIN pg_catalog.pg_attrdef f ON f.adrelid = a.attrelid AND f.adnum = a.attnum
              WHERE $whole AND a.attinhcount > 0 AND a.attgenerated = '' AND a.attidentity = ''
                AND NOT
            """
            + ObjectSql.CALLS_FUNCTION
            + """
              UNION ALL SELECT a.place, 'ALTER',
                  pg_catalog.format('ALTER COLUMN %I SET NOT NULL', a.attname)
                FROM att a JOIN rel c ON c.oid = a.attrelid AND NOT c.relispartition
                WHERE $whole AND NOT a.attislocal AND a.attnotnull AND NOT EXISTS (
                  SELECT FROM pg_catalog.pg_inherits i
                  JOIN pg_catalog.pg_attribute p ON p.attrelid = i.inhparent
                  WHERE i.inhrelid = a.attrelid AND p.attname = a.attname AND p.attnotnull)
              UNION ALL SELECT c.place, 'ALTER', 'REPLICA IDENTITY '
                  || CASE c.relreplident WHEN 'f' THEN 'FULL' ELSE 'NOTHING' END
                FROM rel c WHERE c.relreplident IN ('f', 'n')
              UNION ALL SELECT c.place, CASE WHEN i.indisclustered AND s.n = 1 THEN 'CLUSTER ON'
                    ELSE 'REPLICA IDENTITY USING INDEX' END, x.relname
                FROM rel c JOIN pg_catalog.pg_index i ON i.indrelid = c.oid
                JOIN pg_catalog.pg_class x ON x.oid = i.indexrelid
                CROSS JOIN (VALUES (1), (2)) AS s(n)
                WHERE CASE s.n WHEN 1 THEN i.indisclustered
                  ELSE i.indisreplident AND c.relreplident = 'i' END
              UNION ALL SELECT c.place, 'LAST', pg_catalog.format(
                  'ALTER INDEX %I.%I ALTER COLUMN %s SET STATISTICS %s', c.nspname, x.relname,
                  a.attnum, a.attstattarget)
                FROM rel c JOIN pg_catalog.pg_index i ON i.indrelid = c.oid
                JOIN pg_catalog.pg_class x ON x.oid = i.indexrelid
                JOIN pg_catalog.pg_attribute a ON a.attrelid = x.oid AND a.attstattarget >= 0
                WHERE $whole
              UNION ALL SELECT c.place, 'AFTER', 'ENABLE ROW LEVEL SECURITY'
                FROM rel c WHERE c.relrowsecurity AND $whole
              UNION ALL SELECT c.place, 'AFTER', 'FORCE ROW LEVEL SECURITY'
                FROM rel c WHERE c.relforcerowsecurity AND $whole
              UNION ALL SELECT c.place, 'LAST', pg_catalog.format('ALTER INDEX %I.%I ATTACH PARTITION %s',
                  c.nspname, x.relname, h.inhrelid::pg_catalog.regclass)
                FROM rel c JOIN pg_catalog.pg_index i ON i.indrelid = c.oid
                JOIN pg_catalog.pg_class x ON x.oid = i.indexrelid
                JOIN pg_catalog.pg_inherits h ON h.inhparent = x.oid
                WHERE $whole AND NOT EXISTS (SELECT FROM pg_catalog.pg_constraint k
                  WHERE k.conindid = x.oid AND k.conrelid = c.oid AND k.contype IN ('p', 'u', 'x'))
            ) AS each(place, slot, text)
            WHERE text IS NOT NULL
            """)
        .replace("$apart", APART)
        .replace("$whole", Boolean.toString(whole));
  }

  private TableProperties() {}
}
