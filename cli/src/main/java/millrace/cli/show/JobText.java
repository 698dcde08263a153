package millrace.cli.show;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import millrace.fault.Fault;
import millrace.job.DefinitionSteps;
import millrace.job.JobResult;
import millrace.job.TableResult;
import millrace.job.TableResult.State;
import millrace.plan.FaultMessage;
import millrace.report.ReportText;
import millrace.report.TextTable;
import org.jspecify.annotations.Nullable;

/// The summary of a job: a table with a line for each of its tables, and a sum.
public final class JobText {

  private static final int NOTABLE_LETTERS = 60;

  private JobText() {}

  /// The summary, line by line.
  ///
  /// @param verbose whether all that did not come along is named
  public static List<String> lines(JobResult job, boolean verbose) {
    TextTable table =
        new TextTable(List.of("table", ">rows", ">rejects", ">time", "outcome", "notable"));
    job.tables().forEach(result -> table.row(row(result)));
    List<String> lines = new ArrayList<>(table.lines());
    lines.add(sum(job));
    job.owed().forEach((name, what) -> lines.add("Owed: " + name + " lacks " + what + "."));
    lines.addAll(LeftOutText.lines(job.notCopied(), job.advice(), verbose));
    return lines;
  }

  private static List<String> row(TableResult result) {
    return List.of(
        result.name(),
        String.format(Locale.ROOT, "%,d", result.rows()),
        String.format(Locale.ROOT, "%,d", result.rejects()),
        result.nanos() == 0 ? "" : ReportText.duration(result.nanos()),
        result.state().words(),
        notable(result));
  }

  private static String notable(TableResult result) {
    Fault fault = result.fault();
    String all =
        fault != null && result.state() == State.FAILED
            ? PreviewTarget.visible(FaultMessage.of(fault))
            : String.join("; ", result.notes());
    return all.length() <= NOTABLE_LETTERS
        ? all
        : all.substring(0, all.offsetByCodePoints(0, NOTABLE_LETTERS - 2)) + " …";
  }

  private static String sum(JobResult job) {
    List<TableResult> results = job.tables();
    StringBuilder sum = new StringBuilder();
    sum.append(results.size()).append(results.size() == 1 ? " table: " : " tables: ");
    List<String> parts = new ArrayList<>();
    for (State each : State.values()) {
      long count = results.stream().filter(result -> result.state() == each).count();
      if (count > 0) {
        parts.add(count + " " + each.words());
      }
    }
    long rows = results.stream().mapToLong(TableResult::rows).sum();
    sum.append(String.join(", ", parts))
        .append(
            String.format(
                Locale.ROOT,
                "; %,d rows in %s (%,.0f rows/s)",
                rows,
                ReportText.duration(job.nanos()),
                rows / Math.max(1e-9, job.nanos() / 1e9)));
    return sum.append(", ").append(job.state()).append('.').toString();
  }

  /// The summary for programs.
  public static ObjectNode json(JobResult result) {
    ObjectNode job = JsonNodeFactory.instance.objectNode();
    job.put("elapsed_ns", result.nanos());
    job.put("rows", result.tables().stream().mapToLong(TableResult::rows).sum());
    job.put("state", result.state());
    result
        .notCopied()
        .forEach(left -> {
          ObjectNode each = job.withArrayProperty("not_copied").addObject();
          each.put("kind", left.kind());
          each.put("name", left.name());
          each.put("table", left.table());
          each.put("why", left.why());
        });
    result.owed().forEach((table, what) -> job.withObjectProperty("owed").put(table, what));
    for (DefinitionSteps.FailedObject each : result.failedObjects()) {
      ObjectNode object = job.withArrayProperty("not_made").addObject();
      object.put("kind", each.kind());
      object.put("name", each.name());
      fault(object, each.fault());
    }
    for (TableResult each : result.tables()) {
      ObjectNode table = job.withArrayProperty("tables").addObject();
      table.put("table", each.name());
      table.put("outcome", each.state().words());
      table.put("rows", each.rows());
      table.put("rejects", each.rejects());
      table.put("elapsed_ns", each.nanos());
      each.notes().forEach(table.withArrayProperty("notes")::add);
      fault(table, each.fault());
    }
    result
        .failedHooks()
        .forEach(fault -> fault(job.withArrayProperty("hooks_failed").addObject(), fault));
    return job;
  }

  private static void fault(ObjectNode of, @Nullable Fault fault) {
    if (fault != null) {
      of.put("message", FaultMessage.of(fault));
      of.put("advice", FaultMessage.advice(fault));
    }
  }
}
