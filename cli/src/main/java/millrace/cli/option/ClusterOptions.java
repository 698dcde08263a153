package millrace.cli.option;

import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// Where a copy is worked off.
public final class ClusterOptions {

  @Option(
      names = "--on",
      paramLabel = "MASTER",
      description = "Work rows off on a cluster of Spark, such as spark://HOST:PORT.")
  private @Nullable String master;

  @Option(
      names = "--conf",
      paramLabel = "NAME=VALUE",
      description = "A setting of Spark's, several times.")
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
