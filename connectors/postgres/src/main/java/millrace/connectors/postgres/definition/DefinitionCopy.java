package millrace.connectors.postgres.definition;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import millrace.connectors.postgres.catalog.NamedRelations;
import millrace.connectors.postgres.catalog.PostgresSql;
import millrace.connectors.postgres.catalog.QualifiedName;
import millrace.connectors.postgres.net.Session;
import millrace.spi.catalog.CopiedDefinition;
import millrace.spi.catalog.LeftOut;
import millrace.spi.catalog.TableDefinitions.Found;
import millrace.spi.catalog.TableDefinitions.Placed;

/// Reads how tables are defined, and says by which statements others become like them. Names in
/// statements are whole and in quotes, whatever the search path is.
public final class DefinitionCopy {

  /// The tables of a parameter, by their places in it. Each query is of all tables: there may be
  /// thousands.
  private static final String ASKED =
      """
      WITH asked(place, oid) AS (
        SELECT place::int, name::pg_catalog.regclass::oid
        FROM unnest(?::text[]) WITH ORDINALITY AS each(name, place))
      """;

  private final Session source;
  private final Map<String, QualifiedName> targets = new HashMap<>();
  private final List<String> names = new ArrayList<>();
  private final List<DefinitionStatements> statements = new ArrayList<>();

  private DefinitionCopy(Session source) {
    this.source = source;
  }

  /// The definitions of tables; none of one whose target is there.
  ///
  /// @param source reads definitions; the caller closes it
  /// @param target is asked which tables are there; the caller closes it
  public static Found of(Session source, Session target, List<Placed> tables) {
    DefinitionCopy copy = new DefinitionCopy(source);
    List<QualifiedName> requested =
        tables.stream()
            .map(table -> QualifiedName.parse(table.to().text("table").orElseThrow()))
            .toList();
    List<Boolean> exist = new NamedRelations(target).areThere(requested);
    String schema =
        target.one(
            "SELECT coalesce(pg_catalog.current_schema(), 'public')", row -> row.getString(1));
    for (int i = 0; i < tables.size(); i++) {
      Placed table = tables.get(i);
      QualifiedName folded = requested.get(i).folded();
      QualifiedName name =
          folded.schema() == null ? new QualifiedName(schema, folded.name(), true) : folded;
      if (!exist.get(i)) {
        copy.names.add(qualified(table.from().schema(), table.from().name()));
        copy.statements.add(new DefinitionStatements(name, table.from().name()));
      }
      copy.targets.put(qualified(table.from().schema(), table.from().name()), name);
    }
    Iterator<CopiedDefinition> made = copy.definitions().iterator();
    List<CopiedDefinition> definitions =
        exist.stream().map(there -> there ? CopiedDefinition.NONE : made.next()).toList();
    Set<String> schemas = new TreeSet<>();
    tables.forEach(table -> schemas.add(table.from().schema()));
    List<LeftOut> leftOut =
        schemas.stream().flatMap(each -> copy.leftOutOf(each).stream()).toList();
    String database = source.one("SELECT pg_catalog.current_database()", row -> row.getString(1));
    return Found.ofTables(
        definitions,
        leftOut,
        List.of(
            "They come along, types and functions before the tables, triggers and policies after"
                + " them, with",
            "  pg_dump --section=pre-data " + database,
            "  pg_dump --section=post-data " + database));
  }

  private List<LeftOut> leftOutOf(String schema) {
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

  private static String qualified(String schema, String name) {
    return PostgresSql.name(schema) + "." + PostgresSql.name(name);
  }

  private List<CopiedDefinition> definitions() {
    if (names.isEmpty()) {
      return List.of();
    }
    return source.withQualifiedNames(() -> {
      sequences();
      columns();
      comments();
      indexes();
      constraints();
      foreignKeys();
      leftOut();
      return statements.stream().map(DefinitionStatements::definition).toList();
    });
  }

  /// Asks about all tables.
  ///
  /// @param sql its first column is the place of a table
  /// @param reader takes a row in
  private void each(String sql, PartReader reader) {
    source.query(
        ASKED + sql,
        row -> reader.read(statements.get(row.getInt(1) - 1), row),
        (Object) names.toArray(new String[0]));
  }

  /// Takes what belongs to a table in; gives how many there are of its kind.
  private interface PartReader {
    int read(DefinitionStatements table, ResultSet row) throws SQLException;
  }

  /// Sequences of the table's own, which give serial and identity columns their values.
  private void sequences() {
    each(
        """
        SELECT asked.place, n.nspname, c.relname, pg_catalog.format_type(s.seqtypid, NULL),
          s.seqincrement, s.seqmin, s.seqmax, s.seqstart, s.seqcache, s.seqcycle, a.attname,
          d.deptype
        FROM asked
        JOIN pg_catalog.pg_depend d ON d.refobjid = asked.oid
        JOIN pg_catalog.pg_sequence s ON s.seqrelid = d.objid
        JOIN pg_catalog.pg_class c ON c.oid = d.objid
        JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
        JOIN pg_catalog.pg_attribute a ON a.attrelid = d.refobjid AND a.attnum = d.refobjsubid
        WHERE d.deptype IN ('a', 'i')
          AND d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass
        ORDER BY 1, 3
        """,
        (table, row) -> {
          String options =
              "INCREMENT BY %d MINVALUE %d MAXVALUE %d START WITH %d CACHE %d%s"
                  .formatted(
                      row.getLong(5),
                      row.getLong(6),
                      row.getLong(7),
                      row.getLong(8),
                      row.getLong(9),
                      row.getBoolean(10) ? " CYCLE" : "");
          return row.getString(12).equals("i")
              ? table.identity(row.getString(11), options)
              : table.sequence(
                  qualified(row.getString(2), row.getString(3)),
                  row.getString(3),
                  " AS " + row.getString(4) + " " + options,
                  row.getString(11));
        });
  }

  private void columns() {
    each(
        """
        SELECT asked.place, a.attname, pg_catalog.format_type(a.atttypid, a.atttypmod),
          a.attnotnull, coalesce(pg_catalog.pg_get_expr(f.adbin, f.adrelid), ''), a.attidentity, a.attgenerated,
          CASE WHEN a.attcollation <> t.typcollation
            THEN (SELECT pg_catalog.format('%I.%I', n.nspname, o.collname)
              FROM pg_catalog.pg_collation o
              JOIN pg_catalog.pg_namespace n ON n.oid = o.collnamespace
              WHERE o.oid = a.attcollation)
            ELSE '' END
        FROM asked
        JOIN pg_catalog.pg_attribute a ON a.attrelid = asked.oid
        JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
        LEFT JOIN pg_catalog.pg_attrdef f ON f.adrelid = a.attrelid AND f.adnum = a.attnum
        WHERE a.attnum > 0 AND NOT a.attisdropped
        ORDER BY 1, a.attnum
        """,
        (table, row) ->
            table.column(
                new DefinitionStatements.Column(
                    row.getString(2),
                    row.getString(3),
                    row.getBoolean(4),
                    row.getString(5),
                    row.getString(6),
                    row.getString(7),
                    String.valueOf(row.getString(8)))));
  }

  private void comments() {
    each(
        """
        SELECT asked.place, coalesce(a.attname, ''), d.description
        FROM asked
        JOIN pg_catalog.pg_description d ON d.objoid = asked.oid
        LEFT JOIN pg_catalog.pg_attribute a
          ON a.attrelid = d.objoid AND a.attnum = d.objsubid AND d.objsubid > 0
        WHERE d.classoid = 'pg_catalog.pg_class'::pg_catalog.regclass
        ORDER BY 1, d.objsubid
        """,
        (table, row) -> table.comment(row.getString(2), row.getString(3)));
  }

  /// Those that belong to no constraint.
  private void indexes() {
    each(
        """
        SELECT asked.place, c.relname, i.indisunique,
          substr(
            pg_catalog.regexp_replace(
              substr(pg_catalog.pg_get_indexdef(i.indexrelid),
                1 + length(pg_catalog.format('%s%I ON ',
                  CASE WHEN i.indisunique THEN 'CREATE UNIQUE INDEX ' ELSE 'CREATE INDEX ' END,
                  c.relname))),
              '^ONLY ', ''),
            1 + length(pg_catalog.format('%I.%I', n.nspname, t.relname)))
        FROM asked
        JOIN pg_catalog.pg_index i ON i.indrelid = asked.oid
        JOIN pg_catalog.pg_class c ON c.oid = i.indexrelid
        JOIN pg_catalog.pg_class t ON t.oid = i.indrelid
        JOIN pg_catalog.pg_namespace n ON n.oid = t.relnamespace
        WHERE i.indisvalid AND NOT EXISTS (
          SELECT FROM pg_catalog.pg_constraint k
          WHERE k.conindid = i.indexrelid AND k.conrelid = i.indrelid
            AND k.contype IN ('p', 'u', 'x'))
        ORDER BY 1, 2
        """,
        (table, row) -> table.index(row.getString(2), row.getBoolean(3), row.getString(4)));
  }

  /// Keys, unique constraints, exclusions and checks. Not that a column is not null, which later
  /// servers list as well.
  private void constraints() {
    each(
        """
        SELECT asked.place, k.conname, pg_catalog.pg_get_constraintdef(k.oid)
        FROM asked JOIN pg_catalog.pg_constraint k ON k.conrelid = asked.oid
        WHERE k.contype IN ('p', 'u', 'x', 'c')
        ORDER BY 1, k.contype <> 'p', 2
        """,
        (table, row) -> table.constraint(row.getString(2), row.getString(3)));
  }

  private void foreignKeys() {
    each(
        """
        SELECT asked.place, k.conname, pg_catalog.pg_get_constraintdef(k.oid),
          pg_catalog.format('%I.%I', n.nspname, c.relname), n.nspname, c.relname
        FROM asked
        JOIN pg_catalog.pg_constraint k ON k.conrelid = asked.oid
        JOIN pg_catalog.pg_class c ON c.oid = k.confrelid
        JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
        WHERE k.contype = 'f'
        ORDER BY 1, 2
        """,
        (table, row) -> {
          String definition = row.getString(3);
          String referenced = row.getString(4);
          QualifiedName to = targets.get(qualified(row.getString(5), row.getString(6)));
          int at = definition.indexOf("REFERENCES " + referenced);
          if (to == null || at < 0) {
            table.leaveOut(
                LeftOut.of(
                    "foreign key", row.getString(2), "to " + referenced + ", which is not copied"));
          } else {
            int after = at + ("REFERENCES " + referenced).length();
            table.foreignKey(
                row.getString(5) + "." + row.getString(6),
                row.getString(2),
                definition.substring(0, at)
                    + "REFERENCES "
                    + to.sql()
                    + definition.substring(after));
          }
          return at;
        });
  }

  private void leftOut() {
    each(
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
          UNION ALL SELECT asked.place, 6, 'grants', ''
            FROM asked JOIN pg_catalog.pg_class c ON c.oid = asked.oid AND c.relacl IS NOT NULL
        ) AS each(place, kind, what, name) ORDER BY place, kind, name
        """,
        (table, row) -> table.leaveOut(LeftOut.of(row.getString(2), row.getString(3))));
  }
}
