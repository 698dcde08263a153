package millrace.connectors.mariadb;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import millrace.connectors.sql.types.Cells;
import millrace.connectors.sql.types.TypeTable;
import millrace.connectors.sql.types.TypeTable.Check;
import millrace.data.BytesVector;
import millrace.data.DoubleVector;
import millrace.data.LongVector;
import millrace.data.Temporals;
import millrace.data.Type;
import millrace.data.Vector;
import org.jspecify.annotations.Nullable;

/// What columns of numbers, times and bytes keep as it is. The server itself rounds some values,
/// pads others, and takes 70 for the year 1970.
final class ColumnBounds {

  private static final Pattern NUMBERS =
      Pattern.compile("[^(']*\\(\\s*(\\d{1,9})\\s*(?:,\\s*(\\d{1,9})\\s*)?\\).*", Pattern.DOTALL);

  private static final String OUTSIDE = "is outside the column's range";
  private static final String DIGITS = "would lose digits";
  private static final int MICROS_DIGITS = 6;
  private static final long FIRST_DAY = days(LocalDate.of(1, 1, 1));
  private static final long LONGEST_TIME = ((838 * 60 + 59) * 60 + 59) * 1_000_000L;
  private static final long LAST_DAY = days(LocalDate.of(9999, 12, 31));
  private static final LocalDateTime FIRST_TIMESTAMP = LocalDateTime.of(1970, 1, 1, 0, 0, 1);
  private static final LocalDateTime END_TIMESTAMP = LocalDateTime.of(2038, 1, 19, 3, 14, 8);
  private static final LocalDateTime END_LONG_TIMESTAMP = LocalDateTime.of(2106, 2, 7, 6, 28, 16);

  private ColumnBounds() {}

  private static long days(LocalDate day) {
    return day.toEpochDay() - Temporals.EPOCH_DAYS;
  }

  private static long micros(LocalDateTime time) {
    return time.toEpochSecond(ZoneOffset.UTC) * 1_000_000 - Temporals.EPOCH_MICROS;
  }

  /// A number in a declaration's parentheses.
  ///
  /// @param which 0 for the first, 1 for the second
  static int number(String declared, int which, int otherwise) {
    Matcher numbers = NUMBERS.matcher(declared);
    String text = numbers.matches() ? numbers.group(which + 1) : null;
    return text == null ? otherwise : Integer.parseInt(text);
  }

  private static boolean isUnsigned(String declared) {
    String bare = TypeTable.bare(declared);
    return bare.contains("UNSIGNED") || bare.contains("ZEROFILL");
  }

  /// Whole numbers between two, both included.
  static Check between(long min, long max) {
    return (from, at) -> {
      long value = ((LongVector) from).values[at];
      return value < min || value > max ? OUTSIDE : null;
    };
  }

  /// Whole numbers of so many bits and no sign.
  static Check unsigned(int bits) {
    BigInteger max = BigInteger.ONE.shiftLeft(bits).subtract(BigInteger.ONE);
    return (from, at) -> {
      BigDecimal value = Cells.decimal(new Type.Decimal(20, 0), from, at);
      if (value == null) {
        return "is no number to the database";
      }
      return value.signum() < 0 || value.toBigInteger().compareTo(max) > 0 ? OUTSIDE : null;
    };
  }

  /// 0 stands for '0000'.
  static @Nullable String year(Vector from, int at) {
    long value = ((LongVector) from).values[at];
    return value != 0 && (value < 1901 || value > 2155) ? OUTSIDE : null;
  }

  static Check decimal(String declared) {
    int precision = number(declared, 0, 10);
    int scale = number(declared, 1, 0);
    Type.Decimal type = new Type.Decimal(precision, scale);
    boolean isUnsigned = isUnsigned(declared);
    return (from, at) -> {
      BigDecimal value = Cells.decimal(type, from, at);
      if (value == null) {
        return "is no number to the database";
      }
      BigDecimal bare = value.stripTrailingZeros();
      if (bare.scale() > scale) {
        return DIGITS;
      }
      boolean isWide = bare.precision() - bare.scale() > precision - scale && bare.signum() != 0;
      return isWide || (isUnsigned && bare.signum() < 0) ? OUTSIDE : null;
    };
  }

  static Check floats(String declared) {
    int digits = number(declared, 0, 0);
    int scale = number(declared, 1, -1);
    boolean isUnsigned = isUnsigned(declared);
    boolean isSingle = declared.toUpperCase(Locale.ROOT).startsWith("FLOAT");
    return (from, at) -> {
      double value = ((DoubleVector) from).values[at];
      if (!Double.isFinite(value)) {
        return "is no number to the database";
      }
      if (isSingle && (float) value != value) {
        return DIGITS;
      }
      if (isUnsigned && value < 0) {
        return OUTSIDE;
      }
      if (scale < 0) {
        return null;
      }
      String spelled = isSingle ? Float.toString((float) value) : Double.toString(value);
      BigDecimal bare = new BigDecimal(spelled).stripTrailingZeros();
      return bare.scale() > scale
          ? DIGITS
          : bare.precision() - bare.scale() > digits - scale ? OUTSIDE : null;
    };
  }

  /// Days and times, of which a column keeps so many digits of a second.
  static Check times(Type type, String declared, ServerTraits server) {
    long unit = 1;
    for (int i = number(declared, 0, 0); i < MICROS_DIGITS; i++) {
      unit *= 10;
    }
    long step = type instanceof Type.Date ? 1 : unit;
    long first;
    long end;
    switch (type) {
      case Type.Date _ -> {
        first = FIRST_DAY;
        end = LAST_DAY + 1;
      }
      case Type.Timestamp(boolean zoned) when zoned -> {
        first = micros(FIRST_TIMESTAMP);
        end = micros(server.hasLongTimestamps() ? END_LONG_TIMESTAMP : END_TIMESTAMP);
      }
      case Type.Timestamp _ -> {
        first = FIRST_DAY * Temporals.DAY_MICROS;
        end = (LAST_DAY + 1) * Temporals.DAY_MICROS;
      }
      case Type _ -> {
        first = -LONGEST_TIME;
        end = LONGEST_TIME + 1;
      }
    }
    return (from, at) -> {
      long value = ((LongVector) from).values[at];
      return value < first || value >= end
          ? OUTSIDE
          : Math.floorMod(value, step) != 0 ? "would lose digits of a second" : null;
    };
  }

  static Check bytes(String declared) {
    String bare = TypeTable.bare(declared);
    long max =
        switch (bare) {
          case "TINYBLOB" -> 255;
          case "BLOB" -> 65_535;
          case "MEDIUMBLOB" -> (1 << 24) - 1;
          case "LONGBLOB" -> Integer.MAX_VALUE;
          default -> number(declared, 0, 1);
        };
    long min = bare.equals("BINARY") ? max : 0;
    return (from, at) -> {
      BytesVector bytes = (BytesVector) from;
      int length = bytes.ends[at] - bytes.starts[at];
      return length > max
          ? "is longer than the column's " + max + " bytes"
          : length < min ? "would be filled up to " + min + " bytes" : null;
    };
  }
}
