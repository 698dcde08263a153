package millrace.connectors.file.csv;

import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import millrace.data.Type;
import millrace.data.Vector;
import millrace.data.spelling.Spelling;
import millrace.data.spelling.SpellingStyle;
import millrace.data.spelling.Texts;
import millrace.data.spelling.number.Floats;
import millrace.data.spelling.time.EpochUnit;
import millrace.data.spelling.time.ZeroDates;
import org.jspecify.annotations.Nullable;

/// What may be meant by a value that its type does not know, and which option says so.
final class ValueHints {

  /// Longer values are none of those that are told apart here.
  private static final int BYTES_MAX = 60;

  /// How others spell a missing value.
  private static final Set<String> MISSING = Set.of("null", "\\n", "na", "n/a", "none", "nil");

  private static final Pattern ISO_DATE = Pattern.compile("[0-9]{4,}-[0-9]{2}-[0-9]{2}.*");

  /// Seconds or milliseconds since 1970, as of this century.
  private static final Pattern COUNT = Pattern.compile("[0-9]{9,10}|[0-9]{12,13}");

  private static final int MILLIS_LENGTH_MIN = 10;

  /// A time of day with letters behind it.
  private static final Pattern ZONE_NAME =
      Pattern.compile(".*[0-9]:[0-9]{2}(?:[.][0-9]+)? ?([A-Za-z]{3,}[A-Za-z0-9_/+-]*)");

  private ValueHints() {}

  /// The hint, or nothing if the value says no more than that it is wrong.
  ///
  /// @param style how dates and times are to be spelled
  static String hint(byte[] bytes, int start, int end, Type type, SpellingStyle style) {
    if (type instanceof Type.Text text) {
      return Texts.tooLong(text, bytes, start, end);
    }
    if (start == end) {
      return "a quoted empty field is an empty text; quoted-null=true makes it missing";
    }
    if (end - start > BYTES_MAX) {
      return "";
    }
    String value = new String(bytes, start, end - start, StandardCharsets.ISO_8859_1);
    if (MISSING.contains(value.toLowerCase(Locale.ROOT))) {
      return "null-string=" + value + " makes it missing";
    }
    boolean numbered = Character.isDigit(value.charAt(0));
    if ((type instanceof Type.Date || type instanceof Type.Timestamp)
        && ZeroDates.isZero(bytes, start, end)) {
      return "zero-dates=null makes it missing";
    }
    EpochUnit epoch = style.epoch();
    return switch (type) {
      case Type.Timestamp _ when epoch != null ->
          "it should count in " + epoch.label() + " from 1970, exact to the microsecond";
      case Type.Date _ when style.dateFormat() == null && numbered -> {
        boolean timed = isTimestamp(bytes, start, end, false);
        yield timed ? "it has a time of day" : ofFormat(value, "date-format", "dd/MM/yyyy");
      }
      case Type.Timestamp(boolean zoned) when style.timestampFormat() == null && numbered -> {
        if (COUNT.matcher(value).matches()) {
          String unit = value.length() > MILLIS_LENGTH_MIN ? "ms" : "s";
          yield "if it counts from 1970, say " + type.label() + "(epoch " + unit + ")";
        }
        String inZone = zoned ? ofZoneName(value) : "";
        if (!inZone.isEmpty()) {
          yield inZone;
        }
        if (!isTimestamp(bytes, start, end, !zoned)) {
          yield ofFormat(value, "timestamp-format", "dd/MM/yyyy HH:mm:ss");
        }
        yield zoned ? ofZone(style.timeZone()) : "it has an offset from UTC";
      }
      case Type.Float number when Floats.lost(number, value).isEmpty() ->
          NumberHints.hint(bytes, start, end, type, style.numbers());
      case Type.Float number -> Floats.lost(number, value);
      case Type.Int _, Type.Decimal _ -> NumberHints.hint(bytes, start, end, type, style.numbers());
      case Type.Temporal _, Type.Bool _, Type.Uuid _, Type.Bytes _, Type.Textual _ -> "";
    };
  }

  /// Why a time with a zone's name behind it is no instant; empty if it has none.
  private static String ofZoneName(String value) {
    Matcher named = ZONE_NAME.matcher(value);
    if (!named.matches()) {
      return "";
    }
    String name = named.group(1);
    if (name.indexOf('/') < 0) {
      return "'" + name + "' is no time zone that means one offset from UTC; +01 does";
    }
    return ZoneId.getAvailableZoneIds().contains(name)
        ? ofZone(ZoneId.of(name))
        : "there is no time zone '" + name + "'";
  }

  private static String ofZone(@Nullable ZoneId zone) {
    return zone == null
        ? "it has no offset from UTC, such as +00; time-zone says where its clock stood"
        : "the clocks of " + zone + " showed it twice, or never";
  }

  private static String ofFormat(String value, String option, String example) {
    return ISO_DATE.matcher(value).matches()
        ? ""
        : option + " says how they are spelled, for example " + example;
  }

  private static boolean isTimestamp(byte[] bytes, int start, int end, boolean zoned) {
    Type type = new Type.Timestamp(zoned);
    return Spelling.parser(type, SpellingStyle.ISO).parse(bytes, start, end, Vector.of(type, 1), 0);
  }
}
