package millrace.testkit.memory;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import millrace.data.Form;
import millrace.data.Schema;
import millrace.fault.Fault;
import millrace.spi.PhaseTimer;
import millrace.spi.journal.Receipt;
import millrace.spi.read.Split;
import millrace.spi.write.Aborted;
import millrace.spi.write.CommitStatus;
import millrace.spi.write.Completed;
import millrace.spi.write.Landing;
import millrace.spi.write.MergeCounts;
import millrace.spi.write.MergeSteps;
import millrace.spi.write.Recoverable;
import millrace.spi.write.WriteContext;
import millrace.spi.write.WritePlan;
import millrace.spi.write.WriteSession;
import millrace.spi.write.Writer;
import millrace.testkit.Row;
import org.jspecify.annotations.Nullable;

/// A table in memory that is being written. Its writers hand over whole splits, from any thread.
final class MemoryWriteSession implements WriteSession, Recoverable {

  private final Map<String, MemoryTable> tables;
  private final String name;
  private final WritePlan plan;
  private final Schema schema;
  private final List<Integer> pairs;
  private final List<Integer> key;
  private final boolean staging;
  private final MergeSteps steps;
  private final Map<Integer, List<Row>> staged = new TreeMap<>();
  private final Map<Split, Receipt> receipts = new HashMap<>();
  private int commitRows;
  private @Nullable MergeCounts mergeCounts;

  /// @param pairs for each of the table's columns the one of the rows written, or -1
  /// @param key positions of the columns that a merge goes by
  /// @param landing how the rows get there
  MemoryWriteSession(
      Map<String, MemoryTable> tables,
      String name,
      WritePlan plan,
      Schema schema,
      List<Integer> pairs,
      List<Integer> key,
      Landing landing) {
    this.tables = tables;
    this.name = name;
    this.plan = plan;
    this.schema = schema;
    this.pairs = pairs;
    this.key = key;
    staging = landing.staged();
    steps = landing.steps();
  }

  /// Commits so many rows at a time, and keeps receipts of them; whole splits without any if 0.
  void commitEvery(int rows) {
    commitRows = rows;
  }

  int commitRows() {
    return commitRows;
  }

  /// Without receipts nobody can be asked.
  @Override
  public <T> @Nullable T capability(Class<T> type) {
    return type == Recoverable.class && commitRows == 0
        ? null
        : WriteSession.super.capability(type);
  }

  @Override
  public synchronized CommitStatus statusOf(Split split) {
    Receipt receipt = receipts.get(split);
    return receipt == null ? new CommitStatus.Nothing() : new CommitStatus.Taken(receipt);
  }

  /// Whether the rows appear all at once.
  boolean isStaging() {
    return staging;
  }

  @Override
  public Writer writer(Form form, WriteContext context) {
    return new MemoryWriter(this, plan.schema(), context);
  }

  /// Takes rows of a split, in the transaction of their receipt.
  synchronized void take(Receipt receipt, List<Row> written) {
    receipts.put(receipt.split(), receipt);
    List<Row> rows = new ArrayList<>();
    for (Row row : written) {
      List<@Nullable Object> values = new ArrayList<>();
      pairs.forEach(column -> values.add(column < 0 ? null : row.value(column)));
      rows.add(new Row(values));
    }
    if (staging) {
      staged.computeIfAbsent(receipt.split().index(), _ -> new ArrayList<>()).addAll(rows);
    } else {
      add(rows);
    }
  }

  private void add(List<Row> more) {
    List<Row> rows = new ArrayList<>(existingRows());
    rows.addAll(more);
    tables.put(name, new MemoryTable(schema, rows));
  }

  private List<Row> existingRows() {
    MemoryTable table = tables.get(name);
    return table == null ? List.of() : table.rows();
  }

  @Override
  public synchronized Completed complete(PhaseTimer steps) {
    if (!staging) {
      return Completed.PLAIN;
    }
    List<Row> rows = new ArrayList<>();
    staged.values().forEach(rows::addAll);
    staged.clear();
    switch (plan.mode()) {
      case CREATE, REPLACE, TRUNCATE -> tables.put(name, new MemoryTable(schema, rows));
      case APPEND -> add(rows);
      case MERGE -> tables.put(name, new MemoryTable(schema, merged(rows)));
    }
    return new Completed(List.of(), mergeCounts);
  }

  /// What is there with the rows in the place of those that have their keys; the last of a key
  /// wins. Columns that the source does not give keep their values.
  private List<Row> merged(List<Row> rows) {
    Map<Row, Row> come = new LinkedHashMap<>();
    rows.forEach(row -> come.merge(row.pick(key), row, this::updated));
    come.keySet().forEach(this::checkNoneIsMissing);
    List<Row> merged = new ArrayList<>();
    Set<Row> found = new HashSet<>();
    Set<Row> changed = new HashSet<>();
    long deleted = 0;
    for (Row row : existingRows()) {
      Row own = row.pick(key);
      Row other = come.get(own);
      if (other == null) {
        boolean isGone = steps.deletes() && !own.values().contains(null);
        deleted += isGone ? 1 : 0;
        merged.addAll(isGone ? List.of() : List.of(row));
        continue;
      }
      Row now = steps.inserts() && steps.updates() ? updated(row, other) : row;
      found.add(own);
      merged.add(now);
      if (!now.equals(row)) {
        changed.add(own);
      }
    }
    if (!steps.inserts()) {
      mergeCounts = new MergeCounts(0, 0, 0, 0).deleting(deleted);
      return merged;
    }
    come.forEach((own, row) -> merged.addAll(found.contains(own) ? List.of() : List.of(row)));
    mergeCounts =
        new MergeCounts(
                (long) come.size() - found.size(),
                changed.size(),
                (long) found.size() - changed.size(),
                (long) rows.size() - come.size())
            .deleting(deleted);
    return merged;
  }

  /// Of a row whose key is missing nobody can tell which other one it is.
  private void checkNoneIsMissing(Row own) {
    int at = own.values().indexOf(null);
    if (at >= 0) {
      String column = schema.column(key.get(at)).name();
      throw new Fault.Data(
          "memory:" + name + ": column " + column + " of a row to merge has no value.", "", null);
    }
  }

  private Row updated(Row old, Row written) {
    List<@Nullable Object> values = new ArrayList<>();
    for (int i = 0; i < pairs.size(); i++) {
      values.add(pairs.get(i) < 0 ? old.value(i) : written.value(i));
    }
    return new Row(values);
  }

  @Override
  public synchronized Aborted abort(boolean keep) {
    staged.clear();
    return Aborted.CLEAN;
  }

  @Override
  public void close() {
    // The tables are on the heap.
  }
}
