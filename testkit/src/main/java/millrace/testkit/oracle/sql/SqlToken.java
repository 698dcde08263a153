package millrace.testkit.oracle.sql;

/// A token of a statement.
///
/// @param text of a WORD in upper case; of a QUOTED name, a STRING and a HINT without what encloses
///   it
/// @param start where it begins in the statement
/// @param end where the next character stands
public record SqlToken(Kind kind, String text, int start, int end) {

  /// What a token is.
  public enum Kind {
    /// A name or a key word.
    WORD,
    /// A name in double quotes.
    QUOTED,
    STRING,
    NUMBER,
    /// A bind variable; its text is the name without the colon.
    BIND,
    SYMBOL,
    /// A comment that begins with a plus.
    HINT,
    /// Behind the last token.
    END
  }

  public boolean is(String word) {
    return (kind == Kind.WORD || kind == Kind.SYMBOL) && text.equals(word);
  }

  public boolean isAny(String... words) {
    for (String word : words) {
      if (is(word)) {
        return true;
      }
    }
    return false;
  }

  public boolean isName() {
    return kind == Kind.WORD || kind == Kind.QUOTED;
  }
}
