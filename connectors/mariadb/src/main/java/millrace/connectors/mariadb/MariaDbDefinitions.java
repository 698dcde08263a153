package millrace.connectors.mariadb;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import millrace.connectors.sql.Dialect;
import millrace.connectors.sql.SqlServerEnds.Route;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TableName;
import millrace.spi.catalog.CopiedDefinition;
import millrace.spi.catalog.LeftOut;
import millrace.spi.catalog.TableDefinitions.Found;

/// Reads how tables are defined, and makes others like them.
final class MariaDbDefinitions {

  /// A table, a key, a constraint or a foreign key that is there already. MariaDB names the last by
  /// the number of the engine's own error alone.
  static final Set<Integer> THERE_ALREADY = Set.of(1050, 1061, 1826, 1005, 1022);

  private MariaDbDefinitions() {}

  /// The definitions of tables; none of one whose target is there.
  ///
  /// @param names their names and those of their targets, in the order of the tables
  static Found of(SqlSession source, SqlSession target, Dialect dialect, List<Route> names) {
    Map<TableName, String> targets = new HashMap<>();
    names.forEach(each -> targets.put(each.from(), each.to().sql(dialect.names())));
    List<CopiedDefinition> definitions = new ArrayList<>();
    Set<String> databases = new TreeSet<>();
    for (Route each : names) {
      databases.add(each.from().schema());
      definitions.add(
          dialect.catalog().exists(target, each.to())
              ? CopiedDefinition.NONE
              : DefinitionSplit.of(
                  source
                      .query(
                          "SHOW CREATE TABLE " + each.from().sql(dialect.names()),
                          row -> row.getString(2))
                      .getFirst(),
                  each.from(),
                  each.to().sql(dialect.names()),
                  targets::get,
                  name ->
                      CopiedDefinition.named(
                          name, each.from().name(), each.to().name(), dialect.names()::fits),
                  triggers(source, each.from())));
    }
    return Found.ofTables(
        definitions,
        databases.stream().flatMap(each -> leftOut(source, each).stream()).toList(),
        List.of(
            "They come along, once the tables are there, with",
            "  mysqldump --no-data --no-create-info --routines --triggers --events "
                + String.join(" ", databases)));
  }

  private static List<LeftOut> triggers(SqlSession source, TableName table) {
    return source.query(
        "SELECT trigger_name FROM information_schema.triggers"
            + " WHERE event_object_schema = ? AND event_object_table = ? ORDER BY 1",
        row -> LeftOut.of("trigger", row.getString(1)),
        table.schema(),
        table.name());
  }

  private static List<LeftOut> leftOut(SqlSession source, String database) {
    return source.query(
        "SELECT 'view' AS what, table_name AS name FROM information_schema.views"
            + " WHERE table_schema = ?"
            + " UNION ALL SELECT lower(routine_type), routine_name FROM information_schema.routines"
            + " WHERE routine_schema = ?"
            + " UNION ALL SELECT 'event', event_name FROM information_schema.events"
            + " WHERE event_schema = ? ORDER BY 1, 2",
        row -> LeftOut.of(row.getString(1), database + "." + row.getString(2)),
        database,
        database,
        database);
  }
}
