package millrace.data.spelling.time;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import millrace.data.spelling.time.PatternPart.Field;
import millrace.fault.Fault;

/// Turns the text of a date or time pattern into the parts of a {@link TemporalPattern}, whose
/// comment says what it takes.
public final class PatternCompiler {

  /// What a pattern is for.
  public enum Kind {
    DATE("date"),
    TIME("time"),
    TIMESTAMP("timestamp"),
    INSTANT("timestamptz");

    private final String label;

    Kind(String label) {
      this.label = label;
    }
  }

  private static final Set<Field> DATE = EnumSet.of(Field.YEAR, Field.MONTH, Field.DAY);
  private static final List<Field> CLOCK =
      List.of(Field.HOUR, Field.MINUTE, Field.SECOND, Field.FRACTION);

  /// A field's word, something between quotes, or one other character. Longer words come first.
  private static final Pattern TOKEN =
      Pattern.compile(
          "(?<year>[yY]{4}|u{4})(?![yYu])"
              + "|(?<century>yy|YY|uu|RR)(?![yYuR])"
              + "|(?<hour>[hH]{2}24|[hH]{2}12|HH|hh|[hH](?![hH]))"
              + "|(?<half>a|AM|PM|am|pm)(?![A-Za-z])"
              + "|(?<name>MMMM|MMM|MONTH|Month|month|MON|Mon|mon)(?![A-Za-z])"
              + "|(?<minute>mi|MI)"
              + "|(?<two>mm|MM|[mM](?![mMS]))(?![mM])"
              + "|(?<day>dd|DD|d(?!d))(?![dD])"
              + "|(?<fraction>FF[1-9]?|ff[1-9]?|MS|US)"
              + "|(?<second>ss|s(?!s))"
              + "|(?<capital>S{1,9})"
              + "|(?<tz>TZH:TZM|TZHTZM|TZH)"
              + "|(?<zone>VV|z{1,4}|TZR|TZD)(?![A-Za-z])"
              + "|(?<offset>X{1,3}|x{1,3})"
              + "|'(?<single>[^']*)'|\"(?<double>[^\"]*)\""
              + "|(?<plain>T|[^A-Za-z0-9'\"])");

  private static final Pattern HALF = Pattern.compile("(?<![A-Za-z])(a|AM|PM|am|pm)(?![A-Za-z])");

  /// A month or a minute in digits, in either case.
  private static final Pattern SMALL_M = Pattern.compile("(?<![A-Za-z])m{1,2}(?![A-Za-z])");

  private static final Pattern CAPITAL_M = Pattern.compile("(?<![A-Za-z])M{1,4}(?![A-Za-z])");

  private final String text;
  private final Kind kind;
  private final boolean bothCases;

  /// Whether hours are of 12.
  private final boolean halves;

  private final List<PatternPart> parts = new ArrayList<>();
  private final Set<Field> seen = EnumSet.noneOf(Field.class);
  private Field last = Field.LITERAL;

  private PatternCompiler(String text, Kind kind) {
    this.text = text;
    this.kind = kind;
    halves = HALF.matcher(text.replaceAll("'[^']*'|\"[^\"]*\"", "'")).find();
    bothCases = SMALL_M.matcher(text).find() && CAPITAL_M.matcher(text).find();
  }

  public static TemporalPattern compile(String text, Kind kind) {
    return new PatternCompiler(text, kind).compile();
  }

  /// Whether the pattern tells the offset from UTC, and so an instant.
  ///
  /// @throws Fault.User if it is no pattern at all
  public static boolean hasOffset(String text) {
    PatternCompiler compiler = new PatternCompiler(text, Kind.INSTANT);
    compiler.scan();
    return compiler.seen.contains(Field.OFFSET);
  }

  /// Whether years have two digits in it, so that their century is made up.
  ///
  /// @throws Fault.User if it is no pattern at all
  public static boolean hasYearOfCentury(String text) {
    PatternCompiler compiler = new PatternCompiler(text, Kind.INSTANT);
    compiler.scan();
    return compiler.parts.stream().anyMatch(PatternPart::isOfCentury);
  }

  private TemporalPattern compile() {
    scan();
    check();
    checkEnds();
    return new TemporalPattern(text, parts);
  }

  private void scan() {
    Matcher matcher = TOKEN.matcher(text);
    int at = 0;
    while (at < text.length()) {
      if (!matcher.find(at) || matcher.start() != at) {
        throw fault("\"" + text.substring(at) + "\" is no part that is known");
      }
      add(matcher);
      at = matcher.end();
    }
  }

  private void add(Matcher token) {
    String word = token.group();
    if (token.group("year") != null) {
      add(PatternPart.number(Field.YEAR, 4));
    } else if (token.group("century") != null) {
      add(PatternPart.yearOfCentury(true));
    } else if (token.group("hour") != null) {
      addHour(word);
    } else if (token.group("half") != null) {
      add(PatternPart.half());
    } else if (token.group("name") != null) {
      boolean isLong = word.length() > 3;
      boolean isCapital = word.startsWith("MO");
      add(PatternPart.monthName(isLong, isCapital));
    } else if (token.group("zone") != null) {
      add(PatternPart.zone());
    } else if (token.group("minute") != null) {
      add(PatternPart.number(Field.MINUTE, 2));
    } else if (token.group("two") != null) {
      add(digits(isMinute(word) ? Field.MINUTE : Field.MONTH, word));
    } else if (token.group("day") != null) {
      add(digits(Field.DAY, word));
    } else if (token.group("fraction") != null) {
      add(PatternPart.number(Field.FRACTION, fractionDigits(word)));
    } else if (token.group("second") != null) {
      add(digits(Field.SECOND, word));
    } else if (token.group("capital") != null) {
      boolean second = word.length() == 2 && !seen.contains(Field.SECOND);
      add(PatternPart.number(second ? Field.SECOND : Field.FRACTION, word.length()));
    } else if (token.group("tz") != null) {
      add(PatternPart.offset(word.equals("TZH") ? 3 : word.equals("TZHTZM") ? 5 : 6, false));
    } else if (token.group("offset") != null) {
      add(PatternPart.offset(new int[] {3, 5, 6}[word.length() - 1], word.startsWith("X")));
    } else {
      addLiteral(token);
    }
  }

  /// One letter is a digit or two.
  private static PatternPart digits(Field field, String word) {
    return word.length() == 1 ? PatternPart.shortNumber(field) : PatternPart.number(field, 2);
  }

  private void addHour(String word) {
    boolean isOf24 = word.endsWith("24");
    if (isOf24 && halves) {
      throw fault("an hour of 24 has neither AM nor PM");
    }
    if (word.endsWith("12") && !halves) {
      throw fault("an hour of 12 needs AM or PM behind it, written a");
    }
    Field field = halves ? Field.HALF_HOUR : Field.HOUR;
    add(digits(field, word.length() == 4 ? word.substring(0, 2) : word));
  }

  /// If both cases occur, they are java.time's: `MM` the month, `mm` the minute. If one does, it is
  /// the minute right after the hour, and the month elsewhere.
  private boolean isMinute(String word) {
    if (seen.contains(Field.MONTH) && !seen.contains(Field.MINUTE) && seen.contains(Field.HOUR)) {
      return true;
    }
    return bothCases ? word.startsWith("m") : last == Field.HOUR;
  }

  private static int fractionDigits(String word) {
    return switch (word.toUpperCase(Locale.ROOT)) {
      case "MS" -> 3;
      case "US", "FF" -> 6;
      default -> word.charAt(2) - '0';
    };
  }

  private void addLiteral(Matcher token) {
    String single = token.group("single");
    String quoted = single != null ? single : token.group("double");
    if ("Z".equals(quoted) && kind == Kind.INSTANT) {
      add(PatternPart.offset(1, true));
      return;
    }
    String literal = quoted == null ? token.group() : quoted.isEmpty() ? "'" : quoted;
    parts.add(PatternPart.literal(literal.getBytes(StandardCharsets.UTF_8)));
  }

  private void add(PatternPart part) {
    Field field = part.field() == Field.HALF_HOUR ? Field.HOUR : part.field();
    if (!seen.add(field)) {
      throw fault("it has two fields for the " + name(field));
    }
    last = field;
    parts.add(part);
  }

  /// Where a number may have more digits or fewer, no digit may follow.
  private void checkEnds() {
    for (int i = 0; i < parts.size(); i++) {
      boolean numberFollows = i + 1 < parts.size() && parts.get(i + 1).isNumber();
      PatternPart part = parts.get(i);
      if (part.isOpen() && numberFollows) {
        throw fault(
            "the "
                + name(part.field())
                + " of one digit or two ends at no place, as a digit follows");
      }
      if (part.isOfCentury() && numberFollows) {
        parts.set(i, PatternPart.yearOfCentury(false));
      }
    }
  }

  private void check() {
    boolean dated = kind != Kind.TIME;
    for (Field field : DATE) {
      if (seen.contains(field) != dated) {
        throw fault(dated ? "it has no " + name(field) : "a time has no " + name(field));
      }
    }
    for (int i = 0; i < CLOCK.size(); i++) {
      if (!seen.contains(CLOCK.get(i))) {
        continue;
      }
      if (kind == Kind.DATE) {
        throw fault("a date has no " + name(CLOCK.get(i)));
      }
      if (i > 0 && !seen.contains(CLOCK.get(i - 1))) {
        throw fault("it has a " + name(CLOCK.get(i)) + " without a " + name(CLOCK.get(i - 1)));
      }
    }
    if (kind == Kind.TIME && !seen.contains(Field.HOUR)) {
      throw fault("it has no hour");
    }
    if (seen.contains(Field.HALF) && !seen.contains(Field.HOUR)) {
      throw fault("it has AM or PM without an hour");
    }
    if (seen.contains(Field.HALF) && kind == Kind.DATE) {
      throw fault("a date has neither AM nor PM");
    }
    if (seen.contains(Field.OFFSET) != (kind == Kind.INSTANT)) {
      throw fault(
          kind == Kind.INSTANT
              ? "an instant needs an offset from UTC, such as XXX, or a time zone to be read by"
              : "only an instant has an offset from UTC");
    }
  }

  private static String name(Field field) {
    return switch (field) {
      case OFFSET -> "offset from UTC";
      case HALF_HOUR -> "hour";
      case HALF -> "half of the day";
      case YEAR, MONTH, DAY, HOUR, MINUTE, SECOND, FRACTION, LITERAL ->
          field.name().toLowerCase(Locale.ROOT);
    };
  }

  private Fault.User fault(String why) {
    return new Fault.User(
        "\"" + text + "\" can't be the format of a " + kind.label + ": " + why + ".",
        "Formats are made of yyyy MM dd HH mm ss SSSSSS XXX, or YYYY MM DD HH24 MI SS FF6"
            + " TZH:TZM, and what stands between them; also yy, MMM or MON, a (AM or PM), VV (a"
            + " time zone's name), and M d H h m s for one digit or two. Letters that mean"
            + " themselves stand in quotes.");
  }
}
