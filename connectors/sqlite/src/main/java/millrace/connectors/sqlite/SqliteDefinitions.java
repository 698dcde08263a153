package millrace.connectors.sqlite;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import millrace.connectors.sql.Names;
import millrace.connectors.sql.SqlDatabase;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TableName;
import millrace.fault.Fault;
import millrace.spi.catalog.CopiedDefinition;
import millrace.spi.catalog.CopiedDefinition.Reference;
import millrace.spi.catalog.LeftOut;
import millrace.spi.catalog.TableDefinitions.Found;
import millrace.spi.catalog.TableDefinitions.Made;
import millrace.spi.catalog.TableDefinitions.Placed;
import millrace.spi.catalog.TableDefinitions.Scope;
import millrace.spi.catalog.TableDefinitions.Step;
import millrace.spi.write.StagingName;
import org.jspecify.annotations.Nullable;

/// Reads how the tables of a file and all else in it are defined, and makes others like them.
///
/// SQLite adds no foreign key to a table that is there. So a table is made with comments in their
/// places, and those to a table are written into its statement in the schema once all rows are in,
/// in the way that SQLite's documentation of ALTER TABLE describes.
final class SqliteDefinitions {

  private static final String CHECK = "PRAGMA foreign_key_check(";
  private static final String OPEN = "PRAGMA writable_schema = ON";
  private static final String CLOSE = "PRAGMA writable_schema = RESET";
  private static final String NEXT = ";\n";

  private final SqlSession source;
  private final List<Entry> entries;

  /// What the target's file has by now.
  private final List<Entry> there;

  /// Names of the tables that are made, by those of the tables that are copied.
  private final Map<String, String> targets = new HashMap<>();

  private final Map<String, String> labels = new HashMap<>();

  private SqliteDefinitions(SqlSession source, @Nullable SqlSession target, List<Placed> tables) {
    this.source = source;
    entries = entries(source);
    there = target == null ? List.of() : entries(target);
    for (Placed each : tables) {
      String name = each.from().name().toLowerCase(Locale.ROOT);
      targets.put(name, target(each));
      labels.put(name, each.from().label());
    }
  }

  /// A line of the schema.
  private record Entry(String type, String name, String table, String sql) {

    private boolean is(String otherType, String otherName) {
      return type.equals(otherType) && name.equalsIgnoreCase(otherName);
    }
  }

  private static List<Entry> entries(SqlSession session) {
    return session
        .query(
            "SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE sql IS NOT NULL"
                + " AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid",
            row ->
                new Entry(row.getString(1), row.getString(2), row.getString(3), row.getString(4)))
        .stream()
        .filter(each -> !StagingName.isOwn(each.table))
        .toList();
  }

  private static String target(Placed table) {
    return TableName.parse(
            table.to().text("table").orElseThrow(), SqliteDialect.NAMES, SqliteDialect.MAIN)
        .name();
  }

  /// The definitions of tables; none of one whose target is there. Views and triggers come along if
  /// no table gets another name.
  ///
  /// @param target null if there is no such file yet
  static Found of(
      SqlSession source, @Nullable SqlSession target, List<Placed> tables, Scope scope) {
    return new SqliteDefinitions(source, target, tables).found(tables, scope);
  }

  private Found found(List<Placed> tables, Scope scope) {
    boolean isRenamed = tables.stream().anyMatch(each -> !each.from().name().equals(target(each)));
    boolean isWhole = !isRenamed && scope.isWhole(there::isEmpty);
    List<CopiedDefinition> definitions =
        tables.stream().map(each -> definition(each, isWhole)).toList();
    if (isWhole) {
      List<LeftOut> leftOut = new ArrayList<>();
      return new Found(definitions, settings(), objects(leftOut), leftOut, List.of(), true);
    }
    return Found.ofTables(
        definitions,
        entries.stream()
            .filter(each -> each.type.equals("view"))
            .map(each -> LeftOut.of("view", each.name))
            .toList(),
        List.of(
            "Their text is in the file:",
            "  sqlite3 FILE \"SELECT sql FROM sqlite_schema WHERE type IN ('view', 'trigger')\""));
  }

  private boolean isThere(String type, String name) {
    return there.stream().anyMatch(each -> each.is(type, name));
  }

  private CopiedDefinition definition(Placed table, boolean isWhole) {
    String from = table.from().name();
    String to = target(table);
    Entry entry = entries.stream().filter(each -> each.is("table", from)).findFirst().orElse(null);
    if (entry == null || isThere("table", to) || isThere("view", to)) {
      return CopiedDefinition.NONE;
    }
    List<LeftOut> leftOut = new ArrayList<>();
    if (!isWhole) {
      of("trigger", from).forEach(each -> leftOut.add(LeftOut.of("trigger", each.name)));
    }
    if (isVirtual(from)) {
      leftOut.add(LeftOut.of("virtual table", "", "becomes a plain table"));
      return new CopiedDefinition(List.of(), List.of(), List.of(), leftOut);
    }
    SchemaText text = new SchemaText(entry.sql);
    text.parents().stream()
        .filter(parent -> parent(parent) == null)
        .forEach(parent ->
            leftOut.add(LeftOut.of("foreign key", "to " + parent, "which is not copied")));
    return new CopiedDefinition(
        List.of(text.table(to, this::parent)), afterRows(from, to), references(text, to), leftOut);
  }

  private List<Entry> of(String type, String table) {
    return entries.stream()
        .filter(each -> each.type.equals(type) && each.table.equalsIgnoreCase(table))
        .toList();
  }

  /// One of a module, or in which a module keeps parts of another.
  private boolean isVirtual(String table) {
    return !SqliteDialect.texts(
            source,
            "SELECT name FROM pragma_table_list WHERE schema = 'main' AND name = ?"
                + " AND type IN ('virtual', 'shadow')",
            table)
        .isEmpty();
  }

  /// Where another table goes; null if it is not copied and not there.
  private @Nullable String parent(String name) {
    String target = targets.get(name.toLowerCase(Locale.ROOT));
    if (target != null && !target.equalsIgnoreCase(name)) {
      return target;
    }
    return target != null || isThere("table", name) ? name : null;
  }

  private List<String> afterRows(String from, String to) {
    List<String> statements = new ArrayList<>();
    for (Entry each : of("index", from)) {
      String name = CopiedDefinition.named(each.name, from, to, SqliteDialect.NAMES::fits);
      statements.add(new SchemaText(each.sql).index(name, to));
    }
    boolean counts =
        !SqliteDialect.texts(source, "SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_sequence'")
            .isEmpty();
    if (counts) {
      String its = " WHERE name = " + Names.text(to);
      SqliteDialect.texts(source, "SELECT seq FROM sqlite_sequence WHERE name = ?", from)
          .forEach(number -> {
            statements.add(
                "UPDATE sqlite_sequence SET seq = max(seq, %s)%s".formatted(number, its));
            statements.add(
                "INSERT INTO sqlite_sequence SELECT %s, %s WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence%s)"
                    .formatted(Names.text(to), number, its));
          });
    }
    return statements;
  }

  /// One for each other table.
  private List<Reference> references(SchemaText text, String to) {
    List<Reference> references = new ArrayList<>();
    for (String each : text.parents()) {
      String parent = parent(each);
      if (parent != null) {
        String sql = "sql";
        for (String key : text.foreignKeys(each, parent)) {
          sql =
              "replace(%s, %s, %s)"
                  .formatted(sql, Names.text(SchemaText.comment(key)), Names.text(key));
        }
        String update =
            "UPDATE sqlite_schema SET sql = %s WHERE type = 'table' AND name = %s"
                .formatted(sql, Names.text(to));
        String check = CHECK + SqliteDialect.NAMES.quoted(to) + ")";
        references.add(
            new Reference(
                labels.getOrDefault(each.toLowerCase(Locale.ROOT), ""),
                String.join(NEXT, OPEN, update, CLOSE, check)));
      }
    }
    return references;
  }

  /// Numbers that an application keeps in the file.
  private List<Step> settings() {
    List<Step> settings = new ArrayList<>();
    for (String name : List.of("user_version", "application_id")) {
      String value = SqliteDialect.texts(source, "PRAGMA " + name).getFirst();
      if (!value.equals("0") && there.isEmpty()) {
        settings.add(new Made("number", name, List.of("PRAGMA " + name + " = " + value)));
      }
    }
    return settings;
  }

  /// Views in an order in which each finds those that it reads, then triggers.
  private List<Made> objects(List<LeftOut> leftOut) {
    Set<Entry> sorted = new LinkedHashSet<>();
    entries.stream()
        .filter(each -> each.type.equals("view"))
        .forEach(each -> add(each, new HashSet<>(), sorted));
    for (Entry each : entries) {
      boolean isOfTable = entries.stream().anyMatch(other -> other.is("table", each.table));
      if (!each.type.equals("trigger")) {
        continue;
      }
      if (isOfTable && !targets.containsKey(each.table.toLowerCase(Locale.ROOT))) {
        leftOut.add(new LeftOut("trigger", each.name, each.table, "which is not copied"));
      } else {
        sorted.add(each);
      }
    }
    return sorted.stream()
        .filter(each -> !isThere(each.type, each.name))
        .map(each ->
            new Made(
                each.type,
                each.name,
                statements(each),
                labels.getOrDefault(each.table.toLowerCase(Locale.ROOT), "")))
        .toList();
  }

  private void add(Entry view, Set<Entry> above, Set<Entry> sorted) {
    if (!above.add(view)) {
      return;
    }
    SchemaText text = new SchemaText(view.sql);
    entries.stream()
        .filter(other -> other.type.equals("view") && text.names(other.name))
        .forEach(other -> add(other, above, sorted));
    sorted.add(view);
  }

  /// SQLite makes a view whatever it reads. So it is asked, if the source's could be.
  private List<String> statements(Entry object) {
    String ask = "SELECT 1 FROM " + SqliteDialect.NAMES.quoted(object.name) + " LIMIT 0";
    return object.type.equals("view") && works(ask)
        ? List.of(object.sql, ask)
        : List.of(object.sql);
  }

  private boolean works(String query) {
    try {
      SqliteDialect.texts(source, query);
      return true;
    } catch (Fault.User e) {
      org.slf4j.LoggerFactory.getLogger(SqliteDefinitions.class).debug("a view that fails", e);
      return false;
    }
  }

  /// Carries statements out, all or none.
  ///
  /// @param again whether what is there already is passed over
  static void carryOut(SqlDatabase database, List<String> statements, boolean again) {
    try (SqlSession session = SqlSession.open(database, true)) {
      session.begin("BEGIN IMMEDIATE");
      List<String> parts = statements.stream().flatMap(each -> parts(each).stream()).toList();
      for (String part : parts) {
        carryOut(session, part, again);
      }
      if (parts.stream().anyMatch(each -> each.startsWith(CHECK))) {
        // So others look at the schema again.
        String version = SqliteDialect.texts(session, "PRAGMA schema_version").getFirst();
        session.execute("PRAGMA schema_version = " + (Long.parseLong(version) + 1));
      }
      session.commit();
    }
  }

  /// The statements that write foreign keys into the schema, one by one: SQLite takes one at a
  /// time.
  private static List<String> parts(String statement) {
    String open = OPEN + NEXT;
    String close = NEXT + CLOSE + NEXT;
    int end = statement.lastIndexOf(close);
    return statement.startsWith(open) && end > 0
        ? List.of(
            OPEN,
            statement.substring(open.length(), end),
            CLOSE,
            statement.substring(end + close.length()))
        : List.of(statement);
  }

  private static void carryOut(SqlSession session, String statement, boolean again) {
    try {
      if (statement.startsWith(CHECK)) {
        Collection<String> broken =
            new LinkedHashSet<>(
                session.query(
                    statement,
                    row -> row.getString(1) + " has rows that are not in " + row.getString(3)));
        if (!broken.isEmpty()) {
          throw new Fault.Data(String.join(", ", broken), "", null);
        }
      } else {
        session.execute(statement);
      }
    } catch (Fault e) {
      if (!(again && Objects.requireNonNullElse(e.getMessage(), "").contains("already exists"))) {
        session.rollback();
        throw CopiedDefinition.refused(
            statement, "Make what it lacks and go on, or make it yourself.", e);
      }
    }
  }
}
