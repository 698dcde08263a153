package millrace.connectors.sql.h2;

import java.nio.file.Path;
import java.sql.DriverManager;
import java.util.List;
import millrace.connectors.sql.Dialect;
import millrace.connectors.sql.SqlDatabase;
import millrace.connectors.sql.TableName;
import millrace.connectors.sql.TableOrQuery;
import millrace.connectors.sql.read.SqlSource;
import millrace.connectors.sql.write.SqlTarget;
import millrace.spi.Connector;
import millrace.spi.Endpoint;
import millrace.spi.OpenContext;
import millrace.spi.Option;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import millrace.spi.write.Target;
import millrace.spi.write.WriteOptions;

/// Tables of H2 in memory or in a file, to try what all systems with SQL share.
public final class H2Connector implements Connector {

  /// One session writes, in one transaction.
  public static final H2Connector EMBEDDED = new H2Connector("h2", H2Dialect.EMBEDDED);

  /// Several sessions write, and commit in parts.
  public static final H2Connector SERVER = new H2Connector("h2server", H2Dialect.SERVER);

  private final String scheme;
  private final Dialect dialect;

  /// One session writes, in one transaction; another process begins with it.
  public H2Connector() {
    this("h2", H2Dialect.EMBEDDED);
  }

  private H2Connector(String scheme, Dialect dialect) {
    this.scheme = scheme;
    this.dialect = dialect;
  }

  @Override
  public String name() {
    return scheme;
  }

  @Override
  public List<String> schemes() {
    return List.of(scheme);
  }

  @Override
  public List<Option> options() {
    return TableOrQuery.options("H2");
  }

  private static final Dialect COPYING =
      new Dialect(
          H2Dialect.SERVER.profile(),
          H2Dialect.SERVER.catalog(),
          H2Dialect.SERVER.reads(),
          new H2CopyingWrites(),
          H2Dialect.SERVER.locks());

  /// The same on a server that can't rename a table: it is copied, by statements that commit.
  public static final H2Connector COPYING_SERVER = new H2Connector("h2copying", COPYING);

  /// Where the driver finds a database.
  ///
  /// @param name one in memory, or the path of one in a file; harmed if it stands behind
  ///   `faulty:NAME:`
  public static String url(String name) {
    if (name.startsWith("faulty:")) {
      int end = name.indexOf(':', "faulty:".length()) + 1;
      return "jdbc:"
          + name.substring(0, end)
          + url(name.substring(end)).substring("jdbc:".length());
    }
    return (name.contains("/") ? "jdbc:h2:file:" + Path.of(name).toAbsolutePath() : memory(name))
        + ";DATABASE_TO_UPPER=FALSE;CASE_INSENSITIVE_IDENTIFIERS=TRUE;LOCK_TIMEOUT=2000";
  }

  private static String memory(String name) {
    return "jdbc:h2:mem:" + name + ";DB_CLOSE_DELAY=-1";
  }

  /// The database that an endpoint names.
  public SqlDatabase database(Endpoint endpoint) {
    return new SqlDatabase(
        endpoint.label(),
        dialect,
        () -> true,
        _ -> DriverManager.getConnection(url(endpoint.location())),
        () -> {});
  }

  @Override
  public String writeOptionsKey(Endpoint endpoint) {
    return ""; // The journal knows the table, and lies in the database.
  }

  @Override
  public Source source(Endpoint endpoint, Selection selection, OpenContext context) {
    TableOrQuery relation = TableOrQuery.source(endpoint, dialect.names(), H2Dialect.SCHEMA);
    String label = TableOrQuery.label(endpoint);
    SqlSource.Identity identity =
        new SqlSource.Identity(
            label,
            endpoint.location() + " " + relation.identity(dialect.names()),
            () -> "",
            "is in memory");
    return new SqlSource(database(endpoint), relation, identity, selection);
  }

  @Override
  public Target target(Endpoint endpoint, WriteOptions writeOptions, OpenContext context) {
    TableName table = TableOrQuery.target(endpoint, dialect.names(), H2Dialect.SCHEMA);
    return new SqlTarget(database(endpoint), table, TableOrQuery.label(endpoint), writeOptions);
  }
}
