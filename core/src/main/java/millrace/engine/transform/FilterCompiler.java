package millrace.engine.transform;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.fault.Fault;
import millrace.fault.Nearest;
import millrace.text.Chain;
import millrace.text.ColumnName;
import net.sf.jsqlparser.JSQLParserException;
import net.sf.jsqlparser.expression.BinaryExpression;
import net.sf.jsqlparser.expression.BooleanValue;
import net.sf.jsqlparser.expression.DateUnitExpression;
import net.sf.jsqlparser.expression.Expression;
import net.sf.jsqlparser.expression.NotExpression;
import net.sf.jsqlparser.expression.NullValue;
import net.sf.jsqlparser.expression.StringValue;
import net.sf.jsqlparser.expression.operators.conditional.AndExpression;
import net.sf.jsqlparser.expression.operators.conditional.OrExpression;
import net.sf.jsqlparser.expression.operators.relational.Between;
import net.sf.jsqlparser.expression.operators.relational.ComparisonOperator;
import net.sf.jsqlparser.expression.operators.relational.EqualsTo;
import net.sf.jsqlparser.expression.operators.relational.ExpressionList;
import net.sf.jsqlparser.expression.operators.relational.GreaterThan;
import net.sf.jsqlparser.expression.operators.relational.GreaterThanEquals;
import net.sf.jsqlparser.expression.operators.relational.InExpression;
import net.sf.jsqlparser.expression.operators.relational.IsNullExpression;
import net.sf.jsqlparser.expression.operators.relational.LikeExpression;
import net.sf.jsqlparser.expression.operators.relational.MinorThan;
import net.sf.jsqlparser.expression.operators.relational.MinorThanEquals;
import net.sf.jsqlparser.expression.operators.relational.NotEqualsTo;
import net.sf.jsqlparser.parser.CCJSqlParserUtil;
import net.sf.jsqlparser.schema.Column;
import org.jspecify.annotations.Nullable;

/// Turns the SQL of a `--where` into a {@link Condition} on the columns of a schema.
final class FilterCompiler {

  private static final String WHAT_WORKS =
      "This source leaves --where to Millrace, which knows = <> < <= > >=, BETWEEN, IN (...), LIKE,"
          + " IS [NOT] NULL, AND, OR and NOT, between a column and numbers, 'text', DATE '...',"
          + " TIMESTAMP '...', TRUE, FALSE and NULL.";

  /// How much of a condition stands in a message that is about its length.
  private static final int SHOWN_CHARACTERS_MAX = 60;

  /// Where the parser stopped, the only part of its message that is meant for users.
  private static final Pattern PLACE = Pattern.compile("line \\d+, column \\d+");

  private final String text;
  private final Schema schema;

  private FilterCompiler(String text, Schema schema) {
    this.text = text;
    this.schema = schema;
  }

  /// The condition that this text is.
  ///
  /// @throws Fault.User if it is no SQL, or asks for what does not work here
  static Condition compile(String text, Schema schema) {
    try {
      Expression parsed = parsed(text);
      Expression condition = parsed == null ? null : inParentheses(text);
      if (condition == null) {
        throw new Fault.User("--where \"" + text + "\" is no SQL condition.", WHAT_WORKS);
      }
      return new FilterCompiler(text, schema).condition(condition);
    } catch (JSQLParserException e) {
      Matcher place = PLACE.matcher(String.valueOf(e.getMessage()));
      throw new Fault.User(
          "--where \""
              + text
              + "\" is no SQL condition"
              + (place.find() ? ", at " + place.group() + "." : "."),
          WHAT_WORKS,
          e);
    } catch (StackOverflowError e) {
      throw new Fault.User(
          "--where \"" + text.substring(0, SHOWN_CHARACTERS_MAX) + "…\" is nested too deeply.",
          "Write it with fewer parentheses inside parentheses.",
          e);
    }
  }

  /// The parser throws whatever comes at a name of many parts.
  private static @Nullable Expression parsed(String text) throws JSQLParserException {
    try {
      return CCJSqlParserUtil.parseCondExpression(text, false);
    } catch (RuntimeException e) {
      throw new JSQLParserException(e);
    }
  }

  /// Behind a whole condition, the parser leaves out all that follows a quote which nothing closes.
  /// Within parentheses it may not.
  private static @Nullable Expression inParentheses(String text) {
    try {
      return parsed("(" + text + "\n)");
    } catch (JSQLParserException _) {
      return null;
    }
  }

  private Condition condition(Expression expression) {
    return switch (expression) {
      case ExpressionList<?> list when list.size() == 1 -> condition(list.getFirst());
      case AndExpression and -> new Condition.And(conditions(and));
      case OrExpression or -> new Condition.Or(conditions(or));
      case NotExpression not -> negated(Chain.nots(not));
      case BooleanValue value ->
          new Condition.Constant(value.getValue() ? Condition.TRUE : Condition.FALSE);
      case Column column -> truth(column);
      case DateUnitExpression column -> truth(column);
      case IsNullExpression isNull ->
          negated(isNull.isNot(), new Condition.IsNull(position(isNull.getLeftExpression())));
      case Between between when !between.isUsingSymmetric() -> between(between);
      case InExpression in -> in(in);
      case LikeExpression like -> like(like);
      case ComparisonOperator operator -> comparison(operator);
      default -> throw unsupported(expression);
    };
  }

  private Condition negated(Chain.Nots nots) {
    return negated(nots.odd(), condition(nots.inner()));
  }

  private static Condition negated(boolean not, Condition condition) {
    return not ? new Condition.Not(condition) : condition;
  }

  private Condition truth(Expression column) {
    int position = position(column);
    if (!(schema.column(position).type() instanceof Type.Bool)) {
      throw unfit(
          schema.column(position).name()
              + " is a column of "
              + schema.column(position).type().label()
              + " and no condition by itself");
    }
    return new Condition.IsTrue(position);
  }

  private Condition comparison(ComparisonOperator operator) {
    Expression left = operator.getLeftExpression();
    Expression right = operator.getRightExpression();
    boolean flipped = !isColumn(left);
    return switch (operator) {
      case EqualsTo _ -> compares(operator, left, right, false, true, false);
      case NotEqualsTo _ -> compares(operator, left, right, true, false, true);
      case MinorThan _ -> compares(operator, left, right, !flipped, false, flipped);
      case MinorThanEquals _ -> compares(operator, left, right, !flipped, true, flipped);
      case GreaterThan _ -> compares(operator, left, right, flipped, false, !flipped);
      case GreaterThanEquals _ -> compares(operator, left, right, flipped, true, !flipped);
      default -> throw unsupported(operator);
    };
  }

  /// One side a column, the other a literal.
  private Condition compares(
      Expression condition,
      Expression left,
      Expression right,
      boolean less,
      boolean equal,
      boolean greater) {
    boolean inOrder = isColumn(left) || !isColumn(right);
    Expression column = inOrder ? left : right;
    Expression literal = inOrder ? right : left;
    if (!isColumn(column) && !Literals.isLiteral(column)) {
      throw unsupported(column);
    }
    if (!isColumn(column) || isColumn(literal)) {
      throw unfit("\"" + condition + "\" compares something else than a column with a literal");
    }
    int position = position(column);
    if (literal instanceof NullValue) {
      return new Condition.Constant(Condition.UNKNOWN);
    }
    if (!Literals.isLiteral(literal)) {
      throw unsupported(literal);
    }
    try {
      ValueOrder order = Literals.order(schema.column(position).type(), literal);
      return new Condition.Compares(position, order, less, equal, greater);
    } catch (Literals.Unfit e) {
      throw unfit(e.getMessage() + ", as column \"" + schema.column(position).name() + "\" is");
    }
  }

  private Condition between(Between between) {
    Expression column = between.getLeftExpression();
    Expression start = between.getBetweenExpressionStart();
    Expression end = between.getBetweenExpressionEnd();
    position(column);
    return negated(
        between.isNot(),
        new Condition.And(
            List.of(
                compares(between, column, start, false, true, true),
                compares(between, column, end, true, true, false))));
  }

  private Condition in(InExpression in) {
    if (!(in.getRightExpression() instanceof ExpressionList<?> list)) {
      throw unsupported(in.getRightExpression());
    }
    position(in.getLeftExpression());
    List<Condition> any = new ArrayList<>();
    for (Expression one : list) {
      any.add(compares(in, in.getLeftExpression(), one, false, true, false));
    }
    return negated(in.isNot(), new Condition.Or(any));
  }

  private List<Condition> conditions(BinaryExpression chain) {
    return Chain.parts(chain).stream().map(this::condition).toList();
  }

  private Condition like(LikeExpression like) {
    boolean plain = like.getLikeKeyWord() == LikeExpression.KeyWord.LIKE && !like.isUseBinary();
    if (!plain
        || !(like.getRightExpression() instanceof StringValue pattern)
        || !Literals.isLiteral(pattern)) {
      throw unsupported(like);
    }
    int position = position(like.getLeftExpression());
    Type type = schema.column(position).type();
    if (!(type instanceof Type.Textual)) {
      throw unfit(
          "LIKE needs text, and column \""
              + schema.column(position).name()
              + "\" is "
              + type.label());
    }
    LikePattern compiled = new LikePattern(pattern.getNotExcapedValue(), escape(like));
    return negated(like.isNot(), new Condition.IsLike(position, compiled));
  }

  private int escape(LikeExpression like) {
    return switch (like.getEscape()) {
      case null -> '\\';
      case StringValue none when none.getValue().isEmpty() -> -1;
      case StringValue one when one.getValue().codePointCount(0, one.getValue().length()) == 1 ->
          one.getValue().codePointAt(0);
      default -> throw unsupported(like);
    };
  }

  /// Whether it names a column. The parser takes `day`, `year` and their like for units of time,
  /// where a condition has none.
  private static boolean isColumn(Expression expression) {
    return expression instanceof Column || expression instanceof DateUnitExpression;
  }

  /// The position of the column that this names: exactly, or without regard to case if it stands in
  /// no quotes and only one column answers.
  private int position(Expression expression) {
    return switch (expression) {
      case Column column -> {
        ColumnName named = ColumnName.of(column);
        String name = named.name();
        int exact = schema.indexOf(name);
        yield exact >= 0
            ? exact
            : position(name, named.quoted() ? name::equals : name::equalsIgnoreCase);
      }
      case DateUnitExpression unit -> {
        String name = unit.toString();
        yield position(name, name::equalsIgnoreCase);
      }
      default -> throw unsupported(expression);
    };
  }

  private int position(String name, Predicate<String> isMeant) {
    List<String> meant = schema.names().stream().filter(isMeant).toList();
    if (meant.size() != 1) {
      throw new Fault.User(
          "--where \"" + text + "\" names a column \"" + name + "\" that there is not.",
          (Nearest.hint(name, schema.names())
                  + " The columns to choose from are those that are read: "
                  + String.join(", ", schema.names())
                  + ".")
              .strip());
    }
    return schema.indexOf(meant.getFirst());
  }

  private Fault.User unfit(String why) {
    return new Fault.User("--where \"" + text + "\" can't be applied: " + why + ".", WHAT_WORKS);
  }

  private Fault.User unsupported(Expression expression) {
    String kind =
        expression
            .getClass()
            .getSimpleName()
            .replaceAll("(?<=[a-z])(?=[A-Z])", " ")
            .toLowerCase(Locale.ROOT);
    return unfit("\"" + expression + "\" (" + kind + ") does not work here");
  }
}
