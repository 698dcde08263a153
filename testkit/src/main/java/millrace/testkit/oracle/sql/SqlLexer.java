package millrace.testkit.oracle.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import millrace.testkit.oracle.OraException;
import millrace.testkit.oracle.sql.SqlToken.Kind;

/// Cuts a statement into tokens. Comments are left out, hints are not.
public final class SqlLexer {

  private static final List<String> LONG_SYMBOLS =
      List.of("||", ":=", "<=", ">=", "<>", "!=", "^=", "=>", "..", "**");

  private final String sql;
  private final List<SqlToken> tokens = new ArrayList<>();
  private int at;

  private SqlLexer(String sql) {
    this.sql = sql;
  }

  /// The tokens, with one of the kind END behind them.
  public static List<SqlToken> tokens(String sql) throws OraException {
    SqlLexer lexer = new SqlLexer(sql);
    while (lexer.skipSpace()) {
      lexer.next();
    }
    lexer.tokens.add(new SqlToken(Kind.END, "", sql.length(), sql.length()));
    return lexer.tokens;
  }

  private boolean skipSpace() {
    while (at < sql.length() && Character.isWhitespace(sql.charAt(at))) {
      at++;
    }
    return at < sql.length();
  }

  private void next() throws OraException {
    int start = at;
    char c = sql.charAt(at);
    if (sql.startsWith("--", at)) {
      int end = sql.indexOf('\n', at);
      comment(start, start + 2, end < 0 ? sql.length() : end, 0);
    } else if (sql.startsWith("/*", at)) {
      int end = sql.indexOf("*/", at + 2);
      comment(start, start + 2, end < 0 ? sql.length() : end, end < 0 ? 0 : 2);
    } else if (c == '\'') {
      string(start);
    } else if (c == '"') {
      int end = closing('"', at + 1, 972, "identifier is too long");
      add(Kind.QUOTED, sql.substring(at + 1, end), start, end + 1);
    } else if (Character.isLetter(c) || c == '_') {
      word(start);
    } else if (isDigit(at) || (c == '.' && isDigit(at + 1))) {
      number(start);
    } else if (c == ':' && at + 1 < sql.length() && isWordPart(sql.charAt(at + 1))) {
      int end = endOfWord(at + 1);
      add(Kind.BIND, sql.substring(at + 1, end).toUpperCase(Locale.ROOT), start, end);
    } else if (c == '?') {
      add(Kind.BIND, "?", start, at + 1);
    } else {
      symbol(start, c);
    }
  }

  private void comment(int start, int from, int to, int closing) {
    if (from < to && sql.charAt(from) == '+') {
      String hint = sql.substring(from + 1, to).toUpperCase(Locale.ROOT);
      add(Kind.HINT, hint, start, to + closing);
    }
    at = to + closing;
  }

  private void word(int start) throws OraException {
    int end = endOfWord(at);
    String word = sql.substring(start, end).toUpperCase(Locale.ROOT);
    boolean quoteFollows = end < sql.length() && sql.charAt(end) == '\'';
    if (quoteFollows && (word.equals("Q") || word.equals("NQ"))) {
      at = end;
      alternativeString(start);
    } else if (quoteFollows && word.equals("N")) {
      at = end;
      string(start);
    } else {
      add(Kind.WORD, word, start, end);
    }
  }

  private void string(int start) throws OraException {
    StringBuilder text = new StringBuilder();
    int from = at + 1;
    while (true) {
      int end = closing('\'', from, 1756, "quoted string not properly terminated");
      text.append(sql, from, end);
      if (end + 1 < sql.length() && sql.charAt(end + 1) == '\'') {
        text.append('\'');
        from = end + 2;
      } else {
        add(Kind.STRING, text.toString(), start, end + 1);
        return;
      }
    }
  }

  /// A text as in `q'[it's]'`.
  private void alternativeString(int start) throws OraException {
    char open = sql.charAt(at + 1);
    char close =
        switch (open) {
          case '[' -> ']';
          case '(' -> ')';
          case '{' -> '}';
          case '<' -> '>';
          default -> open;
        };
    int end = sql.indexOf(close + "'", at + 2);
    if (end < 0) {
      throw new OraException(1756, "quoted string not properly terminated");
    }
    add(Kind.STRING, sql.substring(at + 2, end), start, end + 2);
  }

  private int closing(char quote, int from, int code, String message) throws OraException {
    int end = sql.indexOf(quote, from);
    if (end < 0) {
      throw new OraException(code, message);
    }
    return end;
  }

  private void number(int start) {
    int end = at;
    while (isDigit(end) || (end < sql.length() && sql.charAt(end) == '.' && isDigit(end + 1))) {
      end++;
    }
    if (end < sql.length() && Character.toUpperCase(sql.charAt(end)) == 'E') {
      int sign = end + 1 < sql.length() && "+-".indexOf(sql.charAt(end + 1)) >= 0 ? 2 : 1;
      if (isDigit(end + sign)) {
        end += sign;
        while (isDigit(end)) {
          end++;
        }
      }
    }
    if (end < sql.length() && "dDfF".indexOf(sql.charAt(end)) >= 0) {
      end++;
    }
    add(Kind.NUMBER, sql.substring(start, end).toUpperCase(Locale.ROOT), start, end);
  }

  private void symbol(int start, char c) {
    for (String symbol : LONG_SYMBOLS) {
      if (sql.startsWith(symbol, start)) {
        add(Kind.SYMBOL, symbol, start, start + symbol.length());
        return;
      }
    }
    add(Kind.SYMBOL, String.valueOf(c), start, start + 1);
  }

  private boolean isDigit(int index) {
    return index < sql.length() && sql.charAt(index) >= '0' && sql.charAt(index) <= '9';
  }

  private int endOfWord(int from) {
    int end = from;
    while (end < sql.length() && isWordPart(sql.charAt(end))) {
      end++;
    }
    return end;
  }

  private static boolean isWordPart(char c) {
    return Character.isLetterOrDigit(c) || c == '_' || c == '$' || c == '#';
  }

  private void add(Kind kind, String text, int start, int end) {
    tokens.add(new SqlToken(kind, text, start, end));
    at = end;
  }
}
