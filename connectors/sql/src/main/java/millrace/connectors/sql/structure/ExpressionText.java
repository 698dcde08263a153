package millrace.connectors.sql.structure;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import millrace.data.Type;
import millrace.spi.catalog.TableStructure.All;
import millrace.spi.catalog.TableStructure.Comparison;
import millrace.spi.catalog.TableStructure.Condition;
import millrace.spi.catalog.TableStructure.Constant;
import millrace.spi.catalog.TableStructure.Digits;
import millrace.spi.catalog.TableStructure.Now;
import millrace.spi.catalog.TableStructure.OneOf;
import millrace.spi.catalog.TableStructure.Truth;
import millrace.spi.catalog.TableStructure.Words;
import org.jspecify.annotations.Nullable;

/// Reads defaults and checks as the catalogs of databases spell them. What is more than constants,
/// comparisons with them, lists and ranges of them gives null.
final class ExpressionText {

  private static final String STRING = "(?<string>'(?:[^']|'')*')";
  private static final String STRING_WITH_BACKSLASHES = "(?<string>'(?:[^'\\\\]|''|\\\\.)*')";
  private static final String OTHERS =
      "|\\s+|(?<quoted>\"(?:[^\"]|\"\")*\"|`(?:[^`]|``)*`)"
          + "|(?<number>\\d+(?:\\.\\d*)?(?:[eE][+-]?\\d+)?|\\.\\d+)"
          + "|(?<name>[\\p{L}_][\\p{L}\\d_$#]*)|(?<sign>::|<>|!=|<=|>=|.)";

  private static final Pattern TOKEN = Pattern.compile(STRING + OTHERS, Pattern.DOTALL);
  private static final Pattern TOKEN_WITH_BACKSLASHES =
      Pattern.compile(STRING_WITH_BACKSLASHES + OTHERS, Pattern.DOTALL);

  private static final Set<String> NOW =
      Set.of(
          "NOW",
          "CURRENT_TIMESTAMP",
          "CURRENT_DATE",
          "CURRENT_TIME",
          "LOCALTIMESTAMP",
          "LOCALTIME",
          "CURDATE",
          "CURTIME",
          "SYSDATE",
          "SYSTIMESTAMP",
          "GET_CURRENT_TIMESTAMP");

  private static final Set<String> OPERATORS = Set.of("=", "<>", "!=", "<", "<=", ">", ">=");
  private static final Set<String> WORDS =
      Set.of("AND", "OR", "IN", "BETWEEN", "NOT", "IS", "LIKE");

  private enum Kind {
    STRING,
    QUOTED,
    NUMBER,
    NAME,
    SIGN
  }

  private record Token(Kind kind, String text) {}

  /// A column or a value.
  private record Operand(String column, @Nullable Constant value) {}

  private final List<Token> tokens = new ArrayList<>();
  private int at;

  /// @param backslash whether a backslash in a text makes the next letter mean itself
  private ExpressionText(String text, boolean backslash) {
    Matcher each = (backslash ? TOKEN_WITH_BACKSLASHES : TOKEN).matcher(text);
    while (each.lookingAt()) {
      if (each.group("string") != null) {
        String inner = each.group("string");
        tokens.add(new Token(Kind.STRING, unquoted(inner, backslash)));
      } else if (each.group("quoted") != null) {
        tokens.add(new Token(Kind.QUOTED, unquoted(each.group("quoted"), false)));
      } else if (each.group("number") != null) {
        tokens.add(new Token(Kind.NUMBER, each.group("number")));
      } else if (each.group("name") != null) {
        tokens.add(new Token(Kind.NAME, each.group("name")));
      } else if (each.group("sign") != null) {
        tokens.add(new Token(Kind.SIGN, each.group("sign")));
      }
      each.region(each.end(), text.length());
    }
  }

  private static String unquoted(String quoted, boolean backslash) {
    String quote = quoted.substring(0, 1);
    String inner = quoted.substring(1, quoted.length() - 1).replace(quote + quote, quote);
    return backslash
        ? inner.replaceAll("(?<!\\\\)((?:\\\\\\\\)*)\\\\n", "$1\n").replaceAll("(?s)\\\\(.)", "$1")
        : inner;
  }

  /// Whether a default is none at all.
  static boolean isNull(String text) {
    return text.isBlank() || text.strip().matches("(?is)NULL(::.*)?");
  }

  /// The constant that a default is; null if it is none of a column of that type.
  static @Nullable Constant constant(String text, Type type, boolean backslash) {
    ExpressionText reader = new ExpressionText(text, backslash);
    Operand operand = reader.operand();
    return operand == null || reader.at < reader.tokens.size() || operand.value == null
        ? null
        : TypedConstants.fitting(operand.value, type);
  }

  /// A condition; null if it is none of those that other systems have.
  ///
  /// @param types those of the table's columns
  static @Nullable Condition condition(
      String text, TypedConstants.ColumnTypes types, boolean backslash) {
    ExpressionText reader = new ExpressionText(text, backslash);
    List<Condition> all = new ArrayList<>();
    boolean isRead = reader.conditions(all) && reader.at == reader.tokens.size();
    List<Condition> fitting = new ArrayList<>();
    for (Condition each : all) {
      Condition typed = isRead ? TypedConstants.typed(each, types) : null;
      if (typed == null) {
        return null;
      }
      fitting.add(typed);
    }
    return fitting.size() == 1 ? fitting.getFirst() : fitting.isEmpty() ? null : new All(fitting);
  }

  private boolean takes(String text) {
    boolean isNext =
        at < tokens.size()
            && tokens.get(at).kind != Kind.STRING
            && tokens.get(at).kind != Kind.QUOTED
            && tokens.get(at).text.equalsIgnoreCase(text);
    at += isNext ? 1 : 0;
    return isNext;
  }

  private boolean isNext(Kind kind) {
    return at < tokens.size() && tokens.get(at).kind == kind;
  }

  private boolean conditions(List<Condition> all) {
    do {
      int begin = at;
      Condition single = single();
      if (single != null) {
        all.add(single);
        continue;
      }
      at = begin;
      List<Condition> range = range();
      if (!range.isEmpty()) {
        all.addAll(range);
        continue;
      }
      at = begin;
      if (!takes("(") || !conditions(all) || !takes(")")) {
        return false;
      }
    } while (takes("AND"));
    return true;
  }

  private List<Condition> range() {
    Operand column = operand();
    if (column == null || column.value != null || !takes("BETWEEN")) {
      return List.of();
    }
    Operand least = operand();
    boolean hasTwo = takes("AND");
    Operand greatest = operand();
    return hasTwo
            && least != null
            && least.value != null
            && greatest != null
            && greatest.value != null
        ? List.of(
            new Comparison(column.column, ">=", least.value),
            new Comparison(column.column, "<=", greatest.value))
        : List.of();
  }

  private @Nullable Condition single() {
    Operand left = operand();
    if (left == null) {
      return null;
    }
    if (takes("IN")) {
      List<Constant> values = takes("(") ? values(")") : List.of();
      return left.value == null && !values.isEmpty() ? new OneOf(left.column, values) : null;
    }
    if (!isNext(Kind.SIGN) || !OPERATORS.contains(tokens.get(at).text)) {
      return null;
    }
    String operator = tokens.get(at++).text.replace("!=", "<>");
    if (operator.equals("=") && takes("ANY")) {
      List<Constant> values = anyOf();
      return left.value == null && !values.isEmpty() ? new OneOf(left.column, values) : null;
    }
    Operand right = operand();
    if (right == null) {
      return null;
    }
    Constant first = left.value;
    Constant second = right.value;
    if (first == null) {
      return second == null ? null : new Comparison(left.column, operator, second);
    }
    return second != null ? null : new Comparison(right.column, turned(operator), first);
  }

  /// `(ARRAY['a', 'b'])`, with whatever casts and parentheses.
  private List<Constant> anyOf() {
    int open = 0;
    while (takes("(")) {
      open++;
    }
    List<Constant> values = takes("ARRAY") && takes("[") ? values("]") : List.of();
    casts();
    while (open > 0 && takes(")")) {
      open--;
      casts();
    }
    return open == 0 ? values : List.of();
  }

  private List<Constant> values(String end) {
    List<Constant> values = new ArrayList<>();
    do {
      Operand each = operand();
      if (each == null || each.value == null) {
        return List.of();
      }
      values.add(each.value);
    } while (takes(","));
    return takes(end) ? values : List.of();
  }

  private static String turned(String operator) {
    return operator.startsWith("<") && !operator.equals("<>")
        ? operator.replace('<', '>')
        : operator.startsWith(">") ? operator.replace('>', '<') : operator;
  }

  /// A column or a constant, with whatever parentheses and casts; null if it is more.
  private @Nullable Operand operand() {
    Operand found;
    if (takes("(")) {
      found = operand();
      if (found == null || !takes(")")) {
        return null;
      }
    } else if (takes("-")) {
      found = isNext(Kind.NUMBER) ? value(new Digits("-" + tokens.get(at++).text)) : null;
    } else {
      found = at < tokens.size() ? plain(tokens.get(at++)) : null;
    }
    casts();
    return found;
  }

  private @Nullable Operand plain(Token token) {
    return switch (token.kind) {
      case STRING -> value(new Words(token.text));
      case NUMBER -> value(new Digits(token.text));
      case QUOTED -> new Operand(token.text, null);
      case SIGN -> null;
      case NAME -> named(token.text);
    };
  }

  private @Nullable Operand named(String name) {
    String upper = name.toUpperCase(Locale.ROOT);
    if (isNext(Kind.STRING)) {
      // A character set, a kind of text, or the type of a date or time.
      String text = tokens.get(at++).text;
      boolean isLeft =
          switch (upper) {
            case "X", "INTERVAL" -> true;
            case "B" -> text.length() > 1;
            case "E" -> text.indexOf('\\') >= 0;
            default -> false;
          };
      return isLeft ? null : value(new Words(text));
    }
    if (upper.equals("TRUE") || upper.equals("FALSE")) {
      return value(new Truth(upper.equals("TRUE")));
    }
    if (upper.equals("CAST") && takes("(")) {
      Operand cast = operand();
      boolean isCast = takes("AS");
      typeName();
      return isCast && takes(")") ? cast : null;
    }
    if (NOW.contains(upper)) {
      if (takes("(")) {
        at += isNext(Kind.NUMBER) ? 1 : 0;
        return takes(")") ? value(new Now()) : null;
      }
      return value(new Now());
    }
    boolean isMore =
        WORDS.contains(upper) || (at < tokens.size() && tokens.get(at).text.equals("("));
    return isMore ? null : new Operand(name, null);
  }

  private static Operand value(Constant constant) {
    return new Operand("", constant);
  }

  private void casts() {
    while (takes("::")) {
      typeName();
    }
  }

  private void typeName() {
    while (at < tokens.size()
        && (tokens.get(at).kind == Kind.NAME || tokens.get(at).kind == Kind.QUOTED)
        && !WORDS.contains(tokens.get(at).text.toUpperCase(Locale.ROOT))) {
      at++;
      takes(".");
    }
    if (takes("(")) {
      while (at < tokens.size() && !takes(")")) {
        at++;
      }
      // As in `timestamp(3) without time zone`.
      while (isNext(Kind.NAME) && !WORDS.contains(tokens.get(at).text.toUpperCase(Locale.ROOT))) {
        at++;
      }
    }
    while (takes("[")) {
      takes("]");
    }
  }
}
