package millrace.connectors.sql.read;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import millrace.fault.Fault;
import millrace.spi.Endpoint;
import millrace.spi.OpenContext;
import millrace.spi.Shared;
import org.jspecify.annotations.Nullable;

/// The states that a job holds, by the ends that are read in them: a part of what its copies share.
/// Any thread.
public final class HeldStates implements AutoCloseable {

  private final Map<Endpoint, HeldState> all = new ConcurrentHashMap<>();

  private static HeldStates of(Shared shared) {
    return shared.get(HeldStates.class, HeldStates::new);
  }

  /// From here on, sources of the job find the state.
  ///
  /// @param ends those that are read in it
  public static void keep(HeldState state, List<Endpoint> ends, OpenContext context) {
    Shared shared = context.shared();
    if (shared == null) {
      throw new Fault.Bug("a state is held for nobody", null);
    }
    ends.forEach(end -> of(shared).all.put(end, state));
  }

  /// The state in which an end is read; null if nobody holds one for it.
  public static @Nullable HeldState find(Endpoint end, OpenContext context) {
    Shared shared = context.shared();
    return shared == null ? null : of(shared).all.get(end);
  }

  /// The states are let go of by those who took them.
  @Override
  public void close() {
    all.clear();
  }
}
