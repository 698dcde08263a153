package millrace.connectors.sqlite;

import static millrace.connectors.sql.SqlFaults.Row.code;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import millrace.connectors.sql.Dialect;
import millrace.connectors.sql.MergeTables;
import millrace.connectors.sql.MergeTables.MergeStatements;
import millrace.connectors.sql.Names;
import millrace.connectors.sql.Reads;
import millrace.connectors.sql.SnapshotConnections;
import millrace.connectors.sql.SqlCatalog;
import millrace.connectors.sql.SqlDatabase;
import millrace.connectors.sql.SqlFaults;
import millrace.connectors.sql.SqlFaults.Kind;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.Statements;
import millrace.connectors.sql.TableInfo;
import millrace.connectors.sql.TableInfo.ColumnInfo;
import millrace.connectors.sql.TableName;
import millrace.connectors.sql.TableOrQuery;
import millrace.connectors.sql.Writes;
import millrace.connectors.sql.read.HeldState;
import millrace.data.Type;
import millrace.spi.read.SqlWords;
import org.jspecify.annotations.Nullable;

/// How SQLite differs from other databases.
final class SqliteDialect implements SqlCatalog, Reads, Writes {

  /// The schema of the file itself.
  static final String MAIN = "main";

  private static final int SAMPLE_ROWS = 1_000;
  static final Names NAMES = new Names('"', Names.Folding.IGNORED).lacking("\0");
  private static final String BUSY = "Another program writes to the file: try again later.";
  private static final String RIGHT =
      "Give yourself the right to write to the file and its folder.";
  private static final String DAMAGED =
      "If a file of the same name with -journal or -wal at its end was moved away, put it back.";

  /// By SQLite's result codes, which are numbered from 1.
  private static final SqlFaults FAULTS =
      new SqlFaults(
          List.of(
              code(1, Kind.USER, "Correct the name, the query or the condition."),
              code(5, Kind.LOCKED, BUSY),
              code(6, Kind.LOCKED, BUSY),
              code(8, Kind.EXTERNAL, RIGHT),
              code(9, Kind.CANCELLED, ""),
              code(11, Kind.EXTERNAL, DAMAGED),
              code(13, Kind.EXTERNAL, "Make room on the disk."),
              code(14, Kind.EXTERNAL, RIGHT),
              code(18, Kind.DATA, ""),
              code(19, Kind.DATA, ""),
              code(20, Kind.DATA, ""),
              code(26, Kind.USER, "Name an SQLite file. " + DAMAGED)),
          SqliteDialect::words);

  private static final Dialect.Profile PROFILE =
      new Dialect.Profile(
          NAMES,
          SqliteTypes.TABLE,
          FAULTS,
          new Dialect.Capabilities(true, true),
          new Statements(
              "BEGIN IMMEDIATE",
              Statements.Savepoints.STANDARD,
              Statements.Tables.USUAL,
              "SELECT 1 FROM %s LIMIT 1",
              new Statements.Reading("LIMIT 1 OFFSET %d"),
              new Statements.Merging("CREATE TEMP TABLE %s AS %s", true),
              new SqlWords.Moments("'%s'", "'%s'", "'%s'", "'%s+00'")));

  private final @Nullable HeldState held;

  private SqliteDialect(@Nullable HeldState held) {
    this.held = held;
  }

  /// How SQLite differs.
  ///
  /// @param held the state in which tables are read; null for that of each copy
  static Dialect of(@Nullable HeldState held) {
    SqliteDialect roles = new SqliteDialect(held);
    return new Dialect(PROFILE, roles, roles, roles);
  }

  /// Behind the driver's words SQLite's own stand in parentheses.
  private static String words(SQLException e) {
    String line = SqlFaults.firstLine(e.getMessage());
    int open = line.indexOf(" (");
    return open > 0 && line.endsWith(")") ? line.substring(open + 2, line.length() - 1) : line;
  }

  @Override
  public Dialect.Profile profile() {
    return PROFILE;
  }

  /// With a write-ahead log others may commit at any time, else the first transaction keeps them.
  @Override
  public SnapshotConnections snapshot(
      SqlDatabase database, SqlSession first, int lanes, TableOrQuery relation) {
    if (held != null) {
      return held.borrow(database, first);
    }
    return new WatchedSnapshot(database, first, lanes);
  }

  @Override
  public String readAs(ColumnInfo column, Type type, String heldAs) {
    return !heldAs.isEmpty()
        ? SqliteTimes.declaration(type, heldAs)
        : type instanceof Type.Text ? SqliteTypes.ANY_AS_TEXT : SqliteTypes.declaration(type);
  }

  @Override
  public String advice(ColumnInfo column, Object value) {
    Type type = PROFILE.types().find(column.typedAs()).type();
    String name =
        column.name().matches("\\w+")
            ? column.name()
            : '"' + column.name().replace("\"", "\"\"") + '"';
    String times = SqliteTimes.advice(type, value, name);
    return !times.isEmpty()
        ? times
        : "The column holds other values than its type says. Read it as text with --columns '"
            + name
            + ":text', or convert it in a query: --query 'SELECT CAST("
            + NAMES.quoted(column.name())
            + " AS TEXT) AS "
            + NAMES.quoted(column.name())
            + " FROM …'.";
  }

  static List<String> texts(SqlSession session, String sql, String... parameters) {
    return session.query(sql, row -> row.getString(1), parameters);
  }

  @Override
  public List<String> tables(SqlSession session, String schema) {
    return texts(
        session,
        "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE"
            + " 'sqlite_%' ORDER BY 1");
  }

  private record Listed(String name, String type, boolean hasRowid, boolean isStrict) {}

  /// A view of this connection that stands for a query.
  private static final Listed QUERY = new Listed("millrace_query", "view", false, false);

  @Override
  public @Nullable TableInfo find(SqlSession session, TableName table) {
    List<Listed> listed =
        session.query(
            "SELECT name, type, wr = 0, strict FROM pragma_table_list"
                + " WHERE schema = 'main' AND name = ? COLLATE NOCASE",
            row ->
                new Listed(
                    row.getString(1), row.getString(2), row.getBoolean(3), row.getBoolean(4)),
            table.name());
    if (listed.isEmpty() || !table.schema().equalsIgnoreCase(MAIN)) {
      return null;
    }
    Listed found = listed.getFirst();
    String from = table.sql(NAMES);
    boolean isView = found.type.equals("view");
    List<ColumnInfo> columns = typed(session, described(session, found), from);
    if (isView) {
      return TableInfo.whole(TableInfo.Kind.VIEW, columns);
    }
    List<String> key =
        texts(
            session, "SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk", found.name);
    String rowid =
        found.hasRowid && found.type.equals("table")
            ? rowid(columns.stream().map(ColumnInfo::name).toList())
            : null;
    return new TableInfo(
        TableInfo.Kind.TABLE,
        columns,
        key,
        rowid == null ? null : new TableInfo.Cut(rowid, PROFILE.types().find("INTEGER"), false),
        rowid == null ? -1 : rows(session, rowid, from),
        texts(
            session,
            "SELECT DISTINCT m.name FROM sqlite_schema m, pragma_foreign_key_list(m.name) f"
                + " WHERE m.type = 'table' AND f.\"table\" = ?1 COLLATE NOCASE"
                + " AND m.name <> ?1 COLLATE NOCASE",
            found.name),
        new TableInfo.Definition(
            SqliteDefinition.rules(session, found.name),
            SqliteDefinition.dependentObjects(session, found.name)),
        SqliteRules.of(session, found.name));
  }

  @Override
  public Equality equality(
      SqlSession session, TableName table, TableInfo found, List<ColumnInfo> key) {
    return new SqliteEquality(session, table).of(key);
  }

  /// There is no MERGE.
  @Override
  public MergeStatements merge(MergeTables tables) {
    MergeStatements usual = tables.statements();
    String set = MergeTables.each(tables.others(), "%1$s = fresh.%1$s");
    return new MergeStatements(
        usual.dropSuperseded(),
        among ->
            "UPDATE %s AS old SET %s FROM %s AS fresh WHERE %s AND %s%s"
                .formatted(
                    tables.target(),
                    set,
                    tables.staging(),
                    tables.sameKey("old.", "fresh."),
                    tables.differ(),
                    among),
        usual.insert());
  }

  /// A name of the rowid that no column has taken.
  static @Nullable String rowid(List<String> columns) {
    return Stream.of("rowid", "_rowid_", "oid")
        .filter(name -> columns.stream().noneMatch(column -> NAMES.same(column, name)))
        .findFirst()
        .orElse(null);
  }

  /// Counting would read the whole table. Numbers that were deleted are counted too.
  private static long rows(SqlSession session, String rowid, String from) {
    return session
        .query(
            "SELECT 1.0 + (SELECT max(%1$s) FROM %2$s) - (SELECT min(%1$s) FROM %2$s)"
                .formatted(rowid, from),
            row -> (long) Math.clamp(row.getDouble(1), 0, 1L << 40))
        .getFirst();
  }

  /// A view calls everything BLOB that is declared as nothing. A strict table keeps what comes as
  /// it is in a column of type ANY, as others do without any type. A key of one INTEGER is the
  /// rowid: a row without it gets a number.
  private static List<ColumnInfo> described(SqlSession session, Listed table) {
    String untyped = table.type.equals("view") ? "BLOB" : table.isStrict ? "ANY" : "";
    return session.query(
        "SELECT name, type, dflt_value IS NOT NULL, pk, hidden > 1, \"notnull\","
            + " pk > 0 AND type = 'INTEGER' COLLATE NOCASE AND sum(pk > 0) OVER () = 1"
            + " FROM pragma_table_xinfo(?) WHERE hidden <> 1 ORDER BY cid",
        row -> {
          String type = row.getString(2).equalsIgnoreCase(untyped) ? "" : row.getString(2);
          boolean isRowid = table.hasRowid && row.getBoolean(7);
          boolean required = row.getBoolean(6) || isRowid || (row.getInt(4) > 0 && !table.hasRowid);
          boolean hasDefault = row.getBoolean(3) || isRowid;
          return new ColumnInfo(
              row.getString(1), type, type, !required, hasDefault, row.getBoolean(5));
        },
        table.name);
  }

  /// Finds what the first rows hold in columns whose declarations say nothing.
  private static List<ColumnInfo> typed(SqlSession session, List<ColumnInfo> columns, String from) {
    List<ColumnInfo> silent =
        columns.stream().filter(column -> !SqliteTypes.says(column.declared())).toList();
    if (silent.isEmpty()) {
      return columns;
    }
    List<Set<String>> held = new ArrayList<>();
    silent.forEach(_ -> held.add(new TreeSet<>()));
    List<String> classes =
        silent.stream().map(column -> "typeof(" + NAMES.quoted(column.name()) + ")").toList();
    session.query(
        "SELECT " + String.join(", ", classes) + " FROM " + from + " LIMIT " + SAMPLE_ROWS,
        row -> {
          for (int i = 0; i < held.size(); i++) {
            held.get(i).add(row.getString(i + 1));
          }
          return row;
        });
    return columns.stream()
        .map(column ->
            silent.contains(column)
                ? column.typedAs(
                    SqliteTypes.byValues(column.declared(), held.get(silent.indexOf(column))))
                : column)
        .toList();
  }

  /// A view of this connection tells how the columns of a query are declared.
  @Override
  public TableInfo describe(SqlSession session, String query) {
    String from = "(" + query + "\n)";
    session.query("SELECT * FROM " + from + " LIMIT 0", row -> row);
    session.execute("CREATE TEMP VIEW " + QUERY.name + " AS SELECT * FROM " + from);
    List<ColumnInfo> columns = described(session, QUERY);
    session.execute("DROP VIEW " + QUERY.name);
    return TableInfo.whole(TableInfo.Kind.QUERY, typed(session, columns, from));
  }
}
