package millrace.job.file;

import java.util.Map;
import java.util.Set;

/// The keys of a stream that are no options of a copy: those of Sling's replications. docs/jobs.md
/// lists them for users.
public final class JobKeys {

  /// Those that are understood, with what each is.
  public static final Map<String, String> UNDERSTOOD =
      Map.of(
          "object", "Where the rows go: a table or a file of the target.",
          "mode", "full-refresh, incremental, truncate, or a mode of copy.",
          "primary_key", "The columns that a merge goes by.",
          "sql", "The query that is read instead of a table.",
          "disabled", "Whether the stream is left out, also by wildcards.",
          "description", "For people; it changes nothing.",
          "source_options", "Parameters of the source alone.",
          "target_options", "Parameters of the target alone.",
          "hooks", "Commands or SQL before the stream (pre:) and after it (post:).");

  /// Those that are not, with what to do instead.
  static final Map<String, String> REFUSED =
      Map.ofEntries(
          Map.entry("single", "Files of a glob go into one target if object: has no variable."),
          Map.entry("transforms", "Not yet. Write the expression into sql:."),
          Map.entry("tags", "Choose streams by their names: --only NAME."),
          Map.entry("files", "Write a glob as the stream's name."),
          Map.entry("profile", "copy --profile NAME --save FILE writes its settings."),
          Map.entry("ceilings", "It measures a copy of one table: millrace copy --ceilings."),
          Map.entry("goal", "It measures a copy of one table: millrace copy --goal."),
          Map.entry("methods", "It measures a copy of one table: millrace copy --methods."),
          Map.entry("resume", "Give it to millrace run."),
          Map.entry("fresh", "Give it to millrace run."),
          Map.entry("dry-run", "Give it to millrace run."),
          Map.entry("json", "Give it to millrace run."),
          Map.entry("quiet", "Give it to millrace run."));

  /// Options of the job as a whole, which stand below `defaults:`.
  public static final Set<String> OF_JOB = Set.of("fail-fast", "rejects-exit-code");

  /// Names of Sling's for parameters of ends.
  static final Map<String, String> RENAMED = Map.of("null-if", "null-string");

  private JobKeys() {}
}
