package millrace.connectors.oracle;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import millrace.connectors.sql.CommentStyle;
import millrace.connectors.sql.Dialect;
import millrace.connectors.sql.Names;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TableInfo;
import millrace.connectors.sql.TableInfo.ColumnInfo;
import millrace.connectors.sql.TableInfo.Cut;
import millrace.connectors.sql.TableInfo.Definition;
import millrace.connectors.sql.TableInfo.RowRules;
import millrace.connectors.sql.TableName;
import millrace.data.TableComments;
import oracle.jdbc.OracleResultSetMetaData;
import oracle.jdbc.VectorMetaData;
import org.jspecify.annotations.Nullable;

/// Looks tables up in the views `ALL_…`, which everybody may read and which show what the user may
/// see.
final class OracleCatalog {

  private static final String VECTOR = "VECTOR";

  /// A comment has room for 4,000 bytes, and a letter may take four.
  static final CommentStyle COMMENTS =
      new CommentStyle(CommentStyle.Place.STATEMENTS, 1000, Names::text);

  private static final String OF_TABLE = " WHERE owner = ? AND table_name = ?";

  private final SqlSession session;
  private final Dialect dialect;
  private final boolean splitsByHash;

  /// @param splitsByHash whether the user says that views give the same rows whenever they are read
  ///   as of one moment
  OracleCatalog(SqlSession session, Dialect dialect, boolean splitsByHash) {
    this.session = session;
    this.dialect = dialect;
    this.splitsByHash = splitsByHash;
  }

  /// What there is of a name.
  ///
  /// @param isTable whether it is a table whose rows lie still
  private record Found(TableName name, boolean isTable) {}

  private record Declared(ColumnInfo info, String rule) {}

  /// A constraint with its columns in order.
  private record Constraint(String name, String type, List<String> columns, String refersTo) {}

  /// Looks a table or view up; null if there is none.
  @Nullable TableInfo find(TableName table) {
    Found found = found(table);
    if (found == null) {
      return null;
    }
    TableName name = found.name;
    List<Declared> declared = columns(name);
    List<ColumnInfo> columns = declared.stream().map(Declared::info).toList();
    if (!found.isTable) {
      TableInfo view = TableInfo.whole(TableInfo.Kind.VIEW, columns);
      return splitsByHash ? view.cutBy(HashCut.of("The view", columns, dialect)) : view;
    }
    List<Constraint> constraints = constraints(name);
    List<String> key =
        constraints.stream()
            .filter(each -> each.type.equals("P"))
            .findFirst()
            .map(Constraint::columns)
            .orElse(List.of());
    List<String> rules = new ArrayList<>(rules(constraints));
    rules.addAll(indexes(name));
    declared.stream().map(Declared::rule).filter(rule -> !rule.isEmpty()).forEach(rules::add);
    triggers(name, "%").forEach(trigger -> rules.add("trigger " + trigger));
    OracleStorage storage = OracleStorage.of(session, name);
    rules.addAll(storage.rules());
    rules.addAll(commentsAndGrants(name));
    return new TableInfo(
        TableInfo.Kind.TABLE,
        columns,
        key,
        storage.cut(session, name, dialect, keyCut(columns, key)),
        storage.rows(),
        dependents(name),
        new Definition(rules, List.of()),
        new RowRules(false, triggers(name, "INSERT"), triggers(name, "UPDATE")));
  }

  /// Whether there is a table or view, without a look at what it is like.
  boolean exists(TableName table) {
    return found(table) != null;
  }

  private @Nullable Found found(TableName table) {
    List<String> types =
        session.query(
            "SELECT object_type FROM all_objects WHERE owner = ? AND object_name = ?"
                + " AND object_type IN ('TABLE', 'VIEW', 'MATERIALIZED VIEW')",
            row -> row.getString(1),
            table.schema(),
            table.name());
    if (!types.isEmpty()) {
      return new Found(table, types.equals(List.of("TABLE")));
    }
    return session
        .query(
            "SELECT table_owner, table_name FROM all_synonyms WHERE owner IN (?, 'PUBLIC')"
                + " AND synonym_name = ? AND db_link IS NULL"
                + " ORDER BY CASE owner WHEN 'PUBLIC' THEN 1 ELSE 0 END",
            row -> new TableName(row.getString(1), row.getString(2)),
            table.schema(),
            table.name())
        .stream()
        .filter(other -> !other.equals(table))
        .map(this::found)
        .filter(Objects::nonNull)
        .findFirst()
        .orElse(null);
  }

  private List<Declared> columns(TableName table) {
    List<Declared> found = catalogued(table);
    return found.stream().noneMatch(each -> each.info.declared().equals(VECTOR))
        ? found
        : found.stream().map(each -> withShape(each, table)).toList();
  }

  /// What the catalog does not say of a vector: how many numbers it has, and how they are kept.
  private Declared withShape(Declared column, TableName table) {
    ColumnInfo info = column.info;
    if (!info.declared().equals(VECTOR)) {
      return column;
    }
    String sql =
        "SELECT %s FROM %s"
            .formatted(dialect.names().quoted(info.name()), table.sql(dialect.names()));
    String declared =
        session.run(connection -> {
          try (PreparedStatement statement = connection.prepareStatement(sql)) {
            return declared(statement.getMetaData(), 1);
          }
        });
    ColumnInfo whole =
        new ColumnInfo(
            info.name(), declared, declared, info.nullable(), info.hasDefault(), info.generated());
    return new Declared(whole, column.rule);
  }

  private List<Declared> catalogued(TableName table) {
    return session.query(
        "SELECT column_name, data_type, data_length, data_precision, data_scale, char_length,"
            + " char_used, nullable, default_length, virtual_column, identity_column"
            + " FROM all_tab_cols"
            + OF_TABLE
            + " AND hidden_column = 'NO' ORDER BY column_id",
        row -> {
          String name = row.getString(1);
          String declared = declared(row);
          boolean isVirtual = row.getString(10).equals("YES");
          boolean isNumbered = row.getString(11).equals("YES");
          boolean hasDefault = row.getInt(9) > 0;
          String rule =
              isVirtual
                  ? "generated column " + name
                  : isNumbered ? "identity of " + name : hasDefault ? "default of " + name : "";
          boolean isNullable = row.getString(8).equals("Y");
          return new Declared(
              new ColumnInfo(
                  name, declared, declared, isNullable, hasDefault || isNumbered, isVirtual),
              rule);
        },
        table.schema(),
        table.name());
  }

  /// As CREATE TABLE has it. The catalog spells the digits of times, and of nothing else.
  private static String declared(ResultSet row) throws SQLException {
    String type = row.getString(2);
    int length = row.getInt(6);
    String precision = row.getString(4);
    String scale = row.getString(5);
    return switch (type) {
      case "VARCHAR2", "CHAR" ->
          "%s(%d%s)".formatted(type, length, "C".equals(row.getString(7)) ? " CHAR" : "");
      case "NVARCHAR2", "NCHAR" -> type + "(" + length + ")";
      case "RAW" -> type + "(" + row.getInt(3) + ")";
      case "FLOAT" -> type + "(" + precision + ")";
      case "NUMBER" ->
          precision == null
              ? scale == null ? type : "NUMBER(38)"
              : type
                  + "("
                  + precision
                  + (scale == null || scale.equals("0") ? "" : "," + scale)
                  + ")";
      default -> type;
    };
  }

  private List<Constraint> constraints(TableName table) {
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

  private List<String> indexes(TableName table) {
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

  private List<String> triggers(TableName table, String event) {
    return session.query(
        "SELECT trigger_name FROM all_triggers WHERE table_owner = ? AND table_name = ?"
            + " AND status = 'ENABLED' AND triggering_event LIKE ? ORDER BY 1",
        row -> row.getString(1),
        table.schema(),
        table.name(),
        "%" + event + "%");
  }

  private List<String> commentsAndGrants(TableName table) {
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

  private List<String> dependents(TableName table) {
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

  /// By ranges of the first column of the key, which the index finds at once. If its type has no
  /// ranges, or the user says so because it has few values, by hashes of all of the key.
  private @Nullable Cut keyCut(List<ColumnInfo> columns, List<String> key) {
    List<ColumnInfo> keyed =
        columns.stream().filter(column -> key.contains(column.name())).toList();
    Cut ranges =
        splitsByHash
            ? null
            : keyed.stream()
                .filter(column -> column.name().equals(key.getFirst()))
                .findFirst()
                .map(column -> Cut.of(column, dialect))
                .orElse(null);
    return ranges == null ? HashCut.of("The table", keyed, dialect) : ranges;
  }

  /// Names of the tables and views of a schema, but for tables in which the server keeps parts of
  /// others: of indexes of texts, overflowing rows, nested tables and logs of materialized views.
  static List<String> tables(SqlSession session, String schema) {
    return session.query(
        "SELECT o.object_name FROM all_objects o LEFT JOIN all_tables t ON t.owner = o.owner"
            + " AND t.table_name = o.object_name WHERE o.owner = ?"
            + " AND o.object_type IN ('TABLE', 'VIEW') AND o.secondary = 'N'"
            + " AND (t.nested IS NULL OR t.nested = 'NO')"
            + " AND (t.iot_type IS NULL OR t.iot_type = 'IOT')"
            + " AND o.object_name NOT LIKE 'MLOG$%' ORDER BY 1",
        row -> row.getString(1), schema);
  }

  /// The columns of a query's result. Its columns are no copies of a table's, so that they carry no
  /// declaration.
  static TableInfo describe(SqlSession session, String query) {
    return session.run(connection -> {
      try (PreparedStatement statement =
          connection.prepareStatement("SELECT * FROM (" + query + "\n) millrace_query")) {
        ResultSetMetaData meta = statement.getMetaData();
        List<ColumnInfo> columns = new ArrayList<>();
        for (int i = 1; i <= meta.getColumnCount(); i++) {
          columns.add(
              new ColumnInfo(meta.getColumnLabel(i), "", declared(meta, i), true, false, false));
        }
        return TableInfo.whole(TableInfo.Kind.QUERY, columns);
      }
    });
  }

  private static VectorMetaData vector(ResultSetMetaData meta, int column) throws SQLException {
    return meta.unwrap(OracleResultSetMetaData.class).getVectorMetaData(column);
  }

  private static String declared(ResultSetMetaData meta, int column) throws SQLException {
    String type = meta.getColumnTypeName(column);
    int precision = meta.getPrecision(column);
    int scale = meta.getScale(column);
    return switch (type) {
      case "VARCHAR2", "CHAR" -> type + "(" + precision + " CHAR)";
      case "NVARCHAR2", "NCHAR", "RAW" -> type + "(" + precision + ")";
      // An expression has no digits that it says, which the driver calls 0 and -127.
      case "NUMBER" ->
          precision == 0 || scale < -84
              ? type
              : type + "(" + precision + (scale == 0 ? "" : "," + scale) + ")";
      case "FLOAT" -> "NUMBER";
      case VECTOR -> OracleVectors.declared(vector(meta, column));
      case "INTERVALYM" -> "INTERVAL YEAR TO MONTH";
      case "INTERVALDS" -> "INTERVAL DAY TO SECOND";
      default -> type;
    };
  }

  /// What is written down about a table and its columns.
  static TableComments comments(SqlSession session, TableName table) {
    List<Map.Entry<String, String>> rows = new ArrayList<>();
    rows.addAll(
        session.query(
            "SELECT comments FROM all_tab_comments WHERE owner = ? AND table_name = ?"
                + " AND comments IS NOT NULL",
            row -> Map.entry("", row.getString(1)),
            table.schema(),
            table.name()));
    rows.addAll(
        session.query(
            "SELECT column_name, comments FROM all_col_comments WHERE owner = ?"
                + " AND table_name = ? AND comments IS NOT NULL",
            row -> Map.entry(row.getString(1), row.getString(2)),
            table.schema(),
            table.name()));
    return TableComments.of(rows);
  }
}
