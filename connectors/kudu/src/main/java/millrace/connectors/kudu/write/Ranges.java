package millrace.connectors.kudu.write;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import millrace.connectors.kudu.KuduCalls;
import millrace.connectors.kudu.KuduCluster;
import millrace.data.LongVector;
import millrace.data.Temporals;
import millrace.fault.Fault;
import org.apache.kudu.ColumnSchema;
import org.apache.kudu.Type;
import org.apache.kudu.client.KuduException;
import org.apache.kudu.client.KuduTable;
import org.apache.kudu.client.PartialRow;
import org.apache.kudu.client.Partition;

/// The range partitions of a table, which are made as rows need them, some ahead. A client that has
/// met a missing range believes that it is missing for minutes: so they are made before rows are
/// sent. Writers of all lanes share it.
public final class Ranges {

  /// More than so many new ranges in one batch of rows are rather bad values than many ranges.
  private static final int NEW_MAX = 2_000;

  private final KuduCluster cluster;
  private KuduTable table;
  private final RangeSteps steps;
  private final int ahead;

  /// Where ranges start, and where each ends.
  private final TreeMap<Long, Long> covered = new TreeMap<>();

  /// @param ahead how many ranges are kept in front of the latest row
  Ranges(KuduCluster cluster, KuduTable table, RangeSteps steps, int ahead, KuduCalls calls) {
    this.cluster = cluster;
    this.table = table;
    this.steps = steps;
    this.ahead = ahead;
    look(calls);
    if (!steps.hashes().isEmpty()) {
      // Another process may have made some since it was opened.
      this.table = calls.get(() -> cluster.client().openTable(table.getName()));
    }
  }

  /// The ranges of a table, as wide as that and counted from 1970 on.
  ///
  /// @param column of unixtime_micros; the table's ranges go by it alone
  /// @param width in whole seconds
  public static Ranges since1970(
      KuduCluster cluster, KuduTable table, String column, Duration width, KuduCalls calls) {
    PartitionBy.Width seconds = new PartitionBy.Width(width.toSeconds(), "second");
    RangeSteps steps =
        new RangeSteps(table.getSchema().getColumn(column), seconds, 0, -1, List.of());
    return new Ranges(cluster, table, steps, 0, calls);
  }

  private void look(KuduCalls calls) {
    List<Partition> all = list(table, cluster, calls);
    covered.clear();
    for (Partition each : all) {
      covered.put(
          each.getRangeKeyStart().length == 0
              ? Long.MIN_VALUE
              : value(each.getDecodedRangeKeyStart(table)),
          each.getRangeKeyEnd().length == 0
              ? Long.MAX_VALUE
              : value(each.getDecodedRangeKeyEnd(table)));
    }
  }

  /// The range partitions of a table, in their order.
  static List<Partition> list(KuduTable table, KuduCluster cluster, KuduCalls calls) {
    return calls.get(() -> {
      try {
        return table.getRangePartitions(cluster.client().getDefaultOperationTimeoutMs());
      } catch (KuduException e) {
        throw e;
      } catch (Exception e) {
        throw new Fault.External(table.getName() + ": its ranges can't be listed.", "", e);
      }
    });
  }

  private long value(PartialRow row) {
    String name = steps.column().getName();
    return switch (steps.column().getType()) {
      case INT8 -> row.getByte(name);
      case INT16 -> row.getShort(name);
      case INT32 -> row.getInt(name);
      case DATE -> row.getDate(name).toLocalDate().toEpochDay();
      default -> row.getLong(name);
    };
  }

  /// Makes the ranges that rows need and that are missing.
  ///
  /// @param values of the range's column
  /// @return the table as it is then: rows are to be written by it, because a client that does not
  ///   know the buckets of a range finds no tablet for its rows
  synchronized KuduTable cover(LongVector values, int rows, KuduCalls calls) {
    long start = Long.MAX_VALUE;
    long end = Long.MIN_VALUE;
    long latest = Long.MIN_VALUE;
    Set<Long> missing = new TreeSet<>();
    long shift = shift();
    for (int row = 0; row < rows && missing.size() <= NEW_MAX; row++) {
      boolean counts = !values.nulls[row] && isSound(values.values[row]);
      long value = counts ? values.values[row] + shift : 0;
      if (counts) {
        latest = Math.max(latest, value);
      }
      if (counts && (value < start || value >= end)) {
        Map.Entry<Long, Long> range = covered.floorEntry(value);
        if (range != null && value < range.getValue()) {
          start = range.getKey();
          end = range.getValue();
        } else {
          missing.add(steps.indexOf(value));
        }
      }
    }
    if (latest != Long.MIN_VALUE && missing.size() <= NEW_MAX) {
      addAhead(steps.indexOf(latest), missing);
      make(new ArrayList<>(missing), calls);
    }
    return table;
  }

  /// Makes the ranges of a span that are missing. Any thread.
  ///
  /// @param start of the span, as the column counts
  /// @param end where it ends, which does not belong to it
  /// @return where those begin that were made
  public synchronized List<Long> cover(long start, long end, KuduCalls calls) {
    List<Long> indices = new ArrayList<>();
    for (long next = steps.indexOf(start); steps.bound(next) < end; next++) {
      indices.add(next);
    }
    return make(indices, calls).stream().map(steps::bound).toList();
  }

  private void addAhead(long index, Set<Long> missing) {
    for (long next = index + 1; next <= index + ahead; next++) {
      Map.Entry<Long, Long> range = covered.floorEntry(steps.bound(next));
      if (range == null || steps.bound(next) >= range.getValue()) {
        missing.add(next);
      }
    }
  }

  private boolean isSound(long value) {
    return value != Temporals.INFINITY && value != Temporals.MINUS_INFINITY;
  }

  /// From how we count to how Kudu does.
  private long shift() {
    Type type = steps.column().getType();
    return type == Type.UNIXTIME_MICROS
        ? Temporals.EPOCH_MICROS
        : type == Type.DATE ? Temporals.EPOCH_DAYS : 0;
  }

  /// Those that overlap with others, or that somebody else has made meanwhile, are left out.
  ///
  /// @return those that were made
  private List<Long> make(List<Long> indices, KuduCalls calls) {
    List<Long> made = new ArrayList<>();
    List<Long> free = free(indices);
    for (int from = 0; from < free.size(); from += TableLayout.RANGES_AT_ONCE) {
      made.addAll(
          makeSome(
              free.subList(from, Math.min(free.size(), from + TableLayout.RANGES_AT_ONCE)), calls));
    }
    if (!free.isEmpty() && !steps.hashes().isEmpty()) {
      table = calls.get(() -> cluster.client().openTable(table.getName()));
    }
    return made;
  }

  /// Makes all of them at once. If that fails because others have made some meanwhile, the rest is
  /// made.
  private List<Long> makeSome(List<Long> some, KuduCalls calls) {
    List<Long> missing = some;
    while (!missing.isEmpty()) {
      try {
        List<TableLayout.Range> ranges =
            missing.stream().map(index -> new TableLayout.Range(steps, index)).toList();
        TableLayout.addRanges(table, ranges, cluster.client(), calls);
        missing.forEach(index -> covered.put(steps.bound(index), steps.bound(index + 1)));
        return missing;
      } catch (Fault.User e) {
        look(calls);
        List<Long> rest = free(missing);
        if (rest.size() == missing.size()) {
          throw e;
        }
        missing = rest;
      }
    }
    return missing;
  }

  private List<Long> free(List<Long> indices) {
    return indices.stream()
        .filter(index -> isFree(steps.bound(index), steps.bound(index + 1)))
        .toList();
  }

  private boolean isFree(long start, long end) {
    Map.Entry<Long, Long> before = covered.lowerEntry(end);
    return before == null || before.getValue() <= start;
  }

  /// Where the column of the ranges is among the columns that come; -1 if it does not come.
  int position(millrace.data.Schema incoming) {
    return incoming.indexOf(steps.column().getName());
  }

  /// The steps of a table that is there.
  ///
  /// @throws Fault.User if it has no ranges of that column alone
  static RangeSteps stepsOf(KuduTable table, PartitionBy.Range range) {
    List<String> columns = Keys.rangeColumns(table).stream().map(ColumnSchema::getName).toList();
    if (!columns.equals(List.of(range.column()))) {
      throw new Fault.User(
          table.getName()
              + " has no ranges of "
              + range.column()
              + " alone: "
              + (columns.isEmpty()
                  ? "it has none."
                  : "they go by " + String.join(", ", columns) + "."),
          "Leave range(…) out of --partition-by.");
    }
    return RangeSteps.of(range, table.getSchema().getColumn(range.column()));
  }
}
