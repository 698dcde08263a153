package millrace.connectors.sql.read;

import java.math.BigInteger;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Finds the keys at which a table is cut by the database's own estimates, which it gives from its
/// indexes without reading rows. A stretch of keys with too many rows is parted until its parts
/// have few enough; neighbours with few rows come together again.
///
/// One thread.
final class EstimatedCuts {

  private static final int PARTS_MAX = 16;
  private static final double FULL = 1.25;

  private final Ordinals ordinals;
  private final Estimates estimates;
  private final long rowsEach;
  private final Deque<Stretch> ahead = new ArrayDeque<>();
  private long gathered;

  /// Estimates how many rows have keys from one on and below another.
  @FunctionalInterface
  interface Estimates {

    /// About how many, at least 0.
    long rows(String from, String below);
  }

  /// Keys from one number on and below another.
  private record Stretch(BigInteger from, BigInteger below) {

    private boolean isOneKey() {
      return below.subtract(from).compareTo(BigInteger.ONE) <= 0;
    }
  }

  /// @param min the least key
  /// @param max the greatest key
  /// @param rowsEach about how many rows a range is to have, at least 1
  EstimatedCuts(
      Ordinals ordinals, BigInteger min, BigInteger max, Estimates estimates, long rowsEach) {
    this.ordinals = ordinals;
    this.estimates = estimates;
    this.rowsEach = rowsEach;
    ahead.push(new Stretch(min, max));
  }

  /// The next key in ascending order that a range begins with; null if there are no more.
  @Nullable String next() {
    while (!ahead.isEmpty()) {
      Stretch stretch = ahead.pop();
      String from = ordinals.key(stretch.from);
      long rows = estimates.rows(from, ordinals.key(stretch.below));
      if (rows > rowsEach && !stretch.isOneKey()) {
        part(stretch, Math.clamp(rows / rowsEach + 1, 2, PARTS_MAX));
        continue;
      }
      boolean isFull = gathered > 0 && gathered + rows > FULL * rowsEach;
      gathered = isFull ? rows : gathered + rows;
      if (isFull) {
        return from;
      }
    }
    return null;
  }

  private void part(Stretch stretch, int count) {
    List<BigInteger> begins = Ordinals.cut(stretch.from, stretch.below, count);
    BigInteger below = stretch.below;
    for (BigInteger from : begins.reversed()) {
      ahead.push(new Stretch(from, below));
      below = from;
    }
  }
}
