package millrace.testkit.oracle.sql;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import millrace.testkit.oracle.OraException;
import millrace.testkit.oracle.sql.SqlToken.Kind;

/// Goes through the tokens of a statement that is taken apart word by word, as DDL is.
public final class TokenReader {

  private final String sql;
  private final List<SqlToken> tokens;
  private int at;

  public TokenReader(String sql) throws OraException {
    this(sql, withoutHints(SqlLexer.tokens(sql)));
  }

  private TokenReader(String sql, List<SqlToken> tokens) {
    this.sql = sql;
    this.tokens = tokens;
  }

  private static List<SqlToken> withoutHints(List<SqlToken> all) {
    List<SqlToken> rest = new ArrayList<>(all);
    rest.removeIf(token -> token.kind() == Kind.HINT);
    return rest;
  }

  public String sql() {
    return sql;
  }

  public SqlToken peek() {
    return tokens.get(at);
  }

  public SqlToken peek(int ahead) {
    return tokens.get(Math.min(at + ahead, tokens.size() - 1));
  }

  public SqlToken next() {
    SqlToken token = tokens.get(at);
    if (token.kind() != Kind.END) {
      at++;
    }
    return token;
  }

  public boolean atEnd() {
    return peek().kind() == Kind.END || (peek().is(";") && peek(1).kind() == Kind.END);
  }

  /// Takes those words if all of them are next.
  public boolean accept(String... words) {
    for (int i = 0; i < words.length; i++) {
      if (!peek(i).is(words[i])) {
        return false;
      }
    }
    at += words.length;
    return true;
  }

  public void expect(String... words) throws OraException {
    for (String word : words) {
      if (!accept(word)) {
        throw unexpected("\"" + word + "\" was expected");
      }
    }
  }

  /// What is next is not known here.
  public OraException unexpected(String why) {
    return new OraException(
        922, "missing or invalid option (" + why + ", not \"" + peek().text() + "\") in: " + sql);
  }

  public String name() throws OraException {
    if (!peek().isName()) {
      throw new OraException(903, "invalid identifier \"" + peek().text() + "\" in: " + sql);
    }
    return next().text();
  }

  /// A name with or without a schema before it.
  public ObjectName objectName(String currentSchema) throws OraException {
    String first = name();
    return accept(".") ? new ObjectName(first, name()) : new ObjectName(currentSchema, first);
  }

  /// Names in parentheses.
  public List<String> names() throws OraException {
    expect("(");
    List<String> names = new ArrayList<>();
    do {
      names.add(name());
    } while (accept(","));
    expect(")");
    return names;
  }

  public int integer() throws OraException {
    int sign = accept("-") ? -1 : 1;
    if (peek().kind() != Kind.NUMBER) {
      throw unexpected("a number was expected");
    }
    return sign * new BigDecimal(next().text()).intValue();
  }

  /// Whether an integer is next.
  public boolean isInteger() {
    return peek().kind() == Kind.NUMBER || (peek().is("-") && peek(1).kind() == Kind.NUMBER);
  }

  /// The text in parentheses that are next, without them.
  public String parenthesized() throws OraException {
    expect("(");
    int from = peek().start();
    int depth = 1;
    while (true) {
      SqlToken token = next();
      if (token.kind() == Kind.END) {
        throw unexpected("a closing parenthesis is missing");
      }
      depth += token.is("(") ? 1 : token.is(")") ? -1 : 0;
      if (depth == 0) {
        return sql.substring(from, token.start()).strip();
      }
    }
  }

  /// The text of an expression, which ends before a comma, a closing parenthesis or one of the
  /// words.
  public String expression(String... ends) throws OraException {
    int from = peek().start();
    int depth = 0;
    while (true) {
      SqlToken token = peek();
      boolean over = depth == 0 && (token.isAny(",", ")") || token.isAny(ends));
      if (over || token.kind() == Kind.END) {
        return sql.substring(from, token.start()).strip();
      }
      depth += token.is("(") ? 1 : token.is(")") ? -1 : 0;
      next();
    }
  }

  /// What is left of the statement.
  public String rest() {
    String rest = sql.substring(peek().start()).strip();
    at = tokens.size() - 1;
    return rest;
  }
}
