package millrace.connectors.oracle.definition;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import millrace.connectors.oracle.definition.TableShape.ColumnShape;
import millrace.connectors.oracle.definition.TableShape.ConstraintShape;
import millrace.connectors.oracle.definition.TableShape.IndexShape;
import millrace.connectors.oracle.definition.TableShape.ReferenceShape;
import millrace.connectors.sql.Dialect;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TableInfo;
import millrace.connectors.sql.TableInfo.ColumnInfo;
import millrace.connectors.sql.TableName;
import millrace.fault.Fault;
import millrace.spi.catalog.LeftOut;
import org.jspecify.annotations.Nullable;

/// Reads how one table is defined from the views `ALL_…`. A column of the type LONG is the last one
/// of its query: the driver reads them in order.
final class ShapeReader {

  private static final Pattern SEQUENCE = Pattern.compile("(?is).*\\bnextval\\b.*");
  private static final Pattern OPTION = Pattern.compile("([A-Z_ ]+?): ([^,]*)");

  /// What an identity has if its table does not say otherwise.
  private static final Map<String, String> USUAL_OPTIONS =
      new TreeMap<>(
          Map.of(
              "INCREMENT BY", "1",
              "MIN_VALUE", "1",
              "MAX_VALUE", "9".repeat(28),
              "CACHE_SIZE", "20"));

  private final SqlSession session;
  private final Dialect dialect;
  private final @Nullable MovedText text;
  private final List<LeftOut> dependentObjects = new ArrayList<>();

  /// @param text where sequences and functions of the table's schema are, if they come along as its
  ///   triggers do; null if they don't
  ShapeReader(SqlSession session, Dialect dialect, @Nullable MovedText text) {
    this.session = session;
    this.dialect = dialect;
    this.text = text;
  }

  /// The shape of a table.
  ///
  /// @throws Fault.User if it is gone
  TableShape read(TableName table) {
    TableInfo info = dialect.catalog().find(session, table);
    if (info == null) {
      throw new Fault.User(
          "There is no table " + table.schema() + "." + table.name() + " any more.",
          "Begin again.");
    }
    List<ColumnShape> columns = columns(table, info);
    Map<String, List<String>> keyIndexes = new HashMap<>();
    List<ConstraintShape> constraints = constraints(table, keyIndexes);
    List<IndexShape> indexes = indexes(table, keyIndexes);
    partitions(table);
    if (text == null) {
      triggers(table);
    }
    return new TableShape(
        table, isIndex(table), comment(table), columns, constraints, indexes, dependentObjects);
  }

  private void triggers(TableName table) {
    dependentObjects.addAll(
        query(
            "SELECT trigger_name FROM all_triggers WHERE table_owner = ? AND table_name = ?"
                + " ORDER BY trigger_name",
            table,
            row -> LeftOut.of("trigger", row.getString(1))));
  }

  private <T> List<T> query(String sql, TableName table, SqlSession.RowMapper<T> mapper) {
    return session.query(sql, mapper, table.schema(), table.name());
  }

  private static String text(ResultSet row, int column) throws SQLException {
    return Objects.requireNonNullElse(row.getString(column), "").strip();
  }

  private boolean isIndex(TableName table) {
    return query(
            "SELECT iot_type FROM all_tables WHERE owner = ? AND table_name = ?",
            table,
            row -> text(row, 1))
        .contains("IOT");
  }

  private String comment(TableName table) {
    return String.join(
        "",
        query(
            "SELECT comments FROM all_tab_comments WHERE owner = ? AND table_name = ?",
            table,
            row -> Objects.requireNonNullElse(row.getString(1), "")));
  }

  private List<ColumnShape> columns(TableName table, TableInfo info) {
    Map<String, String> declared = new HashMap<>();
    for (ColumnInfo column : info.columns()) {
      declared.put(column.name(), column.declared());
    }
    return query(
        "SELECT c.column_name, c.virtual_column, c.default_on_null, i.generation_type,"
            + " i.identity_options, m.comments, c.data_default FROM all_tab_cols c"
            + " LEFT JOIN all_tab_identity_cols i ON i.owner = c.owner"
            + " AND i.table_name = c.table_name AND i.column_name = c.column_name"
            + " LEFT JOIN all_col_comments m ON m.owner = c.owner"
            + " AND m.table_name = c.table_name AND m.column_name = c.column_name"
            + " WHERE c.owner = ? AND c.table_name = ? AND c.hidden_column = 'NO'"
            + " ORDER BY c.column_id",
        table,
        row -> column(row, declared));
  }

  private ColumnShape column(ResultSet row, Map<String, String> declared) throws SQLException {
    String name = row.getString(1);
    boolean isVirtual = text(row, 2).equals("YES");
    String onNull = text(row, 3).equals("YES") ? "ON NULL " : "";
    String generation = text(row, 4);
    String options = text(row, 5);
    String comment = Objects.requireNonNullElse(row.getString(6), "");
    String said = expression(text(row, 7));
    String expression = text == null ? said : text.moved(said);
    String type = declared.getOrDefault(name, "");
    if (!generation.isEmpty()) {
      String byDefault = "GENERATED BY DEFAULT " + onNull + "AS IDENTITY";
      String atEnd = generation.equals("ALWAYS") ? "GENERATED ALWAYS AS IDENTITY" : byDefault;
      String numbers = numbers(options);
      return new ColumnShape(
          name,
          type,
          byDefault + (numbers.isEmpty() ? "" : " (" + numbers + ")"),
          atEnd + " (" + ("START WITH LIMIT VALUE " + numbers).strip() + ")",
          comment);
    }
    String fill = "";
    if (isVirtual) {
      fill = "GENERATED ALWAYS AS (" + expression + ") VIRTUAL";
    } else if (text == null && SEQUENCE.matcher(expression).matches()) {
      dependentObjects.add(LeftOut.of("default", name, "which draws from a sequence"));
    } else if (!expression.isEmpty()) {
      fill = "DEFAULT " + onNull + expression;
    }
    return new ColumnShape(name, type, fill, null, comment);
  }

  /// What stands behind a comment within it is none of its own.
  private static String expression(String text) {
    return text.contains("--") ? text + "\n" : text;
  }

  /// The options of an identity, but for where it begins: behind the values that are copied.
  private static String numbers(String digits) {
    Map<String, String> all = new HashMap<>();
    Matcher options = OPTION.matcher(digits);
    while (options.find()) {
      all.put(options.group(1).strip(), options.group(2).strip());
    }
    List<String> numbers = new ArrayList<>();
    USUAL_OPTIONS.forEach((option, usual) -> {
      String value = all.getOrDefault(option, usual);
      if (!value.equals(usual)) {
        numbers.add(option.replace("_VALUE", "VALUE").replace("_SIZE", "") + " " + value);
      }
    });
    if (numbers.remove("CACHE 0")) {
      numbers.add("NOCACHE");
    }
    if (all.getOrDefault("CYCLE_FLAG", "").equals("Y")) {
      numbers.add("CYCLE");
    }
    if (all.getOrDefault("ORDER_FLAG", "").equals("Y")) {
      numbers.add("ORDER");
    }
    return String.join(" ", numbers);
  }

  /// @param keyIndexes gets the columns of keys, by the names of the indexes that keep them
  private List<ConstraintShape> constraints(TableName table, Map<String, List<String>> keyIndexes) {
    Map<String, List<String>> columns =
        lists(
            "SELECT constraint_name, column_name FROM all_cons_columns WHERE owner = ?"
                + " AND table_name = ? ORDER BY constraint_name, position, column_name",
            table);
    Map<String, List<String>> referred =
        lists(
            "SELECT c.constraint_name, s.column_name FROM all_constraints c"
                + " JOIN all_cons_columns s ON s.owner = c.r_owner"
                + " AND s.constraint_name = c.r_constraint_name WHERE c.owner = ?"
                + " AND c.table_name = ? ORDER BY c.constraint_name, s.position",
            table);
    return query(
        "SELECT c.constraint_name, c.constraint_type, c.generated, c.status, c.validated,"
            + " c.deferrable, c.deferred, c.delete_rule, c.index_name, r.owner, r.table_name,"
            + " c.search_condition FROM all_constraints c"
            + " LEFT JOIN all_constraints r ON r.owner = c.r_owner"
            + " AND r.constraint_name = c.r_constraint_name WHERE c.owner = ?"
            + " AND c.table_name = ? AND c.constraint_type IN ('P', 'U', 'R', 'C')"
            + " ORDER BY c.constraint_name",
        table,
        row -> {
          String name = row.getString(1);
          List<String> constrained = columns.getOrDefault(name, List.of());
          String state = state(row);
          String rule = text(row, 8);
          String index = text(row, 9);
          TableName other = new TableName(text(row, 10), text(row, 11));
          if (!index.isEmpty()) {
            keyIndexes.put(index, constrained);
          }
          return new ConstraintShape(
              row.getString(2).charAt(0),
              text(row, 3).equals("GENERATED NAME") ? "" : name,
              constrained,
              text(row, 12),
              other.name().isEmpty()
                  ? null
                  : new ReferenceShape(
                      other,
                      referred.getOrDefault(name, List.of()),
                      rule.isEmpty() || rule.equals("NO ACTION") ? "" : "ON DELETE " + rule),
              state);
        });
  }

  private static String state(ResultSet row) throws SQLException {
    boolean isEnabled = text(row, 4).equals("ENABLED");
    boolean isValid = text(row, 5).equals("VALIDATED");
    List<String> state = new ArrayList<>();
    if (text(row, 6).equals("DEFERRABLE")) {
      state.add(text(row, 7).equals("DEFERRED") ? "DEFERRABLE INITIALLY DEFERRED" : "DEFERRABLE");
    }
    if (!isEnabled) {
      state.add(isValid ? "DISABLE VALIDATE" : "DISABLE");
    } else if (!isValid) {
      state.add("ENABLE NOVALIDATE");
    }
    return String.join(" ", state);
  }

  /// What a query lists under each name.
  private Map<String, List<String>> lists(String sql, TableName table) {
    Map<String, List<String>> lists = new LinkedHashMap<>();
    for (List<String> pair :
        query(sql, table, row -> List.of(row.getString(1), row.getString(2)))) {
      lists.computeIfAbsent(pair.getFirst(), _ -> new ArrayList<>()).add(pair.getLast());
    }
    return lists;
  }

  private List<IndexShape> indexes(TableName table, Map<String, List<String>> keyIndexes) {
    Map<String, List<String>> columns = new LinkedHashMap<>();
    Set<String> falling = new HashSet<>();
    query(
        "SELECT index_name, column_name, column_position, descend FROM all_ind_columns"
            + " WHERE table_owner = ? AND table_name = ? ORDER BY index_name, column_position",
        table,
        row -> {
          String index = row.getString(1);
          if (text(row, 4).equals("DESC")) {
            falling.add(index + " " + row.getInt(3));
          }
          return columns.computeIfAbsent(index, _ -> new ArrayList<>()).add(row.getString(2));
        });
    Map<String, String> expressions = new HashMap<>();
    query(
        "SELECT index_name, column_position, column_expression FROM all_ind_expressions"
            + " WHERE table_owner = ? AND table_name = ?",
        table,
        row -> expressions.put(row.getString(1) + " " + row.getInt(2), text(row, 3)));
    List<IndexShape> shapes = new ArrayList<>();
    query(
        "SELECT index_name, index_type, uniqueness, visibility FROM all_indexes"
            + " WHERE table_owner = ? AND table_name = ? AND index_type <> 'LOB'"
            + " ORDER BY index_name",
        table,
        row -> {
          String index = row.getString(1);
          List<String> indexed = columns.getOrDefault(index, List.of());
          String type = row.getString(2).replace("FUNCTION-BASED ", "");
          if (indexed.equals(keyIndexes.get(index)) || type.startsWith("IOT")) {
            return false;
          }
          if (!type.matches("NORMAL(/REV)?|BITMAP")) {
            return dependentObjects.add(
                LeftOut.of("index", index, "of type " + type.toLowerCase(Locale.ROOT)));
          }
          List<String> parts = new ArrayList<>();
          for (int i = 0; i < indexed.size(); i++) {
            String place = index + " " + (i + 1);
            String part = expressions.getOrDefault(place, dialect.names().quoted(indexed.get(i)));
            parts.add(part + (falling.contains(place) ? " DESC" : ""));
          }
          String reverse = type.endsWith("/REV") ? "REVERSE " : "";
          String hidden = text(row, 4).equals("INVISIBLE") ? "INVISIBLE" : "";
          boolean isUnique = row.getString(3).equals("UNIQUE");
          return shapes.add(
              new IndexShape(
                  index,
                  isUnique ? "UNIQUE " : type.equals("BITMAP") ? "BITMAP " : "",
                  parts,
                  (reverse + hidden).strip()));
        });
    return shapes;
  }

  private void partitions(TableName table) {
    List<String> columns =
        query(
            "SELECT column_name FROM all_part_key_columns WHERE owner = ? AND name = ?"
                + " AND object_type = 'TABLE' ORDER BY column_position",
            table,
            row -> row.getString(1));
    dependentObjects.addAll(
        query(
            "SELECT partitioning_type FROM all_part_tables WHERE owner = ? AND table_name = ?",
            table,
            row ->
                LeftOut.of(
                    "partitioning",
                    "by " + row.getString(1) + " (" + String.join(", ", columns) + ")")));
  }
}
