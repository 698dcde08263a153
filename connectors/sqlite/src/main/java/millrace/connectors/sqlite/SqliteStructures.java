package millrace.connectors.sqlite;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import millrace.connectors.sql.Names;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.structure.StructureFacts;
import millrace.connectors.sql.structure.StructureFacts.CheckFact;
import millrace.connectors.sql.structure.StructureQueries;
import millrace.connectors.sql.structure.StructureSpelling;
import millrace.connectors.sql.structure.StructureSpelling.Keys;
import millrace.connectors.sql.structure.StructureSpelling.Literals;
import millrace.spi.catalog.TableStructure.Action;

/// What the catalog of SQLite says of tables, and what it gives to tables that are there.
final class SqliteStructures {

  private static final String CHECK = "check ";

  private static final String INDEX = "CREATE %1$sINDEX IF NOT EXISTS %5$s ON %6$s (%4$s)";

  /// The key that is the number of its row; AUTOINCREMENT keeps the greatest that there ever was.
  private static final String COLUMNS =
      """
      SELECT m.name, c.name, c.dflt_value,
        CASE WHEN c.pk = 1 AND upper(c.type) = 'INTEGER'
            AND (SELECT count(*) FROM pragma_table_info(m.name) WHERE pk > 0) = 1
          THEN NEXT END AS next
      FROM sqlite_schema m JOIN pragma_table_xinfo(m.name) c
      WHERE m.type = 'table' AND c.hidden = 0 AND (c.dflt_value IS NOT NULL OR c.pk = 1)
      """;

  private static final String NEXT =
      "coalesce((SELECT seq + 1 FROM sqlite_sequence s WHERE s.name = m.name), 0)";

  private static final String INDEXES =
      """
      SELECT m.name,
        CASE i.origin WHEN 'u' THEN replace(i.name, 'sqlite_autoindex_', '') || '_key'
          ELSE i.name END,
        CASE WHEN i.partial THEN 'with a condition' WHEN i.origin = 'u' THEN 'K'
          WHEN i."unique" THEN 'U' ELSE 'I' END,
        x.name, x."desc", x.seqno
      FROM sqlite_schema m JOIN pragma_index_list(m.name) i JOIN pragma_index_xinfo(i.name) x
      WHERE m.type = 'table' AND i.origin <> 'pk' AND x.key
      UNION ALL SELECT m.name, 'PRIMARY', 'P', c.name, 0, c.pk
      FROM sqlite_schema m JOIN pragma_table_info(m.name) c WHERE m.type = 'table' AND c.pk > 0
      ORDER BY 1, 2, 6
      """;

  private static final String FOREIGN_KEYS =
      """
      SELECT m.name, m.name || '_fk_' || f.id, f."from", 'main',
        coalesce((SELECT o.name FROM sqlite_schema o
          WHERE o.type = 'table' AND lower(o.name) = lower(f."table")), f."table"),
        coalesce(f."to", (SELECT c.name FROM pragma_table_info(f."table") c
          WHERE c.pk = f.seq + 1)),
        f.on_delete, f.on_update
      FROM sqlite_schema m JOIN pragma_foreign_key_list(m.name) f WHERE m.type = 'table'
      ORDER BY 1, f.id, f.seq
      """;

  private static final String OTHERS =
      """
      SELECT type, name, CASE type WHEN 'trigger' THEN tbl_name ELSE '' END FROM sqlite_schema
      WHERE type IN ('view', 'trigger')
      UNION ALL SELECT 'computed column', c.name, m.name
      FROM sqlite_schema m JOIN pragma_table_xinfo(m.name) c WHERE m.type = 'table' AND c.hidden > 1
      ORDER BY 1, 2
      """;

  /// A table that is there gets indexes and nothing else. Its key numbers rows by itself.
  static StructureSpelling spelling(Names names) {
    return new StructureSpelling(
        names,
        names::fresh,
        new StructureSpelling.Scopes(true, true),
        new StructureSpelling.Numbering(List.of(), true, "INTEGER"),
        "",
        new Keys(INDEX, "", EnumSet.noneOf(Action.class), EnumSet.noneOf(Action.class)),
        Literals.STANDARD,
        (_, _, _) -> "");
  }

  private SqliteStructures() {}

  static StructureFacts read(SqlSession session, String schema, List<String> tables) {
    boolean hasNumbers =
        !session
            .query("SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_sequence'", row -> 1)
            .isEmpty();
    StructureFacts facts =
        new StructureQueries(
                COLUMNS.replace("NEXT", hasNumbers ? NEXT : "0"),
                "",
                INDEXES,
                FOREIGN_KEYS,
                "",
                OTHERS,
                false)
            .read(session::query, schema);
    List<CheckFact> checks = new ArrayList<>();
    session
        .query(
            "SELECT name, sql FROM sqlite_schema WHERE type = 'table'",
            row -> List.of(row.getString(1), Objects.requireNonNullElse(row.getString(2), "")))
        .forEach(table -> {
          for (String rule : SqliteDefinition.written(table.getLast())) {
            if (rule.startsWith(CHECK)) {
              String name = table.getFirst() + "_check_" + (checks.size() + 1);
              checks.add(new CheckFact(table.getFirst(), name, rule.substring(CHECK.length())));
            }
          }
        });
    return new StructureFacts(
        facts.columns(),
        facts.indexes(),
        facts.foreignKeys(),
        checks,
        facts.partsLeft(),
        facts.leftOut(),
        false);
  }
}
