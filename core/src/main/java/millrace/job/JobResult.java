package millrace.job;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import millrace.fault.Fault;
import millrace.spi.catalog.LeftOut;

/// What became of a job.
///
/// @param tables what became of each copy, in the order of the job
/// @param failedHooks why hooks failed after what they were for had been copied
/// @param state in which state the tables were read, as the end of a sentence
/// @param notCopied what did not come along with the tables
/// @param advice how it comes along all the same; a line each
/// @param failedObjects what could not be made beside the tables
/// @param owed what tables still lack, in words, because others are not complete; by their names
/// @param nanos how long it took
public record JobResult(
    List<TableResult> tables,
    List<Fault> failedHooks,
    String state,
    List<LeftOut> notCopied,
    List<String> advice,
    List<DefinitionSteps.FailedObject> failedObjects,
    Map<String, String> owed,
    long nanos) {

  public JobResult {
    tables = List.copyOf(tables);
    failedHooks = List.copyOf(failedHooks);
    notCopied = List.copyOf(notCopied);
    advice = List.copyOf(advice);
    failedObjects = List.copyOf(failedObjects);
    owed = Collections.unmodifiableMap(new TreeMap<>(owed));
  }

  /// Whether every table is there, and all that was to be made beside them.
  public boolean isComplete() {
    return failedObjects.isEmpty() && tables.stream().allMatch(TableResult::isDone);
  }
}
