package millrace.engine.transform;

import java.util.List;
import millrace.data.BytesVector;
import millrace.data.Columns;
import millrace.data.LongVector;
import millrace.data.Vector;

/// A condition on the rows of a batch, in SQL's three-valued logic.
///
/// The three values are ordered so that AND is the lesser, OR the greater, NOT the opposite
/// (Kleene's strong logic of indeterminacy).
sealed interface Condition {

  int FALSE = -1;
  int UNKNOWN = 0;
  int TRUE = 1;

  /// One of the three for a row.
  int test(Columns batch, int row);

  /// True if all are.
  record And(List<Condition> all) implements Condition {
    @Override
    public int test(Columns batch, int row) {
      int least = TRUE;
      for (Condition one : all) {
        least = Math.min(least, one.test(batch, row));
        if (least == FALSE) {
          break;
        }
      }
      return least;
    }
  }

  /// True if any is.
  record Or(List<Condition> any) implements Condition {
    @Override
    public int test(Columns batch, int row) {
      int greatest = FALSE;
      for (Condition one : any) {
        greatest = Math.max(greatest, one.test(batch, row));
        if (greatest == TRUE) {
          break;
        }
      }
      return greatest;
    }
  }

  /// The opposite.
  record Not(Condition inner) implements Condition {
    @Override
    public int test(Columns batch, int row) {
      return -inner.test(batch, row);
    }
  }

  /// The same for every row.
  record Constant(int value) implements Condition {
    @Override
    public int test(Columns batch, int row) {
      return value;
    }
  }

  /// Whether a value is missing; never unknown.
  record IsNull(int column) implements Condition {
    @Override
    public int test(Columns batch, int row) {
      return batch.vector(column).nulls[row] ? TRUE : FALSE;
    }
  }

  /// A column of booleans by itself.
  record IsTrue(int column) implements Condition {
    @Override
    public int test(Columns batch, int row) {
      LongVector values = batch.longs(column);
      return values.nulls[row] ? UNKNOWN : values.values[row] != 0 ? TRUE : FALSE;
    }
  }

  /// Where a value stands against a literal.
  ///
  /// @param less whether a lesser value makes it true; `equal` and `greater` alike
  record Compares(int column, ValueOrder order, boolean less, boolean equal, boolean greater)
      implements Condition {
    @Override
    public int test(Columns batch, int row) {
      Vector vector = batch.vector(column);
      if (vector.nulls[row]) {
        return UNKNOWN;
      }
      int sign = order.compare(vector, row);
      return (sign < 0 ? less : sign > 0 ? greater : equal) ? TRUE : FALSE;
    }
  }

  /// Whether a text follows a pattern.
  record IsLike(int column, LikePattern pattern) implements Condition {
    @Override
    public int test(Columns batch, int row) {
      BytesVector texts = batch.bytes(column);
      if (texts.nulls[row]) {
        return UNKNOWN;
      }
      return pattern.matches(texts.bytes, texts.starts[row], texts.ends[row]) ? TRUE : FALSE;
    }
  }
}
