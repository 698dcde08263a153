package millrace.connectors.postgres.definition;

import java.util.List;

/// Queries that spell how the objects of a database are made, by kinds. Each gives the object, its
/// schema and its statements; names in them are whole, since only `pg_catalog` is on the path. What
/// versions of the server lack is read by way of JSON, which has nulls there.
final class ObjectSql {

  /// @param catalog the catalog that the objects stand in
  /// @param sql gives `oid`, the schema's `oid`, and the statements, nulls among them
  record Kind(String catalog, String sql) {}

  /// Relations that are no extension's, options of `c`, and collations as they are written.
  static final String WITH =
      """
      WITH rel AS (
        SELECT c.*, format('%I.%I', n.nspname, c.relname) AS sql
        FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE NOT EXISTS (SELECT FROM pg_depend e WHERE e.classid = 'pg_class'::regclass
          AND e.objid = c.oid AND e.deptype = 'e')),
      coll AS (
        SELECT o.oid, format(' COLLATE %I.%I', n.nspname, o.collname) AS sql
        FROM pg_collation o JOIN pg_namespace n ON n.oid = o.collnamespace),
      op AS (
        SELECT o.oid, format('OPERATOR(%I.%s)', n.nspname, o.oprname) AS sql
        FROM pg_operator o JOIN pg_namespace n ON n.oid = o.oprnamespace)
      """;

  /// The WITH clause of a relation `c`, with a blank before it; null if it has no options.
  static final String OPTIONS =
      """
      (SELECT ' WITH (' || string_agg(format('%s%I=%L', x.scope, x.name, x.value), ', ') || ')'
        FROM (
          SELECT '', option_name, option_value FROM pg_options_to_table(c.reloptions)
          UNION ALL
          SELECT 'toast.', o.option_name, o.option_value
          FROM pg_class t CROSS JOIN pg_options_to_table(t.reloptions) o
          WHERE t.oid = c.reltoastrelid) AS x(scope, name, value))
      """;

  /// Whether a default `f` calls a function of a user's, and is set when that is there.
  static final String CALLS_FUNCTION =
      """
      EXISTS (SELECT FROM pg_catalog.pg_depend d
        WHERE d.classid = 'pg_catalog.pg_attrdef'::pg_catalog.regclass AND d.objid = f.oid
          AND d.refclassid = 'pg_catalog.pg_proc'::pg_catalog.regclass
          AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend e
            WHERE e.classid = d.refclassid AND e.objid = d.refobjid AND e.deptype = 'e'))
      """;

  /// What is set of a column `a`, which has its type's `typstorage`; each as one row, or null.
  static final String COLUMN_SETTINGS =
      """
      (VALUES
        (CASE WHEN a.attstorage <> a.typstorage OR a.attinhcount > 0 THEN 'STORAGE '
          || CASE a.attstorage WHEN 'p' THEN 'PLAIN' WHEN 'e' THEN 'EXTERNAL' WHEN 'm' THEN 'MAIN'
            ELSE 'EXTENDED' END END),
        ('COMPRESSION ' || CASE pg_catalog.to_jsonb(a) ->> 'attcompression' WHEN 'p' THEN 'pglz'
          WHEN 'l' THEN 'lz4' END),
        ('STATISTICS ' || CASE WHEN a.attstattarget >= 0 THEN a.attstattarget END),
        ('(' || pg_catalog.array_to_string(a.attoptions, ', ') || ')')) AS s(setting)
      """;

  private static final Kind SCHEMA =
      new Kind(
          "pg_namespace",
          "SELECT oid, oid, ARRAY[format('CREATE SCHEMA %I', nspname)] FROM pg_namespace");

  private static final Kind EXTENSION =
      new Kind(
          "pg_extension",
          """
          SELECT x.oid, x.extnamespace,
            ARRAY[format('CREATE EXTENSION IF NOT EXISTS %I WITH SCHEMA %I', x.extname, n.nspname)]
          FROM pg_extension x JOIN pg_namespace n ON n.oid = x.extnamespace
          """);

  private static final Kind COLLATION =
      new Kind(
          "pg_collation",
          """
          SELECT o.oid, o.collnamespace, ARRAY[format('CREATE COLLATION %I.%I (%s)', n.nspname,
            o.collname, concat_ws(', ',
              'provider = ' || CASE o.collprovider WHEN 'i' THEN 'icu' WHEN 'b' THEN 'builtin'
                ELSE 'libc' END,
              CASE WHEN l.locale IS NULL
                THEN format('lc_collate = %L, lc_ctype = %L', o.collcollate, o.collctype)
                ELSE format('locale = %L', l.locale) END,
              CASE WHEN NOT o.collisdeterministic THEN 'deterministic = false' END,
              'rules = ' || quote_literal(to_jsonb(o) ->> 'collicurules')))]
          FROM pg_collation o JOIN pg_namespace n ON n.oid = o.collnamespace
          CROSS JOIN LATERAL (SELECT coalesce(to_jsonb(o) ->> 'colllocale',
            to_jsonb(o) ->> 'colliculocale',
            CASE WHEN o.collcollate = o.collctype THEN o.collcollate::text END)) AS l(locale)
          """);

  private static final Kind ENUM =
      new Kind(
          "pg_type",
          """
          SELECT t.oid, t.typnamespace, ARRAY[format('CREATE TYPE %s AS ENUM (%s)',
            format_type(t.oid, NULL), (SELECT string_agg(quote_literal(enumlabel), ', '
              ORDER BY enumsortorder) FROM pg_enum WHERE enumtypid = t.oid))]
          FROM pg_type t WHERE t.typtype = 'e'
          """);

  private static final Kind RANGE =
      new Kind(
          "pg_type",
          """
          SELECT t.oid, t.typnamespace, ARRAY[format('CREATE TYPE %s AS RANGE (%s)',
            format_type(t.oid, NULL), concat_ws(', ',
              'subtype = ' || format_type(r.rngsubtype, NULL),
              (SELECT format('subtype_opclass = %I.%I', n.nspname, o.opcname)
                FROM pg_opclass o JOIN pg_namespace n ON n.oid = o.opcnamespace
                WHERE o.oid = r.rngsubopc AND NOT o.opcdefault),
              (SELECT 'collation = ' || substr(sql, 10) FROM coll JOIN pg_type s
                ON s.oid = r.rngsubtype AND s.typcollation <> coll.oid
                WHERE coll.oid = r.rngcollation),
              'canonical = ' || nullif(r.rngcanonical::oid, 0)::regproc,
              'subtype_diff = ' || nullif(r.rngsubdiff::oid, 0)::regproc,
              'multirange_type_name = '
                || format_type((to_jsonb(r) ->> 'rngmultitypid')::oid, NULL)))]
          FROM pg_type t JOIN pg_range r ON r.rngtypid = t.oid WHERE t.typtype = 'r'
          """);

  private static final Kind DOMAIN =
      new Kind(
          "pg_type",
          """
          SELECT t.oid, t.typnamespace, array_cat(
            ARRAY[concat('CREATE DOMAIN ', format_type(t.oid, NULL), ' AS ',
              format_type(t.typbasetype, t.typtypmod),
              (SELECT sql FROM coll JOIN pg_type b ON b.oid = t.typbasetype
                AND b.typcollation <> coll.oid WHERE coll.oid = t.typcollation),
              ' DEFAULT ' || pg_get_expr(t.typdefaultbin, 'pg_type'::regclass),
              CASE WHEN t.typnotnull THEN ' NOT NULL' END,
              (SELECT string_agg(format(' CONSTRAINT %I %s', conname, pg_get_constraintdef(oid)),
                  '' ORDER BY conname)
                FROM pg_constraint WHERE contypid = t.oid AND contype = 'c' AND convalidated))],
            ARRAY(SELECT format('ALTER DOMAIN %s ADD CONSTRAINT %I %s', format_type(t.oid, NULL),
                conname, pg_get_constraintdef(oid))
              FROM pg_constraint WHERE contypid = t.oid AND contype = 'c' AND NOT convalidated
              ORDER BY conname))
          FROM pg_type t WHERE t.typtype = 'd'
          """);

  private static final Kind COMPOSITE =
      new Kind(
          "pg_type",
          """
          SELECT t.oid, t.typnamespace, ARRAY[format('CREATE TYPE %s AS (%s)',
            format_type(t.oid, NULL), (
              SELECT string_agg(concat(format('%I ', a.attname),
                  format_type(a.atttypid, a.atttypmod),
                  (SELECT sql FROM coll JOIN pg_type b ON b.oid = a.atttypid
                    AND b.typcollation <> coll.oid WHERE coll.oid = a.attcollation)),
                ', ' ORDER BY a.attnum)
              FROM pg_attribute a
              WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped))]
          FROM pg_type t JOIN pg_class c ON c.oid = t.typrelid AND c.relkind = 'c'
          """);

  /// Those that no column owns.
  private static final Kind SEQUENCE =
      new Kind(
          "pg_class",
          """
          SELECT c.oid, c.relnamespace, ARRAY[format(
            'CREATE %sSEQUENCE %s AS %s INCREMENT BY %s MINVALUE %s MAXVALUE %s START WITH %s'
            ' CACHE %s%s', CASE WHEN c.relpersistence = 'u' THEN 'UNLOGGED ' ELSE '' END, c.sql,
            format_type(s.seqtypid, NULL), s.seqincrement, s.seqmin, s.seqmax, s.seqstart,
            s.seqcache, CASE WHEN s.seqcycle THEN ' CYCLE' ELSE '' END)]
          FROM rel c JOIN pg_sequence s ON s.seqrelid = c.oid
          WHERE NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass
            AND d.objid = c.oid AND d.deptype IN ('a', 'i'))
          """);

  private static final Kind FUNCTION =
      new Kind(
          "pg_proc",
          """
          SELECT p.oid, p.pronamespace, ARRAY[regexp_replace(
            rtrim(pg_get_functiondef(p.oid), E'\\n'), '^CREATE OR REPLACE ', 'CREATE ')]
          FROM pg_proc p WHERE p.prokind <> 'a' AND p.oid >= 16384
            AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_proc'::regclass
              AND d.objid = p.oid AND d.deptype = 'i')
          """);

  private static final Kind AGGREGATE =
      new Kind(
          "pg_proc",
          """
          SELECT p.oid, p.pronamespace, ARRAY[format('CREATE AGGREGATE %I.%I(%s) (%s)', n.nspname,
            p.proname, coalesce(nullif(pg_get_function_arguments(p.oid), ''), '*'),
            concat_ws(', ',
              'SFUNC = ' || a.aggtransfn, 'STYPE = ' || format_type(a.aggtranstype, NULL),
              'SSPACE = ' || nullif(a.aggtransspace, 0),
              'FINALFUNC = ' || nullif(a.aggfinalfn::oid, 0)::regproc,
              CASE WHEN a.aggfinalextra THEN 'FINALFUNC_EXTRA' END,
              CASE WHEN a.aggfinalfn::oid <> 0 THEN 'FINALFUNC_MODIFY = ' || CASE a.aggfinalmodify
                WHEN 'r' THEN 'READ_ONLY' WHEN 's' THEN 'SHAREABLE' ELSE 'READ_WRITE' END END,
              'COMBINEFUNC = ' || nullif(a.aggcombinefn::oid, 0)::regproc,
              'SERIALFUNC = ' || nullif(a.aggserialfn::oid, 0)::regproc,
              'DESERIALFUNC = ' || nullif(a.aggdeserialfn::oid, 0)::regproc,
              'INITCOND = ' || quote_literal(a.agginitval),
              'MSFUNC = ' || nullif(a.aggmtransfn::oid, 0)::regproc,
              'MINVFUNC = ' || nullif(a.aggminvtransfn::oid, 0)::regproc,
              'MSTYPE = ' || format_type(nullif(a.aggmtranstype, 0), NULL),
              'MSSPACE = ' || nullif(a.aggmtransspace, 0),
              'MFINALFUNC = ' || nullif(a.aggmfinalfn::oid, 0)::regproc,
              CASE WHEN a.aggmfinalextra THEN 'MFINALFUNC_EXTRA' END,
              CASE WHEN a.aggmfinalfn::oid <> 0 THEN 'MFINALFUNC_MODIFY = '
                || CASE a.aggmfinalmodify WHEN 'r' THEN 'READ_ONLY' WHEN 's' THEN 'SHAREABLE'
                  ELSE 'READ_WRITE' END END,
              'MINITCOND = ' || quote_literal(a.aggminitval),
              'SORTOP = ' || (SELECT sql FROM op WHERE op.oid = a.aggsortop),
              CASE p.proparallel WHEN 's' THEN 'PARALLEL = SAFE'
                WHEN 'r' THEN 'PARALLEL = RESTRICTED' END,
              CASE WHEN a.aggkind = 'h' THEN 'HYPOTHETICAL' END))]
          FROM pg_aggregate a JOIN pg_proc p ON p.oid = a.aggfnoid
          JOIN pg_namespace n ON n.oid = p.pronamespace WHERE p.oid >= 16384
          """);

  private static final Kind OPERATOR =
      new Kind(
          "pg_operator",
          """
          SELECT o.oid, o.oprnamespace, ARRAY[format('CREATE OPERATOR %I.%s (%s)', n.nspname,
            o.oprname, concat_ws(', ', 'FUNCTION = ' || o.oprcode,
              'LEFTARG = ' || format_type(nullif(o.oprleft, 0), NULL),
              'RIGHTARG = ' || format_type(nullif(o.oprright, 0), NULL),
              'COMMUTATOR = ' || (SELECT sql FROM op WHERE op.oid = o.oprcom),
              'NEGATOR = ' || (SELECT sql FROM op WHERE op.oid = o.oprnegate),
              'RESTRICT = ' || nullif(o.oprrest::oid, 0)::regproc,
              'JOIN = ' || nullif(o.oprjoin::oid, 0)::regproc,
              CASE WHEN o.oprcanhash THEN 'HASHES' END,
              CASE WHEN o.oprcanmerge THEN 'MERGES' END))]
          FROM pg_operator o JOIN pg_namespace n ON n.oid = o.oprnamespace
          WHERE o.oprcode::oid <> 0 AND o.oid >= 16384
          """);

  /// Defaults that are not set when their tables are made.
  private static final Kind DEFAULT =
      new Kind(
          "pg_attrdef",
          """
          SELECT f.oid, c.relnamespace, ARRAY[format(
            'ALTER TABLE ONLY %s ALTER COLUMN %I SET DEFAULT %s', c.sql, a.attname,
            pg_get_expr(f.adbin, f.adrelid))]
          FROM pg_attrdef f JOIN rel c ON c.oid = f.adrelid AND c.relkind IN ('r', 'p')
          JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = f.adnum
            AND a.attgenerated = ''
          WHERE
          """
              + CALLS_FUNCTION);

  private static final Kind VIEW =
      new Kind(
          "pg_class",
          "SELECT c.oid, c.relnamespace, array_cat(ARRAY[concat('CREATE VIEW ', c.sql, "
              + OPTIONS
              + """
                  , E' AS\\n', rtrim(pg_get_viewdef(c.oid), ';'))],
                ARRAY(SELECT format('ALTER TABLE %s ALTER COLUMN %I SET DEFAULT %s', c.sql, a.attname,
                    pg_get_expr(f.adbin, f.adrelid))
                  FROM pg_attrdef f JOIN pg_attribute a ON a.attrelid = f.adrelid
                    AND a.attnum = f.adnum
                  WHERE f.adrelid = c.oid ORDER BY a.attnum))
              FROM rel c WHERE c.relkind = 'v'
              """);

  private static final Kind MATERIALIZED_VIEW =
      new Kind(
          "pg_class",
          "SELECT c.oid, c.relnamespace, array_cat(ARRAY[concat('CREATE MATERIALIZED VIEW ',"
              + " c.sql, (SELECT format(' USING %I', amname) FROM pg_am WHERE oid = c.relam), "
              + OPTIONS
              + """
                  , E' AS\\n', rtrim(pg_get_viewdef(c.oid), ';'), E'\\n  WITH NO DATA')],
                ARRAY(SELECT pg_get_indexdef(i.indexrelid) FROM pg_index i
                    WHERE i.indrelid = c.oid AND i.indisvalid ORDER BY 1)
                || ARRAY(SELECT format('ALTER MATERIALIZED VIEW %s CLUSTER ON %I', c.sql, x.relname)
                    FROM pg_index i JOIN pg_class x ON x.oid = i.indexrelid
                    WHERE i.indrelid = c.oid AND i.indisclustered)
                || ARRAY(SELECT format('ALTER MATERIALIZED VIEW %s ALTER COLUMN %I SET %s', c.sql,
                      a.attname, s.setting)
                    FROM (SELECT a.*, t.typstorage FROM pg_attribute a
                      JOIN pg_type t ON t.oid = a.atttypid WHERE a.attnum > 0) AS a
                    CROSS JOIN LATERAL
              """
              + COLUMN_SETTINGS
              + " WHERE a.attrelid = c.oid AND s.setting IS NOT NULL ORDER BY a.attnum))"
              + " FROM rel c WHERE c.relkind = 'm'");

  /// A partition's own ones come with those of its table, unless they are on where those are off.
  private static final Kind TRIGGER =
      new Kind(
          "pg_trigger",
          """
          SELECT t.oid, c.relnamespace, ARRAY[
            CASE WHEN p.oid IS NULL THEN pg_get_triggerdef(t.oid) END,
            CASE WHEN t.tgenabled <> coalesce(p.tgenabled, 'O') THEN format('ALTER TABLE %s %s TRIGGER %I', c.sql,
              CASE t.tgenabled WHEN 'D' THEN 'DISABLE' WHEN 'R' THEN 'ENABLE REPLICA'
                WHEN 'O' THEN 'ENABLE' ELSE 'ENABLE ALWAYS' END, t.tgname) END]
          FROM pg_trigger t JOIN rel c ON c.oid = t.tgrelid
          LEFT JOIN pg_trigger p ON p.oid = (to_jsonb(t) ->> 'tgparentid')::oid
          WHERE CASE WHEN p.oid IS NULL THEN NOT t.tgisinternal
            ELSE t.tgenabled <> p.tgenabled AND t.tgconstrrelid = 0 END
          """);

  private static final Kind RULE =
      new Kind(
          "pg_rewrite",
          """
          SELECT r.oid, c.relnamespace, ARRAY[rtrim(pg_get_ruledef(r.oid), ';'),
            CASE WHEN r.ev_enabled <> 'O' THEN format('ALTER TABLE %s %s RULE %I', c.sql,
              CASE r.ev_enabled WHEN 'D' THEN 'DISABLE' WHEN 'R' THEN 'ENABLE REPLICA'
                ELSE 'ENABLE ALWAYS' END, r.rulename) END]
          FROM pg_rewrite r JOIN rel c ON c.oid = r.ev_class WHERE r.rulename <> '_RETURN'
          """);

  private static final Kind POLICY =
      new Kind(
          "pg_policy",
          """
          SELECT p.oid, c.relnamespace, ARRAY[concat(
            format('CREATE POLICY %I ON %s AS %s FOR %s TO ', p.polname, c.sql,
              CASE WHEN p.polpermissive THEN 'PERMISSIVE' ELSE 'RESTRICTIVE' END,
              CASE p.polcmd WHEN 'r' THEN 'SELECT' WHEN 'a' THEN 'INSERT' WHEN 'w' THEN 'UPDATE'
                WHEN 'd' THEN 'DELETE' ELSE 'ALL' END),
            (SELECT string_agg(CASE each WHEN 0 THEN 'PUBLIC'
                ELSE quote_ident(pg_get_userbyid(each)) END, ', ') FROM unnest(p.polroles) each),
            ' USING (' || pg_get_expr(p.polqual, p.polrelid) || ')',
            ' WITH CHECK (' || pg_get_expr(p.polwithcheck, p.polrelid) || ')')]
          FROM pg_policy p JOIN rel c ON c.oid = p.polrelid
          """);

  private static final Kind STATISTICS =
      new Kind(
          "pg_statistic_ext",
          """
          SELECT s.oid, s.stxnamespace, ARRAY[pg_get_statisticsobjdef(s.oid),
            CASE WHEN (to_jsonb(s) ->> 'stxstattarget')::int >= 0
              THEN format('ALTER STATISTICS %I.%I SET STATISTICS %s', n.nspname, s.stxname,
                to_jsonb(s) ->> 'stxstattarget') END]
          FROM pg_statistic_ext s JOIN pg_namespace n ON n.oid = s.stxnamespace
          """);

  /// Those that tables may need, in an order in which most need nothing that follows.
  static final List<Kind> BEFORE =
      List.of(
          SCHEMA, EXTENSION, COLLATION, ENUM, DOMAIN, COMPOSITE, RANGE, SEQUENCE, FUNCTION,
          AGGREGATE, OPERATOR, DEFAULT);

  /// Those that need tables.
  static final List<Kind> AFTER =
      List.of(VIEW, MATERIALIZED_VIEW, RULE, TRIGGER, POLICY, STATISTICS);

  /// Tables, and what does not come along; without statements.
  static final List<Kind> OTHERS =
      List.of(
          new Kind(
              "pg_class",
              "SELECT oid, relnamespace, ARRAY[]::text[] FROM rel WHERE relkind IN ('r', 'p', 'f')"
                  + " AND NOT (relispartition AND relkind <> 'f') AND relpersistence <> 't'"),
          new Kind(
              "pg_type",
              """
              SELECT t.oid, t.typnamespace, ARRAY[]::text[] FROM pg_type t
              WHERE t.typtype = 'p' OR (t.typtype = 'b' AND NOT EXISTS (
                SELECT FROM pg_type e WHERE e.typarray = t.oid))
              """),
          other("pg_opfamily", "opfnamespace"),
          other("pg_opclass", "opcnamespace"),
          other("pg_conversion", "connamespace"),
          other("pg_ts_parser", "prsnamespace"),
          other("pg_ts_template", "tmplnamespace"),
          other("pg_ts_dict", "dictnamespace"),
          other("pg_ts_config", "cfgnamespace"));

  private ObjectSql() {}

  private static Kind other(String catalog, String namespace) {
    return new Kind(catalog, "SELECT oid, " + namespace + ", ARRAY[]::text[] FROM " + catalog);
  }
}
