package millrace.connectors.mariadb;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import millrace.connectors.sql.Dialect;
import millrace.connectors.sql.SqlServerEnds.Route;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TableName;
import millrace.fault.Fault;
import millrace.spi.catalog.CopiedDefinition;
import millrace.spi.catalog.LeftOut;
import millrace.spi.catalog.TableDefinitions.Found;
import millrace.spi.catalog.TableDefinitions.Made;
import millrace.spi.catalog.TableDefinitions.Scope;
import millrace.spi.write.StagingName;
import org.jspecify.annotations.Nullable;

/// Reads how tables and all else of a database are defined, and makes others like them.
final class MariaDbDefinitions {

  /// A database, table, view, sequence, key, constraint, foreign key, check, routine, trigger or
  /// event that is there already. MariaDB names a foreign key by the number of the engine's own
  /// error alone.
  static final Set<Integer> THERE_ALREADY =
      Set.of(1007, 1050, 1061, 1826, 1005, 1022, 1304, 1359, 1537, 3822);

  private static final int ROWS_AT_ONCE = 1_000;

  private final SqlSession source;
  private final SqlSession target;
  private final Dialect dialect;
  private final List<Route> routes;

  /// Where the tables of each database go.
  private final Map<String, String> databases = new LinkedHashMap<>();

  private final boolean isWhole;

  private MariaDbDefinitions(
      SqlSession source, SqlSession target, Dialect dialect, List<Route> routes, Scope scope) {
    this.source = source;
    this.target = target;
    this.dialect = dialect;
    this.routes = routes;
    boolean isSplit = false;
    for (Route each : routes) {
      String to = each.to().schema();
      String other = databases.putIfAbsent(each.from().schema(), to);
      isSplit |=
          !each.from().name().equals(each.to().name()) || !(other == null || other.equals(to));
    }
    Collection<String> targets = databases.values();
    isSplit |= Set.copyOf(targets).size() < targets.size();
    isWhole = !isSplit && scope.isWhole(() -> targets.stream().allMatch(this::isEmpty));
  }

  /// The definitions of tables; none of one whose target is there. All else comes along if no table
  /// gets another name, and the tables of one database stay together: what views, routines and
  /// triggers say of them would not be true.
  ///
  /// @param routes the tables' names and those of their targets, in the order of the tables
  static Found of(
      SqlSession source, SqlSession target, Dialect dialect, List<Route> routes, Scope scope) {
    return new MariaDbDefinitions(source, target, dialect, routes, scope).found();
  }

  private boolean isEmpty(String database) {
    return target
        .query(
            "SELECT table_name FROM information_schema.tables WHERE table_schema = ?"
                + " UNION ALL SELECT routine_name FROM information_schema.routines"
                + " WHERE routine_schema = ? UNION ALL SELECT event_name"
                + " FROM information_schema.events WHERE event_schema = ?",
            row -> row.getString(1),
            database,
            database,
            database)
        .stream()
        .allMatch(StagingName::isOwn);
  }

  private Found found() {
    // From another database all names in texts have theirs.
    source.execute("USE information_schema");
    List<Made> before = new ArrayList<>();
    databases.forEach((from, to) -> before.addAll(missing(from, to)));
    Databases named = Databases.of(source, databases);
    List<CopiedDefinition> tables = new ArrayList<>();
    List<ObjectText> texts = new ArrayList<>();
    for (Route each : routes) {
      if (dialect.catalog().exists(target, each.to())) {
        tables.add(CopiedDefinition.NONE);
      } else {
        String create = create(each.from());
        texts.add(new ObjectText(create, ""));
        tables.add(definition(each, create, named));
      }
    }
    List<Made> after = new ArrayList<>();
    List<LeftOut> leftOut = new ArrayList<>();
    for (String database : databases.keySet()) {
      SchemaObjects objects = new SchemaObjects(source, target, database, named);
      if (isWhole) {
        before.addAll(objects.sequences());
        after.addAll(objects.made(tablesOf(database), leftOut));
        leftOut.addAll(stays(database));
      } else {
        before.addAll(objects.sequences(texts));
        leftOut.addAll(objects.besideTables(texts));
      }
    }
    List<String> advice = isWhole ? List.of() : advice(String.join(" ", databases.keySet()));
    List<LeftOut> left = isWhole ? leftOut : Found.ifMade(tables, leftOut);
    return new Found(tables, List.copyOf(before), after, left, advice, isWhole);
  }

  private Set<String> tablesOf(String database) {
    return routes.stream()
        .map(Route::from)
        .filter(table -> table.schema().equals(database))
        .map(TableName::name)
        .collect(Collectors.toSet());
  }

  /// Rights on a database, and how it compares texts if its target was there.
  private List<LeftOut> stays(String database) {
    List<LeftOut> stays =
        new ArrayList<>(
            source.query(
                "SELECT grantee FROM information_schema.schema_privileges WHERE table_schema = ?"
                    + " UNION SELECT grantee FROM information_schema.table_privileges WHERE"
                    + " table_schema = ? UNION SELECT grantee FROM"
                    + " information_schema.column_privileges WHERE table_schema = ? ORDER BY 1",
                row -> LeftOut.of("grant", "to " + row.getString(1)),
                database,
                database,
                database));
    String set = characterSet(source, database);
    String other = characterSet(target, databases.getOrDefault(database, database));
    if (other != null && !other.equals(set)) {
      stays.add(LeftOut.of("character set", set + " of " + database, "the target's is " + other));
    }
    return stays;
  }

  private static List<String> advice(String databases) {
    return List.of(
        "They come along, once the tables are there, with",
        "  mysqldump --no-data --no-create-info --routines --triggers --events " + databases);
  }

  /// The database, if it is not there.
  ///
  /// @throws Fault.User if it is not there and may not be made
  private List<Made> missing(String from, String to) {
    if (characterSet(target, to) != null) {
      return List.of();
    }
    if (!isWhole) {
      throw new Fault.User(
          "There is no database " + to + " where the tables are to go.",
          "Make it first: CREATE DATABASE " + ObjectText.quoted(to));
    }
    String statement =
        "CREATE DATABASE " + ObjectText.quoted(to) + " CHARACTER SET " + characterSet(source, from);
    return List.of(new Made("database", to, List.of(statement)));
  }

  /// With its collation; null if there is no such database.
  private static @Nullable String characterSet(SqlSession session, String database) {
    return session
        .query(
            "SELECT concat(default_character_set_name, ' COLLATE ', default_collation_name)"
                + " FROM information_schema.schemata WHERE schema_name = ?",
            row -> row.getString(1),
            database)
        .stream()
        .findFirst()
        .orElse(null);
  }

  private String create(TableName table) {
    return source
        .query("SHOW CREATE TABLE " + table.sql(dialect.names()), row -> row.getString(2))
        .getFirst();
  }

  private CopiedDefinition definition(Route route, String create, Databases named) {
    Map<TableName, String> targets = new HashMap<>();
    routes.forEach(each -> targets.put(each.from(), each.to().sql(dialect.names())));
    TableName from = route.from();
    List<LeftOut> leftOut = new ArrayList<>(isWhole ? List.of() : triggers(from));
    if (!source
        .query(
            "SELECT 1 FROM information_schema.tables WHERE table_schema = ? AND table_name = ?"
                + " AND table_type = 'SYSTEM VERSIONED'",
            row -> row.getInt(1),
            from.schema(),
            from.name())
        .isEmpty()) {
      leftOut.add(LeftOut.of("history", "old versions of rows"));
    }
    CopiedDefinition split =
        DefinitionSplit.of(
            create,
            from,
            route.to().sql(dialect.names()),
            other -> targets.containsKey(other) ? targets.get(other) : there(other),
            name ->
                CopiedDefinition.named(name, from.name(), route.to().name(), dialect.names()::fits),
            leftOut);
    List<String> make = new ArrayList<>();
    split.make().forEach(each -> make.add(new ObjectText(each, "").moved(named)));
    make.addAll(computedRows(route));
    return new CopiedDefinition(make, split.afterRows(), split.references(), split.leftOut());
  }

  /// Makes as many rows if the table has computed columns alone: no value could be copied.
  private List<String> computedRows(Route route) {
    boolean isComputed =
        source
            .query(
                "SELECT min(extra REGEXP 'VIRTUAL|STORED|PERSISTENT')"
                    + " FROM information_schema.columns WHERE table_schema = ? AND table_name = ?",
                row -> row.getBoolean(1),
                route.from().schema(),
                route.from().name())
            .getFirst();
    long rows =
        !isComputed
            ? 0
            : source
                .query(
                    "SELECT count(*) FROM " + route.from().sql(dialect.names()),
                    row -> row.getLong(1))
                .getFirst();
    List<String> inserts = new ArrayList<>();
    for (long left = rows; left > 0; left -= ROWS_AT_ONCE) {
      List<String> values = Collections.nCopies((int) Math.min(left, ROWS_AT_ONCE), "()");
      inserts.add(
          "INSERT INTO %s () VALUES %s"
              .formatted(route.to().sql(dialect.names()), String.join(", ", values)));
    }
    return inserts;
  }

  /// A table that is not copied, where its database goes; null if it is not there.
  private @Nullable String there(TableName table) {
    String database = databases.getOrDefault(table.schema(), table.schema());
    TableName there = new TableName(database, table.name());
    return dialect.catalog().exists(target, there) ? there.sql(dialect.names()) : null;
  }

  private List<LeftOut> triggers(TableName table) {
    return source.query(
        "SELECT trigger_name FROM information_schema.triggers"
            + " WHERE event_object_schema = ? AND event_object_table = ? ORDER BY 1",
        row -> LeftOut.of("trigger", row.getString(1)),
        table.schema(),
        table.name());
  }
}
