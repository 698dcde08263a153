package millrace.job;

import java.util.List;
import millrace.copy.CopyListener;
import millrace.copy.CopyResult;
import org.jspecify.annotations.Nullable;

/// Is told how a job goes. Methods may be called by several threads at once.
public interface JobListener {

  /// Something that the user may want to know at once, such as what is waited for.
  default void says(String words) {}

  /// Something that the user should know.
  default void warns(String words) {}

  /// Copies are about to begin.
  ///
  /// @param copies all of the job, also those that are done
  default void begins(List<TableCopy> copies) {}

  /// What is told how one copy goes. What stops it is the job's.
  CopyListener copies(TableCopy copy);

  /// A copy has ended, well or not.
  ///
  /// @param result what it gave; null if it could not even begin
  default void ended(TableResult table, @Nullable CopyResult result) {}
}
