package millrace.connectors.sql.online;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import millrace.fault.Fault;
import millrace.spi.online.OnlineStore.Dirty;
import org.jspecify.annotations.Nullable;

/// Which marks of a window its last aggregate has taken in.
///
/// A writer may commit late rows with their mark while the window is aggregated. The sums may lack
/// those rows, so that mark has to stay. Marks that were there before the aggregate began are those
/// that may go. For the same reason one window is aggregated by one thread at a time: an older
/// state could replace a newer one.
final class AggregatedMarks {

  private final Set<Dirty> underWay = new HashSet<>();
  private final Map<Dirty, List<Long>> takenIn = new HashMap<>();

  /// Waits until nobody else aggregates the window. The caller calls {@link #end}.
  synchronized void begin(Dirty window) {
    try {
      while (!underWay.add(window)) {
        wait();
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      throw new Fault.Cancelled("Waiting for a window was interrupted");
    }
  }

  /// The aggregate is done, or has failed.
  synchronized void end(Dirty window) {
    underWay.remove(window);
    notifyAll();
  }

  /// An aggregate is committed that has taken in the rows of these marks.
  synchronized void takenIn(Dirty window, List<Long> marks) {
    takenIn.put(window, marks);
  }

  /// The marks that may go; null if the window was not aggregated here.
  synchronized @Nullable List<Long> mayGo(Dirty window) {
    return takenIn.get(window);
  }

  /// The tables are new.
  synchronized void clear() {
    takenIn.clear();
  }
}
