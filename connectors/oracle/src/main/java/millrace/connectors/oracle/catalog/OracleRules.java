package millrace.connectors.oracle.catalog;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TableInfo.RowRules;
import millrace.connectors.sql.TableName;

/// What belongs to a table beside its columns and its storage, in words where it has no form of its
/// own.
///
/// @param key names of its primary key's columns
/// @param ofKeys unique keys, foreign keys, checks, and indexes that belong to none of them
/// @param ofTriggers its triggers
/// @param dependentObjects its comments and grants, and what else the server does for it
/// @param dependents tables whose foreign keys point to it
/// @param fills whether triggers may give a row that is inserted values that it lacks
/// @param rowRules what runs for its rows
record OracleRules(
    List<String> key,
    List<String> ofKeys,
    List<String> ofTriggers,
    List<String> dependentObjects,
    List<String> dependents,
    boolean fills,
    RowRules rowRules) {

  /// A constraint with its columns in order.
  private record Constraint(String name, String type, List<String> columns, String refersTo) {}

  private record Trigger(String name, String type, String events) {

    boolean on(String event) {
      return events.contains(event);
    }
  }

  /// There is no view of others' flashback archives, whose tables can't be renamed: ORA-55610.
  private static final List<String> ATTACHED =
      List.of(
          "'security policy ' || policy_name FROM all_policies"
              + " WHERE object_owner = ? AND object_name = ?",
          "'encryption of ' || column_name FROM all_encrypted_columns"
              + " WHERE owner = ? AND table_name = ?",
          "'materialized view log ' || log_table FROM all_mview_logs"
              + " WHERE log_owner = ? AND master = ?",
          "'supplemental log group ' || log_group_name FROM all_log_groups"
              + " WHERE owner = ? AND table_name = ?",
          "'flashback archive ' || flashback_archive_name FROM user_flashback_archive_tables"
              + " WHERE owner_name = ? AND table_name = ?");

  static OracleRules of(SqlSession session, TableName table) {
    List<Constraint> constraints = constraints(session, table);
    List<String> key =
        constraints.stream()
            .filter(each -> each.type.equals("P"))
            .findFirst()
            .map(Constraint::columns)
            .orElse(List.of());
    List<String> ofKeys = new ArrayList<>(rules(constraints));
    ofKeys.addAll(indexes(session, table));
    List<Trigger> triggers = triggers(session, table);
    return new OracleRules(
        key,
        ofKeys,
        triggers.stream().map(each -> "trigger " + each.name).toList(),
        Stream.concat(commentsAndGrants(session, table).stream(), attached(session, table).stream())
            .toList(),
        dependents(session, table),
        triggers.stream()
            .anyMatch(each -> each.on("INSERT") && each.type.matches("BEFORE EACH ROW|COMPOUND")),
        new RowRules(false, on("INSERT", triggers), on("UPDATE", triggers)));
  }

  private static List<Constraint> constraints(SqlSession session, TableName table) {
    Map<String, Constraint> found = new LinkedHashMap<>();
    session.query(
        "SELECT c.constraint_name, c.constraint_type, s.column_name, c.search_condition_vc,"
            + " r.table_name FROM all_constraints c"
            + " LEFT JOIN all_cons_columns s"
            + " ON s.owner = c.owner AND s.constraint_name = c.constraint_name"
            + " LEFT JOIN all_constraints r"
            + " ON r.owner = c.r_owner AND r.constraint_name = c.r_constraint_name"
            + " WHERE c.owner = ? AND c.table_name = ?"
            + " ORDER BY c.constraint_name, s.position",
        row -> {
          String condition = row.getString(4);
          boolean isNotNull = condition != null && condition.matches("\".*\" IS NOT NULL");
          Constraint known =
              found.computeIfAbsent(
                  row.getString(1),
                  name ->
                      new Constraint(
                          name, isNotNull ? "" : text(row, 2), new ArrayList<>(), text(row, 5)));
          known.columns.add(text(row, 3));
          return known;
        },
        table.schema(),
        table.name());
    return List.copyOf(found.values());
  }

  private static String text(ResultSet row, int column) {
    try {
      return Objects.requireNonNullElse(row.getString(column), "");
    } catch (SQLException e) {
      throw new IllegalStateException("a row that was read is gone", e);
    }
  }

  private static List<String> rules(List<Constraint> constraints) {
    List<String> rules = new ArrayList<>();
    for (Constraint each : constraints) {
      String columns = " (" + String.join(", ", each.columns) + ")";
      switch (each.type) {
        case "U" -> rules.add("unique " + each.name + columns);
        case "R" -> rules.add("foreign key" + columns + " to " + each.refersTo);
        case "C" -> rules.add("check " + each.name);
        default -> {
          // The key and NOT NULL are told of for themselves.
        }
      }
    }
    return rules;
  }

  private static List<String> indexes(SqlSession session, TableName table) {
    Map<String, List<String>> columns = new LinkedHashMap<>();
    session.query(
        "SELECT i.index_name, i.uniqueness, c.column_name FROM all_indexes i"
            + " JOIN all_ind_columns c"
            + " ON c.index_owner = i.owner AND c.index_name = i.index_name"
            + " WHERE i.table_owner = ? AND i.table_name = ? AND i.index_type <> 'LOB'"
            + " AND NOT EXISTS (SELECT 1 FROM all_constraints k WHERE k.owner = i.table_owner"
            + " AND k.table_name = i.table_name AND k.index_name = i.index_name)"
            + " ORDER BY i.index_name, c.column_position",
        row ->
            columns
                .computeIfAbsent(
                    (text(row, 2).equals("UNIQUE") ? "unique index " : "index ") + text(row, 1),
                    _ -> new ArrayList<>())
                .add(text(row, 3)),
        table.schema(),
        table.name());
    List<String> rules = new ArrayList<>();
    columns.forEach((index, of) -> rules.add(index + " (" + String.join(", ", of) + ")"));
    return rules;
  }

  private static List<Trigger> triggers(SqlSession session, TableName table) {
    return session.query(
        "SELECT trigger_name, trigger_type, triggering_event FROM all_triggers"
            + " WHERE table_owner = ? AND table_name = ? AND status = 'ENABLED' ORDER BY 1",
        row -> new Trigger(row.getString(1), row.getString(2), row.getString(3)),
        table.schema(),
        table.name());
  }

  private static List<String> on(String event, List<Trigger> triggers) {
    return triggers.stream().filter(each -> each.on(event)).map(Trigger::name).toList();
  }

  private static List<String> commentsAndGrants(SqlSession session, TableName table) {
    return session.query(
        "SELECT 'comment' FROM all_tab_comments WHERE owner = ? AND table_name = ?"
            + " AND comments IS NOT NULL UNION ALL SELECT 'comment of ' || column_name"
            + " FROM all_col_comments WHERE owner = ? AND table_name = ? AND comments IS NOT NULL"
            + " UNION ALL SELECT 'grant of ' || privilege || ' to ' || grantee"
            + " FROM all_tab_privs WHERE table_schema = ? AND table_name = ?",
        row -> row.getString(1),
        table.schema(),
        table.name(),
        table.schema(),
        table.name(),
        table.schema(),
        table.name());
  }

  /// Who may see which of its rows, and who follows its changes. No right is needed to see that.
  private static List<String> attached(SqlSession session, TableName table) {
    List<String> names = List.of(table.schema(), table.name());
    return session.query(
        "SELECT " + String.join(" UNION ALL SELECT ", ATTACHED),
        row -> row.getString(1),
        ATTACHED.stream().flatMap(_ -> names.stream()).toArray(String[]::new));
  }

  private static List<String> dependents(SqlSession session, TableName table) {
    return session.query(
        "SELECT DISTINCT d.table_name FROM all_constraints d JOIN all_constraints k"
            + " ON k.owner = d.r_owner AND k.constraint_name = d.r_constraint_name"
            + " WHERE k.owner = ? AND k.table_name = ? AND d.constraint_type = 'R'"
            + " AND d.status = 'ENABLED'"
            + " AND (d.owner <> k.owner OR d.table_name <> k.table_name)",
        row -> row.getString(1),
        table.schema(),
        table.name());
  }
}
