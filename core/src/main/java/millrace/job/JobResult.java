package millrace.job;

import java.util.List;
import millrace.fault.Fault;

/// What became of a job.
///
/// @param tables what became of each copy, in the order of the job
/// @param failedHooks why hooks failed after what they were for had been copied
/// @param state in which state the tables were read, as the end of a sentence
/// @param notCopied what did not come along with the tables; a line each
/// @param nanos how long it took
public record JobResult(
    List<TableResult> tables,
    List<Fault> failedHooks,
    String state,
    List<String> notCopied,
    long nanos) {

  public JobResult {
    tables = List.copyOf(tables);
    failedHooks = List.copyOf(failedHooks);
    notCopied = List.copyOf(notCopied);
  }

  /// Whether every table is there.
  public boolean isComplete() {
    return tables.stream().allMatch(TableResult::isDone);
  }
}
