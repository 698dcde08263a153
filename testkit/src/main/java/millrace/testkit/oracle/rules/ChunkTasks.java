package millrace.testkit.oracle.rules;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import millrace.testkit.oracle.OraException;
import millrace.testkit.oracle.value.OraRowid;

/// The tasks of DBMS_PARALLEL_EXECUTE, with a table's rows cut into ranges of rowids.
///
/// Any thread may call it.
public final class ChunkTasks {

  /// The package's name.
  public static final String PACKAGE = "DBMS_PARALLEL_EXECUTE";

  /// What Oracle has as the last row of a block in the end of a range.
  private static final int LAST_ROW = 32767;

  private final Map<String, List<OraRowid[]>> tasks = new TreeMap<>();

  public synchronized void create(String task) throws OraException {
    if (tasks.putIfAbsent(task, List.of()) != null) {
      throw new OraException(29497, "duplicate task name: " + task);
    }
  }

  public synchronized void drop(String task) throws OraException {
    check(task);
    tasks.remove(task);
  }

  private void check(String task) throws OraException {
    if (!tasks.containsKey(task)) {
      throw new OraException(29498, "Task not found: " + task);
    }
  }

  /// Cuts the rows from one to another into chunks of whole blocks.
  ///
  /// @param objects the table, or its partitions, each of which has rows of all numbers
  /// @param rows about how many rows a chunk has
  public synchronized void cut(String task, List<Long> objects, long first, long last, long rows)
      throws OraException {
    check(task);
    long blocks = Math.max(1, rows / OraRowid.ROWS_IN_BLOCK) * OraRowid.ROWS_IN_BLOCK;
    List<OraRowid[]> chunks = new ArrayList<>();
    for (long object : objects) {
      long from = first - first % OraRowid.ROWS_IN_BLOCK;
      for (; from <= last; from += blocks) {
        OraRowid start = OraRowid.ofRow(object, from);
        OraRowid end = OraRowid.ofRow(object, from + blocks - 1);
        chunks.add(new OraRowid[] {start, new OraRowid(object, end.file(), end.block(), LAST_ROW)});
      }
    }
    tasks.put(task, chunks);
  }

  /// Rows of USER_PARALLEL_EXECUTE_CHUNKS, by task.
  public synchronized Map<String, List<List<Object>>> rows() {
    Map<String, List<List<Object>>> all = new LinkedHashMap<>();
    long id = 1;
    for (Map.Entry<String, List<OraRowid[]>> task : tasks.entrySet()) {
      List<List<Object>> rows = new ArrayList<>();
      for (OraRowid[] chunk : task.getValue()) {
        rows.add(
            List.of(
                id++,
                task.getKey(),
                "UNASSIGNED",
                chunk[0].toString(),
                chunk[1].toString(),
                0L,
                0L));
      }
      all.put(task.getKey(), rows);
    }
    return all;
  }
}
