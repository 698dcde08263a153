package millrace.connectors.jdbc;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import millrace.connectors.sql.Names;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TableName;
import millrace.spi.catalog.CopiedDefinition;
import millrace.spi.catalog.CopiedDefinition.Reference;
import millrace.spi.catalog.LeftOut;
import millrace.spi.catalog.TableDefinitions.Found;
import millrace.spi.catalog.TableDefinitions.Made;
import millrace.spi.catalog.TableDefinitions.Scope;
import millrace.spi.catalog.TableDefinitions.Step;
import millrace.spi.write.StagingName;
import org.jspecify.annotations.Nullable;

/// What a database writes of itself as a script, taken apart: so all that its schemas hold is made
/// in another one, to the letter.
final class ScriptDefinitions {

  private static final String NAME = "\"((?:[^\"]|\"\")*+)\"";

  /// The words before the first name, and that name with its schema.
  private static final Pattern HEAD =
      Pattern.compile(
          "(CREATE|ALTER|COMMENT|GRANT) ([A-Z, ]*?) ?(?:IF NOT EXISTS )?"
              + NAME
              + "(?:\\."
              + NAME
              + ")?");

  /// Words of CREATE that say how something is, not what.
  private static final String QUALITIES =
      "^((force|cached|memory|unique|nulls distinct|nulls not distinct|spatial|hash) )+";

  private static final Pattern ON = Pattern.compile(" ON " + NAME + "\\." + NAME);
  private static final Pattern REFERENCES =
      Pattern.compile(" FOREIGN KEY\\(.*?\\) REFERENCES " + NAME + "\\." + NAME, Pattern.DOTALL);

  /// A column of a table that numbers its rows.
  private static final Pattern IDENTITY =
      Pattern.compile(
          "(?m)^ {4}("
              + NAME
              + ")[^'\\n]*? GENERATED (ALWAYS|BY DEFAULT) AS IDENTITY\\(START WITH (-?\\d+)"
              + "(?: RESTART WITH (-?\\d+))?([^)]*)\\)");

  private static final Set<String> BEFORE =
      Set.of("schema", "domain", "constant", "alias", "aggregate", "sequence", "rule of a domain");

  private static final Set<String> AFTER = Set.of("view", "trigger", "synonym", "comment");

  /// What is made with its table.
  private static final Set<String> PARTS = Set.of("table", "index", "constraint");

  private final DialectFile file;
  private final Names names;
  private final List<Route> routes;
  private final List<Line> lines;
  private final List<Line> there;

  /// The tables of the job, with their labels.
  private final Map<TableName, String> labels = new HashMap<>();

  private final Set<String> schemas = new TreeSet<>();
  private final boolean isWhole;

  ScriptDefinitions(
      SqlSession source, SqlSession target, JdbcDialect dialect, List<Route> routes, Scope scope) {
    file = dialect.file();
    names = dialect.profile().names();
    this.routes = routes;
    for (Route each : routes) {
      labels.put(each.from, each.label);
      schemas.add(each.from.schema());
    }
    boolean isRequested =
        scope.reach() != Scope.Reach.TABLES
            && routes.stream().allMatch(each -> each.from.equals(each.to));
    lines = isRequested ? lines(source) : List.of();
    there = isRequested ? lines(target) : List.of();
    isWhole =
        isRequested
            && scope.isWhole(() -> there.stream().allMatch(each -> each.kind.equals("schema")));
  }

  /// A table and the one that it goes to.
  ///
  /// @param label the table's
  record Route(TableName from, TableName to, String label) {}

  /// A statement of the script.
  ///
  /// @param kind what it makes, in a word or two
  /// @param name that of its table if it is a constraint; a schema has its own as both parts
  /// @param on the table that it belongs to; null if there is none
  private record Line(String kind, TableName name, @Nullable TableName on, String text) {

    static @Nullable Line of(String text) {
      Matcher head = HEAD.matcher(text);
      if (!head.lookingAt()) {
        return null;
      }
      String kind =
          switch (head.group(1)) {
            case "CREATE" -> head.group(2).toLowerCase(Locale.ROOT).replaceFirst(QUALITIES, "");
            case "ALTER" -> head.group(2).equals("TABLE") ? "constraint" : "rule of a domain";
            case "COMMENT" -> "comment";
            default -> "grant";
          };
      Matcher on = ON.matcher(text).region(head.end(), text.length());
      boolean isPart = kind.equals("index") || kind.equals("trigger");
      // A view that lacks a table is told, and rows are checked.
      String checked =
          kind.endsWith("view")
              ? text.replaceFirst(" FORCE", "")
              : text.replaceFirst(" (AUTHORIZATION " + NAME + "|NOCHECK)$", "");
      return new Line(
          kind,
          named(head.group(3), head.group(4)),
          isPart && on.find() ? named(on.group(1), on.group(2)) : null,
          checked);
    }

    /// What is no single object is told by its text.
    private boolean makesSame(Line other) {
      boolean isNamed = !kind.equals("comment") && !kind.equals("rule of a domain");
      return kind.equals(other.kind)
          && name.equals(other.name)
          && (isNamed || text.equals(other.text));
    }

    private String shown() {
      return kind.equals("schema") ? name.name() : name.label();
    }

    private Made made() {
      return new Made(kind, shown(), List.of(text));
    }
  }

  private static TableName named(String first, @Nullable String second) {
    String schema = first.replace("\"\"", "\"");
    return new TableName(schema, second == null ? schema : second.replace("\"\"", "\""));
  }

  /// Those about the schemas, but for what Millrace keeps there.
  private List<Line> lines(SqlSession session) {
    List<String> texts =
        new ArrayList<>(session.query(file.text("script"), row -> row.getString(1)));
    for (String schema : schemas) {
      texts.addAll(session.query(file.text("script.more"), row -> row.getString(1), schema));
    }
    return texts.stream()
        .map(text -> Line.of(text.replaceFirst(";\\s*$", "")))
        .filter(Objects::nonNull)
        .filter(line -> schemas.contains(line.name.schema()))
        .filter(line -> !StagingName.isOwn(line.name.name()))
        .filter(line -> line.on == null || !StagingName.isOwn(line.on.name()))
        .toList();
  }

  /// What comes along; null if that is not all, so that tables are made by what the catalog tells
  /// of them.
  @Nullable Found found() {
    if (!isWhole) {
      return null;
    }
    List<Step> before = new ArrayList<>();
    List<Made> after = new ArrayList<>();
    List<LeftOut> leftOut = new ArrayList<>();
    for (Line each : lines) {
      if (PARTS.contains(each.kind)) {
        continue;
      }
      Line same = there.stream().filter(each::makesSame).findFirst().orElse(null);
      TableName on = each.on;
      if (same != null) {
        if (!same.text.equals(each.text)) {
          leftOut.add(LeftOut.of(each.kind, each.shown(), "which is there already, and differs"));
        }
      } else if (BEFORE.contains(each.kind)) {
        before.add(each.made());
      } else if (!AFTER.contains(each.kind)) {
        leftOut.add(LeftOut.of(each.kind, each.shown()));
      } else if (on != null && has(lines, "table", on) && !labels.containsKey(on)) {
        leftOut.add(new LeftOut(each.kind, each.name.name(), on.label(), "which is not copied"));
      } else {
        boolean isOfTrigger = each.text.startsWith("COMMENT ON TRIGGER ");
        String none = isOfTrigger ? Made.ALL_TABLES : "";
        after.add(each.made().of(on == null ? none : labels.getOrDefault(on, on.label())));
      }
    }
    return new Found(
        routes.stream().map(this::definition).toList(), before, after, leftOut, List.of(), true);
  }

  private static boolean has(List<Line> lines, String kind, TableName name) {
    return lines.stream().anyMatch(line -> line.kind.equals(kind) && line.name.equals(name));
  }

  private CopiedDefinition definition(Route route) {
    TableName table = route.from;
    String text =
        lines.stream()
            .filter(line -> line.kind.equals("table") && line.name.equals(table))
            .map(Line::text)
            .findFirst()
            .orElse("");
    if (text.isEmpty() || has(there, "table", table) || has(there, "view", table)) {
      return CopiedDefinition.NONE;
    }
    List<String> afterRows = new ArrayList<>();
    List<Reference> references = new ArrayList<>();
    List<LeftOut> leftOut = new ArrayList<>();
    for (Line part : lines) {
      Matcher other = REFERENCES.matcher(part.text);
      boolean isRule = part.kind.equals("constraint") && part.name.equals(table);
      if (isRule && other.find()) {
        TableName parent = named(other.group(1), other.group(2));
        if (labels.containsKey(parent) || has(there, "table", parent)) {
          references.add(new Reference(labels.getOrDefault(parent, parent.label()), part.text));
        } else {
          leftOut.add(LeftOut.of("foreign key", "to " + parent.label(), "which is not copied"));
        }
      } else if (isRule || (part.kind.equals("index") && table.equals(part.on))) {
        afterRows.add(part.text);
      }
    }
    // Rows come with their own numbers, which an identity that always numbers would refuse.
    Matcher identity = IDENTITY.matcher(text);
    StringBuilder make = new StringBuilder();
    while (identity.find()) {
      boolean isAlways = identity.group(3).equals("ALWAYS");
      identity.appendReplacement(
          make,
          Matcher.quoteReplacement(
              identity.group().replace(" GENERATED ALWAYS AS ", " GENERATED BY DEFAULT AS ")));
      afterRows.addAll(numbers(table, identity.group(1), next(identity), isAlways));
    }
    return new CopiedDefinition(
        List.of(identity.appendTail(make).toString()), afterRows, references, leftOut);
  }

  /// The next number; null if numbers fall.
  private static @Nullable Long next(Matcher identity) {
    String restart = identity.group(5);
    return identity.group(6).contains("INCREMENT BY -")
        ? null
        : Long.valueOf(restart == null ? identity.group(4) : restart);
  }

  private List<String> numbers(
      TableName table, String column, @Nullable Long next, boolean isAlways) {
    String name = table.sql(names);
    List<String> statements = new ArrayList<>();
    if (next != null) {
      String restart = List.of(file.text("add.number").split("; ")).getLast();
      statements.add(restart.formatted(name, column, "", next));
    }
    if (isAlways) {
      statements.add("ALTER TABLE " + name + " ALTER COLUMN " + column + " SET GENERATED ALWAYS");
    }
    return statements;
  }
}
