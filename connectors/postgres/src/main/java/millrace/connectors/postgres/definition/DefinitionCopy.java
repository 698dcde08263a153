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
import java.util.stream.IntStream;
import millrace.connectors.postgres.catalog.NamedRelations;
import millrace.connectors.postgres.catalog.PostgresSql;
import millrace.connectors.postgres.catalog.QualifiedName;
import millrace.connectors.postgres.net.Session;
import millrace.spi.catalog.CopiedDefinition;
import millrace.spi.catalog.LeftOut;
import millrace.spi.catalog.TableDefinitions.Found;
import millrace.spi.catalog.TableDefinitions.Placed;
import millrace.spi.catalog.TableDefinitions.Scope;
import millrace.spi.catalog.TableEntry;

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
  private final Session target;
  private final boolean whole;
  private final Map<String, QualifiedName> targets = new HashMap<>();

  /// Labels of tables by the names of their partitions, which foreign keys may name.
  private final Map<String, String> labels = new HashMap<>();

  private final List<String> names = new ArrayList<>();
  private final List<DefinitionStatements> statements = new ArrayList<>();

  /// The partitions of tables, by the place of their table.
  private final Map<Integer, List<Integer>> partitions = new HashMap<>();

  private DefinitionCopy(Session source, Session target, boolean whole) {
    this.source = source;
    this.target = target;
    this.whole = whole;
  }

  /// The definitions of tables; none of one whose target is there.
  ///
  /// @param source reads definitions; the caller closes it
  /// @param target is asked which tables are there; the caller closes it
  /// @param scope whether all else that their schemas hold comes along
  public static Found of(Session source, Session target, List<Placed> tables, Scope scope) {
    List<QualifiedName> requested =
        tables.stream()
            .map(table -> QualifiedName.parse(table.to().text("table").orElseThrow()))
            .toList();
    List<Boolean> exist = new NamedRelations(target).areThere(requested);
    String schema =
        target.one(
            "SELECT coalesce(pg_catalog.current_schema(), 'public')", row -> row.getString(1));
    List<QualifiedName> named =
        requested.stream()
            .map(QualifiedName::folded)
            .map(
                each -> each.schema() == null ? new QualifiedName(schema, each.name(), true) : each)
            .toList();
    DatabaseCopy database = DatabaseCopy.of(source, target, tables, named, scope);
    DefinitionCopy copy = new DefinitionCopy(source, target, database != null);
    for (int i = 0; i < tables.size(); i++) {
      TableEntry from = tables.get(i).from();
      String name = qualified(from.schema(), from.name());
      if (!exist.get(i)) {
        copy.names.add(name);
        DefinitionStatements made =
            new DefinitionStatements(named.get(i), from.name(), database != null);
        copy.statements.add(
            from.kind().equals(TableEntry.NO_COLUMNS) || from.kind().equals(TableEntry.COMPUTED)
                ? made.filled(from.rows())
                : made);
      }
      copy.targets.put(name, named.get(i));
      copy.labels.put(name, from.label());
    }
    Iterator<CopiedDefinition> defined = copy.definitions().iterator();
    List<CopiedDefinition> definitions =
        exist.stream().map(there -> there ? CopiedDefinition.NONE : defined.next()).toList();
    if (database != null) {
      return database.found(definitions);
    }
    Set<String> schemas = new TreeSet<>();
    tables.forEach(table -> schemas.add(table.from().schema()));
    List<LeftOut> leftOut =
        schemas.stream().flatMap(each -> LeftOfTables.of(source, each).stream()).toList();
    String name = source.one("SELECT pg_catalog.current_database()", row -> row.getString(1));
    return Found.ofTables(
        definitions,
        leftOut,
        List.of(
            "They come along, types and functions before the tables, triggers and policies after"
                + " them, with",
            "  pg_dump --section=pre-data " + name,
            "  pg_dump --section=post-data " + name));
  }

  private static String qualified(String schema, String name) {
    return PostgresSql.name(schema) + "." + PostgresSql.name(name);
  }

  private List<CopiedDefinition> definitions() {
    if (names.isEmpty()) {
      return List.of();
    }
    int tables = names.size();
    return source.withQualifiedNames(() -> {
      if (whole) {
        partitions();
      }
      sequences();
      columns();
      properties();
      comments();
      indexes();
      constraints();
      foreignKeys();
      if (!whole) {
        leftOut();
      }
      List<CopiedDefinition> definitions =
          statements.stream().map(DefinitionStatements::definition).toList();
      return IntStream.range(0, tables).mapToObj(table -> withParts(definitions, table)).toList();
    });
  }

  /// A table with its partitions. Their keys and indexes come before its own, which take them for
  /// parts of them.
  private CopiedDefinition withParts(List<CopiedDefinition> definitions, int table) {
    List<String> make = new ArrayList<>(definitions.get(table).make());
    List<String> afterRows = new ArrayList<>(definitions.get(table).afterRows());
    List<CopiedDefinition.Reference> references =
        new ArrayList<>(definitions.get(table).references());
    List<LeftOut> left = new ArrayList<>(definitions.get(table).leftOut());
    for (int part : partitions.getOrDefault(table, List.of())) {
      CopiedDefinition definition = definitions.get(part);
      make.addAll(definition.make());
      afterRows.addAll(0, definition.afterRows());
      references.addAll(definition.references());
      left.addAll(definition.leftOut());
    }
    return new CopiedDefinition(make, afterRows, references, left);
  }

  /// Partitions of all levels, each after what it is a part of.
  private void partitions() {
    source.query(
        ASKED.replace("WITH asked", "WITH RECURSIVE asked")
            + """
            , tree(place, oid, level) AS (
              SELECT place, oid, 0 FROM asked
              UNION ALL
              SELECT tree.place, i.inhrelid, level + 1
              FROM tree JOIN pg_catalog.pg_inherits i ON i.inhparent = tree.oid
              JOIN pg_catalog.pg_class c ON c.oid = i.inhrelid AND c.relispartition
                AND c.relkind IN ('r', 'p'))
            SELECT tree.place, n.nspname, c.relname
            FROM tree JOIN pg_catalog.pg_class c ON c.oid = tree.oid
            JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
            WHERE level > 0 ORDER BY level, n.nspname, c.relname
            """,
        row -> {
          int table = row.getInt(1) - 1;
          QualifiedName part = new QualifiedName(row.getString(2), row.getString(3), true);
          partitions.computeIfAbsent(table, _ -> new ArrayList<>()).add(statements.size());
          targets.put(part.sql(), part);
          labels.put(part.sql(), labels.getOrDefault(names.get(table), ""));
          names.add(part.sql());
          return statements.add(new DefinitionStatements(part, part.name(), true));
        },
        (Object) names.toArray(new String[0]));
  }

  private void properties() {
    each(
        TableProperties.query(ASKED, whole),
        "",
        (table, row) -> table.property(row.getString(2), row.getString(3)));
  }

  /// Asks about all tables.
  ///
  /// @param sql its first column is the place of a table
  /// @param reader takes a row in
  private void each(String sql, PartReader reader) {
    each(ASKED, sql, reader);
  }

  private void each(String asked, String sql, PartReader reader) {
    source.query(
        asked + sql,
        row -> reader.read(statements.get(row.getInt(1) - 1), row),
        (Object) names.toArray(new String[0]));
  }

  /// Takes what belongs to a table in; gives how many there are of its kind.
  private interface PartReader {
    int read(DefinitionStatements table, ResultSet row) throws SQLException;
  }

  /// Sequences of the table's own, which give serial and identity columns their values.
  private void sequences() {
    Map<Long, SequenceValues.Position> positions = SequenceValues.of(source);
    each(
        """
        SELECT asked.place, n.nspname, c.relname, pg_catalog.format_type(s.seqtypid, NULL),
          s.seqincrement, s.seqmin, s.seqmax, s.seqstart, s.seqcache, s.seqcycle, a.attname,
          d.deptype, c.oid::bigint,
          CASE WHEN c.relpersistence = 'u' THEN 'CREATE UNLOGGED SEQUENCE ' ELSE 'CREATE SEQUENCE ' END
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
              ? table.identity(row.getString(11), options, positions.get(row.getLong(13)))
              : table.sequence(
                  qualified(row.getString(2), row.getString(3)),
                  row.getString(3),
                  row.getString(14),
                  " AS " + row.getString(4) + " " + options,
                  row.getString(11),
                  positions.get(row.getLong(13)));
        });
  }

  private void columns() {
    each(
        """
        SELECT asked.place, a.attname, pg_catalog.format_type(a.atttypid, a.atttypmod),
          CASE WHEN a.attnotnull AND coalesce(k.convalidated, true) THEN concat(
            ' CONSTRAINT ' || pg_catalog.quote_ident(
              nullif(k.conname, concat(c.relname, '_', a.attname, '_not_null'))),
            ' NOT NULL', CASE WHEN k.connoinherit THEN ' NO INHERIT' END) ELSE '' END,
          coalesce(pg_catalog.pg_get_expr(f.adbin, f.adrelid), ''), a.attidentity,
          a.attgenerated,
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
        """
            + (whole ? " AND NOT (a.attgenerated = '' AND " + ObjectSql.CALLS_FUNCTION + ")" : "")
            + """
             JOIN pg_catalog.pg_class c ON c.oid = a.attrelid
            LEFT JOIN pg_catalog.pg_constraint k ON k.conrelid = c.oid AND k.contype = 'n'
              AND k.conkey = ARRAY[a.attnum]
            """
            + " WHERE a.attnum > 0 AND NOT a.attisdropped"
            + (whole ? " AND (a.attislocal OR c.relispartition)" : "")
            + " ORDER BY 1, a.attnum",
        (table, row) ->
            table.column(
                new DefinitionStatements.Column(
                    row.getString(2),
                    row.getString(3),
                    row.getString(4),
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
        SELECT asked.place, c.relname, i.indisunique, $only,
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
        WHERE (i.indisvalid OR $only) AND NOT EXISTS (
          SELECT FROM pg_catalog.pg_constraint k
          WHERE k.conindid = i.indexrelid AND k.conrelid = i.indrelid
            AND k.contype IN ('p', 'u', 'x'))
        ORDER BY 1, 2
        """
            .replace("$only", "(t.relkind = 'p' AND " + whole + ")"),
        (table, row) ->
            table.index(row.getString(2), row.getBoolean(3), row.getBoolean(4), row.getString(5)));
  }

  /// Keys, unique constraints, exclusions and checks. That a column is not null, which later
  /// servers list as well, only if rows may have broken it. A check that tables which inherit have
  /// too follows theirs, which it takes for its own.
  private void constraints() {
    each(
        """
        SELECT asked.place, k.conname, pg_catalog.pg_get_constraintdef(k.oid), $whole AND EXISTS (
          SELECT FROM pg_catalog.pg_inherits i
          JOIN pg_catalog.pg_class c ON c.oid = i.inhrelid AND NOT c.relispartition
          JOIN pg_catalog.pg_constraint h ON h.conrelid = c.oid AND h.conname = k.conname
            AND h.contype = 'c' AND h.conislocal
          WHERE i.inhparent = k.conrelid AND k.contype = 'c')
        FROM asked JOIN pg_catalog.pg_constraint k ON k.conrelid = asked.oid
        WHERE k.contype IN ('p', 'u', 'x') OR (k.conislocal
          AND (k.contype = 'c' OR (k.contype = 'n' AND NOT k.convalidated)))
        ORDER BY 1, k.contype <> 'p', 2
        """
            .replace("$whole", Boolean.toString(whole)),
        (table, row) ->
            row.getBoolean(4)
                ? table.foreignKey("", row.getString(2), row.getString(3))
                : table.constraint(row.getString(2), row.getString(3)));
  }

  private void foreignKeys() {
    ForeignKeys keys = new ForeignKeys(target, targets, labels);
    each(ForeignKeys.QUERY, keys::read);
    keys.addOthers();
  }

  private void leftOut() {
    each(
        LeftOfTables.PARTS,
        (table, row) -> table.leaveOut(LeftOut.of(row.getString(2), row.getString(3))));
  }
}
