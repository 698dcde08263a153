package millrace.cli.show;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import millrace.engine.Run;
import millrace.job.TableCopy;
import millrace.job.TableResult;
import millrace.report.ReportJson;
import millrace.text.NameList;

/// How far the copies of a job are. Any thread.
public final class JobProgress implements Progress.Teller {

  private static final int NAMED_MAX = 3;

  private long begunNanos = System.nanoTime();
  private final Map<String, Run> running = new LinkedHashMap<>();
  private int tables;
  private int done;
  private int failed;
  private long rows;

  /// The job is about to begin.
  public synchronized void begins(int all) {
    tables = all;
    begunNanos = System.nanoTime();
  }

  /// Rows of a table are about to move.
  public synchronized void begins(TableCopy copy, Run run) {
    running.put(copy.name(), run);
  }

  /// No row of a table moves any more.
  public synchronized void ends(TableCopy copy) {
    running.remove(copy.name());
  }

  /// A copy has ended, well or not.
  public synchronized void done(TableResult result) {
    done++;
    failed += result.state() == TableResult.State.FAILED ? 1 : 0;
    rows += result.rows();
  }

  private long rowsNow() {
    return rows + running.values().stream().mapToLong(run -> run.meter().rows()).sum();
  }

  private double rate() {
    return rowsNow() / Math.max(1e-9, (System.nanoTime() - begunNanos) / 1e9);
  }

  @Override
  public synchronized String line() {
    String named = NameList.first(List.copyOf(running.keySet()), NAMED_MAX);
    return String.format(
        Locale.ROOT,
        "%d of %d tables%s, %,d rows, %,.0f rows/s%s",
        done,
        tables,
        failed == 0 ? "" : " (" + failed + " failed)",
        rowsNow(),
        rate(),
        named.isEmpty() ? "" : ": " + named);
  }

  @Override
  public synchronized ObjectNode json() {
    ObjectNode progress = JsonNodeFactory.instance.objectNode();
    progress.put("tables", tables);
    progress.put("done", done);
    progress.put("failed", failed);
    progress.put("rows", rowsNow());
    progress.put("rows_per_s", Math.round(rate()));
    progress.set("running", ReportJson.MAPPER.valueToTree(running.keySet()));
    return ReportJson.event("progress", progress);
  }
}
