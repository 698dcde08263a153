package millrace.connectors.postgres;

import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Finds text that the server would take for a value of a type and change without a word: digits
/// rounded away, names cut short, numbers that wrap around, words that mean the time of the load,
/// times to which it would add the zone of its session. One thread at a time.
final class QuietChanges {

  /// Types with a number of digits after the point whose values go as text.
  private static final Pattern FRACTION =
      Pattern.compile(
          "(?:interval|interval (?:[a-z]+ to"
              + " )?second|time|timestamp)\\((\\d)\\).*|numeric\\(\\d+,(\\d+)\\)\\[\\]");

  /// Intervals that end at a field: the server drops what is smaller, and keeps what is larger
  /// (`AdjustIntervalForTypmod` in src/backend/utils/adt/timestamp.c).
  private static final Pattern FIELDS =
      Pattern.compile("interval (?:[a-z]+ to )?(year|month|day|hour|minute)");

  /// Types whose text may hold days and times, in a list or as the ends of a range.
  private static final Pattern SEVERAL_TIMES =
      Pattern.compile(
          "(?:date|time|timestamp|interval)\\b.*\\[\\]|(?:date|ts|tstz)(?:multi)?range(?:\\[\\])?");

  /// Those of them whose values have a zone.
  private static final Pattern SEVERAL_ZONED =
      Pattern.compile("time.* with time zone\\[\\]|tstz(?:multi)?range(?:\\[\\])?");

  /// What stands between the values of a list or a range, with the subscripts before a list.
  private static final Pattern BETWEEN =
      Pattern.compile("^\\s*(?:\\[[+-]?\\d+:[+-]?\\d+\\])+=|[\\[\\](){},\"\\\\]+");

  private static final String ZONE = "(?:[Zz]|UTC|GMT|[+-]\\d{1,2}(?::?\\d{2}(?::?\\d{2})?)?)";

  /// A value that has its zone, or needs none, as words do that are the same everywhere.
  private static final Pattern HAS_ZONE =
      Pattern.compile(
          "\\D*|.*\\d:\\d{2}(?::\\d{2}(?:\\.\\d*)?)?\\s*(?:[AaPp][Mm])?\\s*"
              + ZONE
              + "(?: BC)?\\s*");

  /// What the server takes for a moment of its own clock.
  private static final Pattern CLOCK =
      Pattern.compile("\\b(?:now|today|tomorrow|yesterday)\\b", Pattern.CASE_INSENSITIVE);

  private static final Pattern TIMETZ = Pattern.compile("time(?:\\((\\d)\\))? with time zone");

  private static final String YEARS = "(?:[+-]?\\d+ years?)?";
  private static final String MONTHS = YEARS + " ?(?:[+-]?\\d+ mons?)?";
  private static final String DAYS = MONTHS + " ?(?:[+-]?\\d+ days?)?";
  private static final String WHOLE = "00:00:00|-?infinity|";

  private static final Pattern ROUNDED_ARRAY = Pattern.compile("numeric\\(\\d+,-(\\d+)\\)\\[\\]");

  /// NAMEDATALEN less its closing zero.
  private static final int NAME_BYTES_MAX = 63;

  private static final int MONEY_DIGITS = 2;

  /// Times and intervals are kept in microseconds.
  private static final int MICROS_DIGITS = 6;

  private enum Rule {
    NAME,
    CHAR,
    UNSIGNED,
    FRACTION,
    TIMES,
    ZONED_TIMES,
    TIME,
    SPELLING
  }

  private final Rule rule;
  private final int digitsMax;
  private final Pattern kept;

  private QuietChanges(Rule rule, int digitsMax, Pattern kept) {
    this.rule = rule;
    this.digitsMax = digitsMax;
    this.kept = kept;
  }

  private QuietChanges(Rule rule, int digitsMax) {
    this(rule, digitsMax, FRACTION);
  }

  private QuietChanges(String kept) {
    this(Rule.SPELLING, 0, Pattern.compile(kept));
  }

  /// What to look for in text for a column of that type, or null where the server either keeps a
  /// value or refuses it.
  static @Nullable QuietChanges of(PostgresType type) {
    return switch (type.wire()) {
      case "name" -> new QuietChanges(Rule.NAME, 0);
      case "\"char\"" -> new QuietChanges(Rule.CHAR, 0);
      case "oid", "xid", "cid" -> new QuietChanges(Rule.UNSIGNED, 0);
      case "money" -> new QuietChanges(Rule.FRACTION, MONEY_DIGITS);
      case "interval" -> new QuietChanges(Rule.FRACTION, MICROS_DIGITS);
      default -> ofLimited(type.wire());
    };
  }

  private static @Nullable QuietChanges ofLimited(String wire) {
    Matcher time = TIMETZ.matcher(wire);
    if (time.matches()) {
      int digits = time.group(1) == null ? MICROS_DIGITS : Integer.parseInt(time.group(1));
      return new QuietChanges(Rule.TIME, digits, timeWithZone(digits));
    }
    boolean severalTimes = SEVERAL_TIMES.matcher(wire).matches();
    Rule times = SEVERAL_ZONED.matcher(wire).matches() ? Rule.ZONED_TIMES : Rule.TIMES;
    Matcher fraction = FRACTION.matcher(wire);
    if (fraction.matches()) {
      String digits = fraction.group(1) == null ? fraction.group(2) : fraction.group(1);
      return new QuietChanges(severalTimes ? times : Rule.FRACTION, Integer.parseInt(digits));
    }
    if (severalTimes) {
      return new QuietChanges(times, MICROS_DIGITS);
    }
    Matcher array = ROUNDED_ARRAY.matcher(wire);
    if (array.matches()) {
      String zeros = "0{" + array.group(1) + "}";
      return new QuietChanges("(?:[{},]|NULL|NaN|-?(?:\\d*" + zeros + "|0)(?=[},]))*");
    }
    Matcher fields = FIELDS.matcher(wire);
    return fields.matches() ? ofField(fields.group(1)) : null;
  }

  /// A time of day and its zone, with so many digits after the point: the server would leave a date
  /// out, take words and names of zones by its own clock, and a time without a zone in that of the
  /// session.
  private static Pattern timeWithZone(int digits) {
    String time = "\\s*T?\\d{1,2}:\\d{2}(?::\\d{2}(?:\\.\\d{0," + digits + "}0*)?)?";
    return Pattern.compile(time + "\\s*(?:[AaPp][Mm])?\\s*" + ZONE + "\\s*");
  }

  private static QuietChanges ofField(String last) {
    return new QuietChanges(
        WHOLE
            + switch (last) {
              case "year" -> YEARS;
              case "month" -> MONTHS;
              case "day" -> DAYS;
              case "hour" -> DAYS + " ?(?:[+-]?\\d+:00:00)?";
              default -> DAYS + " ?(?:[+-]?\\d+:\\d\\d:00)?";
            });
  }

  /// What would change; empty where nothing does. A fraction with an exponent is not worked out,
  /// and counts as too long.
  String find(byte[] bytes, int start, int end) {
    return switch (rule) {
      case NAME -> end - start > NAME_BYTES_MAX ? "a name has at most 63 bytes" : "";
      case CHAR -> end - start <= 1 || isOctal(bytes, start, end) ? "" : "it is more than one byte";
      case UNSIGNED -> hasMinus(bytes, start, end) ? "the number would wrap around" : "";
      case FRACTION -> longFraction(bytes, start, end);
      case TIMES -> severalTimes(bytes, start, end);
      case ZONED_TIMES -> {
        String change = severalTimes(bytes, start, end);
        yield change.isEmpty() && !haveZones(text(bytes, start, end))
            ? "a value in it has no time zone"
            : change;
      }
      case TIME ->
          kept.matcher(text(bytes, start, end)).matches()
              ? ""
              : "it is not a time of day and its zone alone, with at most "
                  + digitsMax
                  + " digits after the point";
      case SPELLING ->
          kept.matcher(text(bytes, start, end)).matches()
              ? ""
              : "the server would drop parts of it";
    };
  }

  private String severalTimes(byte[] bytes, int start, int end) {
    return CLOCK.matcher(text(bytes, start, end)).find()
        ? "the server would put its own clock in the place of a word"
        : longFraction(bytes, start, end);
  }

  private static boolean haveZones(String several) {
    return BETWEEN.splitAsStream(several).allMatch(value -> HAS_ZONE.matcher(value).matches());
  }

  private static String text(byte[] bytes, int start, int end) {
    return new String(bytes, start, end - start, StandardCharsets.UTF_8);
  }

  private String longFraction(byte[] bytes, int start, int end) {
    return hasLongFraction(bytes, start, end)
        ? "it has more digits after the point than " + digitsMax
        : "";
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

  private boolean hasLongFraction(byte[] bytes, int start, int end) {
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
