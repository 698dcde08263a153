package millrace.connectors.sql;

import java.sql.DriverManager;
import java.util.List;
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

/// Tables of H2 in memory, to try what all systems with SQL share.
public final class H2Connector implements Connector {

  private static final H2Dialect DIALECT = new H2Dialect();

  @Override
  public String name() {
    return "h2";
  }

  @Override
  public List<String> schemes() {
    return List.of("h2");
  }

  @Override
  public List<Option> options() {
    return TableOrQuery.options("H2");
  }

  /// Where the driver finds a database.
  public static String url(String name) {
    return "jdbc:h2:mem:"
        + name
        + ";DB_CLOSE_DELAY=-1;DATABASE_TO_UPPER=FALSE;CASE_INSENSITIVE_IDENTIFIERS=TRUE"
        + ";LOCK_TIMEOUT=50";
  }

  /// The database that an endpoint names.
  public static SqlDatabase database(Endpoint endpoint) {
    return new SqlDatabase(
        endpoint.label(),
        DIALECT,
        () -> true,
        _ -> DriverManager.getConnection(url(endpoint.location())),
        () -> {});
  }

  @Override
  public Source source(Endpoint endpoint, Selection selection, OpenContext context) {
    TableOrQuery relation = TableOrQuery.source(endpoint, DIALECT.names(), "");
    String label = TableOrQuery.label(endpoint);
    SqlSource.Identity identity =
        new SqlSource.Identity(
            label,
            endpoint.location() + " " + relation.identity(DIALECT.names()),
            () -> "",
            "is in memory");
    return new SqlSource(database(endpoint), relation, identity, selection);
  }

  @Override
  public Target target(Endpoint endpoint, WriteOptions writeOptions, OpenContext context) {
    TableName table = TableOrQuery.target(endpoint, DIALECT.names(), "");
    return new SqlTarget(database(endpoint), table, TableOrQuery.label(endpoint), writeOptions);
  }
}
