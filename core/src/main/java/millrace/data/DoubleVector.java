package millrace.data;

/// Floating-point numbers of 32 and 64 bits.
public final class DoubleVector extends Vector {

  /// The values, one a row.
  public final double[] values;

  public DoubleVector(int capacity) {
    super(capacity);
    values = new double[capacity];
  }
}
