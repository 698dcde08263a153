package millrace.testkit.oracle.engine;

import java.util.Map;

/// The values that a block gives to binds, by their numbers from 0.
public record OutBinds(Map<Integer, Object> values) {
  static final OutBinds NONE = new OutBinds(Map.of());
}
