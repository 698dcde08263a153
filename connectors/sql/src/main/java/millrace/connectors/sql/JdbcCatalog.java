package millrace.connectors.sql;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.JDBCType;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import millrace.connectors.sql.TableInfo.ColumnInfo;
import millrace.connectors.sql.types.TypeTable;
import millrace.data.Type;
import org.jspecify.annotations.Nullable;

/// What JDBC itself tells of tables, for databases that need no queries of their own.
public final class JdbcCatalog {

  private JdbcCatalog() {}

  /// Looks a table or view up; null if there is none.
  public static @Nullable TableInfo find(
      SqlSession session, TableName table, Dialect.Profile profile) {
    return session.ask(connection -> find(connection, table, profile));
  }

  /// Where tables lie. Some servers call a database a catalog and know no schemas: there the name
  /// in front of a table's is the catalog's.
  private record Namespace(@Nullable String catalog, @Nullable String schema) {

    static Namespace of(Connection connection, String named) throws SQLException {
      return connection.getMetaData().supportsSchemasInTableDefinitions()
          ? new Namespace(connection.getCatalog(), named.isEmpty() ? connection.getSchema() : named)
          : new Namespace(named.isEmpty() ? connection.getCatalog() : named, null);
    }

    /// The schema as a pattern that fits only itself, for the methods that take it for one.
    @Nullable String schemaPattern(DatabaseMetaData meta) throws SQLException {
      return schema == null ? null : escaped(meta, schema);
    }

    /// Whether that is the schema of what a row tells of. Derby knows no pattern that fits only
    /// itself.
    boolean isOf(ResultSet row) throws SQLException {
      return schema == null || schema.equalsIgnoreCase(row.getString("TABLE_SCHEM"));
    }

    /// Whether a row tells of a column of that table.
    boolean isOf(ResultSet row, String table) throws SQLException {
      return isOf(row) && table.equals(row.getString("TABLE_NAME"));
    }

    /// Whether a row tells of a key or an index of that table: Derby takes names for patterns there
    /// too, though JDBC does not.
    ///
    /// @param end which of the row's tables it is: `PK`, `FK`, or empty if there is one
    boolean isOf(ResultSet row, String end, String table) throws SQLException {
      String reported = row.getString(end + "TABLE_SCHEM");
      return (schema == null || reported == null || schema.equalsIgnoreCase(reported))
          && table.equals(row.getString(end + "TABLE_NAME"));
    }
  }

  /// Whether there is a table or view of that name: nothing else is asked.
  public static boolean exists(SqlSession session, TableName table, Dialect.Profile profile) {
    return session.ask(connection -> {
      DatabaseMetaData meta = connection.getMetaData();
      return named(meta, Namespace.of(connection, table.schema()), table.name(), profile) != null;
    });
  }

  private static @Nullable TableInfo find(
      Connection connection, TableName table, Dialect.Profile profile) throws SQLException {
    DatabaseMetaData meta = connection.getMetaData();
    Namespace place = Namespace.of(connection, table.schema());
    Named found = named(meta, place, table.name(), profile);
    if (found == null) {
      return null;
    }
    return found.isView
        ? TableInfo.whole(TableInfo.Kind.VIEW, columns(meta, place, found.name, profile.types()))
        : commented(table(meta, place, found.name, profile), found.remarks);
  }

  /// A table or view, by its name as the database has it.
  ///
  /// @param remarks what is said of it; may be empty
  private record Named(String name, boolean isView, String remarks) {}

  private static TableInfo commented(TableInfo table, String remarks) {
    return remarks.isEmpty() ? table : table.ruled(List.of("comment"));
  }

  private static String remarks(ResultSet row) throws SQLException {
    return Objects.requireNonNullElse(row.getString("REMARKS"), "");
  }

  private static @Nullable Named named(
      DatabaseMetaData meta, Namespace place, String wanted, Dialect.Profile profile)
      throws SQLException {
    boolean anyCase = profile.names().folding() == Names.Folding.IGNORED;
    String pattern = anyCase ? null : escaped(meta, wanted);
    try (ResultSet tables =
        meta.getTables(place.catalog, place.schemaPattern(meta), pattern, null)) {
      while (tables.next()) {
        String name = tables.getString("TABLE_NAME");
        String kind = tables.getString("TABLE_TYPE");
        if (place.isOf(tables) && profile.names().same(name, wanted) && isTable(kind)) {
          return new Named(name, kind.contains("VIEW"), remarks(tables));
        }
      }
    }
    return null;
  }

  /// Whether that is a table or a view: some drivers tell of other things in the same breath.
  private static boolean isTable(String kind) {
    return !kind.matches(".*(INDEX|SEQUENCE|TYPE).*");
  }

  private static TableInfo table(
      DatabaseMetaData meta, Namespace place, String name, Dialect.Profile profile)
      throws SQLException {
    TreeMap<Integer, String> key = new TreeMap<>();
    try (ResultSet parts = meta.getPrimaryKeys(place.catalog, place.schema, name)) {
      while (parts.next()) {
        if (place.isOf(parts, "", name)) {
          key.put(parts.getInt("KEY_SEQ"), parts.getString("COLUMN_NAME"));
        }
      }
    }
    Set<String> dependents = new TreeSet<>();
    try (ResultSet keys = meta.getExportedKeys(place.catalog, place.schema, name)) {
      while (keys.next()) {
        if (place.isOf(keys, "PK", name)) {
          dependents.add(keys.getString("FKTABLE_NAME"));
        }
      }
    }
    dependents.remove(name);
    List<ColumnInfo> columns = columns(meta, place, name, profile.types());
    // The index of a key of several columns finds ranges of its first.
    String first = key.isEmpty() ? "" : key.firstEntry().getValue();
    return new TableInfo(
        TableInfo.Kind.TABLE,
        columns,
        List.copyOf(key.values()),
        columns.stream()
            .filter(column -> column.name().equals(first))
            .findFirst()
            .map(column -> TableInfo.Cut.of(column, profile))
            .orElse(null),
        -1,
        List.copyOf(dependents),
        new TableInfo.Definition(rules(meta, place, name, List.copyOf(key.values())), List.of()),
        TableInfo.RowRules.NONE);
  }

  /// What JDBC tells of a definition. It knows no checks: a profile adds them.
  private static List<String> rules(
      DatabaseMetaData meta, Namespace place, String name, List<String> key) throws SQLException {
    List<String> rules = new ArrayList<>();
    TreeMap<String, List<String>> indexes = new TreeMap<>();
    try (ResultSet parts = meta.getIndexInfo(place.catalog, place.schema, name, false, true)) {
      while (parts.next()) {
        if (parts.getString("INDEX_NAME") != null && place.isOf(parts, "", name)) {
          String what = parts.getBoolean("NON_UNIQUE") ? "index " : "unique ";
          indexes
              .computeIfAbsent(what + parts.getString("INDEX_NAME"), _ -> new ArrayList<>())
              .add(parts.getString("COLUMN_NAME"));
        }
      }
    }
    indexes.values().remove(key);
    indexes.forEach((index, columns) -> rules.add(index + " (" + String.join(", ", columns) + ")"));
    try (ResultSet keys = meta.getImportedKeys(place.catalog, place.schema, name)) {
      while (keys.next()) {
        if (place.isOf(keys, "FK", name)) {
          rules.add(
              "foreign key ("
                  + keys.getString("FKCOLUMN_NAME")
                  + ") to "
                  + keys.getString("PKTABLE_NAME"));
        }
      }
    }
    try (ResultSet found =
        meta.getColumns(place.catalog, place.schemaPattern(meta), escaped(meta, name), null)) {
      while (found.next()) {
        if (!place.isOf(found, name)) {
          continue;
        }
        boolean isComputed = isComputed(found);
        boolean isNumbered = isNumbered(found);
        if (isComputed || isNumbered || found.getString("COLUMN_DEF") != null) {
          rules.add(
              (isComputed ? "generated column " : isNumbered ? "identity of " : "default of ")
                  + found.getString("COLUMN_NAME"));
        }
        if (!remarks(found).isEmpty()) {
          rules.add("comment of " + found.getString("COLUMN_NAME"));
        }
      }
    }
    return rules;
  }

  private static List<ColumnInfo> columns(
      DatabaseMetaData meta, Namespace place, String table, TypeTable types) throws SQLException {
    List<ColumnInfo> columns = new ArrayList<>();
    try (ResultSet found =
        meta.getColumns(place.catalog, place.schemaPattern(meta), escaped(meta, table), null)) {
      while (found.next()) {
        if (place.isOf(found, table)) {
          columns.add(column(found, types));
        }
      }
    }
    return columns;
  }

  /// A column, of which a row of `getColumns` tells.
  static ColumnInfo column(ResultSet row, TypeTable types) throws SQLException {
    Declared type =
        new Declared(
            row.getString("TYPE_NAME"), row.getInt("DATA_TYPE"), row.getInt("COLUMN_SIZE"));
    int digits = digits(row, type.code);
    return new ColumnInfo(
        row.getString("COLUMN_NAME"),
        type.sql(digits),
        type.known(digits, types),
        !"NO".equals(row.getString("IS_NULLABLE")),
        row.getString("COLUMN_DEF") != null || isNumbered(row),
        isComputed(row));
  }

  private static boolean isNumbered(ResultSet column) throws SQLException {
    return "YES".equals(column.getString("IS_AUTOINCREMENT"));
  }

  /// Whether the database computes it. Firebird's driver says that of identities too, which take
  /// values.
  private static boolean isComputed(ResultSet column) throws SQLException {
    return "YES".equals(column.getString("IS_GENERATEDCOLUMN")) && !isNumbered(column);
  }

  /// The name as a pattern that fits only itself.
  private static String escaped(DatabaseMetaData meta, String name) throws SQLException {
    String escape = meta.getSearchStringEscape();
    return name.replace(escape, escape + escape)
        .replace("_", escape + "_")
        .replace("%", escape + "%");
  }

  /// What a driver tells of a column's type.
  ///
  /// @param name the product's own
  /// @param code of {@link Types}
  private record Declared(String name, int code, int size) {

    /// As the product declares it.
    String sql(int digits) {
      return named(name, digits);
    }

    /// The declaration by which a type table knows it. Bytes may have a name that is another
    /// type's, such as Firebird's CHAR of octets, or one of the user's: they go by JDBC's name.
    String known(int digits, TypeTable types) {
      String declared = sql(digits);
      boolean isBytes =
          switch (code) {
            case Types.BINARY, Types.VARBINARY, Types.LONGVARBINARY, Types.BLOB -> true;
            default -> false;
          };
      boolean isTakenForOther =
          isBytes
              && switch (types.type(declared)) {
                case Type.Text _, Type.Opaque _ -> true;
                case Type _ -> false;
              };
      return isTakenForOther ? named(JDBCType.valueOf(code).getName(), digits) : declared;
    }

    private String named(String called, int digits) {
      return switch (code) {
        case Types.DECIMAL, Types.NUMERIC -> withNumbers(called, size + "," + digits);
        case Types.VARCHAR, Types.CHAR, Types.NVARCHAR, Types.NCHAR ->
            withNumbers(called, String.valueOf(size));
        case Types.VARBINARY, Types.BINARY ->
            called.equals("UUID") ? called : withNumbers(called, String.valueOf(size));
        case Types.TIME, Types.TIMESTAMP, Types.TIME_WITH_TIMEZONE, Types.TIMESTAMP_WITH_TIMEZONE ->
            withNumbers(called, String.valueOf(digits));
        default -> called;
      };
    }
  }

  /// Digits behind the point or the seconds. A driver that does not tell those of the seconds tells
  /// how long a time is as text; with others such a text has room for other things as well.
  private static int digits(ResultSet column, int type) throws SQLException {
    int digits = column.getInt("DECIMAL_DIGITS");
    if (!column.wasNull()) {
      return digits;
    }
    int withoutDigits =
        switch (type) {
          case Types.TIME -> "12:34:56.".length();
          case Types.TIME_WITH_TIMEZONE -> "12:34:56.+00:00".length();
          case Types.TIMESTAMP -> "2024-02-29 12:34:56.".length();
          case Types.TIMESTAMP_WITH_TIMEZONE -> "2024-02-29 12:34:56.+00:00".length();
          default -> Integer.MAX_VALUE;
        };
    return Math.max(0, column.getInt("COLUMN_SIZE") - withoutDigits);
  }

  /// As SQL has it: `CHAR (8) FOR BIT DATA`, `TIMESTAMP(6) WITH TIME ZONE`.
  private static String withNumbers(String name, String numbers) {
    String in = "(" + numbers + ")";
    if (name.contains("()")) {
      return name.replace("()", in);
    }
    int zone = name.indexOf(" WITH");
    return name.indexOf('(') >= 0
        ? name
        : zone < 0 ? name + in : name.substring(0, zone) + in + name.substring(zone);
  }

  /// The columns of a query's result.
  public static TableInfo describe(SqlSession session, String query, TypeTable types) {
    return session.ask(connection -> describe(connection, query, types));
  }

  private static TableInfo describe(Connection connection, String query, TypeTable types)
      throws SQLException {
    try (java.sql.PreparedStatement statement =
        connection.prepareStatement("SELECT * FROM (" + query + "\n) millrace_query")) {
      ResultSetMetaData meta = statement.getMetaData();
      List<ColumnInfo> columns = new ArrayList<>();
      for (int i = 1; i <= meta.getColumnCount(); i++) {
        Declared type =
            new Declared(meta.getColumnTypeName(i), meta.getColumnType(i), meta.getPrecision(i));
        int digits = meta.getScale(i);
        columns.add(
            new ColumnInfo(
                meta.getColumnLabel(i),
                type.sql(digits),
                type.known(digits, types),
                true,
                false,
                false));
      }
      return TableInfo.whole(TableInfo.Kind.QUERY, columns);
    }
  }

  /// Names of all tables and views of a schema, but for those of the system itself, which some
  /// products have in every schema, and other names of tables.
  ///
  /// @param schema empty for the default one
  public static List<String> tables(SqlSession session, String schema) {
    return session.ask(connection -> tables(connection, schema));
  }

  private static List<String> tables(Connection connection, String schema) throws SQLException {
    List<String> names = new ArrayList<>();
    DatabaseMetaData meta = connection.getMetaData();
    Namespace place = Namespace.of(connection, schema);
    try (ResultSet tables = meta.getTables(place.catalog, place.schemaPattern(meta), null, null)) {
      while (tables.next()) {
        String kind = tables.getString("TABLE_TYPE");
        if (place.isOf(tables) && isTable(kind) && !kind.matches(".*SYSTEM.*|SYNONYM")) {
          names.add(tables.getString("TABLE_NAME"));
        }
      }
    }
    return names;
  }
}
