package millrace.testkit.oracle.catalog;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A column of a table.
///
/// @param defaultText the expression of its DEFAULT or, if it is generated, of its value; null if
///   it has none
public record OraColumn(
    String name,
    OraType type,
    boolean nullable,
    @Nullable String defaultText,
    Generation generation,
    boolean invisible) {

  /// One that is seen.
  public OraColumn(
      String name,
      OraType type,
      boolean nullable,
      @Nullable String defaultText,
      Generation generation) {
    this(name, type, nullable, defaultText, generation, false);
  }

  private static final Pattern INCREMENT = Pattern.compile("(?i)INCREMENT\\s+BY\\s+(-?\\d+)");

  /// Who gives a column its values.
  public enum Generation {
    NONE,
    IDENTITY_ALWAYS,
    IDENTITY_BY_DEFAULT,
    IDENTITY_BY_DEFAULT_ON_NULL,
    /// Its default stands for null, too.
    DEFAULT_ON_NULL,
    VIRTUAL;

    public boolean isIdentity() {
      return this != NONE && this != DEFAULT_ON_NULL && this != VIRTUAL;
    }
  }

  /// By how much an identity's numbers grow.
  public long increment() {
    Matcher said = INCREMENT.matcher(String.valueOf(defaultText));
    return said.find() ? Long.parseLong(said.group(1)) : 1;
  }

  public OraColumn renamed(String other) {
    return new OraColumn(other, type, nullable, defaultText, generation, invisible);
  }

  /// The same, seen only where it is named.
  public OraColumn hidden() {
    return new OraColumn(name, type, nullable, defaultText, generation, true);
  }

  public OraColumn withNullable(boolean may) {
    return new OraColumn(name, type, may, defaultText, generation, invisible);
  }

  public OraColumn withType(OraType other) {
    return new OraColumn(name, other, nullable, defaultText, generation, invisible);
  }

  public OraColumn numberedAs(Generation other) {
    return new OraColumn(name, type, nullable, defaultText, other, invisible);
  }

  public OraColumn withDefault(@Nullable String other) {
    return new OraColumn(name, type, nullable, other, generation, invisible);
  }
}
