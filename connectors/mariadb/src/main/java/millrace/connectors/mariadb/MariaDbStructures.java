package millrace.connectors.mariadb;

import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.UnaryOperator;
import millrace.connectors.sql.Dialect;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.structure.SqlStructures.FactReader;
import millrace.connectors.sql.structure.StructureQueries;
import millrace.connectors.sql.structure.StructureSpelling;
import millrace.connectors.sql.structure.StructureSpelling.Keys;
import millrace.connectors.sql.structure.StructureSpelling.Literals;
import millrace.spi.catalog.TableStructure.Action;
import org.jspecify.annotations.Nullable;

/// What the catalog of MariaDB and MySQL says of tables, and how they give it to tables that are
/// there.
final class MariaDbStructures {

  private static final String INDEXES =
      """
      SELECT table_name, index_name,
        CASE WHEN index_type NOT IN ('BTREE', 'HASH') THEN concat('of type ', lower(index_type))
          WHEN sub_part IS NOT NULL THEN 'of the beginnings of values'
          WHEN index_name = 'PRIMARY' THEN 'P' WHEN non_unique = 0 THEN 'K' ELSE 'I' END,
        column_name, coalesce(collation = 'D', 0)
      FROM information_schema.statistics WHERE table_schema = ? ORDER BY 1, 2, seq_in_index
      """;

  private static final String FOREIGN_KEYS =
      """
      SELECT k.table_name, k.constraint_name, k.column_name, k.referenced_table_schema,
        k.referenced_table_name, k.referenced_column_name, r.delete_rule, r.update_rule
      FROM information_schema.key_column_usage k
      JOIN information_schema.referential_constraints r
        ON r.constraint_schema = k.constraint_schema AND r.table_name = k.table_name
          AND r.constraint_name = k.constraint_name
      WHERE k.table_schema = ? AND k.referenced_table_name IS NOT NULL
      ORDER BY 1, 2, k.ordinal_position
      """;

  private static final String OTHERS =
      """
      SELECT 'view', table_name, '' FROM information_schema.views WHERE table_schema = ?
      UNION ALL SELECT routine_type, routine_name, '' FROM information_schema.routines
        WHERE routine_schema = ?
      UNION ALL SELECT 'event', event_name, '' FROM information_schema.events
        WHERE event_schema = ?
      UNION ALL SELECT 'sequence', table_name, '' FROM information_schema.tables
        WHERE table_schema = ? AND table_type = 'SEQUENCE'
      UNION ALL SELECT 'trigger', trigger_name, event_object_table
        FROM information_schema.triggers WHERE event_object_schema = ?
      UNION ALL SELECT 'computed column', column_name, table_name
        FROM information_schema.columns WHERE table_schema = ? AND generation_expression <> ''
      UNION ALL SELECT 'time of update', column_name, table_name
        FROM information_schema.columns WHERE table_schema = ? AND extra LIKE '%on update%'
      UNION ALL SELECT 'set of values', column_name, table_name
        FROM information_schema.columns WHERE table_schema = ? AND data_type = 'set'
      UNION ALL SELECT DISTINCT 'partitioning', concat('by ', partition_method), table_name
        FROM information_schema.partitions WHERE table_schema = ? AND partition_name IS NOT NULL
      UNION ALL SELECT 'old versions of rows', '', table_name FROM information_schema.tables
        WHERE table_schema = ? AND table_type = 'SYSTEM VERSIONED'
      ORDER BY 1, 2, 3
      """;

  /// What stands in an enum is one of a list of texts.
  private static final String LISTS =
      """
      SELECT table_name, concat(table_name, '_', column_name, '_check'),
        concat('`', column_name, '` IN ', substring(column_type, 5))
      FROM information_schema.columns WHERE table_schema = ? AND data_type = 'enum'
      """;

  private static final String CHECKS =
      """
      UNION ALL SELECT table_name, constraint_name, check_clause
      FROM information_schema.check_constraints WHERE constraint_schema = ?
        AND check_clause <> concat('json_valid(`', constraint_name, '`)')
      """;

  /// It writes a backslash before each quote of a text.
  private static final String MYSQL_CHECKS =
      """
      UNION ALL SELECT t.table_name, c.constraint_name,
        replace(c.check_clause, concat(char(92), char(39)), char(39))
      FROM information_schema.check_constraints c
      JOIN information_schema.table_constraints t USING (constraint_schema, constraint_name)
      WHERE c.constraint_schema = ? AND t.constraint_type = 'CHECK'
      """;

  private static final String MYSQL_DEFAULT =
      "CASE WHEN c.extra LIKE '%DEFAULT_GENERATED%' OR c.data_type = 'bit'"
          + " OR c.column_default LIKE 'CURRENT_TIMESTAMP%' THEN c.column_default"
          + " ELSE quote(c.column_default) END";

  private static final String NUMBERING =
      "ALTER TABLE %1$s MODIFY %2$s %3$s NOT NULL AUTO_INCREMENT%6$s, AUTO_INCREMENT = %4$d";

  /// It takes only some values as the new default of a column that stays as it is.
  private static final String MYSQL_VALUE = "ALTER TABLE %1$s MODIFY %2$s %4$s DEFAULT %3$s%5$s";

  /// InnoDB's keys, in characters of four bytes.
  private static final int CHARACTERS_MAX = 768;

  private MariaDbStructures() {}

  static FactReader reader(boolean isMariaDb) {
    return (session, schema, _) -> queries(session, isMariaDb).read(session::query, schema);
  }

  private static StructureQueries queries(SqlSession session, boolean isMariaDb) {
    String checks = !MariaDbCatalog.hasChecks(session) ? "" : isMariaDb ? CHECKS : MYSQL_CHECKS;
    String columns =
        "SELECT c.table_name, c.column_name, "
            + (isMariaDb ? "c.column_default" : MYSQL_DEFAULT)
            + ", CASE WHEN c.extra LIKE '%auto_increment%' THEN coalesce(t.auto_increment, 1) END"
            + " FROM information_schema.columns c"
            + " JOIN information_schema.tables t USING (table_schema, table_name)"
            + " WHERE c.table_schema = ? AND coalesce(c.generation_expression, '') = ''"
            + " AND (c.column_default IS NOT NULL OR c.extra LIKE '%auto_increment%')";
    return new StructureQueries(columns, "", INDEXES, FOREIGN_KEYS, LISTS + checks, OTHERS, true);
  }

  static StructureSpelling spelling(Dialect dialect, boolean isMariaDb) {
    Set<Action> actions = EnumSet.complementOf(EnumSet.of(Action.SET_DEFAULT));
    return new StructureSpelling(
        dialect.names(),
        UnaryOperator.identity(),
        new StructureSpelling.Scopes(false, true),
        new StructureSpelling.Numbering(List.of(NUMBERING), true, "", true),
        isMariaDb ? StructureSpelling.VALUE : MYSQL_VALUE,
        new Keys(Keys.INDEX, Keys.CONSTRAINT, actions, actions),
        new Literals(
            "(curdate())",
            "(curtime(6))",
            "CURRENT_TIMESTAMP(6)",
            List.of("b'0'", "b'1'"),
            MariaDbStructures::text,
            false,
            isMariaDb ? "" : ".*(TEXT|BLOB|JSON).*"),
        (declared, columns, whole) -> indexed(declared, columns, whole, isMariaDb));
  }

  private static String text(String value) {
    return "'" + value.replace("\\", "\\\\").replace("'", "''") + "'";
  }

  /// Of a long text only the beginning is in an index, which tells nothing of the whole; but
  /// MariaDB tells unique ones apart by hashes.
  private static @Nullable String indexed(
      String declared, int columns, boolean whole, boolean isMariaDb) {
    String bare = declared.toUpperCase(Locale.ROOT);
    if (bare.equals("JSON")) {
      return null;
    }
    int most = CHARACTERS_MAX / columns;
    boolean isLong =
        bare.matches(".*(TEXT|BLOB).*")
            || (bare.startsWith("VARCHAR") && ColumnBounds.number(declared, 0, 0) > most);
    if (!isLong) {
      return "";
    }
    if (whole) {
      return isMariaDb && columns == 1 ? "" : null;
    }
    return "(" + most + ")";
  }
}
