package millrace.copy;

import java.util.function.Consumer;
import millrace.engine.Run;
import millrace.plan.Plan;

/// Is told how a copy goes, and by what it can be stopped. All methods are called by the thread
/// that copies, but for {@link #says}, which any thread may call.
public interface CopyListener {

  /// What is waited for.
  ///
  /// @param words a sentence with its end
  default void says(String words) {}

  /// What could not be done beside the copy itself, which is none the worse for it.
  ///
  /// @param words likewise
  default void warns(String words) {}

  /// From now on this stops the copy, which may have something to undo then: whoever stops it waits
  /// for its end.
  ///
  /// @param cancel takes the reason; from any thread
  default void stoppedBy(Consumer<String> cancel) {}

  /// From now on this ends a wait of the copy, which has nothing to undo yet.
  ///
  /// @param cancel likewise
  default void waitEndedBy(Consumer<String> cancel) {}

  /// Rows are about to move.
  ///
  /// @param run to look at while it lasts, by its meter
  /// @return is closed when no row moves any more
  default Moving moves(Plan plan, Run run) {
    return () -> {};
  }

  /// The run has ended, well or not. Its journal is told only behind this that nobody needs it any
  /// more, so that the report can be kept first.
  ///
  /// @param method in which of its ways the target took the rows; empty if it has one
  default void ended(CopyResult result, String method) {}

  /// Something that lasts while rows move.
  interface Moving extends AutoCloseable {

    @Override
    void close();
  }
}
