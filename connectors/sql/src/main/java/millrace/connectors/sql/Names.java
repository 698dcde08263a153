package millrace.connectors.sql;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// How a database spells names.
///
/// @param quote what stands around a name, twice within it
/// @param folding what becomes of a name without quotes
/// @param bytesMax how long a name may be, in UTF-8
/// @param tables what becomes of a table's name, if that is not what becomes of a column's
/// @param lacking characters that no name has
public record Names(char quote, Folding folding, int bytesMax, Folding tables, String lacking) {

  /// One whose names may have any characters.
  public Names(char quote, Folding folding, int bytesMax, Folding tables) {
    this(quote, folding, bytesMax, tables, "");
  }

  /// One whose tables are named as columns are.
  public Names(char quote, Folding folding, int bytesMax) {
    this(quote, folding, bytesMax, folding);
  }

  private static final Pattern PLAIN = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  /// One whose names may have any length.
  public Names(char quote, Folding folding) {
    this(quote, folding, Integer.MAX_VALUE);
  }

  /// The same, whose names have none of those characters.
  public Names lacking(String characters) {
    return new Names(quote, folding, bytesMax, tables, characters);
  }

  /// What a database makes of a name without quotes.
  public enum Folding {
    /// `orders` is ORDERS.
    UPPER,
    /// `Orders` is orders.
    LOWER,
    /// `Orders` is Orders, and orders is another.
    EXACT,
    /// `Orders` is Orders, and orders is the same, in quotes as well.
    IGNORED
  }

  /// A name in quotes, whatever is in it.
  public String quoted(String name) {
    String mark = String.valueOf(quote);
    return mark + name.replace(mark, mark + mark) + mark;
  }

  /// Whether a name is no longer than the database has room for.
  public boolean fits(String name) {
    return name.getBytes(StandardCharsets.UTF_8).length <= bytesMax;
  }

  /// The first character of a name that no name has, as messages show it; empty if there is none.
  public String lackedOf(String name) {
    return name.chars()
        .filter(c -> lacking.indexOf(c) >= 0)
        .mapToObj(c -> c < ' ' ? "character U+%04X".formatted(c) : Character.toString(c))
        .findFirst()
        .orElse("");
  }

  /// Whether names of new columns that differ in case alone are two.
  public boolean caseSensitive() {
    return folding == Folding.EXACT;
  }

  /// Names in quotes with commas between.
  public String quoted(List<String> names) {
    return names.stream().map(this::quoted).collect(Collectors.joining(", "));
  }

  /// The name that is meant by one without quotes.
  public String folded(String name) {
    return switch (folding) {
      case UPPER -> name.toUpperCase(Locale.ROOT);
      case LOWER -> name.toLowerCase(Locale.ROOT);
      case EXACT, IGNORED -> name;
    };
  }

  /// The name of a new column or table: what users can write without quotes is named as the
  /// database does, so that they need none.
  public String fresh(String name) {
    return PLAIN.matcher(name).matches() ? folded(name) : name;
  }

  /// The same text for all spellings of a name that mean one thing.
  public String identity(String name) {
    return folding == Folding.IGNORED ? name.toLowerCase(Locale.ROOT) : name;
  }

  /// The same of a table's name.
  public String tableIdentity(String name) {
    return tables == Folding.IGNORED ? name.toLowerCase(Locale.ROOT) : name;
  }

  /// Whether two names can't stand side by side.
  public boolean same(String one, String other) {
    return identity(one).equals(identity(other));
  }

  /// A text in single quotes.
  public static String text(String value) {
    return '\'' + value.replace("'", "''") + '\'';
  }
}
