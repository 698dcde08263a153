package millrace.online.window;

import millrace.spi.online.OnlineLayout.Level;
import millrace.spi.online.Window;

/// Aggregates windows: the target itself, or another engine. Any thread, several at once.
@FunctionalInterface
public interface Aggregator {

  /// Aggregates one window of a level from the level below.
  ///
  /// @return how many rows it wrote; -1 if it can't tell
  /// @throws millrace.fault.Fault if it fails; it may be done again
  long aggregate(Level below, Level level, Window window);

  /// Makes what is under way fail soon, and refuses all later calls. From any thread. What the
  /// target itself aggregates is cancelled with the target, and needs nothing here.
  default void cancel() {}
}
