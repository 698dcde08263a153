package millrace.job;

import java.nio.file.Path;
import millrace.copy.CopyContext;
import millrace.copy.EndOpener;
import millrace.endpoint.Endpoints;
import millrace.engine.retry.RetryPolicy;
import millrace.spi.ConnectorRegistry;
import millrace.spi.Endpoint;

/// What every job needs of the program that runs it.
///
/// @param copies what each of its copies needs
/// @param endpoints understands ends and knows connections
/// @param ledgers the folder in which it is kept which tables of jobs are done
/// @param listener is told how the job goes, also while it is planned
public record JobContext(
    CopyContext copies, Endpoints endpoints, Path ledgers, JobListener listener) {

  ConnectorRegistry connectors() {
    return copies.connectors();
  }

  /// Opens ends to look at them.
  ///
  /// @param retryPolicy how long others are waited for
  EndOpener endOpener(RetryPolicy retryPolicy) {
    return new EndOpener(connectors(), retryPolicy, listener::says);
  }

  /// Whether two ends are of one system.
  boolean sameSystem(Endpoint from, Endpoint to) {
    return connectors().of(from).equals(connectors().of(to));
  }
}
