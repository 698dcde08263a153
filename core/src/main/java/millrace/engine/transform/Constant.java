package millrace.engine.transform;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import millrace.data.BytesVector;
import millrace.data.DoubleVector;
import millrace.data.LongVector;
import millrace.data.Type;
import millrace.data.Vector;
import millrace.data.spelling.Texts;
import millrace.fault.Fault;

/// A value that all rows of a column have. Any thread.
public final class Constant {

  private final Vector value;

  private Constant(Vector value) {
    this.value = value;
  }

  /// Reads a value from its text.
  ///
  /// @param column the column's name, for errors
  /// @throws Fault.User if it is none of that type
  static Constant of(String column, String text, Type type) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    BytesVector spelled = new BytesVector(1);
    spelled.append(0, bytes, 0, bytes.length);
    Vector into = Vector.of(type, 1);
    boolean isRewritten = false;
    boolean fits =
        switch (Conversions.of(Type.Text.UNLIMITED, type)) {
          case Conversion.Moved() -> true;
          case Conversion.Bounded(Type.Text limited) -> Texts.fits(limited, bytes, 0, bytes.length);
          case Conversion.InPlace(ValueConversion each) -> each.convert(spelled, spelled, 0);
          case Conversion.Rewritten(ValueConversion each) -> {
            isRewritten = true;
            yield each.convert(spelled, into, 0);
          }
          case Conversion.Added _, Conversion.Refused _ -> false;
        };
    if (!fits) {
      throw new Fault.User(
          "--add " + column + "=" + text + " does not fit " + type.label() + ".",
          "Give it another value, or the column another type.");
    }
    return new Constant(isRewritten ? into : spelled);
  }

  /// Gives the first rows of a column the value.
  void fill(Vector column, int rows) {
    Arrays.fill(column.nulls, 0, rows, false);
    switch (column) {
      case LongVector longs -> Arrays.fill(longs.values, 0, rows, ((LongVector) value).values[0]);
      case DoubleVector doubles ->
          Arrays.fill(doubles.values, 0, rows, ((DoubleVector) value).values[0]);
      case BytesVector texts -> {
        BytesVector one = (BytesVector) value;
        texts.view(one.bytes);
        Arrays.fill(texts.starts, 0, rows, one.starts[0]);
        Arrays.fill(texts.ends, 0, rows, one.ends[0]);
      }
    }
  }
}
