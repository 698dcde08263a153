package millrace.connectors.sql.read;

import java.util.ArrayList;
import java.util.List;

/// Rows whose key is a whole number of a range.
///
/// @param from the first; {@link Long#MIN_VALUE} if there is no bound
/// @param to behind the last; {@link Long#MAX_VALUE} if there is no bound
record RowRange(long from, long to) {

  /// Every key.
  static final RowRange ALL = new RowRange(Long.MIN_VALUE, Long.MAX_VALUE);

  /// Cuts all keys into ranges, of which the first and the last have no bound: no key is in none of
  /// them, and none in two.
  ///
  /// @param min the least key that there is
  /// @param max the greatest
  /// @param count how many ranges are wanted, at least 1
  static List<RowRange> cut(long min, long max, long count) {
    // Both are read as unsigned: from the least long to the greatest it is more than a long holds.
    long span = max - min;
    if (max <= min || count <= 1) {
      return List.of(ALL);
    }
    long step = Long.divideUnsigned(span, count) + 1;
    long ranges = Long.divideUnsigned(span, step) + 1;
    List<RowRange> cut = new ArrayList<>();
    for (long i = 0; i < ranges; i++) {
      long from = i == 0 ? Long.MIN_VALUE : min + i * step;
      long to = i == ranges - 1 ? Long.MAX_VALUE : min + (i + 1) * step;
      cut.add(new RowRange(from, to));
    }
    return cut;
  }

  /// The condition that its rows fulfil; empty if all do.
  ///
  /// @param key the key as SQL
  String condition(String key) {
    String lower = from == Long.MIN_VALUE ? "" : key + " >= " + from;
    String upper = to == Long.MAX_VALUE ? "" : key + " < " + to;
    return lower.isEmpty() || upper.isEmpty() ? lower + upper : lower + " AND " + upper;
  }
}
