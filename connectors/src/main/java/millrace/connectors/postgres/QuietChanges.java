package millrace.connectors.postgres;

import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Finds text that the server would take for a value of a type and change without a word: digits
/// rounded away, names cut short, numbers that wrap around. One thread at a time.
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

  private static final String YEARS = "(?:[+-]?\\d+ years?)?";
  private static final String MONTHS = YEARS + " ?(?:[+-]?\\d+ mons?)?";
  private static final String DAYS = MONTHS + " ?(?:[+-]?\\d+ days?)?";
  private static final String WHOLE = "00:00:00|-?infinity|";

  private static final Pattern ROUNDED_ARRAY = Pattern.compile("numeric\\(\\d+,-(\\d+)\\)\\[\\]");

  /// NAMEDATALEN less its closing zero.
  private static final int NAME_BYTES_MAX = 63;

  private static final int MONEY_DIGITS = 2;

  private enum Rule {
    NAME,
    CHAR,
    UNSIGNED,
    FRACTION,
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
      default -> ofLimited(type.wire());
    };
  }

  private static @Nullable QuietChanges ofLimited(String wire) {
    Matcher fraction = FRACTION.matcher(wire);
    if (fraction.matches()) {
      String digits = fraction.group(1) == null ? fraction.group(2) : fraction.group(1);
      return new QuietChanges(Rule.FRACTION, Integer.parseInt(digits));
    }
    Matcher array = ROUNDED_ARRAY.matcher(wire);
    if (array.matches()) {
      String zeros = "0{" + array.group(1) + "}";
      return new QuietChanges("(?:[{},]|NULL|NaN|-?(?:\\d*" + zeros + "|0)(?=[},]))*");
    }
    Matcher fields = FIELDS.matcher(wire);
    return fields.matches() ? ofField(fields.group(1)) : null;
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
      case FRACTION ->
          hasLongFraction(bytes, start, end)
              ? "it has more digits after the point than " + digitsMax
              : "";
      case SPELLING ->
          kept.matcher(new String(bytes, start, end - start, StandardCharsets.UTF_8)).matches()
              ? ""
              : "the server would drop parts of it";
    };
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
