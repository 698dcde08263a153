package millrace.connectors.duckdb.load;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import millrace.connectors.duckdb.DuckDbCatalog;
import millrace.connectors.duckdb.DuckDbSql;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TableName;

/// The rules of one table, as far as rows can be held against them before they are in it.
///
/// @param rules in the order in which a row's first broken one is named
/// @param assumed SQL for each column that does not come, but that rules look at
public record RuleBook(List<Rule> rules, List<String> assumed) {

  public static final RuleBook NONE = new RuleBook(List.of(), List.of());

  /// A constraint as the database tells it.
  private record Constraint(
      String kind,
      String text,
      String expression,
      List<String> columns,
      String referenced,
      List<String> referencedColumns) {}

  /// What a column that does not come has in every row: what it is declared to have, if that is
  /// plain to see.
  private static Map<String, String> constants(
      SqlSession session, TableName table, Set<String> come) {
    Map<String, String> constants = new HashMap<>();
    session
        .query(
            """
            SELECT column_name, data_type, coalesce(column_default, 'NULL')
            FROM duckdb_columns()
            WHERE database_name = current_database() AND NOT is_generated
                AND lower(schema_name) = lower(?) AND lower(table_name) = lower(?)\
            """,
            row -> List.of(row.getString(1), row.getString(2), row.getString(3)),
            table.schema(),
            table.name())
        .stream()
        // What is computed may differ from row to row, and be another value the next time.
        .filter(column -> !come.contains(fold(column.get(0))) && !column.get(2).contains("("))
        .forEach(column ->
            constants.put(
                fold(column.get(0)),
                "CAST("
                    + column.get(2)
                    + " AS "
                    + column.get(1)
                    + ") AS "
                    + DuckDbSql.name(column.get(0))));
    return constants;
  }

  /// Reads the rules of a table that exists, for rows that bring some of its columns.
  ///
  /// @param merges whether rows change others: then only what holds for a row by itself can be told
  /// @param indexes its unique indexes
  public static RuleBook read(
      SqlSession session,
      TableName table,
      List<AppendColumn> slots,
      boolean merges,
      List<DuckDbCatalog.UniqueIndex> indexes) {
    Set<String> known =
        new HashSet<>(slots.stream().map(appendColumn -> fold(appendColumn.name())).toList());
    Map<String, String> constants = merges ? Map.of() : constants(session, table, known);
    known.addAll(constants.keySet());
    List<Rule> rules = new ArrayList<>();
    for (Constraint constraint : constraints(session, table)) {
      boolean isKnown = constraint.columns.stream().allMatch(name -> known.contains(fold(name)));
      if (isKnown
          && !(merges && constraint.referenced.isEmpty() && constraint.expression.isEmpty())) {
        rules.add(rule(constraint, table));
      }
    }
    if (!merges) {
      boolean all =
          DuckDbCatalog.columns(session, table).stream()
              .allMatch(name -> known.contains(fold(name)));
      indexes.stream()
          // An expression, which stands in parentheses, may look at any column.
          .filter(index ->
              index.keys().stream()
                  .allMatch(key -> key.startsWith("(") ? all : known.contains(fold(unquoted(key)))))
          .forEach(index -> rules.add(unique(index)));
    }
    return rules.isEmpty()
        ? NONE
        : new RuleBook(List.copyOf(rules), List.copyOf(constants.values()));
  }

  private static Rule rule(Constraint constraint, TableName table) {
    List<String> keys = constraint.columns.stream().map(DuckDbSql::name).toList();
    String column = constraint.columns.size() == 1 ? constraint.columns.getFirst() : "";
    return switch (constraint.kind) {
      case "CHECK" -> new Rule.Check(constraint.text, keys, column, constraint.expression);
      case "FOREIGN KEY" ->
          new Rule.Reference(
              constraint.text,
              keys,
              column,
              new TableName(table.schema(), constraint.referenced),
              constraint.referencedColumns.stream().map(DuckDbSql::name).toList());
      default -> new Rule.Unique(constraint.text, keys, column);
    };
  }

  private static Rule unique(DuckDbCatalog.UniqueIndex index) {
    String column = index.keys().size() == 1 ? unquoted(index.keys().getFirst()) : "";
    return new Rule.Unique(
        "the unique index " + index.name() + " (" + String.join(", ", index.keys()) + ")",
        index.keys(),
        column);
  }

  private static List<Constraint> constraints(SqlSession session, TableName table) {
    return session.query(
        """
        SELECT constraint_type, constraint_text, coalesce(expression, ''),
            constraint_column_names, coalesce(referenced_table, ''), referenced_column_names
        FROM duckdb_constraints()
        WHERE database_name = current_database()
            AND constraint_type IN ('CHECK', 'PRIMARY KEY', 'UNIQUE', 'FOREIGN KEY')
            AND lower(schema_name) = lower(?) AND lower(table_name) = lower(?)
        ORDER BY constraint_type <> 'CHECK', constraint_type = 'FOREIGN KEY', constraint_index
        """,
        row ->
            new Constraint(
                row.getString(1),
                row.getString(2),
                row.getString(3),
                DuckDbCatalog.texts(row, 4),
                row.getString(5),
                DuckDbCatalog.texts(row, 6)),
        table.schema(),
        table.name());
  }

  private static String unquoted(String name) {
    boolean quoted = name.length() >= 2 && name.startsWith("\"") && name.endsWith("\"");
    return quoted ? name.substring(1, name.length() - 1).replace("\"\"", "\"") : name;
  }

  private static String fold(String name) {
    return name.toLowerCase(Locale.ROOT);
  }

  /// Those that only rows that come together can break.
  List<Rule.Unique> uniques() {
    return rules.stream()
        .flatMap(rule -> rule instanceof Rule.Unique unique ? Stream.of(unique) : Stream.empty())
        .toList();
  }
}
