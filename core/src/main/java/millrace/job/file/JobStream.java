package millrace.job.file;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// One stream of a job file: a table, a file, a query, or several tables by a wildcard.
///
/// @param line where it stands, from 1
/// @param name as it is written, variables filled in
/// @param object where its rows go; null if nobody says
/// @param query what is read instead of a table; null if there is none
/// @param settings options of its copies, by name
/// @param sourceOptions parameters of the source alone, by name
/// @param targetOptions parameters of the target alone, by name
/// @param before what runs before it
/// @param after what runs after it
/// @param disabled whether it is left out, also by wildcards
public record JobStream(
    int line,
    String name,
    @Nullable StreamSetting object,
    @Nullable StreamSetting query,
    Map<String, StreamSetting> settings,
    Map<String, StreamSetting> sourceOptions,
    Map<String, StreamSetting> targetOptions,
    List<JobHook> before,
    List<JobHook> after,
    boolean disabled) {

  /// None: of a copy that no job file asks for.
  public static final JobStream NONE =
      new JobStream(0, "", null, null, Map.of(), Map.of(), Map.of(), List.of(), List.of(), false);

  /// Whether something runs before or after it.
  public boolean hasHooks() {
    return !(before.isEmpty() && after.isEmpty());
  }

  public JobStream {
    settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
    sourceOptions = Collections.unmodifiableMap(new LinkedHashMap<>(sourceOptions));
    targetOptions = Collections.unmodifiableMap(new LinkedHashMap<>(targetOptions));
    before = List.copyOf(before);
    after = List.copyOf(after);
  }
}
