package millrace.cli;

import millrace.engine.retry.RetryPolicy;
import millrace.fault.Fault;
import millrace.text.TimeSpan;
import picocli.CommandLine.Option;

/// How long a copy goes on where nothing moves.
final class RetryOptions {

  @Option(
      names = "--retry-for",
      paramLabel = "TIME",
      defaultValue = "10m",
      description =
          "Where a connection is lost, a server restarts or another transaction is in the way, try"
              + " again, with growing waits, until no row has moved for so long (if not given:"
              + " ${DEFAULT-VALUE}); 0 stops at the first such fault.")
  private String retryFor = "10m";

  @Option(
      names = "--stall-timeout",
      paramLabel = "TIME",
      defaultValue = "30m",
      description =
          "Where no row moves for so long, or PostgreSQL waits for so long for a lock of others"
              + " before the first row or after the last, say what is waited for and stop (if not"
              + " given: ${DEFAULT-VALUE}); 0 waits for ever. A query that sorts for long before"
              + " its first row needs more.")
  private String stallTimeout = "30m";

  /// @throws Fault.User where a time is none
  RetryPolicy retryPolicy() {
    return RetryPolicy.of(
        TimeSpan.parse("--retry-for", retryFor), TimeSpan.parse("--stall-timeout", stallTimeout));
  }
}
