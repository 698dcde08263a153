package millrace.spi.store;

import java.util.Map;
import java.util.Set;

/// Opens the stores of some schemes. Found as a service, once a location begins with one of them.
public interface StoreProvider {

  /// Those schemes, such as `s3`.
  Set<String> schemes();

  /// Opens a store.
  ///
  /// @param authority the bucket, container or host
  /// @param settings those of the location, such as `endpoint`, `region` and `profile`
  /// @throws millrace.fault.Fault.User if a setting makes no sense, or credentials are missing
  ObjectStore open(String scheme, String authority, Map<String, String> settings);
}
