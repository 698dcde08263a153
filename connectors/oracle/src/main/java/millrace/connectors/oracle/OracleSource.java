package millrace.connectors.oracle;

import millrace.connectors.sql.read.SqlSource;
import millrace.spi.HasCounters;
import millrace.spi.read.ColumnRequest;
import millrace.spi.read.DescribedSource;
import millrace.spi.read.Source;
import org.jspecify.annotations.Nullable;

/// A table, a view or a query of a server, open for reading, with the server's counters.
///
/// @param rows what is read; it is closed with the source, as the connections are
record OracleSource(SqlSource rows, OracleConnections connections) implements Source, HasCounters {

  @Override
  public DescribedSource describe(ColumnRequest columnRequest) {
    return rows.describe(columnRequest);
  }

  @Override
  public OracleCounters counters() {
    return new OracleCounters(connections);
  }

  @Override
  public <T> @Nullable T capability(Class<T> type) {
    return type.isInstance(this) ? type.cast(this) : rows.capability(type);
  }

  @Override
  public void close() {
    try (OracleConnections _ = connections) {
      rows.close();
    }
  }
}
