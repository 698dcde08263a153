package millrace.job;

import millrace.copy.CopyListener;
import millrace.copy.CopyResult;

/// Is told how a job goes. Methods may be called by several threads at once.
public interface JobListener {

  /// Whether something is done just before a copy begins that may change what it reads.
  default boolean changesBefore(TableCopy copy) {
    return false;
  }

  /// What is told how one copy goes. What stops it is the job's.
  CopyListener copies(TableCopy copy);

  /// A copy has ended, well or not.
  ///
  /// @param result what it gave; null if it could not even begin
  default void ended(TableResult table, @org.jspecify.annotations.Nullable CopyResult result) {}
}
