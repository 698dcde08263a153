package millrace.cli;

import millrace.fault.Fault;
import millrace.report.Goal;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// What is measured beyond what every run is.
final class MeasureOptions {

  @Option(
      names = "--profile",
      description =
          "Record which methods take the processor time (Java Flight Recorder, a sample every 10"
              + " ms); the report lists those of 10 %% and more with their callers, and the"
              + " recording is kept beside it.")
  boolean profile;

  @Option(
      names = "--ceilings",
      description =
          "First measure how fast each part is by itself, a few seconds each: the source into"
              + " null:, rows from memory into a scratch table or file of the target (which is"
              + " removed), the disks. The report says how near the run came.")
  boolean ceilings;

  @Option(
      names = "--goal",
      paramLabel = "GOAL",
      description =
          "Say how much of it the run reached: a time such as 9m, or a rate such as 100MB/s or"
              + " 500000rows/s.")
  private @Nullable String goal;

  /// The goal, or null where there is none.
  ///
  /// @throws Fault.User where it is neither a time nor a rate
  @Nullable Goal goal() {
    return goal == null ? null : Goal.parse(goal);
  }
}
