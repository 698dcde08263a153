package millrace.cli.option;

import millrace.engine.retry.RetryPolicy;
import millrace.fault.Fault;
import millrace.text.TimeSpan;
import picocli.CommandLine.Option;

/// How long a copy goes on if nothing moves.
public final class RetryOptions {

  @Option(
      names = "--retry-for",
      paramLabel = "TIME",
      defaultValue = "10m",
      description =
          "After a lost connection, a restart or a conflict of transactions, try again until no row"
              + " has moved for so long; ${DEFAULT-VALUE} if not given, 0 stops at the first.")
  private String retryFor = "10m";

  @Option(
      names = "--stall-timeout",
      paramLabel = "TIME",
      defaultValue = "30m",
      description =
          "If no row moves for so long, say what is waited for and stop; ${DEFAULT-VALUE} if not"
              + " given, 0 waits for ever.")
  private String stallTimeout = "30m";

  /// How long a copy goes on if nothing moves.
  ///
  /// @throws Fault.User if a time is none
  public RetryPolicy retryPolicy() {
    return RetryPolicy.of(
        TimeSpan.parse("--retry-for", retryFor), TimeSpan.parse("--stall-timeout", stallTimeout));
  }
}
