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
              + "|(?<hour>[hH]{2}24|HH(?!12)|hh(?!12))"
              + "|(?<minute>mi|MI)"
              + "|(?<two>mm|MM)(?![mM])"
              + "|(?<day>dd|DD)(?![dD])"
              + "|(?<fraction>FF[1-9]?|ff[1-9]?|MS|US)"
              + "|(?<second>ss)"
              + "|(?<capital>S{1,9})"
              + "|(?<tz>TZH:TZM|TZHTZM|TZH)"
              + "|(?<offset>X{1,3}|x{1,3})"
              + "|'(?<single>[^']*)'|\"(?<double>[^\"]*)\""
              + "|(?<plain>T|[^A-Za-z0-9'\"])");

  private final String text;
  private final Kind kind;
  private final boolean bothCases;
  private final List<PatternPart> parts = new ArrayList<>();
  private final Set<Field> seen = EnumSet.noneOf(Field.class);
  private Field last = Field.LITERAL;

  private PatternCompiler(String text, Kind kind) {
    this.text = text;
    this.kind = kind;
    bothCases = text.contains("mm") && text.contains("MM");
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

  private TemporalPattern compile() {
    scan();
    check();
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
    } else if (token.group("hour") != null) {
      add(PatternPart.number(Field.HOUR, 2));
    } else if (token.group("minute") != null) {
      add(PatternPart.number(Field.MINUTE, 2));
    } else if (token.group("two") != null) {
      add(PatternPart.number(isMinute(word) ? Field.MINUTE : Field.MONTH, 2));
    } else if (token.group("day") != null) {
      add(PatternPart.number(Field.DAY, 2));
    } else if (token.group("fraction") != null) {
      add(PatternPart.number(Field.FRACTION, fractionDigits(word)));
    } else if (token.group("second") != null) {
      add(PatternPart.number(Field.SECOND, 2));
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

  /// If both cases occur, they are java.time's: `MM` the month, `mm` the minute. If one does, it is
  /// the minute right after the hour, and the month elsewhere.
  private boolean isMinute(String word) {
    return bothCases ? word.equals("mm") : last == Field.HOUR;
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
    if (!seen.add(part.field())) {
      throw fault("it has two fields for the " + name(part.field()));
    }
    last = part.field();
    parts.add(part);
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
    if (seen.contains(Field.OFFSET) != (kind == Kind.INSTANT)) {
      throw fault(
          kind == Kind.INSTANT
              ? "an instant needs an offset from UTC, such as XXX, or a time zone to be read by"
              : "only an instant has an offset from UTC");
    }
  }

  private static String name(Field field) {
    return field == Field.OFFSET ? "offset from UTC" : field.name().toLowerCase(Locale.ROOT);
  }

  private Fault.User fault(String why) {
    return new Fault.User(
        "\"" + text + "\" can't be the format of a " + kind.label + ": " + why + ".",
        "Formats are made of yyyy MM dd HH mm ss SSSSSS XXX, or YYYY MM DD HH24 MI SS FF6"
            + " TZH:TZM, and what stands between them; letters that mean themselves stand in"
            + " quotes.");
  }
}
