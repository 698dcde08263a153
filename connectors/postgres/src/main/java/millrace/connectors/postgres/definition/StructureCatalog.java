package millrace.connectors.postgres.definition;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import millrace.connectors.postgres.catalog.NamedRelations;
import millrace.connectors.postgres.catalog.PostgresCatalog;
import millrace.connectors.postgres.catalog.PostgresSql;
import millrace.connectors.postgres.catalog.PostgresTypes;
import millrace.connectors.postgres.catalog.QualifiedName;
import millrace.connectors.postgres.catalog.Relation;
import millrace.connectors.postgres.catalog.TableColumn;
import millrace.connectors.postgres.net.Session;
import millrace.connectors.sql.CommentStyle;
import millrace.connectors.sql.Names;
import millrace.connectors.sql.TableName;
import millrace.connectors.sql.structure.StructureFacts;
import millrace.connectors.sql.structure.StructureQueries;
import millrace.connectors.sql.structure.StructureSpelling;
import millrace.connectors.sql.structure.StructureSpelling.Keys;
import millrace.connectors.sql.structure.StructureSpelling.Literals;
import millrace.connectors.sql.structure.StructureStatements;
import millrace.data.Column;
import millrace.data.TableComments;
import millrace.fault.Fault;
import millrace.spi.catalog.CopiedDefinition;
import millrace.spi.catalog.LeftOut;
import millrace.spi.catalog.TableEntry;
import millrace.spi.catalog.TableStructure;
import millrace.spi.catalog.TableStructure.Action;
import millrace.spi.catalog.TableStructures.Structured;
import millrace.spi.catalog.TableStructures.Structures;

/// What the catalog says of tables in words of no system, and how tables get it that their copies
/// have made.
///
/// @param session the caller closes it
public record StructureCatalog(Session session) {

  /// Whether one column alone draws from a sequence: then it numbers the column's rows, whether it
  /// belongs to it or not.
  private static final String ONE_DRAWS =
      """
      (SELECT count(*) = 1 AND bool_and(b.atttypid IN (20, 21, 23)
          AND pg_catalog.pg_get_expr(e.adbin, e.adrelid) ~ '^nextval\\([^()]*::regclass\\)$')
        FROM pg_catalog.pg_depend x
        JOIN pg_catalog.pg_attrdef e ON e.oid = x.objid
        JOIN pg_catalog.pg_attribute b ON b.attrelid = e.adrelid AND b.attnum = e.adnum
        WHERE x.refobjid = %s AND x.deptype = 'n'
          AND x.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass
          AND x.classid = 'pg_catalog.pg_attrdef'::pg_catalog.regclass)\
      """;

  private static final String COLUMNS =
      """
      SELECT c.relname, a.attname, pg_catalog.pg_get_expr(f.adbin, f.adrelid), s.name
      FROM pg_catalog.pg_class c
      JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace AND n.nspname = ?
      JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0
      LEFT JOIN pg_catalog.pg_attrdef f ON f.adrelid = a.attrelid AND f.adnum = a.attnum
      LEFT JOIN LATERAL (
        SELECT pg_catalog.format('%I.%I', m.nspname, q.relname) AS name
        FROM pg_catalog.pg_depend d
        JOIN pg_catalog.pg_class q ON q.oid = d.objid AND q.relkind = 'S'
        JOIN pg_catalog.pg_namespace m ON m.oid = q.relnamespace
        WHERE d.refobjid = c.oid AND d.refobjsubid = a.attnum AND d.deptype IN ('a', 'i')
          AND d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass
        UNION ALL SELECT pg_catalog.format('%I.%I', m.nspname, q.relname)
        FROM pg_catalog.pg_depend d
        JOIN pg_catalog.pg_class q ON q.oid = d.refobjid AND q.relkind = 'S'
        JOIN pg_catalog.pg_namespace m ON m.oid = q.relnamespace
        WHERE d.objid = f.oid AND d.classid = 'pg_catalog.pg_attrdef'::pg_catalog.regclass
          AND d.deptype = 'n' AND ONE_DRAWS
        LIMIT 1) s ON true
      WHERE a.attgenerated = '' AND NOT a.attisdropped AND c.relkind IN ('r', 'p')
        AND (f.adbin IS NOT NULL OR s.name IS NOT NULL)
      """
          .replace("ONE_DRAWS", ONE_DRAWS.formatted("q.oid"));

  private static final String NEXT =
      "SELECT CASE WHEN is_called THEN last_value + 1 ELSE last_value END FROM %s";

  private static final String INDEXES =
      """
      SELECT t.relname, i.relname,
        CASE WHEN m.amname <> 'btree' THEN 'of type ' || m.amname
          WHEN x.indpred IS NOT NULL THEN 'with a condition'
          WHEN x.indnkeyatts < x.indnatts THEN 'with columns beside its key'
          WHEN NOT o.opcdefault THEN 'in another order'
          WHEN x.indisprimary THEN 'P'
          WHEN EXISTS (SELECT FROM pg_catalog.pg_constraint u WHERE u.conindid = x.indexrelid
            AND u.contype = 'u') THEN 'K'
          WHEN x.indisunique THEN 'U' ELSE 'I' END,
        a.attname, (x.indoption[k - 1] & 1)::int
      FROM pg_catalog.pg_index x
      JOIN pg_catalog.pg_class t ON t.oid = x.indrelid AND t.relkind IN ('r', 'p')
      JOIN pg_catalog.pg_namespace n ON n.oid = t.relnamespace AND n.nspname = ?
      JOIN pg_catalog.pg_class i ON i.oid = x.indexrelid
      JOIN pg_catalog.pg_am m ON m.oid = i.relam
      CROSS JOIN LATERAL pg_catalog.generate_series(1, x.indnkeyatts) k
      JOIN pg_catalog.pg_opclass o ON o.oid = x.indclass[k - 1]
      LEFT JOIN pg_catalog.pg_attribute a
        ON a.attrelid = t.oid AND a.attnum = x.indkey[k - 1] AND a.attnum > 0
      WHERE x.indisvalid
      ORDER BY 1, 2, k
      """;

  private static final String FOREIGN_KEYS =
      """
      SELECT t.relname, k.conname, a.attname, rn.nspname, r.relname, b.attname,
        CASE k.confdeltype WHEN 'r' THEN 'RESTRICT' WHEN 'c' THEN 'CASCADE'
          WHEN 'n' THEN 'SET NULL' WHEN 'd' THEN 'SET DEFAULT' ELSE 'NO ACTION' END,
        CASE k.confupdtype WHEN 'r' THEN 'RESTRICT' WHEN 'c' THEN 'CASCADE'
          WHEN 'n' THEN 'SET NULL' WHEN 'd' THEN 'SET DEFAULT' ELSE 'NO ACTION' END
      FROM pg_catalog.pg_constraint k
      JOIN pg_catalog.pg_class t ON t.oid = k.conrelid
      JOIN pg_catalog.pg_namespace n ON n.oid = t.relnamespace AND n.nspname = ?
      JOIN pg_catalog.pg_class r ON r.oid = k.confrelid
      JOIN pg_catalog.pg_namespace rn ON rn.oid = r.relnamespace
      CROSS JOIN LATERAL unnest(k.conkey, k.confkey) WITH ORDINALITY AS p(own, other, place)
      JOIN pg_catalog.pg_attribute a ON a.attrelid = t.oid AND a.attnum = p.own
      JOIN pg_catalog.pg_attribute b ON b.attrelid = r.oid AND b.attnum = p.other
      WHERE k.contype = 'f' AND k.conparentid = 0 AND k.convalidated
      ORDER BY 1, 2, p.place
      """;

  /// What stands in an enum is one of a list of texts. What rows may break is no condition.
  private static final String CHECKS =
      """
      SELECT t.relname, k.conname, CASE WHEN k.convalidated
        THEN pg_catalog.pg_get_expr(k.conbin, k.conrelid) ELSE 'NOT VALID' END
      FROM pg_catalog.pg_constraint k
      JOIN pg_catalog.pg_class t ON t.oid = k.conrelid
      JOIN pg_catalog.pg_namespace n ON n.oid = t.relnamespace AND n.nspname = ?
      WHERE k.contype = 'c'
      UNION ALL SELECT t.relname, t.relname || '_' || a.attname || '_check',
        pg_catalog.format('%I IN (%s)', a.attname,
          (SELECT string_agg(pg_catalog.quote_literal(e.enumlabel), ', ' ORDER BY e.enumsortorder)
            FROM pg_catalog.pg_enum e WHERE e.enumtypid = y.oid))
      FROM pg_catalog.pg_class t
      JOIN pg_catalog.pg_namespace n ON n.oid = t.relnamespace AND n.nspname = ?
      JOIN pg_catalog.pg_attribute a ON a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped
      JOIN pg_catalog.pg_type y ON y.oid = a.atttypid AND y.typtype = 'e'
      WHERE t.relkind IN ('r', 'p')
      ORDER BY 1, 2
      """;

  private static final String OTHERS =
      """
      SELECT what, name, of FROM (
        SELECT CASE relkind WHEN 'v' THEN 'view' WHEN 'm' THEN 'materialized view'
            WHEN 'f' THEN 'foreign table' ELSE 'sequence' END, relname, '', relnamespace
          FROM pg_catalog.pg_class c WHERE relkind IN ('v', 'm', 'f') OR (relkind = 'S'
            AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend d WHERE d.objid = c.oid
              AND d.deptype IN ('a', 'i', 'e')
              AND d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass)
            AND NOT coalesce(ONE_DRAWS, false))
        UNION ALL SELECT CASE prokind WHEN 'p' THEN 'procedure' WHEN 'a' THEN 'aggregate'
            ELSE 'function' END, proname, '', pronamespace
          FROM pg_catalog.pg_proc p WHERE NOT EXISTS (SELECT FROM pg_catalog.pg_depend d
            WHERE d.objid = p.oid AND d.deptype = 'e')
        UNION ALL SELECT CASE typtype WHEN 'd' THEN 'domain' ELSE 'type' END, typname, '',
            typnamespace
          FROM pg_catalog.pg_type WHERE typtype IN ('d', 'r')
        UNION ALL SELECT 'trigger', tgname, relname, relnamespace
          FROM pg_catalog.pg_trigger JOIN pg_catalog.pg_class c ON c.oid = tgrelid
          WHERE NOT tgisinternal
        UNION ALL SELECT 'foreign key', conname || ' (not valid)', relname, relnamespace
          FROM pg_catalog.pg_constraint JOIN pg_catalog.pg_class c ON c.oid = conrelid
          WHERE contype = 'f' AND conparentid = 0 AND NOT convalidated
        UNION ALL SELECT 'policy', polname, relname, relnamespace
          FROM pg_catalog.pg_policy JOIN pg_catalog.pg_class c ON c.oid = polrelid
        UNION ALL SELECT 'rule', rulename, relname, relnamespace
          FROM pg_catalog.pg_rewrite JOIN pg_catalog.pg_class c ON c.oid = ev_class
          WHERE relkind IN ('r', 'p')
        UNION ALL SELECT 'partitioning', 'by ' || pg_catalog.pg_get_partkeydef(partrelid), relname,
            relnamespace
          FROM pg_catalog.pg_partitioned_table JOIN pg_catalog.pg_class c ON c.oid = partrelid
        UNION ALL SELECT 'computed column', attname, relname, relnamespace
          FROM pg_catalog.pg_attribute JOIN pg_catalog.pg_class c ON c.oid = attrelid
          WHERE attgenerated <> ''
      ) AS each(what, name, of, namespace)
      JOIN pg_catalog.pg_namespace n ON n.oid = namespace AND n.nspname = ?
      ORDER BY what, name, of
      """
          .replace("ONE_DRAWS", ONE_DRAWS.formatted("c.oid"));

  private static final String COMMENTS =
      """
      SELECT a.attname, d.description FROM pg_catalog.pg_description d
      JOIN pg_catalog.pg_attribute a ON a.attrelid = d.objoid AND a.attnum = d.objsubid
      WHERE d.classoid = 'pg_catalog.pg_class'::pg_catalog.regclass AND d.objoid = ?
        AND d.objsubid > 0
      """;

  private static final StructureQueries QUERIES =
      new StructureQueries(COLUMNS, NEXT, INDEXES, FOREIGN_KEYS, CHECKS, OTHERS, false);

  /// The identity is taken away first, so that the statements can be carried out again.
  private static final StructureSpelling.Numbering NUMBERING =
      new StructureSpelling.Numbering(
          List.of(
              "ALTER TABLE %1$s ALTER COLUMN %2$s DROP IDENTITY IF EXISTS",
              "ALTER TABLE %1$s ALTER COLUMN %2$s ADD GENERATED BY DEFAULT AS IDENTITY"
                  + " (SEQUENCE NAME %5$s START WITH %4$d)",
              "SELECT pg_catalog.setval(%7$s, greatest(%4$d, 1 + max(%2$s)::bigint), false)"
                  + " FROM %1$s"),
          true,
          "");

  private static StructureSpelling spelling(int nameBytesMax) {
    return new StructureSpelling(
        new Names('"', Names.Folding.LOWER, nameBytesMax),
        UnaryOperator.identity(),
        new StructureSpelling.Scopes(true, false),
        NUMBERING,
        StructureSpelling.VALUE,
        new Keys(
            Keys.INDEX, Keys.CONSTRAINT, EnumSet.allOf(Action.class), EnumSet.allOf(Action.class)),
        new Literals(
            "CURRENT_DATE",
            "LOCALTIME",
            "CURRENT_TIMESTAMP",
            List.of("false", "true"),
            PostgresSql::text,
            false,
            ""),
        (_, _, _) -> "");
  }

  /// How tables are defined.
  public Structures structures(List<TableEntry> tables) {
    String usual = schema();
    Map<TableName, String> labels = new HashMap<>();
    tables.forEach(table -> labels.put(name(table, usual), table.label()));
    Map<String, StructureFacts> facts = new TreeMap<>();
    List<TableStructure> structures = new ArrayList<>();
    for (TableEntry table : tables) {
      TableName name = name(table, usual);
      facts.computeIfAbsent(
          name.schema(),
          schema -> session.withQualifiedNames(() -> QUERIES.read(this::query, schema)));
      structures.add(
          facts
              .getOrDefault(name.schema(), StructureFacts.NONE)
              .structure(read(name), labels::get));
    }
    List<LeftOut> leftOut =
        facts.values().stream().flatMap(each -> each.leftOut().stream()).toList();
    return new Structures(structures, leftOut);
  }

  private <T> List<T> query(
      String sql, millrace.connectors.sql.SqlSession.RowMapper<T> mapper, String... texts) {
    return session.query(sql, mapper::map, (Object[]) texts);
  }

  private String schema() {
    return session.one(
        "SELECT coalesce(pg_catalog.current_schema(), 'public')", row -> row.getString(1));
  }

  private static TableName name(TableEntry table, String usual) {
    return new TableName(table.schema().isEmpty() ? usual : table.schema(), table.name());
  }

  private StructureFacts.ReadTable read(TableName name) {
    PostgresCatalog catalog = new PostgresCatalog(session);
    Relation found = catalog.find(new QualifiedName(name.schema(), name.name(), true));
    if (found == null) {
      throw new Fault.User("There is no table " + name.label() + " any more.", "Begin again.");
    }
    List<Column> columns = catalog.columns(found).stream().map(TableColumn::column).toList();
    TableComments comments =
        TableComments.of(
            session.query(
                COMMENTS, row -> Map.entry(row.getString(1), row.getString(2)), found.oid()));
    return new StructureFacts.ReadTable(name, columns, comments);
  }

  /// The statements by which tables get what their structures say; none of one that is there.
  public List<Optional<CopiedDefinition>> statements(List<Structured> tables) {
    List<QualifiedName> requested =
        tables.stream()
            .map(each -> QualifiedName.parse(each.table().to().text("table").orElseThrow()))
            .toList();
    Iterator<Boolean> there = new NamedRelations(session).areThere(requested).iterator();
    String usual = schema();
    List<StructureStatements.Made> made = new ArrayList<>();
    for (int i = 0; i < tables.size(); i++) {
      QualifiedName to = requested.get(i).folded();
      String schema = to.schema() == null ? usual : to.schema();
      made.add(
          new StructureStatements.Made(
              tables.get(i).table().from(),
              new TableName(schema, to.name()),
              tables.get(i).structure()));
    }
    return new StructureStatements(
            spelling(new PostgresCatalog(session).nameBytesMax()),
            (column, _) -> PostgresTypes.declaration(column.type()),
            CommentStyle.NONE)
        .of(made).stream()
            .map(each -> there.next() ? Optional.<CopiedDefinition>empty() : Optional.of(each))
            .toList();
  }
}
