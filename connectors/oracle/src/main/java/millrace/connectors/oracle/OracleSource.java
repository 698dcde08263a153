package millrace.connectors.oracle;

import millrace.connectors.sql.read.SqlSource;
import millrace.spi.read.ColumnRequest;
import millrace.spi.read.DescribedSource;
import millrace.spi.read.Source;
import org.jspecify.annotations.Nullable;

/// A table, a view or a query of a server, open for reading.
///
/// @param rows what is read; it is closed with the source, as the connections are
record OracleSource(SqlSource rows, OracleConnections connections) implements Source {

  @Override
  public DescribedSource describe(ColumnRequest columnRequest) {
    return rows.describe(columnRequest);
  }

  @Override
  public <T> @Nullable T capability(Class<T> type) {
    return rows.capability(type);
  }

  @Override
  public void close() {
    try (OracleConnections _ = connections) {
      rows.close();
    }
  }
}
