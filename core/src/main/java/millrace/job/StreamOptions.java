package millrace.job;

import java.util.Map;
import java.util.Set;
import millrace.fault.Fault;

/// Reads what the streams of a job file ask for.
public interface StreamOptions {

  /// The options that a stream may have, by name without dashes.
  Set<String> names();

  /// Reads a stream.
  ///
  /// @param from as the command line of a copy has it
  /// @param to likewise
  /// @param settings values of options, by name without dashes
  /// @throws Fault.User if that makes no sense
  TablesRequest read(String from, String to, Map<String, String> settings);
}
