package millrace.connectors.sqlite;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import millrace.connectors.sql.Dialect;
import millrace.connectors.sql.KeptFiles;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TableName;
import millrace.connectors.sql.TableOrQuery;
import millrace.connectors.sql.read.HeldStates;
import millrace.connectors.sql.read.SqlSource;
import millrace.connectors.sql.structure.SqlStructures;
import millrace.connectors.sql.write.SqlTarget;
import millrace.data.Schema;
import millrace.io.FileFormat;
import millrace.spi.Connector;
import millrace.spi.Endpoint;
import millrace.spi.HostLocation;
import millrace.spi.OpenContext;
import millrace.spi.Option;
import millrace.spi.Scratch;
import millrace.spi.StatementRunner;
import millrace.spi.catalog.SharedSnapshot;
import millrace.spi.catalog.TableCatalog;
import millrace.spi.catalog.TableDefinitions;
import millrace.spi.catalog.TableEntry;
import millrace.spi.catalog.TableStructures;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import millrace.spi.write.Target;
import millrace.spi.write.WriteOptions;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteOpenMode;

/// Tables of SQLite files: `sqlite:file.db?table=orders`; queries too.
public final class SqliteConnector
    implements Connector, Scratch, TableCatalog, StatementRunner, SharedSnapshot, TableDefinitions {

  private static final Dialect DIALECT = SqliteDialect.of(null);

  private static final List<String> BESIDE = List.of("-journal", "-wal", "-shm");
  private static final FileDatabase.Kind KIND =
      new FileDatabase.Kind(
          DIALECT, SqliteDialect.MAIN, FileFormat.SQLITE, BESIDE, "-wal", SqliteConnector::open);

  private static final SqlStructures STRUCTURES =
      new SqlStructures(end ->
          new SqlStructures.Opened(
              file(end).database(),
              SqliteDialect.MAIN,
              SqliteStructures::read,
              SqliteStructures.spelling(DIALECT.names()),
              () -> {}));

  @Override
  public <T> @Nullable T capability(Class<T> type) {
    return type == TableStructures.class ? type.cast(STRUCTURES) : Connector.super.capability(type);
  }

  @Override
  public String name() {
    return SqliteTypes.SYSTEM;
  }

  @Override
  public List<String> schemes() {
    return List.of("sqlite");
  }

  @Override
  public List<String> fileEndings() {
    return List.of(".sqlite", ".sqlite3");
  }

  @Override
  public List<Option> options() {
    List<Option> options = new ArrayList<>(TableOrQuery.options("SQLite"));
    options.add(
        Option.source(
            SqlSource.COLUMNS,
            "Reads columns as other types than they are declared, name:type; text takes all numbers"
                + " and texts. Dates and times may be held as numbers: timestamp(unix), (unixms),"
                + " (unixus) or (julian).",
            "at:timestamp(unix),code:text"));
    return options;
  }

  @Override
  public String ddl(String table, Schema schema) {
    return SqlTarget.ddl(DIALECT, TableName.parse(table, DIALECT.names(), ""), schema);
  }

  @Override
  public HostLocation place(Endpoint endpoint) {
    return HostLocation.of(file(endpoint).path());
  }

  @Override
  public String writeOptionsKey(Endpoint endpoint) {
    return ""; // The journal knows the table, and lies in the file.
  }

  @Override
  public Endpoint scratch(Endpoint endpoint, String name) {
    return endpoint.beside(name);
  }

  @Override
  public void discard(Endpoint scratch) {
    file(scratch).remove();
  }

  @Override
  public void run(Endpoint end, List<String> statements, OpenContext context) {
    file(end).run(end, statements, context);
  }

  @Override
  public List<TableEntry> tables(Endpoint end, OpenContext context) {
    return file(end).tables(end);
  }

  @Override
  public Found definitions(List<Placed> tables, Scope scope, OpenContext context) {
    FileDatabase target = file(tables.getFirst().to());
    try (SqlSession source =
            SqlSession.open(file(tables.getFirst().from().end()).database(), false);
        SqlSession there = target.exists() ? SqlSession.open(target.database(), false) : null) {
      return SqliteDefinitions.of(source, there, tables, scope);
    }
  }

  @Override
  public void carryOut(Endpoint to, List<String> statements, boolean again, OpenContext context) {
    SqliteDefinitions.carryOut(file(to).database(), statements, again);
  }

  @Override
  public Held hold(List<Endpoint> ends, int lanes, OpenContext context) {
    return file(ends.getFirst()).hold(ends, lanes, context);
  }

  @Override
  public Source source(Endpoint endpoint, Selection selection, OpenContext context) {
    return file(endpoint).source(endpoint, selection, HeldStates.find(endpoint, context));
  }

  @Override
  public Target target(Endpoint endpoint, WriteOptions writeOptions, OpenContext context) {
    return file(endpoint).target(endpoint, writeOptions, KeptFiles.of(context));
  }

  private static FileDatabase file(Endpoint endpoint) {
    return FileDatabase.of(endpoint, KIND);
  }

  /// A file that is only read from is opened to write all the same: only that way SQLite can put in
  /// order what a killed process has left.
  private static Connection open(Path path, boolean writes) throws SQLException {
    SQLiteConfig config = new SQLiteConfig();
    // SqlSession waits. SQLite would wait at every page that it spills while somebody reads.
    config.setBusyTimeout(0);
    config.enforceForeignKeys(writes);
    if (writes) {
      config.setCacheSize(-(64 << 10)); // below zero it counts kilobytes
    } else {
      config.resetOpenMode(SQLiteOpenMode.CREATE);
    }
    // As a URI, in which a question mark is no end.
    Connection connection =
        config.createConnection("jdbc:sqlite:file:" + path.toUri().getRawPath());
    return writes ? SqliteEquality.withValues(connection) : connection;
  }
}
