package millrace.connectors.postgres.definition;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import millrace.connectors.postgres.catalog.Catalog;
import millrace.connectors.postgres.catalog.PostgresSql;
import millrace.connectors.postgres.catalog.QualifiedName;
import millrace.connectors.postgres.net.Session;
import millrace.spi.catalog.CopiedDefinition;
import millrace.spi.catalog.TableDefinitions.Found;
import millrace.spi.catalog.TableDefinitions.Placed;

/// Reads how tables are defined, and says by which statements others become like them. Names in
/// statements are whole and in quotes, whatever the search path is.
public final class DefinitionCopy {

  private final Session source;
  private final Map<String, QualifiedName> targets = new HashMap<>();

  private DefinitionCopy(Session source) {
    this.source = source;
  }

  /// The definitions of tables; none of one whose target is there.
  ///
  /// @param source reads definitions; the caller closes it
  /// @param target is asked which tables are there; the caller closes it
  public static Found of(Session source, Session target, List<Placed> tables) {
    DefinitionCopy copy = new DefinitionCopy(source);
    Catalog there = new Catalog(target);
    List<QualifiedName> names = new ArrayList<>();
    List<Boolean> exist = new ArrayList<>();
    String schema =
        target.one(
            "SELECT coalesce(pg_catalog.current_schema(), 'public')", row -> row.getString(1));
    for (Placed table : tables) {
      QualifiedName asked = QualifiedName.parse(table.to().text("table").orElseThrow());
      QualifiedName folded = asked.folded();
      QualifiedName name =
          folded.schema() == null ? new QualifiedName(schema, folded.name(), true) : folded;
      names.add(name);
      exist.add(there.find(asked) != null);
      copy.targets.put(qualified(table.from().schema(), table.from().name()), name);
    }
    List<CopiedDefinition> definitions = new ArrayList<>();
    for (int i = 0; i < tables.size(); i++) {
      String table = qualified(tables.get(i).from().schema(), tables.get(i).from().name());
      QualifiedName to = names.get(i);
      definitions.add(
          exist.get(i)
              ? CopiedDefinition.NONE
              : source.withQualifiedNames(() -> copy.definition(table, to)));
    }
    Set<String> schemas = new TreeSet<>();
    tables.forEach(table -> schemas.add(table.from().schema()));
    List<String> leftOut = schemas.stream().flatMap(each -> copy.leftOutOf(each).stream()).toList();
    String database = source.one("SELECT pg_catalog.current_database()", row -> row.getString(1));
    return new Found(
        definitions,
        leftOut,
        List.of(
            "They come along, types and functions before the tables, triggers and policies after"
                + " them, with",
            "  pg_dump --section=pre-data " + database,
            "  pg_dump --section=post-data " + database));
  }

  private List<String> leftOutOf(String schema) {
    return source.query(
        """
        SELECT count(*) || ' ' || what || CASE WHEN count(*) = 1 THEN '' ELSE 's' END
        FROM (
          SELECT CASE relkind WHEN 'v' THEN 'view' WHEN 'm' THEN 'materialized view'
              ELSE 'foreign table' END, relnamespace
            FROM pg_catalog.pg_class WHERE relkind IN ('v', 'm', 'f')
          UNION ALL SELECT 'function', pronamespace FROM pg_catalog.pg_proc
          UNION ALL SELECT 'type', typnamespace FROM pg_catalog.pg_type
            WHERE typtype IN ('d', 'e', 'r')
        ) AS each(what, namespace)
        JOIN pg_catalog.pg_namespace n ON n.oid = namespace AND n.nspname = ?
        GROUP BY what ORDER BY what
        """,
        row -> row.getString(1) + " of " + schema,
        schema);
  }

  private static String qualified(String schema, String name) {
    return PostgresSql.name(schema) + "." + PostgresSql.name(name);
  }

  private CopiedDefinition definition(String table, QualifiedName to) {
    DefinitionStatements statements = new DefinitionStatements(to);
    sequences(table, statements);
    columns(table, statements);
    comments(table, statements);
    indexes(table, statements);
    constraints(table, statements);
    foreignKeys(table, statements);
    leftOut(table, statements);
    return statements.definition();
  }

  /// Sequences of the table's own, which give serial and identity columns their values.
  private void sequences(String table, DefinitionStatements statements) {
    source.query(
        """
        SELECT n.nspname, c.relname, pg_catalog.format_type(s.seqtypid, NULL), s.seqincrement,
          s.seqmin, s.seqmax, s.seqstart, s.seqcache, s.seqcycle, a.attname,
          d.deptype
        FROM pg_catalog.pg_depend d
        JOIN pg_catalog.pg_sequence s ON s.seqrelid = d.objid
        JOIN pg_catalog.pg_class c ON c.oid = d.objid
        JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
        JOIN pg_catalog.pg_attribute a ON a.attrelid = d.refobjid AND a.attnum = d.refobjsubid
        WHERE d.refobjid = ?::pg_catalog.regclass AND d.deptype IN ('a', 'i')
          AND d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass
        ORDER BY 2
        """,
        row -> {
          String options =
              "INCREMENT BY %d MINVALUE %d MAXVALUE %d START WITH %d CACHE %d%s"
                  .formatted(
                      row.getLong(4),
                      row.getLong(5),
                      row.getLong(6),
                      row.getLong(7),
                      row.getLong(8),
                      row.getBoolean(9) ? " CYCLE" : "");
          return row.getString(11).equals("i")
              ? statements.identity(row.getString(10), options)
              : statements.sequence(
                  qualified(row.getString(1), row.getString(2)),
                  row.getString(2),
                  " AS " + row.getString(3) + " " + options,
                  row.getString(10));
        },
        table);
  }

  private void columns(String table, DefinitionStatements statements) {
    source.query(
        """
        SELECT a.attname, pg_catalog.format_type(a.atttypid, a.atttypmod), a.attnotnull,
          coalesce(pg_catalog.pg_get_expr(f.adbin, f.adrelid), ''), a.attidentity, a.attgenerated,
          CASE WHEN a.attcollation <> t.typcollation
            THEN (SELECT pg_catalog.format('%I.%I', n.nspname, o.collname)
              FROM pg_catalog.pg_collation o
              JOIN pg_catalog.pg_namespace n ON n.oid = o.collnamespace
              WHERE o.oid = a.attcollation)
            ELSE '' END
        FROM pg_catalog.pg_attribute a
        JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
        LEFT JOIN pg_catalog.pg_attrdef f ON f.adrelid = a.attrelid AND f.adnum = a.attnum
        WHERE a.attrelid = ?::pg_catalog.regclass AND a.attnum > 0 AND NOT a.attisdropped
        ORDER BY a.attnum
        """,
        row ->
            statements.column(
                new DefinitionStatements.Column(
                    row.getString(1),
                    row.getString(2),
                    row.getBoolean(3),
                    row.getString(4),
                    row.getString(5),
                    row.getString(6),
                    String.valueOf(row.getString(7)))),
        table);
  }

  private void comments(String table, DefinitionStatements statements) {
    source.query(
        """
        SELECT coalesce(a.attname, ''), d.description
        FROM pg_catalog.pg_description d
        LEFT JOIN pg_catalog.pg_attribute a
          ON a.attrelid = d.objoid AND a.attnum = d.objsubid AND d.objsubid > 0
        WHERE d.objoid = ?::pg_catalog.regclass
          AND d.classoid = 'pg_catalog.pg_class'::pg_catalog.regclass
        ORDER BY d.objsubid
        """,
        row -> statements.comment(row.getString(1), row.getString(2)),
        table);
  }

  /// Those that belong to no constraint.
  private void indexes(String table, DefinitionStatements statements) {
    source.query(
        """
        SELECT c.relname, i.indisunique,
          substr(
            pg_catalog.regexp_replace(
              substr(pg_catalog.pg_get_indexdef(i.indexrelid),
                1 + length(pg_catalog.format('%s%I ON ',
                  CASE WHEN i.indisunique THEN 'CREATE UNIQUE INDEX ' ELSE 'CREATE INDEX ' END,
                  c.relname))),
              '^ONLY ', ''),
            1 + length(pg_catalog.format('%I.%I', n.nspname, t.relname)))
        FROM pg_catalog.pg_index i
        JOIN pg_catalog.pg_class c ON c.oid = i.indexrelid
        JOIN pg_catalog.pg_class t ON t.oid = i.indrelid
        JOIN pg_catalog.pg_namespace n ON n.oid = t.relnamespace
        WHERE i.indrelid = ?::pg_catalog.regclass AND i.indisvalid AND NOT EXISTS (
          SELECT FROM pg_catalog.pg_constraint k
          WHERE k.conindid = i.indexrelid AND k.conrelid = i.indrelid
            AND k.contype IN ('p', 'u', 'x'))
        ORDER BY 1
        """,
        row -> statements.index(row.getString(1), row.getBoolean(2), row.getString(3)), table);
  }

  /// Keys, unique constraints, exclusions and checks. Not that a column is not null, which later
  /// servers list as well.
  private void constraints(String table, DefinitionStatements statements) {
    source.query(
        """
        SELECT conname, pg_catalog.pg_get_constraintdef(oid) FROM pg_catalog.pg_constraint
        WHERE conrelid = ?::pg_catalog.regclass AND contype IN ('p', 'u', 'x', 'c')
        ORDER BY contype <> 'p', 1
        """,
        row -> statements.constraint(row.getString(1), row.getString(2)),
        table);
  }

  private void foreignKeys(String table, DefinitionStatements statements) {
    source.query(
        """
        SELECT k.conname, pg_catalog.pg_get_constraintdef(k.oid),
          pg_catalog.format('%I.%I', n.nspname, c.relname), n.nspname, c.relname
        FROM pg_catalog.pg_constraint k
        JOIN pg_catalog.pg_class c ON c.oid = k.confrelid
        JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
        WHERE k.conrelid = ?::pg_catalog.regclass AND k.contype = 'f'
        ORDER BY 1
        """,
        row -> {
          String definition = row.getString(2);
          String referenced = row.getString(3);
          QualifiedName to = targets.get(qualified(row.getString(4), row.getString(5)));
          int at = definition.indexOf("REFERENCES " + referenced);
          if (to == null || at < 0) {
            statements.leaveOut(
                "foreign key " + row.getString(1) + " to " + referenced + ", which is not copied");
          } else {
            int after = at + ("REFERENCES " + referenced).length();
            statements.foreignKey(
                row.getString(1),
                definition.substring(0, at)
                    + "REFERENCES "
                    + to.sql()
                    + definition.substring(after));
          }
          return at;
        },
        table);
  }

  private void leftOut(String table, DefinitionStatements statements) {
    source.query(
        """
        SELECT what FROM (
          SELECT 1, 'trigger ' || tgname FROM pg_catalog.pg_trigger
            WHERE tgrelid = ?::pg_catalog.regclass AND NOT tgisinternal
          UNION ALL SELECT 2, 'policy ' || polname FROM pg_catalog.pg_policy
            WHERE polrelid = ?::pg_catalog.regclass
          UNION ALL SELECT 3, 'rule ' || rulename FROM pg_catalog.pg_rewrite
            WHERE ev_class = ?::pg_catalog.regclass
          UNION ALL SELECT 4, 'statistics ' || stxname FROM pg_catalog.pg_statistic_ext
            WHERE stxrelid = ?::pg_catalog.regclass
          UNION ALL SELECT 5, 'partitions by ' || pg_catalog.pg_get_partkeydef(partrelid)
            FROM pg_catalog.pg_partitioned_table WHERE partrelid = ?::pg_catalog.regclass
          UNION ALL SELECT 6, 'grants' FROM pg_catalog.pg_class
            WHERE oid = ?::pg_catalog.regclass AND relacl IS NOT NULL
        ) AS each(place, what) ORDER BY place, what
        """,
        row -> statements.leaveOut(row.getString(1)),
        table,
        table,
        table,
        table,
        table,
        table);
  }
}
