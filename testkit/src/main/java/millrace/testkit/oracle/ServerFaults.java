package millrace.testkit.oracle;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The faults that are planned. Any thread may call it.
public final class ServerFaults {

  private final List<PlannedFault> planned = new ArrayList<>();

  public synchronized void add(PlannedFault fault) {
    planned.add(fault);
  }

  /// Nothing is planned any more.
  ///
  /// @return whether all that was planned has happened
  public synchronized boolean clear() {
    boolean all = planned.isEmpty();
    planned.clear();
    return all;
  }

  /// Whether all that was planned has happened, or has begun to.
  public synchronized boolean haveHappened() {
    return planned.isEmpty();
  }

  /// What is to happen to a call that comes now; null if nothing is.
  public synchronized PlannedFault.@Nullable Effect take(ServerCall call, String text) {
    for (Iterator<PlannedFault> i = planned.iterator(); i.hasNext(); ) {
      PlannedFault fault = i.next();
      if (fault.call() != call || !text.contains(fault.text())) {
        continue;
      }
      i.remove();
      if (fault.skip() == 0) {
        return fault.effect();
      }
      int left = fault.skip() - 1;
      planned.add(new PlannedFault(call, fault.text(), left, fault.effect()));
      return null;
    }
    return null;
  }
}
