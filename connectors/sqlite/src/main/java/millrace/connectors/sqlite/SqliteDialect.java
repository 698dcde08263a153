package millrace.connectors.sqlite;

import static millrace.connectors.sql.SqlFaults.Row.code;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import millrace.connectors.sql.Dialect;
import millrace.connectors.sql.Names;
import millrace.connectors.sql.Snapshot;
import millrace.connectors.sql.SqlDatabase;
import millrace.connectors.sql.SqlFaults;
import millrace.connectors.sql.SqlFaults.Kind;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.SqlSession.RowMapper;
import millrace.connectors.sql.TableInfo;
import millrace.connectors.sql.TableInfo.ColumnInfo;
import millrace.connectors.sql.TableName;
import millrace.connectors.sql.TypeTable;
import org.jspecify.annotations.Nullable;

/// How SQLite differs from other databases.
final class SqliteDialect implements Dialect {

  static final SqliteDialect INSTANCE = new SqliteDialect();

  /// The schema of the file itself.
  static final String MAIN = "main";

  private static final int SAMPLE_ROWS = 1_000;

  private static final String SQL = "Correct the name, the query or the condition.";
  private static final String DAMAGED =
      "If a file of the same name with -journal or -wal at its end was moved away, put it back.";

  /// By SQLite's result codes, which are numbered from 1.
  private static final SqlFaults FAULTS =
      new SqlFaults(
          List.of(
              code(1, Kind.USER, SQL),
              code(3, Kind.EXTERNAL, "Give yourself the right to read the file."),
              code(5, Kind.LOCKED, "Another program writes to the file: try again later."),
              code(6, Kind.LOCKED, "Another program writes to the file: try again later."),
              code(8, Kind.EXTERNAL, "Give yourself the right to write to the file and its folder."),
              code(9, Kind.CANCELLED, ""),
              code(11, Kind.EXTERNAL, DAMAGED),
              code(13, Kind.EXTERNAL, "Make room on the disk."),
              code(14, Kind.EXTERNAL, "Give yourself the right to open the file in its folder."),
              code(18, Kind.DATA, ""),
              code(19, Kind.DATA, ""),
              code(20, Kind.DATA, ""),
              code(26, Kind.USER, "Name an SQLite file. " + DAMAGED)),
          SqliteDialect::words);

  private SqliteDialect() {}

  /// Behind the driver's words SQLite's own stand in parentheses.
  private static String words(SQLException e) {
    String line = SqlFaults.firstLine(e.getMessage());
    int open = line.indexOf(" (");
    return open > 0 && line.endsWith(")") ? line.substring(open + 2, line.length() - 1) : line;
  }

  @Override
  public String system() {
    return SqliteTypes.SYSTEM;
  }

  @Override
  public Names names() {
    return new Names('"', Names.Folding.IGNORED);
  }

  @Override
  public TypeTable types() {
    return SqliteTypes.TABLE;
  }

  @Override
  public SqlFaults faults() {
    return FAULTS;
  }

  @Override
  public Capabilities capabilities() {
    return new Capabilities(true, true, true, "BEGIN IMMEDIATE", "CREATE TEMP TABLE");
  }

  private static <T> List<T> query(
      Connection connection, String sql, RowMapper<T> mapper, String... texts) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < texts.length; i++) {
        statement.setString(i + 1, texts[i]);
      }
      List<T> found = new ArrayList<>();
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          found.add(mapper.map(rows));
        }
      }
      return found;
    }
  }

  @Override
  public List<String> tables(Connection connection) throws SQLException {
    return query(
        connection,
        "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%'"
            + " ORDER BY 1",
        row -> row.getString(1));
  }

  private record Listed(String name, String type, boolean hasRowid) {}

  @Override
  public @Nullable TableInfo find(Connection connection, TableName table) throws SQLException {
    List<Listed> listed =
        query(
            connection,
            "SELECT name, type, wr = 0 FROM pragma_table_list"
                + " WHERE schema = 'main' AND name = ? COLLATE NOCASE",
            row -> new Listed(row.getString(1), row.getString(2), row.getBoolean(3)),
            table.name());
    if (listed.isEmpty() || !table.schema().equalsIgnoreCase(MAIN)) {
      return null;
    }
    Listed found = listed.getFirst();
    String from = table.sql(names());
    boolean isView = found.type.equals("view");
    List<Described> described = described(connection, found.name, isView);
    List<ColumnInfo> columns = columns(connection, described, found.hasRowid, from);
    if (isView) {
      return TableInfo.whole(TableInfo.Kind.VIEW, columns);
    }
    List<String> key =
        described.stream()
            .filter(column -> column.keyPart > 0)
            .sorted(java.util.Comparator.comparingInt(Described::keyPart))
            .map(Described::name)
            .toList();
    String rowid = found.hasRowid && found.type.equals("table") ? rowid(described) : null;
    return new TableInfo(
        TableInfo.Kind.TABLE,
        columns,
        key,
        rowid,
        rowid == null ? -1 : rows(connection, rowid, from),
        query(
            connection,
            "SELECT DISTINCT m.name FROM sqlite_schema m, pragma_foreign_key_list(m.name) f"
                + " WHERE m.type = 'table' AND f.\"table\" = ?1 COLLATE NOCASE"
                + " AND m.name <> ?1 COLLATE NOCASE",
            row -> row.getString(1),
            found.name),
        query(
            connection,
            "SELECT sql FROM sqlite_schema WHERE tbl_name = ? COLLATE NOCASE"
                + " AND type IN ('index', 'trigger') AND sql IS NOT NULL",
            row -> row.getString(1),
            found.name));
  }

  /// A name of the rowid that no column has taken.
  private static @Nullable String rowid(List<Described> columns) {
    return Stream.of("rowid", "_rowid_", "oid")
        .filter(name -> columns.stream().noneMatch(column -> column.name.equalsIgnoreCase(name)))
        .findFirst()
        .orElse(null);
  }

  /// Counting would read the whole table. Numbers that were deleted are counted too.
  private static long rows(Connection connection, String rowid, String from) throws SQLException {
    return query(
            connection,
            "SELECT 1.0 + (SELECT max(" + rowid + ") FROM " + from + ") - (SELECT min(" + rowid
                + ") FROM " + from + ")",
            row -> (long) Math.clamp(row.getDouble(1), 0, 1L << 40))
        .getFirst();
  }

  private record Described(
      String name, String declared, boolean required, boolean hasDefault, int keyPart, int hidden) {}

  /// A view calls everything BLOB that is declared as nothing.
  private static List<Described> described(Connection connection, String table, boolean isView)
      throws SQLException {
    return query(
        connection,
        "SELECT name, type, \"notnull\", dflt_value IS NOT NULL, pk, hidden"
            + " FROM pragma_table_xinfo(?) WHERE hidden <> 1 ORDER BY cid",
        row ->
            new Described(
                row.getString(1),
                isView && row.getString(2).equals("BLOB") ? "" : row.getString(2),
                row.getBoolean(3),
                row.getBoolean(4),
                row.getInt(5),
                row.getInt(6)),
        table);
  }

  private static List<ColumnInfo> columns(
      Connection connection, List<Described> described, boolean hasRowid, String from)
      throws SQLException {
    List<Set<String>> held = new ArrayList<>();
    described.forEach(_ -> held.add(new TreeSet<>()));
    if (described.stream().anyMatch(column -> !SqliteTypes.says(column.declared))) {
      look(connection, described, from, held);
    }
    long keyParts = described.stream().filter(column -> column.keyPart > 0).count();
    List<ColumnInfo> columns = new ArrayList<>();
    for (int i = 0; i < described.size(); i++) {
      Described column = described.get(i);
      boolean isKey = column.keyPart > 0;
      boolean isRowid =
          isKey && keyParts == 1 && hasRowid && column.declared.equalsIgnoreCase("INTEGER");
      String typedAs =
          SqliteTypes.says(column.declared)
              ? column.declared
              : typedAs(column.declared, held.get(i));
      boolean required = column.required || isRowid || (isKey && !hasRowid);
      columns.add(
          new ColumnInfo(
              column.name,
              column.declared,
              typedAs,
              !required,
              column.hasDefault || isRowid,
              column.hidden > 1));
    }
    return columns;
  }

  /// Finds what the first rows hold in columns whose declarations say nothing.
  private static void look(
      Connection connection, List<Described> columns, String from, List<Set<String>> held)
      throws SQLException {
    List<String> classes =
        columns.stream()
            .map(column ->
                SqliteTypes.says(column.declared)
                    ? "'null'"
                    : "typeof(" + INSTANCE.names().quoted(column.name) + ")")
            .toList();
    try (Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT " + String.join(", ", classes) + " FROM " + from + " LIMIT " + SAMPLE_ROWS)) {
      while (rows.next()) {
        for (int i = 0; i < held.size(); i++) {
          held.get(i).add(rows.getString(i + 1));
        }
      }
    }
    held.forEach(each -> each.remove("null"));
  }

  private static String typedAs(String declared, Set<String> held) {
    boolean isFree = declared.isEmpty() || declared.toUpperCase(Locale.ROOT).equals("ANY");
    return switch (String.join(" ", held)) {
      case "integer" -> "INTEGER";
      case "real" -> isFree ? "REAL" : "NUMERIC";
      case "integer real" -> "NUMERIC";
      case "blob" -> "BLOB";
      default -> isFree ? "TEXT" : SqliteTypes.TEXT_AMONG_NUMBERS;
    };
  }

  /// A view of this connection tells how the columns of a query are declared.
  @Override
  public TableInfo describe(Connection connection, String query) throws SQLException {
    String from = "(" + query + "\n)";
    try (Statement statement = connection.createStatement()) {
      connection.prepareStatement("SELECT * FROM " + from).close();
      statement.execute("CREATE TEMP VIEW millrace_query AS SELECT * FROM " + from);
      List<Described> described = described(connection, "millrace_query", true);
      statement.execute("DROP VIEW millrace_query");
      return TableInfo.whole(
          TableInfo.Kind.QUERY, columns(connection, described, false, from));
    }
  }

  @Override
  public Snapshot snapshot(SqlDatabase database, SqlSession first, int lanes) {
    return new SqliteSnapshot(database, first, lanes);
  }
}
