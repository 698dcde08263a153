package millrace.engine.transform;

import millrace.data.BytesVector;
import millrace.data.Columns;
import millrace.data.DoubleVector;
import millrace.data.LongVector;
import millrace.data.Vector;

/// Takes rows out of a batch, in place, on the thread that owns it.
final class Compactor {

  private Compactor() {}

  /// Keeps the rows at these positions, and lets go of the others.
  ///
  /// @param rows positions in ascending order
  /// @param count how many of them count
  static void keep(Columns batch, int[] rows, int count) {
    if (count == batch.rows()) {
      return;
    }
    for (int i = 0; i < batch.schema().width(); i++) {
      keep(batch.vector(i), rows, count);
    }
    for (int i = 0; i < batch.asRead().vectors().length; i++) {
      Vector read = batch.alsoRead(i);
      if (read != null) {
        keep(read, rows, count);
      }
    }
    batch.thinned(rows, count);
  }

  private static void keep(Vector vector, int[] rows, int count) {
    switch (vector) {
      case LongVector longs -> {
        for (int i = 0; i < count; i++) {
          longs.values[i] = longs.values[rows[i]];
        }
      }
      case DoubleVector doubles -> {
        for (int i = 0; i < count; i++) {
          doubles.values[i] = doubles.values[rows[i]];
        }
      }
      case BytesVector bytes -> {
        for (int i = 0; i < count; i++) {
          bytes.starts[i] = bytes.starts[rows[i]];
          bytes.ends[i] = bytes.ends[rows[i]];
        }
      }
    }
    for (int i = 0; i < count; i++) {
      vector.nulls[i] = vector.nulls[rows[i]];
    }
  }
}
