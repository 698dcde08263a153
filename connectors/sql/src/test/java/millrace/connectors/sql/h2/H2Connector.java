package millrace.connectors.sql.h2;

import java.nio.file.Path;
import java.sql.DriverManager;
import java.util.List;
import java.util.function.Function;
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

/// Tables of H2 in memory, in a file or at a server, to try what all systems with SQL share.
public final class H2Connector implements Connector {

  private final String scheme;
  private final Function<String, Dialect> dialect;

  /// Another process begins with it.
  public H2Connector() {
    this("h2", _ -> H2Dialect.EMBEDDED);
  }

  /// @param dialect by the URL of a database
  H2Connector(String scheme, Function<String, Dialect> dialect) {
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

  /// Where the driver finds a database.
  ///
  /// @param name one in memory, the path of one in a file, or `HOST:PORT/DATABASE`; harmed if it
  ///   stands behind `faulty:NAME:`
  public static String url(String name) {
    if (name.startsWith("faulty:")) {
      int end = name.indexOf(':', "faulty:".length()) + 1;
      return "jdbc:"
          + name.substring(0, end)
          + url(name.substring(end)).substring("jdbc:".length());
    }
    int port = name.indexOf(':');
    String place =
        port > 0
            ? "jdbc:h2:tcp://" + name.replace("/", "/mem:") + ";DB_CLOSE_DELAY=-1"
            : name.contains("/")
                ? "jdbc:h2:file:" + Path.of(name).toAbsolutePath()
                : "jdbc:h2:mem:" + name + ";DB_CLOSE_DELAY=-1";
    return place + ";DATABASE_TO_UPPER=FALSE;CASE_INSENSITIVE_IDENTIFIERS=TRUE;LOCK_TIMEOUT=2000";
  }

  /// The database that an endpoint names.
  public SqlDatabase database(Endpoint endpoint) {
    String url = url(endpoint.location());
    return new SqlDatabase(
        endpoint.label(),
        dialect.apply(url),
        () -> true,
        _ -> DriverManager.getConnection(url),
        () -> {});
  }

  @Override
  public String writeOptionsKey(Endpoint endpoint) {
    return ""; // The journal knows the table, and lies in the database.
  }

  @Override
  public Source source(Endpoint endpoint, Selection selection, OpenContext context) {
    TableOrQuery relation =
        TableOrQuery.source(endpoint, H2Dialect.EMBEDDED.names(), H2Dialect.SCHEMA);
    String label = TableOrQuery.label(endpoint);
    SqlSource.Identity identity =
        new SqlSource.Identity(
            label,
            endpoint.location() + " " + relation.identity(H2Dialect.EMBEDDED.names()),
            () -> "",
            "is in memory");
    return new SqlSource(database(endpoint), relation, identity, selection);
  }

  @Override
  public Target target(Endpoint endpoint, WriteOptions writeOptions, OpenContext context) {
    TableName table = TableOrQuery.target(endpoint, H2Dialect.EMBEDDED.names(), H2Dialect.SCHEMA);
    return new SqlTarget(database(endpoint), table, TableOrQuery.label(endpoint), writeOptions);
  }
}
