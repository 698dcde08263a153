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
          Map.entry("jfr", "It records a copy of one table: millrace copy --jfr FILE."),
          Map.entry("methods", "Record a copy of one table: millrace copy --jfr FILE."),
          Map.entry("resume", "Give it to millrace run."),
          Map.entry("fresh", "Give it to millrace run."),
          Map.entry("dry-run", "Give it to millrace run."),
          Map.entry("json", "Give it to millrace run."),
          Map.entry("quiet", "Give it to millrace run."));

  /// Options of the job as a whole, which stand below `defaults:`.
  public static final Set<String> OF_JOB = Set.of("fail-fast", "rejects-exit-code");

  /// Names of Sling's for parameters of ends.
  static final Map<String, String> RENAMED = Map.of("null-if", "null-string");

  /// Parameters of ends that Sling has, with what to write instead.
  public static final Map<String, String> PARAMETERS_OF_SLING =
      Map.ofEntries(
          Map.entry("limit", "Write limit: next to object:."),
          Map.entry("range", "Write where: next to object:, with both bounds."),
          Map.entry("chunk-size", "Write chunk: next to object:, with update_key:."),
          Map.entry("add-new-columns", "Write new_columns: add next to object:."),
          Map.entry("compression", "End the file's name in .gz or .zst."),
          Map.entry("empty-as-null", "Leave it out: a field without text is a missing value."),
          Map.entry("trim-space", "Write trim."),
          Map.entry("datetime-format", "Write timestamp_format and date_format."),
          Map.entry("file-max-bytes", "Write files, such as 100MB."),
          Map.entry("flatten", "Write fields, with the members that become columns."),
          Map.entry("concurrency", "Write lanes: next to object:."),
          Map.entry("table-keys", "Write primary_key: next to object:."),
          Map.entry("pre-sql", "Write it below hooks:, pre:, as query:."),
          Map.entry("post-sql", "Write it below hooks:, post:, as query:."),
          Map.entry("column-casing", "Leave it out, or write rename: next to object:."));

  /// Settings that Sling takes below `env:`, likewise.
  static final Map<String, String> SETTINGS_OF_SLING =
      Map.of(
          "SLING_THREADS", "Write lanes: below defaults: for how many work at once.",
          "SLING_LOADED_AT_COLUMN", "Write add: {loaded_at: now()} below defaults:.");

  private JobKeys() {}
}
