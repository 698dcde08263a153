package millrace.job.file;

import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import millrace.text.HiddenValues;

/// What a job file is read with.
///
/// @param options the options that a copy has, by name without dashes
/// @param set variables that win over those of the file
/// @param environment the process's own
/// @param schemas the default schema of a connection; empty if it has none
/// @param hidden gets what the file takes from the environment
public record JobInputs(
    Set<String> options,
    Map<String, String> set,
    Map<String, String> environment,
    UnaryOperator<String> schemas,
    HiddenValues hidden) {

  /// Of a file whose values nobody prints.
  public JobInputs(
      Set<String> options,
      Map<String, String> set,
      Map<String, String> environment,
      UnaryOperator<String> schemas) {
    this(options, set, environment, schemas, new HiddenValues());
  }

  public JobInputs {
    options = Set.copyOf(options);
    set = Map.copyOf(set);
    environment = Map.copyOf(environment);
  }
}
