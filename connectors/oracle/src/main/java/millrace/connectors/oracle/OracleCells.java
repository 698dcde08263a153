package millrace.connectors.oracle;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import millrace.connectors.sql.types.Cells;
import millrace.connectors.sql.types.RowParameters;
import millrace.connectors.sql.types.TypeTable.Cell;
import millrace.connectors.sql.types.TypeTable.Check;
import millrace.connectors.sql.types.TypeTable.Getter;
import millrace.data.BytesVector;
import millrace.data.DoubleVector;
import millrace.data.LongVector;
import millrace.data.Type;
import millrace.data.Vector;
import millrace.data.spelling.Utf8;
import oracle.jdbc.OracleTypes;
import oracle.sql.BINARY_DOUBLE;
import oracle.sql.BINARY_FLOAT;
import oracle.sql.Datum;
import oracle.sql.INTERVALDS;
import oracle.sql.INTERVALYM;
import oracle.sql.json.OracleJsonException;
import oracle.sql.json.OracleJsonFactory;
import org.jspecify.annotations.Nullable;

/// How the values of Oracle's types are got and set.
///
/// A missing value has the type that the others of its column are bound as: the driver sends rows
/// in pieces wherever that changes.
final class OracleCells {

  private static final Pattern NUMBER =
      Pattern.compile("[^(]*\\(\\s*(\\d+)\\s*(?:,\\s*(-?\\d+)\\s*)?\\).*");
  private static final Pattern LENGTH = Pattern.compile("[^(]*\\(\\s*(\\d+).*");
  private static final int DIGITS_MAX = 38;
  private static final int EXPONENT_MAX = 126;
  private static final int EXPONENT_MIN = -129;
  private static final double DIGITS_OF_BIT = 0.30103;
  private static final int FLOAT_BITS = 126;

  private static final OracleJsonFactory JSON_FACTORY = new OracleJsonFactory();

  /// Text, of LOBs too.
  static final Cell TEXT =
      new Cell(_ -> OracleCells::text, Cells.TEXT.setter(), Types.VARCHAR, true);

  /// Bytes, of LOBs too.
  static final Cell BYTES =
      new Cell(_ -> OracleCells::bytes, Cells.BYTES.setter(), Types.VARBINARY, true);

  static final Cell BOOLEAN = Cells.BOOLEAN;

  /// Binary floating-point numbers, in the server's own bytes. It has no zero below zero.
  static final Cell DOUBLE = floats(OracleTypes.BINARY_DOUBLE, BINARY_DOUBLE::new);

  static final Cell FLOAT =
      floats(OracleTypes.BINARY_FLOAT, value -> new BINARY_FLOAT((float) value));

  private static final int NUMBER_DIGITS_MAX = 38;

  /// Documents of the type JSON, which has no text of its own.
  static final Cell JSON =
      new Cell(_ -> OracleCells::text, _ -> OracleCells::setJson, OracleTypes.JSON, false);

  static final Cell YEARS_TO_MONTHS =
      intervals(OracleTypes.INTERVALYM, "\\d{1,9}-(0?\\d|1[01])", INTERVALYM::new);

  static final Cell DAYS_TO_SECONDS =
      intervals(
          OracleTypes.INTERVALDS,
          "\\d{1,9} ([01]?\\d|2[0-3]):[0-5]?\\d:[0-5]?\\d(\\.\\d{1,9})?",
          INTERVALDS::new);

  private OracleCells() {}

  private interface OfDouble {
    Datum of(double value);
  }

  private interface OfText {
    Datum of(String text);
  }

  /// Whole numbers of so many digits.
  static Cell integer(int digits) {
    long most = BigDecimal.TEN.pow(digits).longValueExact() - 1;
    return OracleNumbers.integers(
        new Cell(OracleCells::integerGetter, Cells.INTEGER.setter(), Types.NUMERIC)
            .checked(Cells.between(-most, most)));
  }

  /// Numbers as a column of that declaration keeps them: exactly, or they are refused.
  static Cell number(String declared) {
    Cell cell = OracleNumbers.decimals();
    Matcher numbers = NUMBER.matcher(declared);
    boolean limited = numbers.matches();
    int first = limited ? Integer.parseInt(numbers.group(1)) : 0;
    if (declared.startsWith("FLOAT")) {
      int bits = first == 0 ? FLOAT_BITS : first;
      return cell.checked(digits((int) Math.ceil(bits * DIGITS_OF_BIT)));
    }
    int scale = !limited || numbers.group(2) == null ? 0 : Integer.parseInt(numbers.group(2));
    if (!limited) {
      return cell.checked(digits(DIGITS_MAX));
    }
    return scale < 0 || scale > first ? cell.checked(places(first, scale)) : cell;
  }

  private static @Nullable BigDecimal exact(Vector from, int at) {
    return from instanceof LongVector longs
        ? BigDecimal.valueOf(longs.values[at])
        : Cells.decimal(Type.Decimal.UNLIMITED, from, at);
  }

  private static Check digits(int most) {
    return (from, at) -> {
      BigDecimal value = exact(from, at);
      if (value == null) {
        return "is no number to the database";
      }
      BigDecimal bare = value.stripTrailingZeros();
      int exponent = bare.precision() - bare.scale();
      return bare.precision() > most
          ? "has " + bare.precision() + " digits, and its column keeps " + most
          : bare.signum() != 0 && (exponent > EXPONENT_MAX || exponent < EXPONENT_MIN)
              ? "is outside the range of numbers, 1E-130 to 1E126"
              : null;
    };
  }

  private static Check places(int precision, int scale) {
    return (from, at) -> {
      BigDecimal value = exact(from, at);
      if (value == null) {
        return "is no number to the database";
      }
      BigDecimal bare = value.stripTrailingZeros();
      boolean isWide = bare.precision() - bare.scale() > precision - scale;
      return bare.signum() == 0
          ? null
          : bare.scale() > scale
              ? "would be rounded by its column"
              : isWide ? "is outside the range of its column" : null;
    };
  }

  private static Getter integerGetter(Type type) {
    int bits = type instanceof Type.Int(int width) ? width : 1;
    long most = (1L << (bits - 1)) - 1;
    return (value, _, _, into, at) -> {
      long number;
      try {
        number = value instanceof BigDecimal exact ? exact.longValueExact() : Long.MAX_VALUE;
      } catch (ArithmeticException _) {
        return "holds " + Cells.shown(value);
      }
      if (bits > 1 ? number > most || number < -most - 1 : number != 0 && number != 1) {
        return "holds " + Cells.shown(value);
      }
      ((LongVector) into).values[at] = number;
      return null;
    };
  }

  /// The same of VARCHAR2 and CHAR in a character set that has ASCII in it as it is.
  ///
  /// @param isUtf8 whether all texts are bytes of UTF-8
  static Cell plainText(boolean isUtf8) {
    return TEXT.getting(
        ResultSet::getBytes,
        _ ->
            (value, row, column, into, at) -> {
              byte[] bytes = (byte[]) value;
              int odd = Utf8.firstInvalid(bytes, 0, bytes.length);
              boolean isPlain = odd < 0 && (isUtf8 || isAscii(bytes, 0, bytes.length));
              if (!isPlain) {
                return text(row.getString(column), row, column, into, at);
              }
              ((BytesVector) into).append(at, bytes, 0, bytes.length);
              return null;
            });
  }

  private static boolean isAscii(byte[] bytes, int from, int to) {
    boolean isAscii = true;
    for (int i = from; i < to; i++) {
      isAscii &= bytes[i] >= 0;
    }
    return isAscii;
  }

  private static @Nullable String text(Object value, ResultSet row, int column, Vector into, int at)
      throws SQLException {
    String text = value instanceof String given ? given : row.getString(column);
    byte[] bytes = text.getBytes(UTF_8);
    ((BytesVector) into).append(at, bytes, 0, bytes.length);
    return null;
  }

  /// Text of a column of CHAR, with the blanks that the server would have added.
  static Cell filledUp(String declared) {
    Matcher length = LENGTH.matcher(declared);
    int most = length.matches() ? Integer.parseInt(length.group(1)) : 1;
    boolean isNational = declared.startsWith("N");
    boolean inBytes = declared.startsWith("CHAR") && !declared.contains(" CHAR)");
    return TEXT.setting(_ ->
        (row, parameter, from, at) -> {
          BytesVector texts = (BytesVector) from;
          String text = texts.text(at);
          int size =
              inBytes
                  ? texts.ends[at] - texts.starts[at]
                  : isNational ? text.length() : text.codePointCount(0, text.length());
          row.setString(parameter, text + " ".repeat(Math.max(0, most - size)));
          return null;
        });
  }

  /// Where rows lie. The server takes what is spelled like a place, whether a row lies there or
  /// not, and ends the load at what is not.
  static Cell rowids(String pattern) {
    Pattern spelled = Pattern.compile(pattern);
    return TEXT.checked((from, at) ->
            spelled.matcher(((BytesVector) from).text(at)).matches()
                ? null
                : "is no rowid such as AAAR3sAAEAAAACXAAA")
        .asText();
  }

  private static @Nullable String bytes(
      Object value, ResultSet row, int column, Vector into, int at) throws SQLException {
    byte[] bytes = value instanceof byte[] given ? given : row.getBytes(column);
    ((BytesVector) into).append(at, bytes, 0, bytes.length);
    return null;
  }

  private static Cell floats(int nullType, OfDouble datum) {
    return new Cell(
        _ ->
            (_, row, column, into, at) -> {
              ((DoubleVector) into).values[at] =
                  nullType == OracleTypes.BINARY_FLOAT
                      ? row.getFloat(column)
                      : row.getDouble(column);
              return null;
            },
        _ ->
            (row, parameter, from, at) -> {
              double value = ((DoubleVector) from).values[at];
              if (value == 0 && Double.doubleToRawLongBits(value) != 0) {
                return "is -0, whose sign the database does not keep";
              }
              row.setObject(parameter, datum.of(value));
              return null;
            },
        nullType);
  }

  /// @param spelled what follows the sign: the driver makes some interval of other texts too
  private static Cell intervals(int nullType, String spelled, OfText datum) {
    Pattern pattern = Pattern.compile("\\s*[+-]?" + spelled + "\\s*");
    return new Cell(
        _ -> OracleCells::text,
        _ ->
            (row, parameter, from, at) -> {
              String text = ((BytesVector) from).text(at);
              if (!pattern.matcher(text).matches()) {
                return "is no interval of its column's type";
              }
              try {
                row.setObject(parameter, datum.of(text));
              } catch (RuntimeException _) {
                // The driver's classes throw whatever comes.
                return "is no interval of its column's type";
              }
              return null;
            },
        nullType,
        false);
  }

  private static @Nullable String setJson(RowParameters row, int parameter, Vector from, int at)
      throws SQLException {
    BytesVector documents = (BytesVector) from;
    if (hasLongNumber(documents.bytes, documents.starts[at], documents.ends[at])) {
      // The driver would round it without a word.
      return "is no document that the database keeps: it has a number of more than "
          + NUMBER_DIGITS_MAX
          + " digits";
    }
    try {
      row.setObject(
          parameter,
          JSON_FACTORY.createJsonTextValue(new java.io.StringReader(documents.text(at))));
      return null;
    } catch (OracleJsonException e) {
      return "is no document that the database keeps: " + e.getMessage();
    } catch (IllegalArgumentException _) {
      // The driver says no more of a number that is too large or too small for it.
      return "is no document that the database keeps: it has a number that NUMBER can't hold";
    }
  }

  /// Whether a document has a number of more digits than NUMBER keeps, without zeros at its ends.
  private static boolean hasLongNumber(byte[] bytes, int start, int end) {
    boolean isText = false;
    boolean isExponent = false;
    int digits = 0;
    int zeros = 0;
    for (int i = start; i < end; i++) {
      byte b = bytes[i];
      if (isText) {
        isText = b != '"';
        i += b == '\\' ? 1 : 0;
      } else if (b >= '0' && b <= '9') {
        if (isExponent || (b == '0' && digits == 0)) {
          continue;
        }
        zeros = b == '0' ? zeros + 1 : 0;
        digits++;
        if (digits - zeros > NUMBER_DIGITS_MAX) {
          return true;
        }
      } else if (b == 'e' || b == 'E') {
        isExponent = true;
      } else if (b != '.' && b != '-' && b != '+') {
        isText = b == '"';
        isExponent = false;
        digits = 0;
        zeros = 0;
      }
    }
    return false;
  }

  /// Texts whose letters the database's character set has.
  static Check letters(OracleTraits server) {
    return (from, at) -> {
      BytesVector texts = (BytesVector) from;
      boolean isAscii = isAscii(texts.bytes, texts.starts[at], texts.ends[at]);
      return isAscii || server.has(texts.text(at))
          ? null
          : "has letters that the database's character set " + server.charset() + " lacks";
    };
  }
}
