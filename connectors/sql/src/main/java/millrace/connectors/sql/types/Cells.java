package millrace.connectors.sql.types;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.sql.Types;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import millrace.connectors.sql.types.TypeTable.Cell;
import millrace.connectors.sql.types.TypeTable.Getter;
import millrace.connectors.sql.types.TypeTable.Setter;
import millrace.data.BytesVector;
import millrace.data.Decimals;
import millrace.data.DoubleVector;
import millrace.data.LongVector;
import millrace.data.Temporals;
import millrace.data.Type;
import millrace.data.Vector;
import millrace.data.spelling.JsonCheck;
import millrace.data.spelling.Spelling;
import millrace.data.spelling.SpellingStyle;
import millrace.data.spelling.ValueFormatter;
import millrace.data.spelling.ValueParser;
import millrace.fault.Shortened;
import org.jspecify.annotations.Nullable;

/// How the values of usual types are got and set. None takes a value for one of another kind: a
/// text in a column of numbers is told, and not converted.
public final class Cells {

  private static final int SHOWN_CHARACTERS = 60;

  /// Whole numbers within the bounds of their type.
  public static final Cell INTEGER =
      new Cell(Cells::integerGetter, _ -> Cells::setLong, Types.BIGINT);

  /// Truth, also as 0 and 1.
  public static final Cell BOOLEAN =
      new Cell(
          _ -> (value, _, _, into, at) -> bool(value, (LongVector) into, at),
          _ ->
              (row, parameter, from, at) -> {
                row.setBoolean(parameter, ((LongVector) from).values[at] != 0);
                return null;
              },
          Types.BOOLEAN);

  /// Binary floating-point numbers.
  public static final Cell FLOAT =
      new Cell(
          type -> (value, _, _, into, at) -> number(type, value, (DoubleVector) into, at),
          _ ->
              (row, parameter, from, at) -> {
                row.setDouble(parameter, ((DoubleVector) from).values[at]);
                return null;
              },
          Types.DOUBLE);

  /// The same for a database that knows neither NaN nor the sign of a zero.
  public static final Cell REAL = FLOAT.setting(_ -> Cells::setReal);

  /// Exact decimal numbers.
  public static final Cell DECIMAL =
      new Cell(Cells::decimalGetter, Cells::decimalSetter, Types.DECIMAL);

  /// Text.
  public static final Cell TEXT =
      new Cell(
          _ -> (value, _, _, into, at) -> text(value, into, at),
          _ ->
              (row, parameter, from, at) -> {
                BytesVector texts = (BytesVector) from;
                row.setText(parameter, texts.bytes, texts.starts[at], texts.ends[at]);
                return null;
              },
          Types.VARCHAR);

  /// Bytes.
  public static final Cell BYTES =
      new Cell(
          _ -> (value, _, _, into, at) -> bytes(value, into, at),
          _ ->
              (row, parameter, from, at) -> {
                BytesVector bytes = (BytesVector) from;
                row.setBytes(
                    parameter, Arrays.copyOfRange(bytes.bytes, bytes.starts[at], bytes.ends[at]));
                return null;
              },
          Types.VARBINARY);

  /// JSON documents of a database that takes any text for one: what is no document is told.
  public static Cell documents(Cell text) {
    return new Cell(
        type -> {
          Getter getter = text.getter().apply(type);
          return (value, row, column, into, at) -> {
            String wrong = getter.get(value, row, column, into, at);
            BytesVector texts = (BytesVector) into;
            return wrong == null
                    && !JsonCheck.isValid(texts.bytes, texts.starts[at], texts.ends[at])
                ? holds(value)
                : wrong;
          };
        },
        text.setter(),
        text.nullType(),
        false);
  }

  /// Values that the database holds or takes as text, spelled as {@link Spelling} has it.
  public static final Cell SPELLED =
      new Cell(Cells::spelledGetter, Cells::spelledSetter, Types.VARCHAR);

  /// The same for days and times of a database that has the years from 1 to 9999 and no infinity.
  public static final Cell CALENDAR = SPELLED.setting(Cells::calendarSetter);

  private static final int MICRO_DIGITS = 6;

  private static final Pattern NANOSECONDS = Pattern.compile("(:\\d\\d\\.\\d{6})\\d+");

  /// Whether a time has no more digits behind its seconds than a column keeps.
  ///
  /// @param digits how many that are; below 0 if the declaration does not say
  public static TypeTable.Check fraction(int digits) {
    if (digits < 0 || digits >= MICRO_DIGITS) {
      return (_, _) -> null;
    }
    long unit = (long) Math.pow(10, MICRO_DIGITS - digits);
    return (from, at) -> {
      long value = ((LongVector) from).values[at];
      return value % unit == 0
          ? null
          : "has more digits behind the seconds than the " + digits + " of its column";
    };
  }

  /// Whether a whole number is within bounds.
  public static TypeTable.Check between(long least, long most) {
    return (from, at) -> {
      long value = ((LongVector) from).values[at];
      return value >= least && value <= most
          ? null
          : "is not between " + least + " and " + most + ", which the column holds";
    };
  }

  /// Whether bytes are as many as a column keeps.
  ///
  /// @param exactly whether fewer are too few, since the database would fill them up
  public static TypeTable.Check bytes(int most, boolean exactly) {
    return (from, at) -> {
      BytesVector bytes = (BytesVector) from;
      int length = bytes.ends[at] - bytes.starts[at];
      return length > most || (exactly && length < most)
          ? "has " + length + " bytes, and its column holds " + (exactly ? "" : "at most ") + most
          : null;
    };
  }

  private static final long FIRST_DAY = LocalDate.of(1, 1, 1).toEpochDay() - Temporals.EPOCH_DAYS;
  private static final long LAST_DAY =
      LocalDate.of(9999, 12, 31).toEpochDay() - Temporals.EPOCH_DAYS;

  private Cells() {}

  /// What a value is, for messages, such as `text 'abc'`.
  public static String shown(Object value) {
    return switch (value) {
      case byte[] bytes -> bytes.length + " bytes";
      case String text -> "text '" + Shortened.value(text, SHOWN_CHARACTERS) + "'";
      case Number number -> "the number " + number;
      case Object other -> other.toString();
    };
  }

  private static String holds(Object value) {
    return "holds " + shown(value);
  }

  private static Getter integerGetter(Type type) {
    int bits = type instanceof Type.Int(int width) ? width : 64;
    long max = (1L << (bits - 1)) - 1;
    return (value, _, _, into, at) -> {
      if (!(value instanceof Long
          || value instanceof Integer
          || value instanceof Short
          || value instanceof Byte)) {
        return holds(value);
      }
      long number = ((Number) value).longValue();
      if (bits < 64 && (number > max || number < -max - 1)) {
        return holds(value);
      }
      ((LongVector) into).values[at] = number;
      return null;
    };
  }

  private static @Nullable String setLong(RowParameters row, int parameter, Vector from, int at)
      throws java.sql.SQLException {
    row.setLong(parameter, ((LongVector) from).values[at]);
    return null;
  }

  private static @Nullable String bool(Object value, LongVector into, int at) {
    long number =
        switch (value) {
          case Boolean truth -> truth ? 1 : 0;
          case Integer integer -> integer;
          case Long integer -> integer;
          case Object _ -> -1;
        };
    into.values[at] = number;
    return number == 0 || number == 1 ? null : holds(value);
  }

  private static @Nullable String number(Type type, Object value, DoubleVector into, int at) {
    double number;
    switch (value) {
      case Double real -> number = real;
      case Float real -> number = real;
      case Integer integer -> number = integer;
      case Long integer when (long) (double) integer == integer && integer != Long.MAX_VALUE ->
          number = integer;
      case Object _ -> {
        return holds(value);
      }
    }
    boolean isWide =
        type.equals(new Type.Float(32)) && !Double.isNaN(number) && (float) number != number;
    into.values[at] = number;
    return isWide ? holds(value) : null;
  }

  private static @Nullable String setReal(RowParameters row, int parameter, Vector from, int at)
      throws java.sql.SQLException {
    double value = ((DoubleVector) from).values[at];
    if (Double.isNaN(value)) {
      return "is no number to the database";
    }
    if (value == 0 && Double.compare(value, 0) != 0) {
      return "would lose its sign";
    }
    row.setDouble(parameter, value);
    return null;
  }

  private static Getter decimalGetter(Type type) {
    Type.Decimal decimal = (Type.Decimal) type;
    boolean longs = Decimals.fitsLong(decimal);
    return (value, _, _, into, at) -> {
      BigDecimal exact = exact(value);
      boolean isInfinite = value instanceof Double real && Double.isInfinite(real);
      if (exact == null && !(isInfinite && decimal.precision() == 0)) {
        return holds(value);
      }
      if (exact == null) {
        return text(value.toString(), into, at);
      }
      BigDecimal scaled =
          decimal.precision() > 0
              ? scaled(exact, decimal)
              : exact.scale() < 0 ? exact.setScale(0) : exact;
      if (scaled == null) {
        return holds(value);
      }
      if (longs) {
        ((LongVector) into).values[at] = scaled.unscaledValue().longValueExact();
        return null;
      }
      return text(scaled.toPlainString(), into, at);
    };
  }

  /// A number as it is written with the fewest digits; null if it is none.
  private static @Nullable BigDecimal exact(Object value) {
    return switch (value) {
      case BigDecimal decimal -> decimal;
      case BigInteger integer -> new BigDecimal(integer);
      case Long integer -> BigDecimal.valueOf(integer);
      case Integer integer -> BigDecimal.valueOf(integer);
      case Double real when Double.isFinite(real) ->
          new BigDecimal(Double.toString(real)).stripTrailingZeros();
      case Object _ -> null;
    };
  }

  /// The same number with the digits of its type; null if it has more.
  private static @Nullable BigDecimal scaled(BigDecimal value, Type.Decimal type) {
    if (value.stripTrailingZeros().scale() > type.scale()) {
      return null;
    }
    BigDecimal scaled = value.setScale(type.scale());
    return scaled.precision() > type.precision() ? null : scaled;
  }

  /// The decimal in a vector; null for NaN and infinities.
  public static @Nullable BigDecimal decimal(Type.Decimal type, Vector from, int at) {
    if (from instanceof LongVector longs) {
      return longs.values[at] == Decimals.NAN
          ? null
          : BigDecimal.valueOf(longs.values[at], type.scale());
    }
    String text = ((BytesVector) from).text(at);
    return text.endsWith("N") || text.endsWith("y") ? null : new BigDecimal(text);
  }

  private static Setter decimalSetter(Type type) {
    return (row, parameter, from, at) -> {
      BigDecimal value = decimal((Type.Decimal) type, from, at);
      if (value == null) {
        return "is no number";
      }
      row.setBigDecimal(parameter, value);
      return null;
    };
  }

  private static @Nullable String text(Object value, Vector into, int at) {
    if (!(value instanceof String text)) {
      return holds(value);
    }
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    ((BytesVector) into).append(at, bytes, 0, bytes.length);
    return null;
  }

  private static @Nullable String bytes(Object value, Vector into, int at) {
    if (!(value instanceof byte[] bytes)) {
      return holds(value);
    }
    ((BytesVector) into).append(at, bytes, 0, bytes.length);
    return null;
  }

  private static Getter spelledGetter(Type type) {
    ValueParser parser = Spelling.parser(type, SpellingStyle.ISO);
    boolean isTime = type instanceof Type.Timestamp || type instanceof Type.Time;
    return (value, row, column, into, at) -> {
      String text =
          value instanceof Number || value instanceof byte[] ? null : row.getString(column);
      if (text == null) {
        return holds(value);
      }
      if (parses(parser, text, into, at)) {
        return null;
      }
      // An object of the driver's may count days by another calendar than the database does.
      String holds = "holds " + (value instanceof String ? shown(text) : text);
      Matcher nanoseconds = NANOSECONDS.matcher(text);
      return isTime
              && nanoseconds.find()
              && parses(parser, nanoseconds.replaceFirst("$1"), into, at)
          ? holds + Getter.WITH_NANOSECONDS
          : holds;
    };
  }

  private static boolean parses(ValueParser parser, String text, Vector into, int at) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return parser.parse(bytes, 0, bytes.length, into, at);
  }

  private static Setter spelledSetter(Type type) {
    ValueFormatter formatter = Spelling.formatter(type, SpellingStyle.ISO);
    return (row, parameter, from, at) -> {
      byte[] out = new byte[formatter.lengthMax(from, at)];
      int end = formatter.format(from, at, out, 0);
      row.setText(parameter, out, 0, end);
      return null;
    };
  }

  private static Setter calendarSetter(Type type) {
    Setter setter = spelledSetter(type);
    TypeTable.Check calendar = inCalendar(type);
    return (statement, parameter, from, at) -> {
      String wrong = calendar.wrong(from, at);
      return wrong == null ? setter.set(statement, parameter, from, at) : wrong;
    };
  }

  /// Whether a day or time is in the years from 1 to 9999, and no infinity.
  public static TypeTable.Check inCalendar(Type type) {
    long unit = type instanceof Type.Timestamp ? Temporals.DAY_MICROS : 1;
    long first = type instanceof Type.Time ? 0 : FIRST_DAY * unit;
    long end = type instanceof Type.Time ? Temporals.DAY_MICROS : (LAST_DAY + 1) * unit;
    String wrong =
        type instanceof Type.Time
            ? "is no time of a day"
            : "is not in the database's calendar, which has the years 1 to 9999";
    return (from, at) -> {
      long value = ((LongVector) from).values[at];
      return value < first || value >= end ? wrong : null;
    };
  }
}
