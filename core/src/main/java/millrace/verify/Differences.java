package millrace.verify;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import millrace.spi.read.Selection;

/// What a verify found.
///
/// @param same whether both sides hold the same rows
/// @param fromRows rows of the first side
/// @param toRows rows of the second side
/// @param key the columns that rows were found by; empty if there is no key
/// @param columns names of the columns whose sums differ; empty if only the pairing of values
///   within rows does
/// @param differing the rows that differ
/// @param notes what the user should know of the sides, one sentence each: rows that are not to be
///   seen
public record Differences(
    boolean same,
    long fromRows,
    long toRows,
    List<String> key,
    List<String> columns,
    @JsonUnwrapped DifferingRows differing,
    List<String> notes) {

  /// The rows that differ. Its fields stand flat in the JSON of the whole.
  ///
  /// @param keyRanges where they lie, in key order; empty without a key
  /// @param rows the first of them, in key order
  /// @param rowsSeen how many were seen
  /// @param complete whether those are all; if not, at least that many differ
  public record DifferingRows(
      List<KeyRange> keyRanges, List<RowDifference> rows, long rowsSeen, boolean complete) {

    static final DifferingRows NONE = new DifferingRows(List.of(), List.of(), 0, true);
  }

  /// A run of keys with rows that differ.
  ///
  /// @param first the lowest key, its values joined by `, `
  /// @param last the highest
  /// @param rows how many rows that differ
  public record KeyRange(String first, String last, long rows) {}

  /// One row that differs.
  ///
  /// @param key its key, or the whole row if there is none
  /// @param kind what is wrong with it
  /// @param values for a row on both sides, each column that differs with both values: `column:
  ///   from -> to`; otherwise the row's values
  public record RowDifference(String key, Kind kind, List<String> values) {}

  /// What is wrong with a row.
  public enum Kind {
    ONLY_FROM,
    ONLY_TO,
    CHANGED
  }

  private static final int RANGES_MAX = 10;
  private static final int ROWS_MAX = 10;

  /// Of sides whose rows have no values, so that there is nothing to compare but how many there
  /// are.
  public static Differences ofCounts(long fromRows, long toRows) {
    return new Differences(
        fromRows == toRows,
        fromRows,
        toRows,
        List.of(),
        List.of(),
        DifferingRows.NONE,
        List.of("tables without columns: only their numbers of rows are compared"));
  }

  static Differences none(long fromRows, long toRows, List<String> key, List<String> notes) {
    return new Differences(true, fromRows, toRows, key, List.of(), DifferingRows.NONE, notes);
  }

  static Differences between(
      long fromRows,
      long toRows,
      List<String> names,
      List<String> key,
      List<String> columns,
      List<HashCollector.HeldHash> from,
      List<HashCollector.HeldHash> to,
      boolean complete,
      List<String> notes) {
    List<HashCollector.HeldHash> onlyFrom = minus(from, to);
    List<HashCollector.HeldHash> onlyTo = minus(to, from);
    int[] keyAt = key.stream().mapToInt(name -> Selection.position(name, names)).toArray();
    List<SortedDifference> found = pair(names, keyAt, onlyFrom, onlyTo);
    found.sort(Comparator.comparing(SortedDifference::keyTexts, Differences::compareKeys));
    return new Differences(
        false,
        fromRows,
        toRows,
        key,
        columns,
        new DifferingRows(
            key.isEmpty() ? List.of() : ranges(found),
            found.stream().limit(ROWS_MAX).map(SortedDifference::difference).toList(),
            found.size(),
            complete),
        notes);
  }

  private record SortedDifference(List<String> keyTexts, RowDifference difference) {}

  /// The rows of one list that the other lacks, each as often as it lacks it.
  private static List<HashCollector.HeldHash> minus(
      List<HashCollector.HeldHash> rows, List<HashCollector.HeldHash> others) {
    Map<Long, Integer> counts = new HashMap<>();
    for (HashCollector.HeldHash other : others) {
      counts.merge(other.row(), 1, Integer::sum);
    }
    List<HashCollector.HeldHash> left = new ArrayList<>();
    for (HashCollector.HeldHash row : rows) {
      int count = counts.getOrDefault(row.row(), 0);
      if (count == 0) {
        left.add(row);
      } else {
        counts.put(row.row(), count - 1);
      }
    }
    return left;
  }

  /// Joins the two lists by key, so that a row on both sides is one that changed.
  private static List<SortedDifference> pair(
      List<String> names,
      int[] keyAt,
      List<HashCollector.HeldHash> onlyFrom,
      List<HashCollector.HeldHash> onlyTo) {
    Map<List<Long>, HashCollector.HeldHash> byKey = new LinkedHashMap<>();
    List<SortedDifference> found = new ArrayList<>();
    for (HashCollector.HeldHash row : onlyFrom) {
      if (keyAt.length == 0 || byKey.putIfAbsent(keyHashes(row, keyAt), row) != null) {
        found.add(alone(row, keyAt, Kind.ONLY_FROM));
      }
    }
    for (HashCollector.HeldHash row : onlyTo) {
      HashCollector.HeldHash twin = keyAt.length == 0 ? null : byKey.remove(keyHashes(row, keyAt));
      found.add(twin == null ? alone(row, keyAt, Kind.ONLY_TO) : changed(names, twin, row, keyAt));
    }
    byKey.values().forEach(row -> found.add(alone(row, keyAt, Kind.ONLY_FROM)));
    return found;
  }

  private static List<Long> keyHashes(HashCollector.HeldHash row, int[] keyAt) {
    return Arrays.stream(keyAt).mapToObj(at -> row.values()[at]).toList();
  }

  private static List<String> keyTexts(HashCollector.HeldHash row, int[] keyAt) {
    return keyAt.length == 0
        ? row.texts()
        : Arrays.stream(keyAt).mapToObj(at -> row.texts().get(at)).toList();
  }

  private static SortedDifference alone(HashCollector.HeldHash row, int[] keyAt, Kind kind) {
    List<String> key = keyTexts(row, keyAt);
    return new SortedDifference(key, new RowDifference(String.join(", ", key), kind, row.texts()));
  }

  private static SortedDifference changed(
      List<String> names, HashCollector.HeldHash from, HashCollector.HeldHash to, int[] keyAt) {
    List<String> key = keyTexts(from, keyAt);
    List<String> values = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      if (from.values()[i] != to.values()[i]) {
        values.add(names.get(i) + ": " + from.texts().get(i) + " -> " + to.texts().get(i));
      }
    }
    return new SortedDifference(
        key, new RowDifference(String.join(", ", key), Kind.CHANGED, values));
  }

  /// Numbers by value, all else as text.
  private static int compareKeys(List<String> one, List<String> other) {
    for (int i = 0; i < Math.min(one.size(), other.size()); i++) {
      int order = compareKey(one.get(i), other.get(i));
      if (order != 0) {
        return order;
      }
    }
    return Integer.compare(one.size(), other.size());
  }

  private static int compareKey(String one, String other) {
    if (isNumber(one) && isNumber(other)) {
      return new BigDecimal(one).compareTo(new BigDecimal(other));
    }
    return one.compareTo(other);
  }

  private static boolean isNumber(String text) {
    return text.matches("-?[0-9]{1,40}(\\.[0-9]{1,40})?");
  }

  /// Cuts the sorted keys into at most ten ranges of about as many rows each.
  private static List<KeyRange> ranges(List<SortedDifference> found) {
    int each = Math.max(1, Math.ceilDiv(found.size(), RANGES_MAX));
    List<KeyRange> ranges = new ArrayList<>();
    for (int start = 0; start < found.size(); start += each) {
      int end = Math.min(found.size(), start + each);
      ranges.add(
          new KeyRange(
              found.get(start).difference.key(), found.get(end - 1).difference.key(), end - start));
    }
    return ranges;
  }
}
