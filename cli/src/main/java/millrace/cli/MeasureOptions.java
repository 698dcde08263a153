package millrace.cli;

import java.util.List;
import millrace.copy.CopySpec;
import millrace.fault.Fault;
import millrace.report.Goal;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// What is measured beyond what every run is.
final class MeasureOptions {

  /// Empty without a name.
  @Option(
      names = "--profile",
      paramLabel = "NAME",
      arity = "0..1",
      description = {
        "With the name of a profile: copy with the settings that `millrace sweep` wrote under it;"
            + " options that are given win.",
        "Without a name: record which methods take the processor time, for the report."
            + " To have both, say --profile twice."
      })
  private List<String> profiles = List.of();

  @Option(
      names = "--ceilings",
      description =
          "First measure how fast source, target and disks are alone, some seconds each; the report"
              + " says how near the run came.")
  private boolean ceilings;

  @Option(
      names = "--goal",
      paramLabel = "GOAL",
      description = "Say how much of it the run reached: 9m, 100MB/s or 500000rows/s.")
  private @Nullable String goal;

  /// What is asked for.
  ///
  /// @throws Fault.User if the goal is neither a time nor a rate
  CopySpec.Measures measures() {
    Goal wanted = goal == null ? null : Goal.parse(goal);
    return new CopySpec.Measures(ceilings, wanted, profiles.contains(""));
  }

  /// The name of the profile with the settings to copy with, or null where there is none.
  ///
  /// @throws Fault.User where there are several
  @Nullable String settings() {
    List<String> named = profiles.stream().filter(name -> !name.isEmpty()).toList();
    if (named.size() > 1) {
      throw new Fault.User(
          "There are several profiles: " + String.join(", ", named) + ".", "Name one.");
    }
    return named.isEmpty() ? null : named.getFirst();
  }
}
