package millrace.connectors.duckdb.load;

import static java.util.Map.entry;

import java.util.Map;
import millrace.connectors.duckdb.DuckDbTypes;
import millrace.connectors.sql.Names;
import millrace.data.Column;
import millrace.data.Type;
import org.jspecify.annotations.Nullable;

/// What keeps its meaning in those of DuckDB's types whose casts from text are lenient: they drop a
/// day, a time zone or digits, or take UTC for a zone that is missing, without a word.
public final class Spellings {

  private static final String TIME_OF_DAY =
      "\\s*\\d{1,2}:\\d{1,2}(:\\d{1,2}(\\.\\d{0,%d}0*)?)?\\s*";
  private static final String DAY = "\\d{1,7}-\\d{1,2}-\\d{1,2}(?: \\(BC\\))?";
  private static final String ZONE = "[+-]\\d{1,2}(:?\\d{2}(:?\\d{2})?)?\\s*";
  private static final String OTHER_DAYS = "-?infinity|epoch";
  private static final String INTEGER = "\\s*[+-]?\\d+(\\.0*)?\\s*";

  /// The text that each takes whole, as a regular expression of DuckDB's.
  private static final Map<String, String> LOSSLESS =
      Map.of(
          "TIME WITH TIME ZONE",
          TIME_OF_DAY.formatted(6) + ZONE,
          "TIME_NS",
          TIME_OF_DAY.formatted(9),
          "TIMESTAMP_NS",
          timestamp(9),
          "TIMESTAMPTZ_NS",
          instant(9),
          "INTERVAL",
          "([^.]|\\.\\d{0,6}0*([^\\d]|$))*",
          "BIGNUM",
          INTEGER,
          "BIT",
          "[01]+");

  /// The same of types whose values come as text only within lists and structs.
  private static final Map<String, String> LOSSLESS_WITHIN =
      Map.ofEntries(
          entry("TINYINT", INTEGER),
          entry("SMALLINT", INTEGER),
          entry("INTEGER", INTEGER),
          entry("BIGINT", INTEGER),
          entry("HUGEINT", INTEGER),
          entry("UTINYINT", INTEGER),
          entry("USMALLINT", INTEGER),
          entry("UINTEGER", INTEGER),
          entry("UBIGINT", INTEGER),
          entry("UHUGEINT", INTEGER),
          entry("DATE", "\\s*(" + DAY + "|" + OTHER_DAYS + ")\\s*"),
          entry("TIME", TIME_OF_DAY.formatted(6)),
          entry("TIMESTAMP", timestamp(6)),
          entry("TIMESTAMP_S", timestamp(0)),
          entry("TIMESTAMP_MS", timestamp(3)),
          entry("TIMESTAMP WITH TIME ZONE", instant(6)));

  private static final String NO_ZONE = "it would need a time zone";

  private Spellings() {}

  private static String timestamp(int digits) {
    String time = "([ T]" + TIME_OF_DAY.formatted(digits) + ")?";
    return "\\s*(" + DAY + time + "|" + OTHER_DAYS + ")\\s*";
  }

  private static String instant(int digits) {
    String time = "[ T]" + TIME_OF_DAY.formatted(digits);
    return "\\s*(" + DAY + time + "(Z|" + ZONE + ")|" + OTHER_DAYS + ")\\s*";
  }

  /// What is cast to a type, for a text in SQL: what the type would not keep whole is in quotes, so
  /// that no cast takes it for a value.
  ///
  /// @param text with the `%s` of a format for what was handed over
  public static String checked(String declared, String text) {
    String same = text.replace("%s", "%1$s");
    String regex = LOSSLESS.get(declared);
    String condition =
        DuckDbTypes.isNested(declared)
            ? NestedCast.lossless(declared, same)
            : regex == null ? null : matches(same, regex);
    return condition == null
        ? text
        : "CASE WHEN %1$s THEN %2$s ELSE '\"' || %2$s || '\"' END".formatted(condition, same);
  }

  private static String matches(String text, String regex) {
    return "regexp_full_match(" + text + ", " + Names.text(regex) + ")";
  }

  /// The condition that a text within a list or a struct is a value that a type keeps whole, or no
  /// value; null if that is so whenever DuckDB can cast it.
  ///
  /// @return with `%1$s` for the text
  static @Nullable String losslessWithin(String declared) {
    String regex = LOSSLESS.getOrDefault(declared, LOSSLESS_WITHIN.get(declared));
    String condition =
        switch (declared) {
          case "FLOAT", "DOUBLE" -> number(declared);
          case String other when other.startsWith("DECIMAL(") ->
              matches("%1$s", decimal(DuckDbTypes.decimal(other).scale()));
          case String _ -> regex == null ? null : matches("%1$s", regex);
        };
    return condition == null ? null : "coalesce(" + condition + ", true)";
  }

  /// A number that is neither too large nor, but for zero itself, too small, nor a whole number
  /// that the type does not hold.
  private static String number(String declared) {
    String cast = "TRY_CAST(%1$s AS " + declared + ")";
    return "CASE WHEN isfinite("
        + cast
        + ") THEN ("
        + cast
        + " <> 0 OR NOT regexp_matches(%1$s, '^[^eE]*[1-9]')) AND "
        + holdsInteger(cast, declared.equals("FLOAT") ? 1L << 24 : 1L << 53)
        + " ELSE regexp_full_match(lower(%1$s), '\\s*[+-]?(nan|inf|infinity)\\s*') END";
  }

  /// That digits alone are the number that they are cast to, or the fewest that are.
  ///
  /// @param gapsFrom from here on a whole number may lie between two numbers of the type
  private static String holdsInteger(String cast, long gapsFrom) {
    String digits = "TRY_CAST(regexp_extract(%1$s, '[+-]?\\d+') AS HUGEINT)";
    return "(abs(%1$s) < %2$d OR NOT %3$s OR TRY_CAST(%1$s AS HUGEINT) = %4$s"
            .formatted(cast, gapsFrom, matches("%1$s", INTEGER), digits)
        + " OR TRY_CAST(CAST("
        + cast
        + " AS VARCHAR) AS HUGEINT) = "
        + digits
        + ")";
  }

  private static String decimal(int scale) {
    return "\\s*[+-]?\\d*(\\.\\d{0,%d}0*)?\\s*".formatted(scale);
  }

  /// Why no value of a column would be itself in a column of that declaration; null if it may.
  public static @Nullable String refusal(String declared, Column incoming) {
    boolean isText = incoming.type() instanceof Type.Text || incoming.type() instanceof Type.Opaque;
    boolean isTime = incoming.type() instanceof Type.Time;
    String asDeclared = String.valueOf(incoming.declaredIn(DuckDbTypes.SYSTEM));
    boolean isInstant =
        asDeclared.equals("TIMESTAMPTZ_NS") || incoming.type().equals(new Type.Timestamp(true));
    boolean hasDay =
        isInstant
            || asDeclared.equals("TIMESTAMP_NS")
            || incoming.type() instanceof Type.Date
            || incoming.type() instanceof Type.Timestamp;
    return switch (declared) {
      case String union when DuckDbTypes.holds(union, "UNION") ->
          "nothing but DuckDB itself can say which member of a union a value is, and NULL would"
              + " become one";
      case String nested when !nested.equals("VARIANT") && DuckDbTypes.holds(nested, "VARIANT") ->
          "every value in it would become a text";
      case "VARIANT" -> isText && !hasDay ? null : "its values would become texts";
      case "TIME WITH TIME ZONE", "TIME_NS" ->
          hasDay
              ? "the date would be lost"
              : isTime || asDeclared.equals("TIME_NS")
                  ? declared.equals("TIME_NS") ? null : NO_ZONE
                  : isText ? null : notOne(declared, incoming);
      case "TIMESTAMPTZ_NS" -> hasDay && !isInstant ? NO_ZONE : null;
      case "INTERVAL" -> (isText && !hasDay) || isTime ? null : notOne(declared, incoming);
      case "BIT" -> isText && !hasDay ? null : notOne(declared, incoming);
      default -> null;
    };
  }

  private static String notOne(String declared, Column incoming) {
    return "a value of " + incoming.type().label() + " is not one of " + declared;
  }
}
