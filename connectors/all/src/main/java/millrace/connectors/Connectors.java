package millrace.connectors;

import java.util.List;
import millrace.connectors.couchdb.CouchConnector;
import millrace.connectors.duckdb.DuckDbConnector;
import millrace.connectors.duckdb.parquet.ParquetConnector;
import millrace.connectors.file.FileConnector;
import millrace.connectors.generate.GenerateConnector;
import millrace.connectors.jdbc.JdbcConnector;
import millrace.connectors.kudu.KuduConnector;
import millrace.connectors.mariadb.MariaDbConnector;
import millrace.connectors.nothing.NothingConnector;
import millrace.connectors.oracle.OracleConnector;
import millrace.connectors.postgres.PostgresConnector;
import millrace.connectors.sqlite.SqliteConnector;
import millrace.spi.ConnectorRegistry;

/// The connectors that there are. A new one adds its line here, and nothing else anywhere.
public final class Connectors {

  /// All of them, in the order in which help texts list them.
  public static final ConnectorRegistry ALL =
      new ConnectorRegistry(
          List.of(
              new CouchConnector(), //
              new DuckDbConnector(), //
              new FileConnector(), //
              new ParquetConnector(), //
              new GenerateConnector(), //
              new JdbcConnector(), //
              new KuduConnector(), //
              new MariaDbConnector(), //
              new NothingConnector(), //
              new OracleConnector(), //
              new PostgresConnector(), //
              new SqliteConnector()));

  private Connectors() {}
}
