package millrace.connectors.kudu.write;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import millrace.connectors.kudu.KuduCalls;
import millrace.connectors.kudu.KuduCluster;
import millrace.connectors.kudu.KuduFaults;
import org.apache.kudu.ColumnSchema;
import org.apache.kudu.ColumnSchema.ColumnSchemaBuilder;
import org.apache.kudu.Schema;
import org.apache.kudu.Type;
import org.apache.kudu.client.AsyncKuduScanner.ReadMode;
import org.apache.kudu.client.CreateTableOptions;
import org.apache.kudu.client.KuduException;
import org.apache.kudu.client.KuduPredicate;
import org.apache.kudu.client.KuduPredicate.ComparisonOp;
import org.apache.kudu.client.KuduScanner;
import org.apache.kudu.client.KuduSession;
import org.apache.kudu.client.KuduTable;
import org.apache.kudu.client.Operation;
import org.apache.kudu.client.OperationResponse;
import org.apache.kudu.client.PartialRow;
import org.apache.kudu.client.RowResult;
import org.jspecify.annotations.Nullable;

/// The small table beside the targets that keeps what runs have done: `millrace_journal` in the
/// target's database, with a row for each run and each receipt.
///
/// A row is the target, the job, and which part of the run it tells of: `run`, or the split and
/// where in it. Any thread.
final class KuduJournalTable {

  /// Its name, without the database.
  static final String NAME = "millrace_journal";

  /// Which part of a run tells of the run itself.
  static final String RUN = "run";

  /// Above all that the name of a part has.
  private static final String AFTER_PARTS = "~";

  private static final String TARGET = "target";
  private static final String JOB = "job";
  private static final String PART = "part";
  private static final String VALUE = "value";

  private final KuduCluster cluster;
  private final String target;
  private final String name;
  private @Nullable KuduTable table;

  KuduJournalTable(KuduCluster cluster) {
    this.cluster = cluster;
    target = cluster.address().table();
    name = TableOptions.beside(target, NAME);
  }

  /// Makes the table if there is none.
  ///
  /// @param replicas as many as the target has
  synchronized void make(int replicas, KuduCalls calls) {
    if (find(calls) != null) {
      return;
    }
    List<ColumnSchema> columns =
        List.of(
            new ColumnSchemaBuilder(TARGET, Type.STRING).key(true).build(),
            new ColumnSchemaBuilder(JOB, Type.STRING).key(true).build(),
            new ColumnSchemaBuilder(PART, Type.STRING).key(true).build(),
            new ColumnSchemaBuilder(VALUE, Type.STRING).build());
    CreateTableOptions options =
        new CreateTableOptions().setRangePartitionColumns(List.of()).setNumReplicas(replicas);
    table =
        calls.get(() -> {
          try {
            return cluster.client().createTable(name, new Schema(columns), options);
          } catch (KuduException e) {
            if (e.getStatus().isAlreadyPresent()) {
              return cluster.client().openTable(name);
            }
            throw e;
          }
        });
  }

  private @Nullable KuduTable find(KuduCalls calls) {
    if (table == null) {
      table = cluster.find(name, calls);
    }
    return table;
  }

  /// What is kept of a job, by part; empty if nothing is.
  synchronized Map<String, String> get(String job, KuduCalls calls) {
    return get(job, "", calls);
  }

  /// The same of parts that begin so.
  synchronized Map<String, String> get(String job, String prefix, KuduCalls calls) {
    Map<String, String> parts = new TreeMap<>();
    scan(calls, JOB, job, prefix).forEach(row -> parts.put(row.get(1), row.get(2)));
    return parts;
  }

  /// What is kept of all runs into the target, each as its job and its value.
  synchronized Map<String, String> runs(KuduCalls calls) {
    Map<String, String> runs = new TreeMap<>();
    scan(calls, PART, RUN, RUN).forEach(row -> runs.put(row.get(0), row.get(2)));
    return runs;
  }

  private List<List<String>> scan(KuduCalls calls, String column, String value, String prefix) {
    KuduTable there = find(calls);
    if (there == null) {
      return List.of();
    }
    return calls.get(() -> {
      List<List<String>> rows = new ArrayList<>();
      KuduScanner scanner =
          cluster
              .client()
              .newScannerBuilder(there)
              .setProjectedColumnNames(List.of(JOB, PART, VALUE))
              .addPredicate(predicate(there, TARGET, ComparisonOp.EQUAL, target))
              .addPredicate(predicate(there, column, ComparisonOp.EQUAL, value))
              .addPredicate(predicate(there, PART, ComparisonOp.GREATER_EQUAL, prefix))
              .addPredicate(predicate(there, PART, ComparisonOp.LESS, prefix + AFTER_PARTS))
              // What another process has written last is to be seen; "yours" alone may be older.
              .readMode(ReadMode.READ_LATEST)
              .build();
      while (scanner.hasMoreRows()) {
        for (RowResult row : scanner.nextRows()) {
          rows.add(List.of(row.getString(0), row.getString(1), row.getString(2)));
        }
      }
      return rows;
    });
  }

  private static KuduPredicate predicate(
      KuduTable table, String column, ComparisonOp comparison, String value) {
    return KuduPredicate.newComparisonPredicate(
        table.getSchema().getColumn(column), comparison, value);
  }

  /// Writes a part over what is there.
  synchronized void put(String job, String part, String value, KuduCalls calls) {
    KuduTable there = find(calls);
    if (there == null) {
      throw new millrace.fault.Fault.External(
          name + " is gone, and with it what it had to say of this copy.",
          "Compare both ends with millrace verify, or copy again.",
          null);
    }
    Operation upsert = there.newUpsert();
    key(upsert.getRow(), job, part);
    upsert.getRow().addString(VALUE, value);
    apply(List.of(upsert), calls);
  }

  /// Removes all that is kept of a job.
  synchronized void delete(String job, KuduCalls calls) {
    KuduTable there = find(calls);
    if (there == null) {
      return;
    }
    List<Operation> deletes = new ArrayList<>();
    for (String part : get(job, calls).keySet()) {
      Operation delete = there.newDelete();
      key(delete.getRow(), job, part);
      deletes.add(delete);
    }
    apply(deletes, calls);
  }

  private void key(PartialRow row, String job, String part) {
    row.addString(TARGET, target);
    row.addString(JOB, job);
    row.addString(PART, part);
  }

  private void apply(List<Operation> operations, KuduCalls calls) {
    KuduSession session = cluster.client().newSession();
    for (Operation each : operations) {
      OperationResponse response = calls.get(() -> session.apply(each));
      if (response.hasRowError()) {
        throw KuduFaults.of(response.getRowError().getErrorStatus(), name, null);
      }
    }
  }
}
