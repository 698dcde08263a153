package millrace.connectors.oracle;

import java.math.BigDecimal;
import java.sql.SQLException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import millrace.connectors.sql.types.RowParameters;
import millrace.connectors.sql.types.TypeTable.Cell;
import millrace.connectors.sql.types.TypeTable.Setter;
import millrace.data.BytesVector;
import millrace.data.Vector;
import millrace.fault.Shortened;
import oracle.jdbc.OracleTypes;
import oracle.sql.VECTOR;
import org.jspecify.annotations.Nullable;

/// Vectors from their text, such as `[1, -0.5, 1.25E-3]`.
///
/// The driver cuts and rounds what its type does not have, and the server would do the same. So a
/// number is refused that its format does not keep: one with more digits than FLOAT32 (9) or
/// FLOAT64 (17) tells apart, unless it is one of its values to the last digit.
final class OracleVectors {

  private static final Pattern DECLARED =
      Pattern.compile("VECTOR(?:\\((\\d+|\\*), (FLOAT32|FLOAT64|INT8|BINARY|\\*)(, SPARSE)?\\))?");
  private static final Pattern NUMBER =
      Pattern.compile("[+-]?(?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][+-]?\\d{1,4})?");
  private static final int NUMBERS_MAX = 65_535;
  private static final int FLOAT_DIGITS = 9;
  private static final int DOUBLE_DIGITS = 17;
  private static final int BYTE_MAX = 255;
  private static final int BITS = 8;
  private static final int SHOWN_CHARACTERS = 40;

  private OracleVectors() {}

  /// How numbers are kept.
  private enum Format {
    FLOAT32,
    FLOAT64,
    INT8,
    BINARY,
    /// Each vector has its own.
    ANY
  }

  /// What a column takes.
  ///
  /// @param numbers how many; 0 if any number of them
  private record Shape(int numbers, Format format) {

    static Shape of(String declared) {
      Matcher parts = DECLARED.matcher(declared);
      if (!parts.matches() || parts.group(1) == null) {
        return new Shape(0, Format.ANY);
      }
      int numbers = parts.group(1).equals("*") ? 0 : Integer.parseInt(parts.group(1));
      boolean isAny = parts.group(2).equals("*");
      return new Shape(numbers, isAny ? Format.ANY : Format.valueOf(parts.group(2)));
    }
  }

  static boolean isSparse(String declared) {
    return declared.endsWith(", SPARSE)");
  }

  /// The text of vectors, and how a column of that declaration takes them.
  static Cell cell(String declared) {
    Shape shape = Shape.of(declared);
    Setter setter = (row, parameter, from, at) -> set(shape, row, parameter, from, at);
    return new Cell(OracleCells.TEXT.getter(), _ -> setter, OracleTypes.VECTOR, false);
  }

  private static @Nullable String set(
      Shape shape, RowParameters row, int parameter, Vector from, int at) throws SQLException {
    String text = ((BytesVector) from).text(at).strip();
    if (!text.startsWith("[") || !text.endsWith("]") || text.length() < 2) {
      return "is no vector such as [1, 2.5]";
    }
    String[] numbers = text.substring(1, text.length() - 1).split(",", -1);
    int each = shape.format == Format.BINARY ? BITS : 1;
    int count = numbers.length * each;
    if (shape.numbers > 0 ? count != shape.numbers : count > NUMBERS_MAX) {
      return "has "
          + count
          + (each > 1 ? " numbers of one bit" : " numbers")
          + ", and its column holds "
          + (shape.numbers > 0 ? shape.numbers : "at most " + NUMBERS_MAX);
    }
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = numbers[i].strip();
      String wrong = wrong(numbers[i], shape.format == Format.ANY ? Format.FLOAT64 : shape.format);
      if (wrong != null) {
        return "has " + Shortened.value(numbers[i], SHOWN_CHARACTERS) + ", " + wrong;
      }
    }
    row.setObject(parameter, vector(numbers, shape.format));
    return null;
  }

  private static VECTOR vector(String[] numbers, Format format) throws SQLException {
    return switch (format) {
      case FLOAT32 -> floats(numbers);
      case FLOAT64 -> doubles(numbers);
      case INT8 -> VECTOR.ofInt8Values(bytes(numbers));
      case BINARY -> VECTOR.ofBinaryValues(bytes(numbers));
      case ANY -> fitFloats(numbers) ? floats(numbers) : doubles(numbers);
    };
  }

  private static boolean fitFloats(String[] numbers) {
    for (String number : numbers) {
      if (wrong(number, Format.FLOAT32) != null) {
        return false;
      }
    }
    return true;
  }

  private static VECTOR floats(String[] numbers) throws SQLException {
    float[] values = new float[numbers.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = Float.parseFloat(numbers[i]);
    }
    return VECTOR.ofFloat32Values(values);
  }

  private static VECTOR doubles(String[] numbers) throws SQLException {
    double[] values = new double[numbers.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = Double.parseDouble(numbers[i]);
    }
    return VECTOR.ofFloat64Values(values);
  }

  private static byte[] bytes(String[] numbers) {
    byte[] values = new byte[numbers.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = (byte) new BigDecimal(numbers[i]).intValueExact();
    }
    return values;
  }

  /// Why a format does not keep a number as it is, as the end of a sentence; null if it does.
  private static @Nullable String wrong(String number, Format format) {
    if (!NUMBER.matcher(number).matches()) {
      return "which is no number";
    }
    return switch (format) {
      case FLOAT32 -> unlike(number, Float.parseFloat(number), FLOAT_DIGITS, format);
      case FLOAT64, ANY -> unlike(number, Double.parseDouble(number), DOUBLE_DIGITS, format);
      case INT8 -> isWithin(number, Byte.MIN_VALUE, Byte.MAX_VALUE) ? null : "which is no INT8";
      case BINARY -> isWithin(number, 0, BYTE_MAX) ? null : "which is no byte from 0 to 255";
    };
  }

  /// @param value the nearest that the format has
  /// @param digits of what it tells apart
  private static @Nullable String unlike(String number, double value, int digits, Format format) {
    BigDecimal exact = new BigDecimal(number);
    if (Double.isInfinite(value) || (value == 0 && exact.signum() != 0)) {
      return "which is outside the range of " + format;
    }
    if (value == 0 && number.startsWith("-")) {
      return "which is -0, whose sign the database does not keep";
    }
    boolean isFloat = format == Format.FLOAT32;
    return exact.stripTrailingZeros().precision() <= digits
            || (isFloat && Double.parseDouble(number) == value)
            || exact.compareTo(new BigDecimal(value)) == 0
        ? null
        : "which " + format + " would round";
  }

  private static boolean isWithin(String number, int least, int most) {
    BigDecimal exact = new BigDecimal(number);
    return exact.stripTrailingZeros().scale() <= 0
        && exact.compareTo(BigDecimal.valueOf(least)) >= 0
        && exact.compareTo(BigDecimal.valueOf(most)) <= 0;
  }
}
