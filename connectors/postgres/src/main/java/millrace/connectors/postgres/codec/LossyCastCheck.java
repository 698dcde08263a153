package millrace.connectors.postgres.codec;

import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import millrace.connectors.postgres.catalog.PostgresType;
import millrace.data.DoubleVector;
import millrace.data.LongVector;
import millrace.data.Type;
import millrace.data.spelling.Spelling;
import millrace.data.spelling.SpellingStyle;
import millrace.data.spelling.Utf8;
import millrace.data.spelling.ValueParser;
import millrace.data.spelling.number.Floats;
import org.jspecify.annotations.Nullable;

/// Finds text that the server would take for a value of a type and change without a word: digits
/// rounded away, names cut short, numbers that wrap around, words that mean the time of the load,
/// times to which it would add the zone of its session. One thread at a time.
@FunctionalInterface
interface LossyCastCheck {

  /// Types with a number of digits after the point whose values are text.
  Pattern FRACTION = Pattern.compile("interval(?: (?:[a-z]+ to )?second)?\\((\\d)\\)");

  /// Intervals that end at a field: the server drops what is smaller, and keeps what is larger
  /// (`AdjustIntervalForTypmod` in src/backend/utils/adt/timestamp.c).
  Pattern FIELDS = Pattern.compile("interval (?:[a-z]+ to )?(year|month|day|hour|minute)");

  Pattern TIMETZ = Pattern.compile("time(?:\\((\\d)\\))? with time zone");

  Pattern NUMERIC = Pattern.compile("numeric\\(\\d+,(\\d+)\\)");

  /// A number that has zeros at its end.
  Pattern ROUNDED = Pattern.compile("numeric\\(\\d+,-(\\d+)\\)");

  String ZONE = "(?:[Zz]|UTC|GMT|[+-]\\d{1,2}(?::?\\d{2}(?::?\\d{2})?)?)";

  String YEARS = "(?:[+-]?\\d+ years?)?";
  String MONTHS = YEARS + " ?(?:[+-]?\\d+ mons?)?";
  String DAYS = MONTHS + " ?(?:[+-]?\\d+ days?)?";
  String LOSSLESS_AS_DATE = "00:00:00|-?infinity|";

  /// NAMEDATALEN less its closing zero.
  int NAME_BYTES_MAX = 63;

  /// Times and intervals are kept in microseconds.
  int MICROS_DIGITS = 6;

  /// What would change; empty if nothing does, and if the server refuses the text. A fraction with
  /// an exponent is not worked out, and counts as too long.
  String find(byte[] bytes, int start, int end);

  /// What to look for in text for a column of that type, or null if the server either keeps a value
  /// or refuses it.
  static @Nullable LossyCastCheck of(PostgresType type) {
    return switch (type.wire()) {
      case String wire when type.shape() != PostgresType.Shape.SINGLE ->
          NestedTextCheck.changes(type);
      case "name" ->
          (_, start, end) -> end - start > NAME_BYTES_MAX ? "a name has at most 63 bytes" : "";
      case "\"char\"" ->
          (bytes, start, end) ->
              end - start <= 1 || isOctal(bytes, start, end) ? "" : "it is more than one byte";
      case "oid", "xid", "cid", "xid8", "tid", "oidvector" ->
          (bytes, start, end) -> hasMinus(bytes, start, end) ? "the number would wrap around" : "";
      case String wire when Money.is(wire) -> Money.of(wire);
      case "interval" -> fraction(MICROS_DIGITS);
      default -> ofLimited(type.wire());
    };
  }

  /// The same of a value within a list, a row or a range. There all values are text, and those that
  /// a column of their type would get as something else are looked at like them.
  static @Nullable LossyCastCheck within(PostgresType type) {
    int charactersMax = type.charactersMax();
    Matcher numeric = NUMERIC.matcher(type.wire());
    if (type.type() instanceof Type.Date
        || type.type() instanceof Type.Time
        || type.type() instanceof Type.Timestamp) {
      return ofTimes(type);
    }
    if (type.type() instanceof Type.Float number) {
      return ofFloats(type, number);
    }
    if (charactersMax > 0) {
      return (bytes, start, end) ->
          Utf8.characters(bytes, start, end) <= charactersMax
              ? ""
              : notOne(bytes, start, end, type);
    }
    return numeric.matches() ? fraction(Integer.parseInt(numeric.group(1))) : of(type);
  }

  private static @Nullable LossyCastCheck ofLimited(String wire) {
    Matcher time = TIMETZ.matcher(wire);
    if (time.matches()) {
      int digits = time.group(1) == null ? MICROS_DIGITS : Integer.parseInt(time.group(1));
      return timeWithZone(digits);
    }
    Matcher fraction = FRACTION.matcher(wire);
    if (fraction.matches()) {
      return fraction(Integer.parseInt(fraction.group(1)));
    }
    Matcher rounded = ROUNDED.matcher(wire);
    if (rounded.matches()) {
      String zeros = "0{" + rounded.group(1) + "}";
      return spelled(
          "\\s*(?:NaN|[+-]?(?:\\d*" + zeros + "|0+)(?:\\.0*)?)\\s*", "the server would round it");
    }
    Matcher fields = FIELDS.matcher(wire);
    return fields.matches() ? ofField(fields.group(1)) : null;
  }

  /// A time of day and its zone, with so many digits after the point: the server would leave a date
  /// out, take words and names of zones by its own clock, and a time without a zone in that of the
  /// session.
  private static LossyCastCheck timeWithZone(int digits) {
    String time = "\\s*T?\\d{1,2}:\\d{2}(?::\\d{2}(?:\\.\\d{0," + digits + "}0*)?)?";
    Pattern lossless = Pattern.compile(time + "\\s*(?:[AaPp][Mm])?\\s*" + ZONE + "\\s*");
    return (bytes, start, end) ->
        lossless.matcher(text(bytes, start, end)).matches()
            ? ""
            : "it is not a time of day and its zone alone, with at most "
                + digits
                + " digits after the point";
  }

  /// A date or a time as Millrace reads it: the server would also take words for its own clock, and
  /// leave out a date, a time of day or a zone that the type does not have.
  private static LossyCastCheck ofTimes(PostgresType type) {
    ValueParser parser = Spelling.parser(type.type(), SpellingStyle.ISO);
    LongVector value = new LongVector(1);
    int step = type.microsStep();
    boolean hasEpoch = !(type.type() instanceof Type.Time);
    return (bytes, start, end) -> {
      byte[] text = text(bytes, start, end).strip().getBytes(StandardCharsets.UTF_8);
      boolean isLossless =
          parser.parse(text, 0, text.length, value, 0)
              ? value.values[0] % step == 0 || ValueChecks.isInfinite(value.values[0])
              : hasEpoch && new String(text, StandardCharsets.UTF_8).equalsIgnoreCase("epoch");
      return isLossless ? "" : notOne(bytes, start, end, type);
    };
  }

  /// A whole number that the type can't hold, of which the server would take the nearest.
  private static LossyCastCheck ofFloats(PostgresType type, Type.Float number) {
    ValueParser parser = Spelling.parser(number, SpellingStyle.ISO);
    DoubleVector value = new DoubleVector(1);
    return (bytes, start, end) -> {
      if (parser.parse(bytes, start, end, value, 0)) {
        return "";
      }
      String text = text(bytes, start, end).strip();
      byte[] bare = text.getBytes(StandardCharsets.UTF_8);
      boolean isLossless =
          parser.parse(bare, 0, bare.length, value, 0) || Floats.lost(number, text).isEmpty();
      return isLossless ? "" : notOne(bytes, start, end, type);
    };
  }

  private static LossyCastCheck ofField(String last) {
    return spelled(
        LOSSLESS_AS_DATE
            + switch (last) {
              case "year" -> YEARS;
              case "month" -> MONTHS;
              case "day" -> DAYS;
              case "hour" -> DAYS + " ?(?:[+-]?\\d+:00:00)?";
              default -> DAYS + " ?(?:[+-]?\\d+:\\d\\d:00)?";
            },
        "the server would drop parts of it");
  }

  private static LossyCastCheck spelled(String regex, String change) {
    Pattern lossless = Pattern.compile(regex);
    return (bytes, start, end) -> lossless.matcher(text(bytes, start, end)).matches() ? "" : change;
  }

  private static LossyCastCheck fraction(int digitsMax) {
    return (bytes, start, end) ->
        hasLongFraction(bytes, start, end, digitsMax)
            ? "it has more digits after the point than " + digitsMax
            : "";
  }

  private static String notOne(byte[] bytes, int start, int end, PostgresType type) {
    return ValueChecks.shown(bytes, start, end) + " in it is no " + type.declared();
  }

  private static String text(byte[] bytes, int start, int end) {
    return new String(bytes, start, end - start, StandardCharsets.UTF_8);
  }

  /// How the server spells a byte that is no ASCII character, since version 16.
  private static boolean isOctal(byte[] bytes, int start, int end) {
    return end - start == 4 && bytes[start] == '\\' && bytes[start + 1] >= '0';
  }

  private static boolean hasMinus(byte[] bytes, int start, int end) {
    for (int i = start; i < end; i++) {
      if (bytes[i] == '-') {
        return true;
      }
    }
    return false;
  }

  private static boolean hasLongFraction(byte[] bytes, int start, int end, int digitsMax) {
    int digits = -1;
    for (int i = start; i < end; i++) {
      byte b = bytes[i];
      boolean isDigit = b >= '0' && b <= '9';
      if (b == '.') {
        digits = 0;
      } else if (!isDigit) {
        boolean isExponent = (b == 'e' || b == 'E') && i > start && isNumber(bytes[i - 1]);
        if (isExponent) {
          return true;
        }
        digits = -1;
      } else if (digits >= 0) {
        digits++;
        if (digits > digitsMax && b != '0') {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean isNumber(byte b) {
    return b == '.' || (b >= '0' && b <= '9');
  }
}
