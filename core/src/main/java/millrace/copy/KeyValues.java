package millrace.copy;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.regex.Pattern;
import millrace.data.LongVector;
import millrace.data.Temporals;
import millrace.data.Type;
import millrace.data.Vector;
import millrace.data.spelling.Spelling;
import millrace.data.spelling.SpellingStyle;
import millrace.fault.Fault;
import millrace.text.TimeSpan;

/// Values of an update key as numbers, to compare them and to step from one to another: numbers as
/// they are, dates as days, timestamps as microseconds.
///
/// @param column for messages
/// @param type a number, a date or a timestamp
record KeyValues(String column, Type type) {

  private static final Pattern NUMBER = Pattern.compile("[0-9]+(\\.[0-9]+)?");

  /// @throws Fault.User if values of the type have no distance from each other
  KeyValues {
    boolean fits =
        switch (type) {
          case Type.Numeric _, Type.Date _, Type.Timestamp _ -> true;
          case Type.Bool _, Type.Time _, Type.Uuid _, Type.Textual _, Type.Bytes _ -> false;
        };
    if (!fits) {
      throw new Fault.User(
          "--update-key " + column + " is a column of " + type.label() + ".",
          "Name one of numbers, dates or timestamps, which grow with every change of a row.");
    }
  }

  /// Whether values of the other type mean the same: a day is no moment, and a reading of a clock
  /// no instant.
  boolean isLike(Type other) {
    return isMoment(type) ? type.equals(other) : other instanceof Type.Numeric;
  }

  /// Whether a value is later than the clock of any zone shows at a moment. Those of instants may
  /// differ by an hour.
  boolean isAhead(BigDecimal number, Instant now) {
    boolean isZoned = type instanceof Type.Timestamp(boolean zoned) && zoned;
    LocalDateTime latest =
        LocalDateTime.ofInstant(now.plus(Duration.ofHours(isZoned ? 1 : 14)), ZoneOffset.UTC);
    ChronoUnit unit = type instanceof Type.Date ? ChronoUnit.DAYS : ChronoUnit.MICROS;
    LocalDateTime begin = LocalDateTime.of(2000, 1, 1, 0, 0);
    return isMoment(type) && number.compareTo(BigDecimal.valueOf(unit.between(begin, latest))) > 0;
  }

  private static boolean isMoment(Type type) {
    return type instanceof Type.Date || type instanceof Type.Timestamp;
  }

  /// A value as a number.
  ///
  /// @param text as {@link Spelling} writes it
  /// @throws Fault.User if it is infinite, or no number
  BigDecimal number(String text) {
    try {
      if (!isMoment(type)) {
        return new BigDecimal(text);
      }
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      Vector value = Vector.of(type, 1);
      boolean isRead =
          Spelling.parser(type, SpellingStyle.ISO).parse(bytes, 0, bytes.length, value, 0);
      long count = isRead ? ((LongVector) value).values[0] : Temporals.INFINITY;
      if (count != Temporals.INFINITY && count != Temporals.MINUS_INFINITY) {
        return BigDecimal.valueOf(count);
      }
    } catch (NumberFormatException _) {
      throw endless(text);
    }
    throw endless(text);
  }

  private Fault.User endless(String text) {
    return new Fault.User(
        "--update-key " + column + ": the value " + text + " has nothing behind it.",
        "Leave such rows out with --where, or correct them.");
  }

  /// The value that a number stands for; if it lies between two, the lower one.
  String text(BigDecimal number) {
    if (!isMoment(type)) {
      return (type instanceof Type.Int ? number.setScale(0, RoundingMode.FLOOR) : number)
          .toPlainString();
    }
    LongVector value = (LongVector) Vector.of(type, 1);
    value.values[0] = number.setScale(0, RoundingMode.FLOOR).longValueExact();
    return Spelling.text(type, value, 0);
  }

  /// How far apart two values are, as the user says it.
  ///
  /// @param option for messages
  /// @throws Fault.User if it is none that fits the type
  BigDecimal step(String option, String text) {
    boolean isNumber = NUMBER.matcher(text).matches();
    if (!isMoment(type)) {
      if (!isNumber) {
        throw new Fault.User(
            option + " " + text + " is no number, and " + column + " is one.",
            "Write for example " + option + " 1000.");
      }
      return new BigDecimal(text);
    }
    Duration span = TimeSpan.parse(option, text);
    if (type instanceof Type.Date) {
      if (!span.equals(Duration.ofDays(span.toDays()))) {
        throw new Fault.User(
            option + " " + text + " is no number of days, and " + column + " is a date.",
            "Write for example " + option + " 1d.");
      }
      return BigDecimal.valueOf(span.toDays());
    }
    return BigDecimal.valueOf(span.toMillis()).multiply(BigDecimal.valueOf(1_000));
  }
}
