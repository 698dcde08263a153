package millrace.copy;

import millrace.engine.remote.Cluster;
import millrace.report.RunStore;
import millrace.spi.ConnectorRegistry;
import millrace.spi.Shared;
import org.jspecify.annotations.Nullable;

/// What copies need of the program that runs them.
///
/// @param runs tells what earlier copies between the same ends found best
/// @param shared what the ends of a job's copies share; null of a copy on its own
/// @param cluster the processes that work splits off; null if this one does
public record CopyContext(
    ConnectorRegistry connectors,
    RunStore runs,
    @Nullable Shared shared,
    @Nullable Cluster cluster) {

  /// Of copies that share nothing and that this process works off.
  public CopyContext(ConnectorRegistry connectors, RunStore runs) {
    this(connectors, runs, null, null);
  }

  /// The same for copies of a job.
  public CopyContext sharing(Shared other) {
    return new CopyContext(connectors, runs, other, cluster);
  }
}
