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
  /// @param kept positions in ascending order
  /// @param count how many of them count
  static void keep(Columns batch, int[] kept, int count) {
    if (count == batch.rows()) {
      return;
    }
    for (int i = 0; i < batch.schema().width(); i++) {
      keep(batch.vector(i), kept, count);
    }
    for (int i = 0; i < batch.asRead().vectors().length; i++) {
      Vector read = batch.alsoRead(i);
      if (read != null) {
        keep(read, kept, count);
      }
    }
    batch.thinned(kept, count);
  }

  private static void keep(Vector vector, int[] kept, int count) {
    switch (vector) {
      case LongVector longs -> {
        for (int i = 0; i < count; i++) {
          longs.values[i] = longs.values[kept[i]];
        }
      }
      case DoubleVector doubles -> {
        for (int i = 0; i < count; i++) {
          doubles.values[i] = doubles.values[kept[i]];
        }
      }
      case BytesVector bytes -> {
        for (int i = 0; i < count; i++) {
          bytes.starts[i] = bytes.starts[kept[i]];
          bytes.ends[i] = bytes.ends[kept[i]];
        }
      }
    }
    for (int i = 0; i < count; i++) {
      vector.nulls[i] = vector.nulls[kept[i]];
    }
  }
}
