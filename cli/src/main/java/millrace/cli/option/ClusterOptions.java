package millrace.cli.option;

import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// Where a copy is worked off.
public final class ClusterOptions {

  @Option(
      names = "--on",
      paramLabel = "MASTER",
      description = {
        "Work the rows off on a cluster of Spark: spark://HOST:PORT, yarn, k8s://URL, or"
            + " local-cluster[2,1,1024] to try it. SPARK_HOME says where Spark 4.1 or later is."
      })
  private @Nullable String master;

  @Option(
      names = "--conf",
      paramLabel = "NAME=VALUE",
      description = "A setting of Spark's; may be given several times.")
  private List<String> settings = List.of();

  /// The cluster's master; null if this machine does the work.
  public @Nullable String master() {
    return master;
  }

  /// Spark's settings, as they were given.
  public List<String> settings() {
    return settings;
  }
}
