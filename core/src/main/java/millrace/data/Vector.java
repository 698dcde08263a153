package millrace.data;

/// The values of one column of a batch, in the layout of its type.
///
/// The arrays are open on purpose: readers fill them and writers drain them in tight loops. Only
/// the thread that owns the {@link Columns} touches them. A value under a null flag is undefined.
public abstract sealed class Vector permits LongVector, DoubleVector, BytesVector {

  /// True if the row has no value.
  public final boolean[] nulls;

  Vector(int capacity) {
    nulls = new boolean[capacity];
  }

  /// Puts the value of a row into another row as well.
  public final void move(int from, int to) {
    nulls[to] = nulls[from];
    switch (this) {
      case LongVector longs -> longs.values[to] = longs.values[from];
      case DoubleVector doubles -> doubles.values[to] = doubles.values[from];
      case BytesVector bytes -> {
        bytes.starts[to] = bytes.starts[from];
        bytes.ends[to] = bytes.ends[from];
      }
    }
  }

  /// A vector for that many values of that type.
  public static Vector of(Type type, int capacity) {
    return switch (type.layout()) {
      case LONGS -> new LongVector(capacity);
      case DOUBLES -> new DoubleVector(capacity);
      case BYTES -> new BytesVector(capacity);
    };
  }
}
