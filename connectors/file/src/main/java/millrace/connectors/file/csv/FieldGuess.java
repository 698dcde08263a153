package millrace.connectors.file.csv;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import millrace.data.Type;
import millrace.data.Vector;
import millrace.data.spelling.Spelling;
import millrace.data.spelling.SpellingStyle;
import millrace.data.spelling.ValueParser;
import millrace.data.spelling.guess.TypeGuess;
import millrace.data.spelling.number.NumberStyle;
import millrace.data.spelling.time.ZeroDates;
import org.jspecify.annotations.Nullable;

/// Guesses the type of one field and how its values are spelled.
///
/// A spelling that nobody named counts only if all values agree with it, and with no other one that
/// gives other values: `28.02.2024` tells which is the day, `03/04/2024` alone does not. What may
/// be meant in two ways stays text, and {@link #doubt} says which ways. One thread.
final class FieldGuess {

  private static final NumberStyle COMMA = new NumberStyle(",", ".", "");

  private static final NumberStyle POINT = new NumberStyle(".", ",", "");

  /// A date of three parts, and perhaps a time behind a blank.
  private static final Pattern DATE =
      Pattern.compile(
          "([0-9]{1,4})([./ -])([0-9]{1,2}|[A-Za-z]{3})\\2([0-9]{1,4})"
              + "( [0-9]{1,2}:[0-9]{2}(:[0-9]{2})?( [AaPp][Mm])?)?");

  private static final int DATE_BYTES_MAX = 30;

  private final SpellingStyle style;
  private final SpellingStyle base;
  private final boolean mayHaveCommas;
  private final TypeGuess plain;

  /// The same without dates of zeros.
  private final TypeGuess withoutZeros;

  private @Nullable TypeGuess comma;
  private @Nullable TypeGuess point;

  /// Whether all values are made of what numbers are made of.
  private boolean looksLikeNumbers;

  private boolean sawComma;
  private boolean sawPoint;
  private boolean sawZeroDate;
  private boolean sawAny;
  private List<DateFormat> dates = List.of();
  private int lengthMin = Integer.MAX_VALUE;

  /// @param style what the user says, in which case nothing else is looked for
  /// @param base how values are spelled if nothing is recognised
  /// @param mayHaveCommas whether a comma may stand before fractions; where it stands between
  ///   fields, nobody writes numbers so
  FieldGuess(SpellingStyle style, SpellingStyle base, boolean mayHaveCommas) {
    this.style = style;
    this.base = base;
    this.mayHaveCommas = mayHaveCommas;
    plain = new TypeGuess(style);
    withoutZeros = new TypeGuess(style);
    looksLikeNumbers = style.numbers().equals(NumberStyle.PLAIN);
  }

  /// A format that dates may be in.
  ///
  /// @param loose takes one digit or two
  /// @param strict takes two
  private record DateFormat(
      String loose, String strict, boolean timed, ValueParser parser, Vector scratch) {

    static DateFormat of(String loose, boolean timed, SpellingStyle style) {
      String strict = loose.replaceAll("(?<![A-Za-z])([dhHM])(?![A-Za-z])", "$1$1");
      ValueParser parser = Spelling.parser(type(timed), styled(style, loose, timed));
      return new DateFormat(loose, strict, timed, parser, Vector.of(type(timed), 1));
    }

    Type type() {
      return type(timed);
    }

    private static Type type(boolean timed) {
      return timed ? new Type.Timestamp(false) : new Type.Date();
    }

    private static SpellingStyle styled(SpellingStyle style, String format, boolean timed) {
      return timed ? style.withTimestamps(format) : style.withDates(format).withTimestamps(format);
    }

    boolean holds(byte[] bytes, int start, int end) {
      return parser.parse(bytes, start, end, scratch, 0);
    }

    /// Whether values of that length or more have two digits everywhere.
    SpellingStyle styled(SpellingStyle style, int lengthMin) {
      return styled(style, format(lengthMin), timed);
    }

    String format(int lengthMin) {
      int length = strict.length() + (strict.endsWith(" a") ? 1 : 0);
      return lengthMin >= length ? strict : loose;
    }
  }

  /// Takes a value into account that is not missing.
  void see(byte[] bytes, int start, int end) {
    plain.see(bytes, start, end);
    if (ZeroDates.isZero(bytes, start, end)) {
      sawZeroDate = true;
    } else {
      withoutZeros.see(bytes, start, end);
    }
    if (looksLikeNumbers) {
      look(bytes, start, end);
    }
    if (!sawAny) {
      dates = end - start <= DATE_BYTES_MAX ? formats(bytes, start, end) : List.of();
    }
    sawAny = true;
    if (!dates.isEmpty()) {
      lengthMin = Math.min(lengthMin, end - start);
      dates = dates.stream().filter(each -> each.holds(bytes, start, end)).toList();
    }
  }

  private void look(byte[] bytes, int start, int end) {
    for (int at = start; at < end; at++) {
      byte each = bytes[at];
      if (each == ',') {
        sawComma = true;
      } else if (each == '.') {
        sawPoint = true;
      } else if ((each < '0' || each > '9') && "+-eE".indexOf(each) < 0) {
        looksLikeNumbers = false;
        return;
      }
    }
  }

  /// Whether a second look at all fields may tell how numbers are spelled.
  boolean wantsNumbers() {
    return looksLikeNumbers && sawComma && isText();
  }

  /// Takes a value into account for the second time, as a number of other styles.
  void seeNumber(byte[] bytes, int start, int end) {
    if (!looksLikeNumbers) {
      return;
    }
    TypeGuess byComma = comma == null ? new TypeGuess(style.with(COMMA)) : comma;
    TypeGuess byPoint = point == null ? new TypeGuess(style.with(POINT)) : point;
    byComma.see(bytes, start, end);
    byPoint.see(bytes, start, end);
    comma = byComma;
    point = byPoint;
  }

  /// The formats that a first value may be in.
  private List<DateFormat> formats(byte[] bytes, int start, int end) {
    boolean isGiven = style.dateFormat() != null || style.timestampFormat() != null;
    Matcher date = DATE.matcher(new String(bytes, start, end - start, StandardCharsets.ISO_8859_1));
    if (isGiven || !date.matches()) {
      return List.of();
    }
    String between = date.group(2);
    String time = date.group(5) == null ? "" : date.group(6) == null ? " H:mm" : " H:mm:ss";
    String clock = date.group(7) == null ? time : time.replace('H', 'h') + " a";
    List<String> orders = new ArrayList<>();
    boolean endsWithYear = date.group(4).length() == 4;
    if (date.group(1).length() == 4) {
      if (!between.equals("-") || date.group(3).length() < 2 || date.group(4).length() < 2) {
        orders.add(String.join(between, "yyyy", "M", "d"));
      }
    } else if (endsWithYear && Character.isLetter(date.group(3).charAt(0))) {
      orders.add(String.join(between, "d", "MMM", "yyyy"));
    } else if (endsWithYear) {
      orders.add(String.join(between, "d", "M", "yyyy"));
      orders.add(String.join(between, "M", "d", "yyyy"));
    }
    return orders.stream()
        .map(each -> DateFormat.of(each + clock, !clock.isEmpty(), style))
        .toList();
  }

  private static boolean isNumber(@Nullable TypeGuess guess) {
    return guess != null && guess.type() instanceof Type.Numeric;
  }

  /// Whether the values are numbers with a comma before the fraction, and nothing else.
  boolean isSureOfComma() {
    return mayHaveCommas && isText() && isNumber(comma) && !isNumber(point);
  }

  private boolean isSureOfPoint() {
    return isText() && isNumber(point) && !isNumber(comma);
  }

  private boolean isText() {
    return plain.type() instanceof Type.Text;
  }

  /// The type: text if the values may be meant in two ways.
  ///
  /// @param comma whether a field beside this one has commas before fractions
  Type type(boolean comma) {
    if (dates.size() == 1 && isText()) {
      return dates.getFirst().type();
    }
    TypeGuess byComma = this.comma;
    TypeGuess byPoint = point;
    if (byComma != null && isSureOfComma()) {
      return byComma.type();
    }
    if (byPoint != null && isSureOfPoint()) {
      return byPoint.type();
    }
    return mayHaveGroups(comma) ? Type.Text.UNLIMITED : plain.type();
  }

  /// How the values are spelled.
  SpellingStyle style() {
    if (dates.size() == 1 && isText()) {
      return dates.getFirst().styled(base, lengthMin);
    }
    return isSureOfComma() ? base.with(COMMA) : isSureOfPoint() ? base.with(POINT) : base;
  }

  /// Whether points that make fractions could stand between thousands as well.
  ///
  /// @param comma whether a field beside this one has commas before fractions
  boolean mayHaveGroups(boolean comma) {
    return comma && sawPoint && mayHaveCommas && isNumber(plain) && isNumber(this.comma);
  }

  /// How the user could say what was recognised; null if nothing was.
  @Nullable String recognised() {
    SpellingStyle found = style();
    if (found.equals(base)) {
      return null;
    }
    if (dates.size() == 1 && isText()) {
      DateFormat date = dates.getFirst();
      return (date.timed ? "--timestamp-format '" : "--date-format '")
          + date.format(lengthMin)
          + "'";
    }
    return NumberHints.asOptions(found.numbers());
  }

  /// What the values may mean if they are text because that is open; null if it is not.
  ///
  /// @param comma whether a field beside this one has commas before fractions
  @Nullable String doubt(boolean comma) {
    Type others = withoutZeros.type();
    if (sawZeroDate
        && isText()
        && (others instanceof Type.Date || others instanceof Type.Timestamp)) {
      return "some of its dates are of zeros alone, which --zero-dates null makes missing values";
    }
    if (dates.size() > 1 && isText()) {
      return "its values may be "
          + dates.getFirst().format(lengthMin)
          + " or "
          + dates.get(1).format(lengthMin)
          + ", which "
          + (dates.getFirst().timed ? "--timestamp-format" : "--date-format")
          + " can say";
    }
    boolean isOpen = isText() && sawComma && isNumber(this.comma) && isNumber(point);
    return isOpen || mayHaveGroups(comma)
        ? "a "
            + (isOpen ? "comma" : "point")
            + " in it may stand before a fraction or between thousands, which --decimal-separator"
            + " and --thousands can say"
        : null;
  }
}
