package millrace.connectors.oracle;

import java.util.List;
import millrace.connectors.oracle.catalog.OracleCatalog;
import millrace.connectors.oracle.catalog.OracleColumns;
import millrace.connectors.oracle.catalog.SplitBy;
import millrace.connectors.sql.Dialect;
import millrace.connectors.sql.Locks;
import millrace.connectors.sql.Reads;
import millrace.connectors.sql.SnapshotConnections;
import millrace.connectors.sql.SqlCatalog;
import millrace.connectors.sql.SqlDatabase;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.Statements;
import millrace.connectors.sql.TableInfo;
import millrace.connectors.sql.TableInfo.ColumnInfo;
import millrace.connectors.sql.TableName;
import millrace.connectors.sql.TableOrQuery;
import millrace.connectors.sql.types.TypeTable;
import millrace.data.TableComments;
import millrace.data.Type;
import millrace.fault.Fault;
import millrace.spi.read.SqlWords;
import org.jspecify.annotations.Nullable;

/// How Oracle differs from other databases.
final class OracleDialect implements SqlCatalog, Reads {

  private static final String VECTOR = "VECTOR";
  private static final Statements STATEMENTS =
      new Statements(
          "",
          new Statements.Savepoints("SAVEPOINT %s", "", "ROLLBACK TO SAVEPOINT %s"),
          new Statements.Tables(Statements.CREATE, "", Statements.RENAME, Statements.TRUNCATE),
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
  private final boolean writes;
  private final Dialect.Profile profile;
  private final SplitBy splitBy;
  private final long scn;

  private OracleDialect(
      OracleTraits server, OracleOptions options, boolean writes, SplitBy splitBy, long scn) {
    this.server = server;
    this.scn = scn;
    this.writes = writes;
    this.splitBy = splitBy;
    profile = profile(server, options);
  }

  static Dialect.Profile profile(OracleTraits server, OracleOptions options) {
    return new Dialect.Profile(
        server.names(),
        OracleTypeTable.of(server, options.longTexts(), false),
        OracleFaults.of(server),
        new Dialect.Capabilities(false, true, options.emptyText(), STOP_BYTES_MAX),
        STATEMENTS);
  }

  /// One that writes.
  ///
  /// @param locks null if it makes tables and nothing else
  /// @param options how it is written
  static Dialect writing(OracleTraits server, @Nullable Locks locks, OracleOptions options) {
    return new OracleDialect(server, options, locks != null, SplitBy.NOTHING, ScnSnapshot.NOW)
        .dialect(locks);
  }

  /// One that only reads.
  static Dialect reading(OracleTraits server) {
    return reading(server, SplitBy.USUAL, ScnSnapshot.NOW);
  }

  /// The same.
  ///
  /// @param splitBy by what rows are cut for lanes
  /// @param scn the number of the state that is read; {@link ScnSnapshot#NOW} for that of now
  static Dialect reading(OracleTraits server, SplitBy splitBy, long scn) {
    return new OracleDialect(server, OracleOptions.USUAL, false, splitBy, scn).dialect(null);
  }

  private Dialect dialect(@Nullable Locks locks) {
    return new Dialect(profile, this, this, new OracleWriting(profile, server.user()), locks);
  }

  @Override
  public Dialect.Profile profile() {
    return profile;
  }

  @Override
  public @Nullable TableInfo find(SqlSession session, TableName table) {
    return new OracleCatalog(session, profile, splitBy).find(table);
  }

  @Override
  public boolean exists(SqlSession session, TableName table) {
    return new OracleCatalog(session, profile, splitBy).exists(table);
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
  public TableComments comments(SqlSession session, TableName table) {
    return OracleCatalog.comments(session, table);
  }

  /// One connection reads by one statement, which sees one state by itself.
  @Override
  public SnapshotConnections snapshot(
      SqlDatabase database, SqlSession first, int lanes, TableOrQuery relation) {
    boolean isOneStatement = lanes == 1 && scn == ScnSnapshot.NOW;
    if (relation instanceof TableOrQuery.Table(TableName name)) {
      int lobSize = OracleLobs.size(first, name, profile.names());
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
  public String whyOneReader(SqlSession session, TableName table) {
    return ScnSnapshot.refusal(session, table.sql(profile.names()), scn);
  }

  /// A time in the zone of the session, which is UTC, comes as one with its zone, and a vector as
  /// its text, which has all digits.
  @Override
  public String selected(ColumnInfo column) {
    String name = profile.names().quoted(column.name());
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
    Type natural = profile.types().find(declared).type();
    if (natural.equals(type)) {
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
            + profile.names().quoted(column.name())
            + " AS TIMESTAMP(6)) …'."
        : "";
  }

  @Override
  public String refuses(ColumnInfo column) {
    String bare = TypeTable.bare(column.typedAs());
    String name = profile.names().quoted(column.name());
    if (writes && column.filled() == TableInfo.Filled.ALWAYS) {
      return "is GENERATED ALWAYS AS IDENTITY, and takes none but the server's numbers, unless you"
          + " let it: ALTER TABLE … MODIFY ("
          + name
          + " GENERATED BY DEFAULT AS IDENTITY)";
    }
    if (bare.equals(VECTOR)) {
      return writes && OracleVectors.isSparse(column.typedAs())
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
}
