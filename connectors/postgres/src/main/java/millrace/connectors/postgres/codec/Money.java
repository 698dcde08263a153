package millrace.connectors.postgres.codec;

import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Finds text that the server would take for another amount of money than it says.
///
/// The server stores an amount in its smallest unit, and the locale (`lc_monetary`) says how many
/// digits of it stand after the point. Sessions have the locale `C` wherever that leaves amounts as
/// they are. Elsewhere, as in Japan, they keep the database's own; amounts cross as plain numbers
/// from there, as they are only to a database of the same locale, and are only taken as such.
public final class Money implements LossyCastCheck {

  /// After the point, of the locale `C`.
  public static final int USUAL_DIGITS = 2;

  /// What stands behind the type in the wire names of such a database: its digits, its point if it
  /// has one, and its locale.
  public static final String LOCALE =
      """
      CASE WHEN current_setting('lc_monetary') = 'C' THEN '' ELSE format('(%s%s %s)',
        scale('1'::money::numeric), substring('1'::money::text FROM '1([^0-9])0'),
        current_setting('lc_monetary')) END
      """;

  private static final Pattern WIRE = Pattern.compile("money(\\[])?(?:\\((\\d+)(\\D?) .*\\))?");

  /// What lies between the first digit, or a point before it, and the last.
  private static final Pattern NUMBER = Pattern.compile("\\.?\\d(?:.*[\\d.])?", Pattern.DOTALL);

  private final Pattern lossless;
  private final String change;

  private Money(Pattern lossless, String change) {
    this.lossless = lossless;
    this.change = change;
  }

  /// Whether that is the wire name of an amount.
  static boolean is(String wire) {
    Matcher name = WIRE.matcher(wire);
    return name.matches() && name.group(1) == null;
  }

  /// Whether it is that of amounts, or lists of them, in a locale with digits of its own.
  public static boolean isLocal(String wire) {
    Matcher name = WIRE.matcher(wire);
    return name.matches() && name.group(2) != null;
  }

  /// The expression that reads a column of such amounts so that every locale understands them; of
  /// any other column it is the name.
  public static String asNumber(String column, String wire) {
    if (!isLocal(wire)) {
      return column;
    }
    return column
        + (wire.startsWith("money[]") ? "::pg_catalog.numeric[]" : "::pg_catalog.numeric");
  }

  /// What to look for in text for an amount of that wire name.
  static Money of(String wire) {
    Matcher name = WIRE.matcher(wire);
    if (!name.matches() || name.group(2) == null) {
      String integerPart = "(?:\\d{1,3}(?:,\\d{3})+|\\d*)";
      return new Money(
          number(integerPart, USUAL_DIGITS),
          "it has more digits after the point than "
              + USUAL_DIGITS
              + ", or commas that do not part thousands");
    }
    int digits = Integer.parseInt(name.group(2));
    boolean hasPoint = name.group(3).equals(".");
    return new Money(
        hasPoint ? number("\\d*", digits) : Pattern.compile("\\d+"),
        "it is no plain number of "
            + (hasPoint ? "at most " + digits + " digits after the point" : "digits alone")
            + ", as amounts have to be in the database's locale");
  }

  private static Pattern number(String integerPart, int digits) {
    return Pattern.compile(integerPart + "(?:\\.\\d{0," + digits + "}0*)?");
  }

  @Override
  public String find(byte[] bytes, int start, int end) {
    Matcher number = NUMBER.matcher(new String(bytes, start, end - start, StandardCharsets.UTF_8));
    return !number.find() || lossless.matcher(number.group()).matches() ? "" : change;
  }
}
