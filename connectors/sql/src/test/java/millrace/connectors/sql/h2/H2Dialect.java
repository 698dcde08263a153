package millrace.connectors.sql.h2;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.regex.Pattern;
import millrace.connectors.sql.Dialect;
import millrace.connectors.sql.JdbcCatalog;
import millrace.connectors.sql.LockTable;
import millrace.connectors.sql.Locks;
import millrace.connectors.sql.Names;
import millrace.connectors.sql.Reads;
import millrace.connectors.sql.SnapshotConnections;
import millrace.connectors.sql.SqlCatalog;
import millrace.connectors.sql.SqlDatabase;
import millrace.connectors.sql.SqlFaults;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.Statements;
import millrace.connectors.sql.TableInfo;
import millrace.connectors.sql.TableInfo.ColumnInfo;
import millrace.connectors.sql.TableName;
import millrace.connectors.sql.TableOrQuery;
import millrace.connectors.sql.Writes;
import millrace.connectors.sql.types.Cells;
import millrace.connectors.sql.types.TypeTable;
import millrace.connectors.sql.types.TypeTable.Row;
import millrace.data.Type;
import millrace.data.Type.Text.Unit;
import org.jspecify.annotations.Nullable;

/// A dialect as small as can be: H2, in which what makes tables commits.
record H2Dialect(Dialect.Profile profile) implements SqlCatalog, Reads, Writes {

  static final String SCHEMA = "PUBLIC";

  private static final TypeTable TABLE =
      new TypeTable(
          "h2",
          List.of(
              Row.of("BOOLEAN", new Type.Bool(), Cells.BOOLEAN),
              Row.of("SMALLINT", new Type.Int(16), Cells.INTEGER),
              Row.of("INTEGER", new Type.Int(32), Cells.INTEGER),
              Row.of("BIGINT", new Type.Int(64), Cells.INTEGER),
              Row.of("REAL", new Type.Float(32), Cells.REAL),
              Row.of("DOUBLE PRECISION", new Type.Float(64), Cells.REAL),
              Row.of("DECIMAL|NUMERIC", Type.Decimal::new, Cells.DECIMAL),
              Row.of("DATE", new Type.Date(), Cells.CALENDAR),
              Row.of("TIME", new Type.Time(), Cells.CALENDAR),
              Row.of("TIMESTAMP", new Type.Timestamp(false), Cells.CALENDAR),
              Row.of("TIMESTAMP WITH TIME ZONE", new Type.Timestamp(true), Cells.CALENDAR),
              Row.of("UUID", new Type.Uuid(), Cells.SPELLED),
              Row.of("BINARY VARYING", new Type.Bytes(), Cells.BYTES),
              Row.of(
                  "(CHARACTER VARYING|CHARACTER|VARCHAR_IGNORECASE)",
                  (length, _) -> text(length),
                  Cells.TEXT),
              Row.of(".*", new Type.Opaque(), Cells.TEXT)),
          H2Dialect::declaration);

  /// H2 gives every column a length, in which a character of two units counts twice.
  private static Type text(int length) {
    return length >= 1_000_000 ? Type.Text.UNLIMITED : new Type.Text(length, Unit.UTF16);
  }

  private static String declaration(Type type) {
    return switch (type) {
      case Type.Bool _ -> "BOOLEAN";
      case Type.Int(int bits) -> bits == 16 ? "SMALLINT" : bits == 32 ? "INTEGER" : "BIGINT";
      case Type.Float(int bits) -> bits == 32 ? "REAL" : "DOUBLE PRECISION";
      case Type.Decimal(int precision, int scale) ->
          precision == 0 ? "CHARACTER VARYING" : "DECIMAL(" + precision + "," + scale + ")";
      case Type.Date _ -> "DATE";
      case Type.Time _ -> "TIME(6)";
      case Type.Timestamp(boolean zoned) -> zoned ? "TIMESTAMP(6) WITH TIME ZONE" : "TIMESTAMP(6)";
      case Type.Uuid _ -> "UUID";
      case Type.Bytes _ -> "BINARY VARYING";
      case Type.Text(int max, Unit unit) ->
          "CHARACTER VARYING"
              + (max == 0 ? "" : "(" + (unit == Unit.CHARACTERS ? 2 * max : max) + ")");
      case Type.Json _, Type.Opaque _ -> "CHARACTER VARYING";
    };
  }

  /// One session writes, in one transaction.
  static final Dialect EMBEDDED = of(profile(Statements.Tables.USUAL), null);

  private static Dialect of(Dialect.Profile profile, @Nullable Locks locks) {
    H2Dialect roles = new H2Dialect(profile);
    return new Dialect(profile, roles, roles, roles, locks);
  }

  /// Several sessions write, and commit in parts.
  static Dialect server(String url) {
    return server(EMBEDDED.profile(), url);
  }

  /// The same. What keeps sessions apart are rows of a table.
  static Dialect server(Dialect.Profile profile, String url) {
    return of(
        profile,
        new LockTable(
            profile,
            LockTable.RowLock.STANDARD,
            SCHEMA,
            "H2",
            _ -> DriverManager.getConnection(url),
            LockTable.USUAL_PAUSE));
  }

  /// What is the same always.
  static Dialect.Profile profile(Statements.Tables tables) {
    return new Dialect.Profile(
        new Names('"', Names.Folding.IGNORED),
        TABLE,
        new SqlFaults(List.of(), H2Dialect::words),
        new Dialect.Capabilities(false, false),
        new Statements(
            "",
            Statements.Savepoints.STANDARD,
            tables,
            "SELECT 1 FROM %s FETCH FIRST 1 ROW ONLY",
            new Statements.Reading("OFFSET %d ROWS FETCH NEXT 1 ROWS ONLY"),
            new Statements.Merging("CREATE LOCAL TEMPORARY TABLE %s AS %s", true)));
  }

  private static final Pattern DROPPED = Pattern.compile("MVStoreException: Map .* is closed");

  /// To a statement whose table another session drops while it runs, H2 may say that the database
  /// has been closed. Only the trace that it sends along tells.
  private static String words(SQLException e) {
    return DROPPED.matcher(e.toString()).find()
        ? "a table of this statement is gone: another session has dropped it"
        : SqlFaults.firstLine(e.getMessage()).replaceFirst("; SQL statement:.*", "");
  }

  @Override
  public String refuses(ColumnInfo column) {
    return profile.types().type(column.typedAs()) instanceof Type.Opaque
        ? "is of type " + column.declared() + ", which Millrace does not know in H2"
        : "";
  }

  /// The ranges of a table are read by statements of one transaction, which is to see one state.
  @Override
  public SnapshotConnections snapshot(
      SqlDatabase database, SqlSession first, int lanes, TableOrQuery relation) {
    return SnapshotConnections.isolated(first, Connection.TRANSACTION_REPEATABLE_READ);
  }

  @Override
  public Equality equality(
      SqlSession session, TableName table, TableInfo found, List<ColumnInfo> key) {
    String same =
        "%s IS NOT DISTINCT FROM %s AND CAST(%s AS VARCHAR) IS NOT DISTINCT FROM CAST(%s AS"
            + " VARCHAR)";
    return Equality.of(key, _ -> same);
  }

  @Override
  public @Nullable TableInfo find(SqlSession session, TableName table) {
    TableInfo found = JdbcCatalog.find(session, table, profile);
    return found == null || found.kind() != TableInfo.Kind.TABLE
        ? found
        : found
            .requiredBy(views(session, table))
            .ruled(
                session.query(
                    "SELECT 'check ' || CHECK_CLAUSE FROM INFORMATION_SCHEMA.CHECK_CONSTRAINTS"
                        + " JOIN INFORMATION_SCHEMA.TABLE_CONSTRAINTS USING (CONSTRAINT_NAME)"
                        + " WHERE LOWER(TABLE_NAME) = LOWER(?)",
                    row -> row.getString(1),
                    table.name()));
  }

  /// The catalog has no table of what views depend on. A view's text has all names in quotes.
  private static List<String> views(SqlSession session, TableName table) {
    return session.query(
        "SELECT TABLE_NAME FROM INFORMATION_SCHEMA.VIEWS"
            + " WHERE LOCATE('\"' || ? || '\"', VIEW_DEFINITION) > 0 ORDER BY 1",
        row -> row.getString(1),
        table.name());
  }

  @Override
  public boolean exists(SqlSession session, TableName table) {
    return JdbcCatalog.exists(session, table, profile);
  }
}
