package millrace.connectors.mariadb;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import millrace.connectors.sql.Names;
import millrace.connectors.sql.SqlSession;
import millrace.fault.Fault;
import millrace.spi.catalog.LeftOut;
import millrace.spi.catalog.TableDefinitions.Made;
import org.jspecify.annotations.Nullable;

/// What a database holds beside its tables: sequences, routines, views, triggers and events. Those
/// that are not in the target's database are made there, as the server says them.
final class SchemaObjects {

  /// Routines first, which need nothing when they are made; triggers in the order in which they
  /// run.
  private static final String ALL =
      """
      SELECT routine_type AS kind, routine_name AS name, '' AS t, 1 AS step, 0 AS place
      FROM information_schema.routines WHERE routine_schema = ?
      UNION ALL SELECT 'VIEW', table_name, '', 2, 0
      FROM information_schema.views WHERE table_schema = ?
      UNION ALL SELECT 'TRIGGER', trigger_name, event_object_table, 3, action_order
      FROM information_schema.triggers WHERE trigger_schema = ?
      UNION ALL SELECT 'EVENT', event_name, '', 4, 0
      FROM information_schema.events WHERE event_schema = ?
      UNION ALL SELECT 'SEQUENCE', table_name, '', 5, 0
      FROM information_schema.tables WHERE table_schema = ? AND table_type = 'SEQUENCE'
      ORDER BY step, kind, t, place, name\
      """;

  /// Their texts go to the server in UTF-8, which these are.
  private static final Set<String> UNICODE = Set.of("utf8", "utf8mb3", "utf8mb4");

  private final SqlSession source;
  private final SqlSession target;
  private final String database;
  private final String to;
  private final Databases databases;
  private final List<Named> all;
  private final Set<Named> there;

  /// Whether the target's connections stand in the one database that all goes to.
  private final boolean isConnected;

  /// @param source stands in another database, so that texts name this one
  /// @param databases where the tables of each go
  SchemaObjects(SqlSession source, SqlSession target, String database, Databases databases) {
    this.source = source;
    this.target = target;
    this.database = database;
    to = databases.target(database);
    this.databases = databases;
    all = named(source, database);
    there = new HashSet<>(named(target, to));
    List<String> current = target.query("SELECT coalesce(database(), '')", row -> row.getString(1));
    isConnected = current.containsAll(databases.targets().values());
  }

  /// One of them.
  ///
  /// @param kind as SQL calls it, such as `PACKAGE BODY`
  /// @param on the table of a trigger; empty if it is none
  private record Named(String kind, String name, String on) {

    private String shown() {
      return kind.toLowerCase(Locale.ROOT);
    }
  }

  /// What the server says of one.
  ///
  /// @param settings the session that it was made in, by the names of variables
  private record Said(String text, Map<String, String> settings) {

    private ObjectText tokens() {
      return new ObjectText(text, settings.getOrDefault("sql_mode", ""));
    }
  }

  private static List<Named> named(SqlSession session, String database) {
    return session.query(
        ALL,
        row -> new Named(row.getString(1), row.getString(2), row.getString(3)),
        database,
        database,
        database,
        database,
        database);
  }

  /// Makes sequences with their values, as far as they are not there.
  ///
  /// @param texts of tables; only what they name is made
  List<Made> sequences(List<ObjectText> texts) {
    return all.stream()
        .filter(each -> isNeeded(each, texts) && !there.contains(each))
        .map(this::sequence)
        .toList();
  }

  private boolean isNeeded(Named sequence, List<ObjectText> texts) {
    return sequence.kind.equals("SEQUENCE")
        && texts.stream().anyMatch(text -> text.names(database, sequence.name));
  }

  /// All sequences.
  List<Made> sequences() {
    return all.stream()
        .filter(each -> each.kind.equals("SEQUENCE") && !there.contains(each))
        .map(this::sequence)
        .toList();
  }

  private Made sequence(Named sequence) {
    String from = quoted(database, sequence.name);
    String name = quoted(to, sequence.name);
    String text = source.query("SHOW CREATE SEQUENCE " + from, row -> row.getString(2)).getFirst();
    String value =
        source
            .query(
                "SELECT next_not_cached_value, cycle_count FROM " + from,
                row -> row.getString(1) + ", 0, " + row.getString(2))
            .getFirst();
    return new Made(
        sequence.shown(),
        to + "." + sequence.name,
        List.of(
            new ObjectText(text, "").made("SEQUENCE", name, databases),
            "SELECT SETVAL(" + name + ", " + value + ")"));
  }

  /// What stays behind if tables alone are asked for, but for their triggers.
  ///
  /// @param texts of tables; sequences that they name come along
  List<LeftOut> besideTables(List<ObjectText> texts) {
    return all.stream()
        .filter(each -> !each.kind.equals("TRIGGER") && !isNeeded(each, texts))
        .map(each -> LeftOut.of(each.shown(), database + "." + each.name))
        .toList();
  }

  /// Makes all but sequences, once all rows are in.
  ///
  /// @param tables those whose triggers may be made, by their names
  /// @param leftOut gets what stays behind
  List<Made> made(Set<String> tables, List<LeftOut> leftOut) {
    Map<Named, Said> said = new LinkedHashMap<>();
    for (Named each : all) {
      if (each.kind.equals("SEQUENCE") || there.contains(each)) {
        continue;
      }
      if (!each.on.isEmpty() && !tables.contains(each.on)) {
        leftOut.add(new LeftOut("trigger", each.name, each.on, "which is not copied"));
        continue;
      }
      Said text = said(each);
      if (text == null) {
        leftOut.add(
            LeftOut.of(each.shown(), database + "." + each.name, "no right to see its text"));
      } else {
        said.put(each, text);
      }
    }
    Set<String> definers = new TreeSet<>();
    Map<String, String> usual = settings(target);
    List<Made> made = new ArrayList<>();
    for (Named each : sorted(said)) {
      Said text = said.getOrDefault(each, new Said("", Map.of()));
      definers.add(text.tokens().definer());
      if (!database.equals(to) && text.tokens().spells(database, databases)) {
        leftOut.add(
            LeftOut.of(
                "name of the old database",
                "in " + each.shown() + " " + each.name,
                "stays as it is"));
      }
      made.add(made(each, text, usual));
    }
    String own = target.query("SELECT current_user()", row -> row.getString(1)).getFirst();
    definers.removeAll(List.of("", own));
    definers.forEach(each -> leftOut.add(LeftOut.of("definer", each, "it is now " + own)));
    return made;
  }

  /// Views in an order in which each finds those that it reads.
  private Set<Named> sorted(Map<Named, Said> said) {
    Set<Named> sorted = new LinkedHashSet<>();
    said.keySet().forEach(each -> add(each, said, new HashSet<>(), sorted));
    return sorted;
  }

  private void add(Named each, Map<Named, Said> said, Set<Named> above, Set<Named> sorted) {
    Said text = said.get(each);
    if (text == null || sorted.contains(each) || !above.add(each)) {
      return;
    }
    if (each.kind.equals("VIEW")) {
      ObjectText tokens = text.tokens();
      said.keySet().stream()
          .filter(other -> other.kind.equals("VIEW") && tokens.names(database, other.name))
          .forEach(other -> add(other, said, above, sorted));
    }
    sorted.add(each);
  }

  /// As it was made: in the same modes, and with texts compared in the same way.
  private Made made(Named each, Said said, Map<String, String> usual) {
    ObjectText tokens = said.tokens();
    String text =
        each.kind.equals("TRIGGER")
            ? tokens.trigger(databases)
            : tokens.made(each.kind, quoted(to, each.name), databases);
    Map<String, String> differing = new LinkedHashMap<>(said.settings);
    differing
        .entrySet()
        .removeIf(setting -> setting.getValue().equals(usual.get(setting.getKey())));
    if (!UNICODE.contains(differing.getOrDefault("character_set_client", "utf8"))
        && !text.chars().allMatch(c -> c < 128)) {
      differing.remove("character_set_client");
    }
    // Views and triggers name what they use without its database.
    List<String> statements = new ArrayList<>();
    if (!isConnected) {
      statements.add("USE " + ObjectText.quoted(to));
    }
    if (!differing.isEmpty()) {
      statements.add(set(differing, "@millrace_%1$s = @@%1$s, %1$s = %2$s"));
    }
    statements.add(text);
    if (!differing.isEmpty()) {
      statements.add(set(differing, "%1$s = @millrace_%1$s"));
    }
    String table = each.on.isEmpty() ? "" : database + "." + each.on;
    return new Made(each.shown(), to + "." + each.name, statements, table);
  }

  private static String set(Map<String, String> settings, String format) {
    return settings.entrySet().stream()
        .map(each -> format.formatted(each.getKey(), Names.text(each.getValue())))
        .collect(Collectors.joining(", ", "SET ", ""));
  }

  private static Map<String, String> settings(SqlSession session) {
    return session
        .query(
            "SELECT @@sql_mode AS sql_mode, @@time_zone AS time_zone, @@character_set_client AS"
                + " character_set_client, @@collation_connection AS collation_connection",
            row -> settings(row, true, true))
        .getFirst();
  }

  private static Map<String, String> settings(ResultSet row, boolean hasMode, boolean hasZone)
      throws SQLException {
    Map<String, String> settings = new LinkedHashMap<>();
    if (hasMode) {
      settings.put("sql_mode", row.getString("sql_mode"));
    }
    if (hasZone) {
      settings.put("time_zone", row.getString("time_zone"));
    }
    for (String name : List.of("character_set_client", "collation_connection")) {
      settings.put(name, row.getString(name));
    }
    return settings;
  }

  /// Null if the user may not see its text.
  private @Nullable Said said(Named each) {
    boolean isView = each.kind.equals("VIEW");
    boolean isEvent = each.kind.equals("EVENT");
    try {
      return source
          .query(
              "SHOW CREATE " + each.kind + " " + quoted(database, each.name),
              row -> {
                String text = row.getString(isView ? 2 : isEvent ? 4 : 3);
                return text == null ? null : new Said(text, settings(row, !isView, isEvent));
              })
          .getFirst();
    } catch (Fault.User | Fault.External e) {
      org.slf4j.LoggerFactory.getLogger(SchemaObjects.class).debug("{} is not shown", each, e);
      return null;
    }
  }

  private static String quoted(String database, String name) {
    return ObjectText.quoted(database) + "." + ObjectText.quoted(name);
  }
}
