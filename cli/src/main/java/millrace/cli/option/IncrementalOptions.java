package millrace.cli.option;

import millrace.copy.Increment;
import millrace.fault.Fault;
import millrace.spi.write.Mode;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// Which rows an incremental copy reads.
public final class IncrementalOptions {

  @Option(
      names = "--update-key",
      hidden = true,
      paramLabel = "COLUMN",
      description =
          "Only rows whose value of this column is above the greatest one in the target: of a"
              + " timestamp that every change sets, or a number that grows. With --mode append or"
              + " merge.")
  private @Nullable String updateKey;

  @Option(
      names = "--overlap",
      hidden = true,
      paramLabel = "STEP",
      description =
          "Begin so far below that value, for rows that were committed late: a time such as 5m, or"
              + " a number. With --mode merge.")
  private @Nullable String overlap;

  @Option(
      names = "--chunk",
      hidden = true,
      paramLabel = "STEP",
      description =
          "Copy so much of the column at a time, each part for good: 1d, or a number. One that is"
              + " cut off resumes after the last part.")
  private @Nullable String chunk;

  @Option(
      names = "--deletes",
      hidden = true,
      description =
          "Delete rows of the target whose key the source does not have. With --mode merge.")
  private boolean deletes;

  /// Whether rows that are gone are deleted.
  boolean deletes() {
    return deletes;
  }

  /// What was asked; null if the copy is not incremental.
  ///
  /// @param mode that of the copy; null if none was named
  /// @throws Fault.User if options contradict each other
  @Nullable Increment increment(@Nullable Mode mode) {
    if (updateKey == null) {
      if (overlap != null || chunk != null) {
        throw new Fault.User(
            (overlap != null ? "--overlap" : "--chunk")
                + " is about an update key, and none is named.",
            "Add --update-key COLUMN.");
      }
      return null;
    }
    if (mode != Mode.APPEND && mode != Mode.MERGE) {
      throw new Fault.User(
          "--update-key adds what has changed to a table, and --mode "
              + (mode == null
                  ? "is missing."
                  : mode.name().toLowerCase(java.util.Locale.ROOT) + " does not."),
          "Write --mode merge, so that changed rows take the place of old ones by --key, or"
              + " --mode append if rows only come and never change.");
    }
    if (overlap != null && mode != Mode.MERGE) {
      throw new Fault.User(
          "--overlap reads rows that the target has already, and --mode append would add them"
              + " again.",
          "Use --mode merge, or leave --overlap out.");
    }
    return new Increment(updateKey, overlap, chunk);
  }
}
