package millrace.connectors.postgres.definition;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import millrace.connectors.postgres.catalog.PostgresSql;
import millrace.connectors.postgres.catalog.QualifiedName;
import millrace.connectors.postgres.definition.DatabaseObject.CatalogRow;
import millrace.connectors.postgres.definition.DatabaseObject.Phase;
import millrace.connectors.postgres.net.Session;
import millrace.fault.Fault;
import millrace.spi.catalog.CopiedDefinition;
import millrace.spi.catalog.LeftOut;
import millrace.spi.catalog.TableDefinitions.Found;
import millrace.spi.catalog.TableDefinitions.Made;
import millrace.spi.catalog.TableDefinitions.Placed;
import millrace.spi.catalog.TableDefinitions.Scope;
import millrace.spi.catalog.TableDefinitions.Step;
import millrace.spi.catalog.TableDefinitions.Table;
import millrace.spi.catalog.TablePattern;
import millrace.spi.write.StagingName;
import org.jspecify.annotations.Nullable;

/// All that schemas hold on its way into another database, where it has the same names: what of it
/// is made, in which order, and what is left out.
final class DatabaseCopy {

  /// Kinds whose names are one set.
  private static final Set<String> SHARE_NAMES =
      Set.of("table", "view", "materialized view", "sequence", "foreign table", "type", "index");

  private static final String NOT_INSTALLED = "which the target's server does not have";

  private final Session source;
  private final Session target;
  private final DatabaseObjects from;
  private final DatabaseObjects to;

  /// The tables of the job, by their labels.
  private final Map<String, Integer> tables;

  private final Set<String> schemas;
  private final boolean isAll;
  private final boolean grants;
  private final Map<String, DatabaseObject> there = new HashMap<>();
  private final Map<String, String> kindsThere = new HashMap<>();
  private final List<LeftOut> leftOut = new ArrayList<>();

  private DatabaseCopy(
      Session source,
      Session target,
      Map<String, Integer> tables,
      Set<String> schemas,
      boolean isAll,
      boolean grants) {
    this.grants = grants;
    this.source = source;
    this.target = target;
    this.tables = tables;
    this.schemas = schemas;
    this.isAll = isAll;
    from = source.withQualifiedNames(() -> DatabaseObjects.read(source));
    to = target.withQualifiedNames(() -> DatabaseObjects.read(target));
    for (DatabaseObject object : to.all()) {
      there.put(object.name(), object);
      if (SHARE_NAMES.contains(object.kind())) {
        kindsThere.put(object.identity(), object.kind());
      }
    }
  }

  /// Of all that comes along; null if only tables do.
  ///
  /// @param named where the tables go
  /// @throws Fault.User if all is asked for and can't keep its names
  static @Nullable DatabaseCopy of(
      Session source, Session target, List<Placed> tables, List<QualifiedName> named, Scope scope) {
    if (scope.reach() == Scope.Reach.TABLES) {
      return null;
    }
    TablePattern requested = scope.requested();
    Map<String, Integer> places = new HashMap<>();
    Set<String> schemas = new TreeSet<>();
    for (int i = 0; i < tables.size(); i++) {
      QualifiedName own =
          new QualifiedName(tables.get(i).from().schema(), tables.get(i).from().name(), true);
      if (!own.sql().equals(named.get(i).sql())) {
        if (scope.reach() == Scope.Reach.ALL) {
          throw new Fault.User(
              own.label()
                  + " goes to "
                  + named.get(i).label()
                  + ", and what belongs to a schema comes along only under the same names.",
              "Give TO the names of FROM, or leave --definitions all out.");
        }
        return null;
      }
      places.put(tables.get(i).from().label(), i);
      schemas.add(tables.get(i).from().schema());
    }
    boolean isWild = !requested.schemaQuoted() && requested.schema().matches(".*[*?].*");
    if (isWild) {
      source
          .query(
              "SELECT nspname FROM pg_catalog.pg_namespace WHERE nspname !~ '^pg_' AND nspname <>"
                  + " 'information_schema'",
              row -> row.getString(1))
          .stream()
          .filter(name -> TablePattern.matches(requested.schema(), name))
          .forEach(schemas::add);
    }
    DatabaseCopy copy =
        new DatabaseCopy(
            source,
            target,
            places,
            schemas,
            isWild && requested.schema().equals("*"),
            scope.grants());
    return scope.isWhole(copy::isTargetEmpty) ? copy : null;
  }

  private boolean isTargetEmpty() {
    return to.all().stream()
        .filter(object -> schemas.contains(object.schema()))
        .filter(object -> !Set.of("schema", "extension", "comment").contains(object.kind()))
        .allMatch(object -> object.isTable() && isOwn(object.identity()));
  }

  private static boolean isOwn(String identity) {
    return StagingName.isOwn(QualifiedName.parse(identity).name());
  }

  /// What is made.
  ///
  /// @param definitions of the tables, none of one that is there
  Found found(List<CopiedDefinition> definitions) {
    ObjectOrder order = ObjectOrder.of(chosen(), from::neededBy, from::needsKeys);
    List<Step> before = new ArrayList<>();
    Set<DatabaseObject> missing = new LinkedHashSet<>();
    Set<Integer> made = new LinkedHashSet<>();
    for (DatabaseObject object : order.before()) {
      Integer table = object.isTable() ? tables.get(label(object)) : null;
      if (table == null) {
        before.addAll(made(object, missing));
      } else if (!definitions.get(table).make().isEmpty() && made.add(table)) {
        before.add(new Table(table));
      }
    }
    List<Made> after = new ArrayList<>();
    order.after().forEach(object -> after.addAll(made(object, missing)));
    Set<DatabaseObject> present = new LinkedHashSet<>(order.before());
    present.addAll(order.after());
    present.removeAll(missing);
    after.addAll(new DatabaseStates(source, target).of(present, this::readBy));
    if (grants) {
      after.addAll(
          new Grants(source, target, schemas, isAll).made(row -> tableIn(present, row), leftOut));
    }
    String owner = target.one("SELECT current_user", row -> row.getString(1));
    leftOut.addAll(new LeftObjects(source, schemas, isAll, owner, grants).all());
    from.all().stream()
        .filter(object -> object.phase() == Phase.NEVER && !object.isTable())
        .filter(object -> schemas.contains(object.schema()) && !there.containsKey(object.name()))
        .forEach(object -> leftOut.add(LeftOut.of(object.kind(), object.identity())));
    String database = source.one("SELECT pg_catalog.current_database()", row -> row.getString(1));
    return new Found(
        definitions,
        before,
        after,
        leftOut,
        List.of("Their statements are among those of", "  pg_dump --schema-only " + database),
        true);
  }

  /// The label of a table, empty for something else; null if it is not among some objects.
  private @Nullable String tableIn(Set<DatabaseObject> objects, CatalogRow row) {
    DatabaseObject whole = from.whole(row);
    return whole != null && objects.contains(whole) ? one(Set.of(whole)) : null;
  }

  /// What the schemas hold, and what it needs of others.
  private List<DatabaseObject> chosen() {
    Set<DatabaseObject> chosen = new LinkedHashSet<>();
    Deque<DatabaseObject> waiting = new ArrayDeque<>();
    for (DatabaseObject object : from.all()) {
      if (schemas.contains(object.schema()) || (isAll && object.kind().equals("extension"))) {
        waiting.add(object);
      }
    }
    while (!waiting.isEmpty()) {
      DatabaseObject object = waiting.remove();
      boolean comes =
          object.phase() != Phase.NEVER || (object.isTable() && tables.containsKey(label(object)));
      if (comes && chosen.add(object)) {
        waiting.addAll(from.neededBy(object));
      }
    }
    return new ArrayList<>(from.all().stream().filter(chosen::contains).toList());
  }

  /// How an object is made; not at all if it is there, or can't be.
  ///
  /// @param missing what is not in the target in the end
  private List<Made> made(DatabaseObject object, Set<DatabaseObject> missing) {
    DatabaseObject same = there.get(object.name());
    String why = same == null ? whyMissing(object, missing) : "";
    if (!why.isEmpty()) {
      missing.add(object);
      if (!object.kind().equals("comment")) {
        leftOut.add(LeftOut.of(object.kind(), object.identity(), why));
      }
    }
    // The server says what is to be done for one that is not installed.
    if (same == null && (why.isEmpty() || why.equals(NOT_INSTALLED))) {
      return List.of(
          new Made(object.kind(), object.identity(), object.statements(), tableOf(object)));
    }
    if (same == null) {
      return List.of();
    }
    boolean isSame =
        same.statements().equals(object.statements())
            || Set.of("schema", "extension").contains(object.kind());
    if (!isSame) {
      leftOut.add(LeftOut.of(object.kind(), object.identity(), "since the target has another one"));
    }
    return List.of();
  }

  /// The table of a trigger, or of the one that a comment is on; else none.
  private String tableOf(DatabaseObject object) {
    Set<DatabaseObject> needed = from.neededBy(object);
    return object.kind().equals("trigger")
        ? one(needed)
        : needed.stream()
            .filter(each -> each.kind().equals("trigger"))
            .map(this::tableOf)
            .collect(Collectors.joining());
  }

  /// The label of the table among objects.
  private static String one(Collection<DatabaseObject> objects) {
    List<String> labels =
        objects.stream().filter(DatabaseObject::isTable).map(DatabaseCopy::label).toList();
    return labels.size() > 1 ? Made.ALL_TABLES : String.join("", labels);
  }

  /// Without the quotes of the server, which has more reserved words than anybody knows.
  private static String label(DatabaseObject table) {
    QualifiedName name = QualifiedName.parse(table.identity());
    return name.schema() + "." + name.name();
  }

  /// The table that a view reads; of a function nobody knows what it reads.
  private String readBy(DatabaseObject view) {
    Set<DatabaseObject> below = new LinkedHashSet<>(Set.of(view));
    Deque<DatabaseObject> waiting = new ArrayDeque<>(below);
    while (!waiting.isEmpty()) {
      from.neededBy(waiting.remove()).stream().filter(below::add).forEach(waiting::add);
    }
    Set<String> callable = Set.of("function", "aggregate");
    boolean calls = below.stream().anyMatch(each -> callable.contains(each.kind()));
    return calls ? Made.ALL_TABLES : one(below);
  }

  private String whyMissing(DatabaseObject object, Set<DatabaseObject> missing) {
    String kind = kindsThere.get(object.identity());
    if (kind != null && SHARE_NAMES.contains(object.kind())) {
      return "since the target has a " + kind + " of that name";
    }
    if (object.kind().equals("extension") && !isAvailable(object)) {
      return NOT_INSTALLED;
    }
    for (DatabaseObject needed : from.neededBy(object)) {
      boolean isCopied =
          needed.isTable()
              ? tables.containsKey(label(needed))
              : needed.phase() != Phase.NEVER && !missing.contains(needed);
      if (!isCopied && !there.containsKey(needed.name())) {
        return "which needs " + needed.name() + ", which is not copied";
      }
    }
    if (object.kind().equals("schema")) {
      checkMakes(object);
    }
    return "";
  }

  private boolean isAvailable(DatabaseObject extension) {
    return target.one(
        "SELECT EXISTS (SELECT FROM pg_catalog.pg_available_extensions WHERE"
            + " pg_catalog.quote_ident(name) = ?)",
        row -> row.getBoolean(1),
        extension.identity());
  }

  private void checkMakes(DatabaseObject schema) {
    String user =
        target.one(
            "SELECT CASE WHEN pg_catalog.has_database_privilege(pg_catalog.current_database(),"
                + " 'CREATE') THEN '' ELSE current_user END",
            row -> row.getString(1));
    if (!user.isEmpty()) {
      throw new Fault.User(
          "The target has no schema " + schema.identity() + ", and " + user + " may not make one.",
          "Have it made: CREATE SCHEMA "
              + schema.identity()
              + " AUTHORIZATION "
              + PostgresSql.name(user)
              + ";");
    }
  }
}
