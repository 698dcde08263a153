package millrace.testkit.oracle.catalog;

import java.nio.charset.StandardCharsets;
import millrace.testkit.oracle.value.CharForm;
import millrace.testkit.oracle.value.ColumnSpec;
import millrace.testkit.oracle.value.VectorFormat;
import org.jspecify.annotations.Nullable;

/// The type of a column, as its DDL said.
///
/// @param length of texts and RAW, in bytes or characters; how many numbers a vector has; 1 of a
///   number whose digits the dictionary does not say
/// @param inChars whether the length is in characters
/// @param precision digits of a number, binary digits of a FLOAT, or an interval's leading digits;
///   0 if none was given; 1 of a sparse vector
/// @param scale of a number ({@link ColumnSpec#FLOATING} if it has none), digits of a second, or a
///   vector's format
public record OraType(OraKind kind, int length, boolean inChars, int precision, int scale) {

  /// In the place of a number's length.
  private static final int ANY_DIGITS = 1;

  private static final int LOB_BYTES = 4000;
  private static final int NUMBER_BYTES = 22;
  private static final int MOST_DIGITS = 40;

  /// A type that its kind says all about.
  public static OraType of(OraKind kind) {
    return new OraType(kind, 0, false, 0, 0);
  }

  public static OraType text(OraKind kind, int length, boolean inChars) {
    return new OraType(kind, length, inChars || kind.form() == CharForm.NATIONAL, 0, 0);
  }

  public static OraType number(int precision, int scale) {
    return new OraType(OraKind.NUMBER, 0, false, precision, scale);
  }

  /// A number as INTEGER or NUMBER(*,s) declare it: of 38 digits, which the dictionary does not
  /// say.
  public static OraType numberOfAnyDigits(int scale) {
    return new OraType(OraKind.NUMBER, ANY_DIGITS, false, 38, scale);
  }

  /// DATA_PRECISION of the dictionary, for a number.
  public @Nullable Long dictionaryPrecision() {
    return precision == 0 || length == ANY_DIGITS ? null : (long) precision;
  }

  /// A vector.
  ///
  /// @param numbers how many it has; 0 if any number will do
  public static OraType vector(int numbers, VectorFormat format, boolean isSparse) {
    return new OraType(OraKind.VECTOR, numbers, false, isSparse ? 1 : 0, format.code());
  }

  /// A time or an interval.
  public static OraType time(OraKind kind, int precision, int scale) {
    return new OraType(kind, 0, false, precision, scale);
  }

  /// Whether a number's digits are limited in a way that H2's NUMERIC knows, too.
  private boolean isNumeric() {
    return precision > 0 && scale >= 0 && scale <= precision;
  }

  /// H2's type, wide enough for all that fits; {@link ColumnRules} checks the rest.
  public String h2() {
    return switch (kind) {
      case VARCHAR2, NVARCHAR2 -> "VARCHAR";
      case CHAR, NCHAR -> "CHAR(" + length + ")";
      // H2 wants a digit before the point for 0.
      case NUMBER ->
          isNumeric()
              ? "NUMERIC(" + Math.max(precision, scale + 1) + "," + scale + ")"
              : decimalFloat();
      case FLOAT -> decimalFloat();
      case BINARY_FLOAT -> "REAL";
      case BINARY_DOUBLE -> "DOUBLE PRECISION";
      case DATE -> "TIMESTAMP(0)";
      case TIMESTAMP, TIMESTAMP_LTZ -> "TIMESTAMP(" + scale + ")";
      case TIMESTAMP_TZ -> "TIMESTAMP(" + scale + ") WITH TIME ZONE";
      case INTERVAL_YM -> "INTERVAL YEAR(" + precision + ") TO MONTH";
      case INTERVAL_DS -> "INTERVAL DAY(" + Math.max(1, precision) + ") TO SECOND(" + scale + ")";
      case RAW -> "VARBINARY";
      case LONG, CLOB, NCLOB, XMLTYPE -> "CLOB";
      case LONG_RAW, BLOB, JSON, VECTOR -> "BLOB";
      case BOOLEAN -> "BOOLEAN";
      case ROWID, UROWID -> "VARCHAR(18)";
    };
  }

  private static String decimalFloat() {
    return "DECFLOAT(" + MOST_DIGITS + ")";
  }

  /// As DATA_TYPE of the dictionary has it.
  public String dictionaryName() {
    return switch (kind) {
      case TIMESTAMP -> "TIMESTAMP(" + scale + ")";
      case TIMESTAMP_TZ -> "TIMESTAMP(" + scale + ") WITH TIME ZONE";
      case TIMESTAMP_LTZ -> "TIMESTAMP(" + scale + ") WITH LOCAL TIME ZONE";
      case INTERVAL_YM -> "INTERVAL YEAR(" + precision + ") TO MONTH";
      case INTERVAL_DS -> "INTERVAL DAY(" + precision + ") TO SECOND(" + scale + ")";
      case LONG_RAW -> "LONG RAW";
      default -> kind.name();
    };
  }

  /// The most bytes that a value takes, as DATA_LENGTH of the dictionary has it.
  public int bytes() {
    return switch (kind) {
      case VARCHAR2, CHAR ->
          inChars ? Math.min(4 * length, kind == OraKind.CHAR ? 2000 : 32767) : length;
      case NVARCHAR2, NCHAR -> 2 * length;
      case NUMBER, FLOAT -> NUMBER_BYTES;
      case BINARY_FLOAT -> Float.BYTES;
      case BINARY_DOUBLE -> Double.BYTES;
      case DATE -> 7;
      case TIMESTAMP, TIMESTAMP_LTZ -> scale == 0 ? 7 : 11;
      case TIMESTAMP_TZ -> 13;
      case INTERVAL_YM -> 5;
      case INTERVAL_DS -> 11;
      case RAW -> length;
      case LONG, LONG_RAW -> 0;
      case CLOB, NCLOB, BLOB, XMLTYPE -> LOB_BYTES;
      case JSON, VECTOR -> 8200;
      case BOOLEAN -> 1;
      case ROWID -> 10;
      case UROWID -> LOB_BYTES;
    };
  }

  /// How a describe tells a column of this type.
  public ColumnSpec spec(String name, boolean nullable) {
    int chars =
        kind == OraKind.VECTOR ? length : kind.isShortText() ? (inChars ? length : bytes()) : 0;
    int size =
        switch (kind) {
          case TIMESTAMP, TIMESTAMP_LTZ -> 11;
          case ROWID -> 18;
          case BOOLEAN -> 4;
          // Real servers say no more of types whose values are all of one size.
          case DATE, BINARY_FLOAT, BINARY_DOUBLE -> 1;
          default -> bytes();
        };
    int shownScale = kind == OraKind.FLOAT ? ColumnSpec.FLOATING : scale;
    return new ColumnSpec(
        name, kind.wire(), kind.form(), size, precision, shownScale, chars, nullable);
  }

  /// How long a text is, in what its limit counts.
  public int measure(String text) {
    if (kind.form() == CharForm.NATIONAL) {
      return text.length();
    }
    return inChars
        ? text.codePointCount(0, text.length())
        : text.getBytes(StandardCharsets.UTF_8).length;
  }
}
