package millrace.connectors.mariadb;

import java.util.List;
import java.util.Locale;
import millrace.connectors.sql.Dialect;
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
import millrace.connectors.sql.read.HeldState;
import millrace.connectors.sql.types.TypeTable;
import millrace.data.TableComments;
import millrace.data.Type;
import millrace.fault.Fault;
import millrace.spi.read.SqlWords;
import org.jspecify.annotations.Nullable;

/// How MariaDB and MySQL differ from other databases, and from each other.
final class MariaDbDialect implements SqlCatalog, Reads {

  /// Types whose values the driver changes: it has no zero dates, no times beyond a day, and reads
  /// years wrong.
  private static final String AS_CHARACTERS = "DATE|TIME|DATETIME|TIMESTAMP|TIME WITHOUT.*";

  private static final String NUMBERS =
      "(TINY|SMALL|MEDIUM|BIG)?INT(EGER)?\\b.*|(DECIMAL|NUMERIC|DOUBLE|YEAR|BIT).*";

  /// Rows are merged by statements of its own.
  private static final Statements STATEMENTS =
      new Statements(
          "START TRANSACTION",
          Statements.Savepoints.STANDARD,
          new Statements.Tables(
              Statements.CREATE + " " + MariaDbWriting.TABLE_OPTIONS,
              Statements.DROP_IF_EXISTS,
              Statements.RENAME,
              Statements.TRUNCATE),
          "SELECT 1 FROM %s LIMIT 1",
          new Statements.Reading("LIMIT 1 OFFSET %d", "%s LIMIT %d", true),
          Statements.Merging.NONE,
          SqlWords.Moments.STANDARD.zoned("TIMESTAMP '%s'"));

  private final ServerTraits server;
  private final @Nullable HeldState held;
  private final Dialect.Profile profile;

  private MariaDbDialect(ServerTraits server, @Nullable HeldState held) {
    this.server = server;
    this.held = held;
    profile =
        new Dialect.Profile(
            server.names(),
            MariaDbTypes.of(server),
            MariaDbFaults.TABLE,
            new Dialect.Capabilities(false, true),
            STATEMENTS);
  }

  /// How a server differs.
  static Dialect of(ServerTraits server) {
    return of(server, null);
  }

  /// The same.
  ///
  /// @param held the state in which tables are read; null for that of each copy
  static Dialect of(ServerTraits server, @Nullable HeldState held) {
    MariaDbDialect reads = new MariaDbDialect(server, held);
    MariaDbWriting writes = new MariaDbWriting(reads.profile);
    return new Dialect(reads.profile, reads, reads, writes, writes);
  }

  @Override
  public Dialect.Profile profile() {
    return profile;
  }

  @Override
  public @Nullable TableInfo find(SqlSession session, TableName table) {
    return new MariaDbCatalog(session, profile, server).find(table);
  }

  @Override
  public boolean exists(SqlSession session, TableName table) {
    return new MariaDbCatalog(session, profile, server).exists(table);
  }

  @Override
  public TableInfo describe(SqlSession session, String query) {
    return MariaDbCatalog.describe(session, query);
  }

  @Override
  public List<String> tables(SqlSession session, String schema) {
    return MariaDbCatalog.tables(session, schema);
  }

  @Override
  public TableComments comments(SqlSession session, TableName table) {
    return MariaDbCatalog.comments(session, table);
  }

  @Override
  public SnapshotConnections snapshot(
      SqlDatabase database, SqlSession first, int lanes, TableOrQuery relation) {
    if (held != null) {
      return held.borrow(database, first);
    }
    return lanes == 1 || !(relation instanceof TableOrQuery.Table(TableName name))
        ? SnapshotConnections.of(first, LockedStart.BEGIN)
        : new LockedStart(database, first, lanes, name.sql(profile.names()));
  }

  @Override
  public String whyOneReader(SqlSession session, TableName table) {
    if (held != null) {
      return "";
    }
    String engine = MariaDbCatalog.engineWithoutStates(session, table);
    return engine.isEmpty()
        ? LockedStart.refusal(session, table.sql(profile.names()))
        : "several connections can't see one state of a table with engine " + engine;
  }

  @Override
  public String selected(ColumnInfo column) {
    String name = profile.names().quoted(column.name());
    String bare = TypeTable.bare(column.typedAs());
    if (bare.equals("YEAR")) {
      return "CAST(" + name + " + 0 AS SIGNED)";
    }
    if (bare.startsWith("FLOAT")) {
      // The server spells six digits of it; those of the same number as DOUBLE are exact.
      return "(" + name + " * 1e0)";
    }
    return bare.matches(AS_CHARACTERS) || bare.endsWith(MariaDbTypes.AS_TEXT)
        ? "CAST(" + name + " AS CHAR CHARACTER SET utf8mb4)"
        : name;
  }

  @Override
  public String readAs(ColumnInfo column, Type type, String heldAs) {
    String declared = column.typedAs();
    String bare = TypeTable.bare(declared);
    Type natural = profile.types().find(declared).type();
    boolean isText = natural instanceof Type.Text || natural instanceof Type.Json;
    if (natural.equals(type)) {
      return declared;
    }
    if (type instanceof Type.Text && (bare.matches(AS_CHARACTERS) || bare.matches(NUMBERS))) {
      return bare.startsWith("BIT")
          ? "DECIMAL(20,0)" + MariaDbTypes.AS_TEXT
          : declared + MariaDbTypes.AS_TEXT;
    }
    if (type instanceof Type.Bool && bare.matches("(TINY|SMALL|MEDIUM|BIG)?INT(EGER)?\\b.*")) {
      return "BIT(1)";
    }
    if (type instanceof Type.Json && isText) {
      return "JSON";
    }
    if (type instanceof Type.Uuid && isText) {
      return "UUID";
    }
    if (type instanceof Type.Text && isText) {
      return "LONGTEXT";
    }
    throw new Fault.User(
        "Column \""
            + column.name()
            + "\" is declared "
            + declared
            + ", which is not read as "
            + type.label()
            + ".",
        "Dates, times and numbers are read as text, whole numbers as boolean, text as uuid or"
            + " json. Convert others in a query: --query 'SELECT CAST(…) …'.");
  }

  /// BOOLEAN is declared so.
  @Override
  public boolean readsAsTarget(ColumnInfo column, Type wanted) {
    return wanted instanceof Type.Bool && column.typedAs().equalsIgnoreCase("tinyint(1)");
  }

  @Override
  public String advice(ColumnInfo column, Object value) {
    String bare = TypeTable.bare(column.typedAs()).toUpperCase(Locale.ROOT);
    if (!bare.matches(AS_CHARACTERS)) {
      return "";
    }
    String name = column.name();
    String asText = "Read the column as text: --columns '" + name + ":text'";
    return String.valueOf(value).startsWith("0000-00-00")
        ? asText
            + ", or make NULL of zero dates in a query: --query 'SELECT …, NULLIF("
            + profile.names().quoted(name)
            + ", 0) AS "
            + profile.names().quoted(name)
            + " FROM …'."
        : asText + ".";
  }
}
