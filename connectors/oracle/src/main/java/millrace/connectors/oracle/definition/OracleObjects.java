package millrace.connectors.oracle.definition;

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
import java.util.function.Predicate;
import millrace.connectors.sql.Names;
import millrace.connectors.sql.SqlServerEnds;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TableName;
import millrace.spi.catalog.LeftOut;
import millrace.spi.catalog.TableDefinitions.Made;
import millrace.spi.write.StagingName;

/// What schemas hold beside their tables, as statements that make the same in others, from the
/// views `ALL_…`: they have the texts that users wrote.
final class OracleObjects {

  /// What is made, in an order in which little needs what comes later.
  private static final List<String> KINDS =
      List.of(
          "SEQUENCE,TYPE,SYNONYM,PACKAGE,FUNCTION,PROCEDURE,VIEW,TYPE BODY,PACKAGE BODY,TRIGGER"
              .split(","));

  private final SqlSession source;
  private final MovedText text;
  private final Names names;
  private final List<LeftOut> leftOut;

  /// The schema that a session of the target stands in.
  private final String current;

  private final Set<Named> all = new LinkedHashSet<>();
  private final Set<Named> there = new LinkedHashSet<>();

  private final Set<Named> invalid = new HashSet<>();
  private final Set<Named> disabled = new HashSet<>();
  private final Set<Named> tried = new HashSet<>();
  private final Map<Named, List<Named>> needs = new HashMap<>();

  private final Map<Named, String> tablesOfTriggers = new HashMap<>();

  /// @param text knows where the tables of each schema go
  /// @param leftOut gets what stays behind
  OracleObjects(SqlSession source, SqlSession target, MovedText text, List<LeftOut> leftOut) {
    this.source = source;
    this.text = text;
    this.leftOut = leftOut;
    names = text.names();
    String schema = "SELECT SYS_CONTEXT('USERENV', 'CURRENT_SCHEMA') FROM dual";
    current = target.query(schema, row -> row.getString(1)).getFirst();
    text.schemas()
        .forEach((from, to) -> {
          add(source, from, from, all);
          add(target, to, from, there);
          source.query(
              "SELECT type, name, referenced_type, referenced_owner, referenced_name"
                  + " FROM all_dependencies WHERE owner = ?",
              row ->
                  needs
                      .computeIfAbsent(
                          new Named(row.getString(1), from, row.getString(2)),
                          _ -> new ArrayList<>())
                      .add(new Named(row.getString(3), row.getString(4), row.getString(5))),
              from);
        });
  }

  /// Something of a schema.
  ///
  /// @param kind as the catalog calls it, such as `PACKAGE BODY`
  private record Named(String kind, String schema, String name) {

    private String shown() {
      return kind.toLowerCase(Locale.ROOT);
    }

    private String label() {
      return schema + "." + name;
    }

    private boolean is(String... kinds) {
      return List.of(kinds).contains(kind);
    }

    /// Whether both can't be in one schema.
    private boolean excludes(Named other) {
      return label().equals(other.label())
          && !is("TYPE BODY", "PACKAGE BODY", "TRIGGER")
          && !other.is("TYPE BODY", "PACKAGE BODY", "TRIGGER");
    }
  }

  private void add(SqlSession session, String schema, String from, Set<Named> found) {
    session.query(
        "SELECT object_type, object_name, status FROM all_objects WHERE owner = ?"
            + " AND generated = 'N' AND secondary = 'N' AND object_type NOT IN ('INDEX', 'LOB')"
            + " AND object_type NOT LIKE '%PARTITION' AND object_name NOT LIKE 'ISEQ$$%'"
            + " ORDER BY object_type, object_name",
        row -> {
          Named each = new Named(row.getString(1), from, row.getString(2));
          if (found.equals(all) && row.getString(3).equals("INVALID")) {
            invalid.add(each);
          }
          return !StagingName.isOwn(each.name) && found.add(each);
        },
        schema);
  }

  /// Whether the target's schemas hold nothing.
  boolean isEmpty() {
    return there.isEmpty();
  }

  /// What is needed to make tables: sequences, types, and what columns and indexes name.
  List<Made> beforeTables() {
    List<Named> first = new ArrayList<>(all);
    first.removeIf(each -> !each.is("SEQUENCE", "TYPE"));
    needs.keySet().stream().filter(each -> each.is("TABLE", "INDEX")).forEach(first::add);
    return made(
        first,
        each ->
            needs.getOrDefault(each, List.of()).stream()
                .noneMatch(other -> other.is("TABLE", "VIEW")));
  }

  /// All that is left, in an order in which each finds what it needs.
  ///
  /// @param tables those whose triggers may be made
  List<Made> afterRows(Set<TableName> tables) {
    List<Named> rest = new ArrayList<>();
    for (String kind : KINDS) {
      all.stream()
          .filter(each -> each.is(kind))
          .filter(each -> !kind.equals("TRIGGER") || isOf(each, tables))
          .forEach(rest::add);
    }
    List<Made> made = made(rest, _ -> true);
    all.stream()
        .filter(each -> !each.is("TABLE") && !KINDS.contains(each.kind))
        .forEach(each -> leftOut.add(LeftOut.of(each.shown(), each.label())));
    for (String schema : text.schemas().keySet()) {
      leftOut.addAll(
          source.query(
              "SELECT 'grant', 'to ' || grantee FROM all_tab_privs WHERE table_schema = ?"
                  + " UNION SELECT 'public synonym', synonym_name FROM all_synonyms"
                  + " WHERE owner = 'PUBLIC' AND table_owner = ?",
              row -> LeftOut.of(row.getString(1), row.getString(2)),
              schema,
              schema));
    }
    return made;
  }

  /// Whether a trigger is of a view, or of a table whose triggers may be made.
  private boolean isOf(Named trigger, Set<TableName> tables) {
    String ask =
        "SELECT TRIM(base_object_type), table_owner, table_name, status"
            + " FROM all_triggers WHERE owner = ? AND trigger_name = ?";
    for (List<String> row : rows(ask, 4, trigger)) {
      TableName table = new TableName(row.get(1), row.get(2));
      String kind = row.getFirst();
      if (row.getLast().equals("DISABLED")) {
        disabled.add(trigger);
      }
      if (kind.equals("VIEW") || (kind.equals("TABLE") && tables.contains(table))) {
        tablesOfTriggers.put(trigger, table.label());
        return true;
      }
      String of = kind.equals("TABLE") ? table.label() : kind.toLowerCase(Locale.ROOT);
      leftOut.add(new LeftOut("trigger", trigger.name, of, "which is not copied"));
    }
    return false;
  }

  private List<List<String>> rows(String query, int columns, Named of) {
    return source.query(
        query,
        row -> {
          List<String> texts = new ArrayList<>();
          for (int i = 1; i <= columns; i++) {
            texts.add(Objects.requireNonNullElse(row.getString(i), ""));
          }
          return texts;
        },
        of.schema,
        of.name);
  }

  private void sort(Collection<Named> some, Set<Named> above, Set<Named> sorted) {
    for (Named each : some) {
      if (above.add(each)) {
        sort(needs.getOrDefault(each, List.of()), above, sorted);
        sorted.add(each);
      }
    }
  }

  /// Makes those of them that are not there and were not tried before, and first what they need.
  ///
  /// @param compiles whether something compiles as soon as it is made
  private List<Made> made(List<Named> some, Predicate<Named> compiles) {
    Set<Named> sorted = new LinkedHashSet<>();
    sort(some, new HashSet<>(), sorted);
    sorted.removeIf(each -> !KINDS.contains(each.kind) || !all.contains(each));
    sorted.removeIf(each -> there.contains(each) || !tried.add(each));
    List<Made> made = new ArrayList<>();
    for (Named each : sorted) {
      String to = new TableName(text.schema(each.schema), each.name).sql(names);
      List<String> own =
          switch (each.kind) {
            case "SEQUENCE" -> sequence(each, to);
            case "SYNONYM" -> synonym(each, to);
            case "VIEW" -> view(each, to);
            default -> code(each, to, compiles.test(each) && !invalid.contains(each));
          };
      boolean isTaken = there.stream().anyMatch(each::excludes);
      if (isTaken || own.isEmpty()) {
        String why = isTaken ? "whose name the target has already" : "whose text is not to be seen";
        leftOut.add(LeftOut.of(each.shown(), each.label(), why));
        continue;
      }
      if (invalid.contains(each)) {
        leftOut.add(LeftOut.of("invalid " + each.shown(), each.label(), "as in the source"));
      }
      if (own.stream().anyMatch(text::spells)) {
        String where = "in " + each.shown() + " " + each.label();
        leftOut.add(LeftOut.of("name of the old schema", where, "stays as it is"));
      }
      List<String> statements = new ArrayList<>();
      if (text.schemas().size() > 1 || !text.schema(each.schema).equals(current)) {
        // What a text names without a schema is of its own.
        String schema = names.quoted(text.schema(each.schema));
        statements.add("ALTER SESSION SET CURRENT_SCHEMA = " + schema);
      }
      statements.addAll(own);
      made.add(
          new Made(each.shown(), text.schema(each.schema) + "." + each.name, statements)
              .of(tablesOfTriggers.getOrDefault(each, "")));
    }
    return made;
  }

  /// Its next value is behind those that the server holds ready.
  private List<String> sequence(Named each, String to) {
    String ask =
        "SELECT last_number, increment_by, min_value, max_value,"
            + " CASE cache_size WHEN 0 THEN 'NOCACHE' ELSE 'CACHE ' || cache_size END"
            + " || CASE cycle_flag WHEN 'Y' THEN ' CYCLE' END"
            + " || CASE order_flag WHEN 'Y' THEN ' ORDER' END"
            + " FROM all_sequences WHERE sequence_owner = ? AND sequence_name = ?";
    String make = "CREATE SEQUENCE " + to + " START WITH %s INCREMENT BY %s MINVALUE %s MAXVALUE ";
    return rows(ask, 5, each).stream()
        .map(row -> make.formatted(row.toArray()) + row.get(3) + " " + row.get(4))
        .toList();
  }

  private List<String> synonym(Named each, String to) {
    String ask =
        "SELECT table_owner, table_name, db_link FROM all_synonyms WHERE"
            + " owner = ? AND synonym_name = ?";
    List<String> statements = new ArrayList<>();
    for (List<String> row : rows(ask, 3, each)) {
      boolean isHere = row.getLast().isEmpty();
      String owner = isHere ? text.schema(row.getFirst()) : row.getFirst();
      String other = new TableName(owner, row.get(1)).sql(names);
      statements.add("CREATE SYNONYM %s FOR %s".formatted(to, other));
      if (!isHere) {
        statements.set(0, statements.getFirst() + "@" + row.getLast());
      }
    }
    return statements;
  }

  /// With its comments. The columns' names are not in its text.
  private List<String> view(Named each, String to) {
    String columns =
        "SELECT column_name FROM all_tab_columns WHERE owner = ? AND table_name = ?"
            + " ORDER BY column_id";
    List<String> quoted =
        rows(columns, 1, each).stream().map(row -> names.quoted(row.getFirst())).toList();
    String head = "CREATE %sVIEW ".formatted(invalid.contains(each) ? "FORCE " : "") + to;
    String ask =
        "SELECT text FROM all_views WHERE owner = ? AND view_name = ? AND view_type IS NULL";
    List<String> statements = new ArrayList<>();
    for (List<String> row : rows(ask, 1, each)) {
      statements.add(
          head + " (" + String.join(", ", quoted) + ") AS " + text.moved(row.getFirst()));
      String table =
          "SELECT comments FROM all_tab_comments WHERE owner = ? AND table_name = ?"
              + " AND comments IS NOT NULL";
      rows(table, 1, each)
          .forEach(comment ->
              statements.add("COMMENT ON TABLE " + to + " IS " + Names.text(comment.getFirst())));
      String column =
          "SELECT column_name, comments FROM all_col_comments WHERE owner = ? AND table_name = ?"
              + " AND comments IS NOT NULL";
      rows(column, 2, each)
          .forEach(comment ->
              statements.add(
                  "COMMENT ON COLUMN %s.%s IS %s"
                      .formatted(
                          to, names.quoted(comment.getFirst()), Names.text(comment.getLast()))));
    }
    return statements;
  }

  /// PL/SQL is made though it does not compile. So the server is asked.
  private List<String> code(Named each, String to, boolean asks) {
    String kind = Names.text(each.kind);
    String lines = "SELECT text FROM all_source WHERE owner = ? AND name = ? AND type = ";
    StringBuilder said = new StringBuilder();
    rows(lines + kind + " ORDER BY line", 1, each).forEach(row -> said.append(row.getFirst()));
    List<String> statements = new ArrayList<>();
    if (!said.isEmpty()) {
      statements.add(text.made(each.kind, to, said.toString()));
      if (asks) {
        statements.add(
            SqlServerEnds.NO_ROWS
                + "SELECT 'Line ' || line || ': ' || text FROM all_errors WHERE owner = %s AND name = %s AND type = %s AND attribute = 'ERROR' ORDER BY sequence"
                    .formatted(Names.text(text.schema(each.schema)), Names.text(each.name), kind));
      }
      if (disabled.contains(each)) {
        statements.add("ALTER TRIGGER " + to + " DISABLE");
      }
    }
    return statements;
  }
}
