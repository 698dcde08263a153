package millrace.connectors.oracle;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import millrace.connectors.oracle.catalog.OracleCatalog;
import millrace.connectors.oracle.catalog.OracleColumns;
import millrace.connectors.oracle.catalog.SplitBy;
import millrace.connectors.sql.CommentStyle;
import millrace.connectors.sql.ServerDialect;
import millrace.connectors.sql.SnapshotConnections;
import millrace.connectors.sql.SqlDatabase;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.Statements;
import millrace.connectors.sql.TableInfo;
import millrace.connectors.sql.TableInfo.ColumnInfo;
import millrace.connectors.sql.TableName;
import millrace.connectors.sql.TableOrQuery;
import millrace.connectors.sql.TypeTable;
import millrace.data.Column;
import millrace.data.TableComments;
import millrace.data.Type;
import millrace.fault.Fault;
import millrace.spi.read.SqlWords;
import org.jspecify.annotations.Nullable;

/// How Oracle differs from other databases.
final class OracleDialect implements ServerDialect {

  private static final String VECTOR = "VECTOR";
  private static final String SAME = "DECODE(%s, %s, 1, 0) = 1";
  private static final String SAME_LOB =
      "COALESCE(DBMS_LOB.COMPARE(%s, %s), CASE WHEN %s IS NULL AND %s IS NULL THEN 0 ELSE 1 END) ="
          + " 0";

  private static final Statements STATEMENTS =
      new Statements(
          "",
          new Statements.Savepoints("SAVEPOINT %s", "", "ROLLBACK TO SAVEPOINT %s"),
          new Statements.Tables(Statements.CREATE, "", Statements.RENAME),
          "SELECT 1 FROM %s WHERE ROWNUM = 1",
          // FETCH FIRST makes a subquery, in which no LONG may be: the driver counts rows.
          new Statements.Reading("OFFSET %d ROWS FETCH NEXT 1 ROWS ONLY"),
          Statements.Merging.NONE,
          // A column of type DATE is compared as one, so that its index serves.
          new SqlWords.Moments(
              "DATE '%s'",
              "TO_DATE('%s', 'YYYY-MM-DD HH24:MI:SS')", "TIMESTAMP '%s'", "TIMESTAMP '%s +00:00'"));

  /// The driver sends a batch in pieces if it has longer values among others, and then says of the
  /// last piece alone how many rows it has done.
  private static final int STOP_BYTES_MAX = OracleParameters.BYTES_MAX;

  private final OracleTraits server;
  private final @Nullable OracleLocks locks;
  private final Profile profile;
  private final SplitBy splitBy;
  private final long scn;

  /// @param locks null if nothing is written
  /// @param options how it is written
  OracleDialect(OracleTraits server, @Nullable OracleLocks locks, OracleOptions options) {
    this(server, locks, options, SplitBy.NOTHING, ScnSnapshot.NOW);
  }

  private OracleDialect(
      OracleTraits server,
      @Nullable OracleLocks locks,
      OracleOptions options,
      SplitBy splitBy,
      long scn) {
    this.server = server;
    this.scn = scn;
    this.locks = locks;
    this.splitBy = splitBy;
    profile =
        new Profile(
            server.names(),
            OracleTypeTable.of(server, options.longTexts(), false),
            OracleFaults.of(server),
            new Capabilities(false, true, options.emptyText(), STOP_BYTES_MAX),
            STATEMENTS);
  }

  /// One that only reads.
  static OracleDialect reading(OracleTraits server) {
    return reading(server, SplitBy.USUAL, ScnSnapshot.NOW);
  }

  /// The same.
  ///
  /// @param splitBy by what rows are cut for lanes
  /// @param scn the number of the state that is read; {@link ScnSnapshot#NOW} for that of now
  static OracleDialect reading(OracleTraits server, SplitBy splitBy, long scn) {
    return new OracleDialect(server, null, OracleOptions.USUAL, splitBy, scn);
  }

  @Override
  public Profile profile() {
    return profile;
  }

  @Override
  public @Nullable TableInfo find(SqlSession session, TableName table) {
    return new OracleCatalog(session, this, splitBy).find(table);
  }

  @Override
  public boolean exists(SqlSession session, TableName table) {
    return new OracleCatalog(session, this, splitBy).exists(table);
  }

  @Override
  public TableInfo describe(SqlSession session, String query) {
    return OracleColumns.describe(session, query);
  }

  @Override
  public List<String> tables(SqlSession session, String schema) {
    return OracleCatalog.tables(session, schema.isEmpty() ? server.schema() : schema);
  }

  @Override
  public CommentStyle comments() {
    return OracleCatalog.COMMENTS;
  }

  @Override
  public TableComments comments(SqlSession session, TableName table) {
    return OracleCatalog.comments(session, table);
  }

  /// One connection reads by one statement, which sees one state by itself.
  @Override
  public SnapshotConnections snapshot(
      SqlDatabase database, SqlSession first, int lanes, TableOrQuery relation) {
    boolean isOneStatement = lanes == 1 && scn == ScnSnapshot.NOW;
    if (relation instanceof TableOrQuery.Table(TableName name)) {
      int lobSize = OracleLobs.size(first, name, names());
      if (!isOneStatement) {
        return new ScnSnapshot(database, first, scn, lobSize);
      }
      OracleLobs.fetchAlong(first, lobSize);
    }
    return new SnapshotConnections() {
      @Override
      public SqlSession lane(int number) {
        return first;
      }

      @Override
      public void close() {
        // The connection is the source's.
      }
    };
  }

  @Override
  public String whole(SqlSession session, TableName table) {
    return ScnSnapshot.refusal(session, table.sql(names()), scn);
  }

  /// A time in the zone of the session, which is UTC, comes as one with its zone, and a vector as
  /// its text, which has all digits.
  @Override
  public String selected(ColumnInfo column) {
    String name = names().quoted(column.name());
    return switch (TypeTable.bare(column.typedAs())) {
      case "TIMESTAMP WITH LOCAL TIME ZONE" -> "CAST(" + name + " AS TIMESTAMP(9) WITH TIME ZONE)";
      case VECTOR -> "FROM_VECTOR(" + name + " RETURNING CLOB)";
      default -> name;
    };
  }

  @Override
  public String readAs(ColumnInfo column, Type type, String heldAs) {
    String declared = column.typedAs();
    String bare = TypeTable.bare(declared);
    Type own = types().find(declared).type();
    if (own.equals(type)) {
      return declared;
    }
    if (type instanceof Type.Date && bare.equals("DATE")) {
      return declared + OracleTypeTable.DAYS;
    }
    if (type instanceof Type.Bool && declared.equals("NUMBER(1)")) {
      return "NUMBER" + OracleTypeTable.TRUTH;
    }
    throw new Fault.User(
        "Column \""
            + column.name()
            + "\" is declared "
            + declared
            + ", which is not read as "
            + type.label()
            + ".",
        "DATE is read as date, NUMBER(1) as boolean. Convert others in a query: --query 'SELECT"
            + " CAST(…) …'.");
  }

  /// A number of one digit takes truth values as 1 and 0: before version 23 there is no type for
  /// them.
  @Override
  public Type accepted(String label, Column incoming, ColumnInfo target) {
    return incoming.type() instanceof Type.Bool && target.declared().equals("NUMBER(1)")
        ? incoming.type()
        : ServerDialect.super.accepted(label, incoming, target);
  }

  /// Every DATE has a time of day, and what is true or not was long a number.
  @Override
  public boolean readsAsTarget(ColumnInfo column, Type wanted) {
    return (wanted instanceof Type.Date && column.typedAs().equals("DATE"))
        || (wanted instanceof Type.Bool && column.typedAs().equals("NUMBER(1)"));
  }

  @Override
  public String advice(ColumnInfo column, Object value) {
    return TypeTable.bare(column.typedAs()).startsWith("TIMESTAMP")
        ? "Cut what is behind the microseconds in a query: --query 'SELECT …, CAST("
            + names().quoted(column.name())
            + " AS TIMESTAMP(6)) …'."
        : "";
  }

  @Override
  public String refuses(ColumnInfo column) {
    String bare = TypeTable.bare(column.typedAs());
    String name = names().quoted(column.name());
    if (locks != null && column.filled() == TableInfo.Filled.ALWAYS) {
      return "is GENERATED ALWAYS AS IDENTITY, and takes none but the server's numbers, unless you"
          + " let it: ALTER TABLE … MODIFY ("
          + name
          + " GENERATED BY DEFAULT AS IDENTITY)";
    }
    if (bare.equals(VECTOR)) {
      return locks != null && OracleVectors.isSparse(column.typedAs())
          ? "is a sparse VECTOR: write its text to a table first, and from there by TO_VECTOR(…)"
          : "";
    }
    if (bare.matches("(SYS\\.)?XMLTYPE")) {
      return "is an XMLTYPE: read it in a query as XMLSERIALIZE(CONTENT "
          + name
          + " AS CLOB NO INDENT), and write it by XMLTYPE(…) from a table with its text";
    }
    return bare.matches(
            "(VARCHAR2|CHAR)( CHAR| BYTE)?|N(VARCHAR2|CHAR)|N?CLOB|BLOB|(LONG )?RAW|LONG|U?ROWID"
                + "|NUMBER.*|FLOAT|BINARY_(FLOAT|DOUBLE)|DATE.*|TIMESTAMP.*|INTERVAL.*|JSON|BOOLEAN"
                + "|INTEGER")
        ? ""
        : "has the type " + column.typedAs() + ", which Millrace does not know";
  }

  /// Keys are those that have the same bytes; documents and vectors are never known to be the same.
  @Override
  public Equality equality(SqlSession session, TableName table, List<ColumnInfo> key) {
    Map<String, String> same = new HashMap<>();
    TableInfo found = find(session, table);
    for (ColumnInfo column : found == null ? List.<ColumnInfo>of() : found.columns()) {
      String bare = TypeTable.bare(column.typedAs());
      same.put(
          column.name(),
          bare.matches("N?CLOB|BLOB") ? SAME_LOB : bare.matches("JSON|VECTOR") ? "1 = 0" : SAME);
    }
    return new Equality(
        key.stream().map(_ -> "%s").toList(), name -> same.getOrDefault(name, SAME), List.of());
  }

  @Override
  public String keyed(String declared, int columns) {
    return OracleTypeTable.keyed(declared, columns);
  }

  @Override
  public String stage(
      TableName staging, TableName like, List<ColumnInfo> columns, List<String> more) {
    return OracleWriting.stage(names(), staging, like, columns, more);
  }

  /// A right to insert into another's table is none to make tables beside it.
  @Override
  public String ownSchema(TableName table) {
    return server.user();
  }

  /// Rows that others have inserted and not committed can't be waited for but by a lock.
  @Override
  public LockingRead lockingRead(TableName table) {
    return new LockingRead("LOCK TABLE " + table.sql(names()) + " IN EXCLUSIVE MODE", "");
  }

  private OracleLocks locks() {
    if (locks == null) {
      throw new Fault.Bug("a lock for what is only read", null);
    }
    return locks;
  }

  @Override
  public boolean lock(SqlSession session, String name, Duration wait) {
    return locks().lock(name, wait);
  }

  @Override
  public void unlock(SqlSession session, String name) {
    locks().unlock(name);
  }

  @Override
  public void checkLocks(boolean asks) {
    locks().check(asks);
  }

  @Override
  public boolean isFree(SqlSession session, String name) {
    return locks().isFree(name);
  }

  @Override
  public MergeStatements merge(MergeTables tables) {
    return OracleWriting.merge(tables);
  }
}
