package millrace.cli.option;

import java.nio.file.Path;
import java.util.List;
import millrace.copy.CopySpec;
import millrace.fault.Fault;
import millrace.report.Goal;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// What is measured beyond what every run is.
public final class MeasureOptions {

  @Option(
      names = "--profile",
      paramLabel = "NAME",
      description =
          "Copy with the settings that `millrace sweep` wrote under that name; options that are"
              + " given win.")
  private List<String> profiles = List.of();

  @Option(
      names = "--jfr",
      paramLabel = "FILE",
      description = "Record which methods take the time, with Java's Flight Recorder.")
  private @Nullable Path jfr;

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

  /// Whether anything is measured or recorded.
  ///
  /// @throws Fault.User if the goal is neither a time nor a rate
  public boolean any() {
    return jfr != null || !measures().equals(CopySpec.Measures.NONE);
  }

  /// Where a recording of the copy goes, or null if there is none.
  public @Nullable Path jfr() {
    return jfr;
  }

  /// What is asked for of the report.
  ///
  /// @throws Fault.User if the goal is neither a time nor a rate
  public CopySpec.Measures measures() {
    Goal wanted = goal == null ? null : Goal.parse(goal);
    return new CopySpec.Measures(ceilings, wanted, true);
  }

  /// The name of the profile with the settings to copy with, or null if there is none.
  ///
  /// @throws Fault.User if there are several
  @Nullable
  public String settings() {
    if (profiles.size() > 1) {
      throw new Fault.User(
          "There are several profiles: " + String.join(", ", profiles) + ".", "Name one.");
    }
    return profiles.isEmpty() ? null : profiles.getFirst();
  }
}
