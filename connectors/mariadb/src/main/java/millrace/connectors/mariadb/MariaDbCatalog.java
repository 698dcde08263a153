package millrace.connectors.mariadb;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import millrace.connectors.sql.Dialect;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TableInfo;
import millrace.connectors.sql.TableInfo.ColumnInfo;
import millrace.connectors.sql.TableInfo.Cut;
import millrace.connectors.sql.TableInfo.Definition;
import millrace.connectors.sql.TableInfo.Filled;
import millrace.connectors.sql.TableInfo.RowRules;
import millrace.connectors.sql.TableName;
import millrace.data.TableComments;
import org.jspecify.annotations.Nullable;

/// Looks tables up in `information_schema`. Databases are schemas there.
final class MariaDbCatalog {

  private static final String SCHEMA_AND_NAME = " WHERE table_schema = ? AND table_name = ?";
  private static final String PRIMARY = "PRIMARY";
  private static final String TABLE = "BASE TABLE";

  private final SqlSession session;
  private final Dialect.Profile profile;
  private final ServerTraits server;

  MariaDbCatalog(SqlSession session, Dialect.Profile profile, ServerTraits server) {
    this.session = session;
    this.profile = profile;
    this.server = server;
  }

  /// A table or view.
  ///
  /// @param options such as `partitioned row_format=COMPRESSED`; may be empty
  private record Listed(
      String name, String type, String engine, long rows, String options, String comment) {}

  /// A column as it is declared, with what is said of it besides.
  private record Declared(ColumnInfo info, boolean isBlank, String extra, String comment) {}

  /// A part of an index.
  ///
  /// @param sortsAll whether the index has the whole value, in order
  private record IndexPart(
      String index, boolean isUnique, String column, boolean sortsAll, boolean nullable) {}

  /// Looks a table or view up; null if there is none.
  @Nullable TableInfo find(TableName table) {
    Listed found = listed(table);
    if (found == null) {
      return null;
    }
    List<Declared> declared = columns(table.schema(), found.name);
    List<ColumnInfo> itself = declared.stream().map(Declared::info).toList();
    if (!found.type.equals(TABLE) && !found.type.equals("SYSTEM VERSIONED")) {
      return TableInfo.whole(TableInfo.Kind.VIEW, itself);
    }
    TableName exact = new TableName(table.schema(), found.name);
    // If nothing fills a column, MySQL loads 0 or an empty text and refuses no row.
    List<ColumnInfo> columns =
        !server.isMariaDb() || triggers(exact, "INSERT", "BEFORE").isEmpty()
            ? itself
            : itself.stream().map(each -> each.filledByTrigger(Filled.IF_LEFT_OUT)).toList();
    List<IndexPart> parts = indexParts(exact);
    List<String> key =
        parts.stream().filter(part -> part.index.equals(PRIMARY)).map(IndexPart::column).toList();
    Cut cut = cut(columns, parts);
    return new TableInfo(
        TableInfo.Kind.TABLE,
        columns,
        key,
        cut == null && found.options.contains("partitioned")
            ? PartitionCut.of(exact, columns, profile)
            : cut,
        found.rows,
        texts(
            "SELECT DISTINCT table_name FROM information_schema.key_column_usage"
                + " WHERE referenced_table_schema = ? AND referenced_table_name = ?"
                + " AND (table_schema <> referenced_table_schema OR table_name <>"
                + " referenced_table_name)",
            exact),
        new Definition(rules(exact, found, declared, parts), List.of()),
        new RowRules(
            false,
            triggers(exact, "INSERT", "%"),
            triggers(exact, "UPDATE", "%"),
            notUndone(found, exact)));
  }

  private String notUndone(Listed found, TableName table) {
    String engine = found.engine.equals("InnoDB") ? "" : engineWithoutStates(session, table);
    return engine.isEmpty() ? "" : "a table of engine " + engine + " has no transactions";
  }

  /// Whether there is a table or view, without a look at what it is like.
  boolean exists(TableName table) {
    return listed(table) != null;
  }

  private @Nullable Listed listed(TableName table) {
    return session
        .query(
            "SELECT table_name, table_type, engine, table_rows, coalesce(create_options, ''),"
                + " coalesce(table_comment, '') FROM information_schema.tables"
                + SCHEMA_AND_NAME,
            row -> {
              long rows = row.getLong(4);
              return new Listed(
                  row.getString(1),
                  row.getString(2),
                  String.valueOf(row.getString(3)),
                  row.wasNull() ? -1 : rows,
                  row.getString(5),
                  row.getString(6));
            },
            table.schema(),
            table.name())
        .stream()
        .filter(found ->
            server.caseSensitiveTables()
                ? found.name.equals(table.name())
                : found.name.equalsIgnoreCase(table.name()))
        .findFirst()
        .orElse(null);
  }

  private List<Declared> columns(String schema, String table) {
    Set<String> documents = documents(schema, table);
    return session.query(
        "SELECT column_name, column_type, character_set_name, collation_name, is_nullable,"
            + " column_default, extra, column_comment FROM information_schema.columns"
            + SCHEMA_AND_NAME
            + " ORDER BY ordinal_position",
        row -> {
          String name = row.getString(1);
          boolean isNullable = row.getString(5).equals("YES");
          String otherwise = row.getString(6);
          String extra = row.getString(7).toUpperCase(Locale.ROOT);
          boolean isGenerated = extra.matches(".*\\b(VIRTUAL|STORED|PERSISTENT)\\b.*");
          boolean hasDefault =
              (otherwise != null && !(isNullable && otherwise.equals("NULL")))
                  || extra.contains("AUTO_INCREMENT");
          String type =
              documents.contains(name)
                  ? "json"
                  : withSet(row.getString(2), row.getString(3), row.getString(4));
          return new Declared(
              new ColumnInfo(name, type, type, isNullable, hasDefault, isGenerated),
              otherwise == null || isGenerated || otherwise.equals("NULL"),
              extra,
              row.getString(8));
        },
        schema,
        table);
  }

  private static String withSet(String type, @Nullable String charset, @Nullable String collation) {
    return charset == null
        ? type
        : type + " CHARACTER SET " + charset + " COLLATE " + String.valueOf(collation);
  }

  /// MariaDB's json is a text with a check.
  private Set<String> documents(String schema, String table) {
    return !server.isMariaDb() || !hasChecks(session)
        ? Set.of()
        : Set.copyOf(
            texts(
                "SELECT constraint_name FROM information_schema.check_constraints"
                    + " WHERE constraint_schema = ? AND table_name = ?"
                    + " AND check_clause = concat('json_valid(`', constraint_name, '`)')",
                new TableName(schema, table)));
  }

  /// Whether the server tells of checks.
  static boolean hasChecks(SqlSession session) {
    return !session
        .query(
            "SELECT 1 FROM information_schema.tables WHERE table_schema = 'information_schema'"
                + " AND table_name = 'CHECK_CONSTRAINTS'",
            row -> row.getInt(1))
        .isEmpty();
  }

  private List<IndexPart> indexParts(TableName table) {
    return session.query(
        "SELECT index_name, non_unique, column_name, sub_part, nullable, index_type"
            + " FROM information_schema.statistics"
            + SCHEMA_AND_NAME
            + " ORDER BY non_unique, index_name, seq_in_index",
        row ->
            new IndexPart(
                row.getString(1),
                row.getInt(2) == 0,
                Objects.requireNonNullElse(row.getString(3), "an expression"),
                row.getString(4) == null && "BTREE".equals(row.getString(6)),
                "YES".equals(row.getString(5))),
        table.schema(),
        table.name());
  }

  /// The first column of the primary key, else that of an index without duplicates.
  private @Nullable Cut cut(List<ColumnInfo> columns, List<IndexPart> parts) {
    Set<String> seen = new TreeSet<>();
    List<IndexPart> first =
        parts.stream()
            .filter(part -> seen.add(part.index) && part.isUnique && part.sortsAll)
            .filter(part -> !part.nullable)
            .toList();
    return Stream.concat(
            first.stream().filter(part -> part.index.equals(PRIMARY)),
            first.stream().filter(part -> !part.index.equals(PRIMARY)))
        .flatMap(part -> columns.stream().filter(column -> column.name().equals(part.column)))
        .map(column -> Cut.of(column, profile))
        .filter(Objects::nonNull)
        .findFirst()
        .orElse(null);
  }

  private List<String> rules(
      TableName table, Listed listed, List<Declared> columns, List<IndexPart> parts) {
    List<String> rules = new ArrayList<>();
    if (!listed.engine.equals("InnoDB")) {
      rules.add("engine " + listed.engine);
    }
    if (!listed.type.equals(TABLE)) {
      rules.add("versions of its rows");
    }
    if (!listed.options.isEmpty()) {
      rules.add("options (" + listed.options + ")");
    }
    if (!listed.comment.isEmpty()) {
      rules.add("comment");
    }
    parts.stream()
        .filter(part -> !part.index.equals(PRIMARY))
        .collect(
            Collectors.groupingBy(
                part -> (part.isUnique ? "unique " : "index ") + part.index,
                java.util.LinkedHashMap::new,
                Collectors.mapping(IndexPart::column, Collectors.joining(", "))))
        .forEach((index, of) -> rules.add(index + " (" + of + ")"));
    session
        .query(
            "SELECT constraint_name, group_concat(column_name ORDER BY ordinal_position SEPARATOR"
                + " ', '), max(referenced_table_name) FROM information_schema.key_column_usage"
                + SCHEMA_AND_NAME
                + " AND referenced_table_name IS NOT NULL GROUP BY constraint_name ORDER BY 1",
            row -> "foreign key (" + row.getString(2) + ") to " + row.getString(3),
            table.schema(),
            table.name())
        .forEach(rules::add);
    for (Declared column : columns) {
      String name = column.info.name();
      if (column.info.generated()) {
        rules.add("generated column " + name);
      } else if (column.extra.contains("AUTO_INCREMENT")) {
        rules.add("identity of " + name);
      } else if (!column.isBlank) {
        rules.add("default of " + name);
      }
      if (column.extra.contains("ON UPDATE")) {
        rules.add("time of update in " + name);
      }
      if (column.extra.contains("INVISIBLE")) {
        rules.add("invisible column " + name);
      }
      if (!column.comment.isEmpty()) {
        rules.add("comment of " + name);
      }
    }
    checks(table).forEach(check -> rules.add("check " + check));
    triggers(table, "%", "%").forEach(trigger -> rules.add("trigger " + trigger));
    return rules;
  }

  /// That of a document belongs to its type.
  private List<String> checks(TableName table) {
    if (!hasChecks(session)) {
      return List.of();
    }
    return server.isMariaDb()
        ? texts(
            "SELECT constraint_name FROM information_schema.check_constraints"
                + " WHERE constraint_schema = ? AND table_name = ?"
                + " AND check_clause <> concat('json_valid(`', constraint_name, '`)') ORDER BY 1",
            table)
        : texts(
            "SELECT constraint_name FROM information_schema.table_constraints"
                + SCHEMA_AND_NAME
                + " AND constraint_type = 'CHECK' ORDER BY 1",
            table);
  }

  private List<String> triggers(TableName table, String event, String timing) {
    return session.query(
        "SELECT trigger_name FROM information_schema.triggers WHERE event_object_schema = ?"
            + " AND event_object_table = ? AND event_manipulation LIKE ? AND action_timing LIKE ?"
            + " ORDER BY 1",
        row -> row.getString(1),
        table.schema(),
        table.name(),
        event,
        timing);
  }

  private List<String> texts(String sql, TableName table) {
    return session.query(sql, row -> row.getString(1), table.schema(), table.name());
  }

  /// Names of the tables and views of a database; of the one that is connected to if it has no
  /// name.
  static List<String> tables(SqlSession session, String database) {
    return session.query(
        "SELECT table_name FROM information_schema.tables"
            + " WHERE table_schema = coalesce(nullif(?, ''), database()) ORDER BY 1",
        row -> row.getString(1),
        database);
  }

  /// What is written down about a table and its columns.
  static TableComments comments(SqlSession session, TableName table) {
    return TableComments.of(
        session.query(
            "SELECT '', table_comment FROM information_schema.tables"
                + " WHERE table_schema = ? AND table_name = ? AND table_type <> 'VIEW'"
                + " UNION ALL SELECT column_name, column_comment FROM information_schema.columns"
                + SCHEMA_AND_NAME,
            row -> Map.entry(row.getString(1), row.getString(2)),
            table.schema(),
            table.name(),
            table.schema(),
            table.name()));
  }

  /// Whether a transaction sees one state of a table. Its engine; empty if it does.
  static String engineWithoutStates(SqlSession session, TableName table) {
    return session
        .query(
            "SELECT if(e.transactions = 'YES', '', coalesce(t.engine, 'none'))"
                + " FROM information_schema.tables t"
                + " LEFT JOIN information_schema.engines e ON e.engine = t.engine"
                + SCHEMA_AND_NAME,
            row -> row.getString(1),
            table.schema(),
            table.name())
        .stream()
        .findFirst()
        .orElse("none");
  }

  /// The columns of a query's result. Its columns are no copies of a table's, so that they carry no
  /// declaration.
  static TableInfo describe(SqlSession session, String query) {
    return session.run(connection -> {
      try (PreparedStatement statement =
          connection.prepareStatement("SELECT * FROM (" + query + "\n) millrace_query LIMIT 0")) {
        session.runs(statement);
        ResultSet rows = statement.executeQuery();
        ResultSetMetaData meta = rows.getMetaData();
        List<ColumnInfo> columns = new ArrayList<>();
        for (int i = 1; i <= meta.getColumnCount(); i++) {
          columns.add(
              new ColumnInfo(meta.getColumnLabel(i), "", declared(meta, i), true, false, false));
        }
        return TableInfo.whole(TableInfo.Kind.QUERY, columns);
      }
    });
  }

  private static String declared(ResultSetMetaData meta, int column) throws SQLException {
    String type = meta.getColumnTypeName(column).toUpperCase(Locale.ROOT);
    int precision = meta.getPrecision(column);
    return switch (type) {
      case "DECIMAL" -> type + "(" + precision + "," + meta.getScale(column) + ")";
      case "BIT", "CHAR", "VARCHAR", "BINARY", "VARBINARY" -> type + "(" + precision + ")";
      // How long they may be depends on the session.
      case "TINYTEXT", "TEXT", "MEDIUMTEXT" -> "LONGTEXT";
      default -> type;
    };
  }
}
