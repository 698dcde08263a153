package millrace.data;

/// Booleans, integers, dates, times, timestamps and short decimals; see {@link Type}.
public final class LongVector extends Vector {

  /// The values, one a row.
  public final long[] values;

  public LongVector(int capacity) {
    super(capacity);
    values = new long[capacity];
  }
}
