package millrace.connectors.mariadb;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import millrace.connectors.sql.SqlSession;

/// Where the tables of databases go, and what these hold: what stands before a point in a text may
/// as well be a table or an alias that has the name of a database.
///
/// @param targets the new names by the old ones
/// @param held the names of what each holds, in small letters
record Databases(Map<String, String> targets, Map<String, Set<String>> held) {

  private static final String HELD =
      """
      SELECT lower(table_name) FROM information_schema.tables WHERE table_schema = ?
      UNION SELECT lower(routine_name) FROM information_schema.routines WHERE routine_schema = ?
      UNION SELECT lower(event_name) FROM information_schema.events WHERE event_schema = ?
      UNION SELECT lower(trigger_name) FROM information_schema.triggers WHERE trigger_schema = ?\
      """;

  static Databases of(SqlSession source, Map<String, String> targets) {
    Map<String, Set<String>> held = new LinkedHashMap<>();
    for (String each : targets.keySet()) {
      held.put(
          each, new HashSet<>(source.query(HELD, row -> row.getString(1), each, each, each, each)));
    }
    return new Databases(targets, held);
  }

  /// Where a database goes; itself if it is none of these.
  String target(String database) {
    return targets.getOrDefault(database, database);
  }

  boolean holds(String database, String name) {
    return held.getOrDefault(database, Set.of()).contains(name.toLowerCase(Locale.ROOT));
  }
}
