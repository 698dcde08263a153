package millrace.cli.show;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import millrace.fault.Fault;
import millrace.job.TableResult;
import millrace.job.TableResult.State;
import millrace.plan.FaultMessage;
import millrace.report.ReportText;
import millrace.report.TextTable;

/// The summary of a job: a table with a line for each of its tables, and a sum.
public final class JobText {

  private static final int NOTABLE_LETTERS = 60;

  private JobText() {}

  /// The summary, line by line.
  ///
  /// @param state in which state the tables were read
  public static List<String> lines(List<TableResult> results, String state, long nanos) {
    TextTable table =
        new TextTable(List.of("table", ">rows", ">rejects", ">time", "outcome", "notable"));
    results.forEach(result -> table.row(row(result)));
    List<String> lines = new ArrayList<>(table.lines());
    lines.add(sum(results, state, nanos));
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

  private static String sum(List<TableResult> results, String state, long nanos) {
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
                ReportText.duration(nanos),
                rows / Math.max(1e-9, nanos / 1e9)));
    return sum.append(", ").append(state).append('.').toString();
  }

  /// The summary for programs.
  ///
  /// @param hooks why hooks failed after what they were for was copied
  public static ObjectNode json(
      List<TableResult> results, List<Fault> hooks, Told told, long nanos) {
    ObjectNode job = json(results, told, nanos);
    for (Fault fault : hooks) {
      ObjectNode hook = job.withArrayProperty("hooks_failed").addObject();
      hook.put("message", FaultMessage.of(fault));
      hook.put("advice", FaultMessage.advice(fault));
    }
    return job;
  }

  /// What is told of all tables.
  ///
  /// @param state in which state they were read
  /// @param notCopied what did not come along with them
  public record Told(String state, List<String> notCopied) {}

  private static ObjectNode json(List<TableResult> results, Told told, long nanos) {
    ObjectNode job = JsonNodeFactory.instance.objectNode();
    job.put("elapsed_ns", nanos);
    job.put("rows", results.stream().mapToLong(TableResult::rows).sum());
    job.put("state", told.state);
    told.notCopied.forEach(job.withArrayProperty("not_copied")::add);
    for (TableResult result : results) {
      ObjectNode table = job.withArrayProperty("tables").addObject();
      table.put("table", result.name());
      table.put("outcome", result.state().words());
      table.put("rows", result.rows());
      table.put("rejects", result.rejects());
      table.put("elapsed_ns", result.nanos());
      result.notes().forEach(table.withArrayProperty("notes")::add);
      Fault fault = result.fault();
      if (fault != null) {
        table.put("message", FaultMessage.of(fault));
        table.put("advice", FaultMessage.advice(fault));
      }
    }
    return job;
  }
}
