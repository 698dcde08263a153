package millrace.connectors.kudu.read;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import millrace.connectors.kudu.KuduTypes;
import millrace.data.LongVector;
import millrace.data.Temporals;
import millrace.data.Type;
import millrace.data.Vector;
import millrace.data.spelling.Spelling;
import millrace.data.spelling.SpellingStyle;
import millrace.spi.read.Selection;
import millrace.text.Chain;
import millrace.text.ColumnName;
import net.sf.jsqlparser.JSQLParserException;
import net.sf.jsqlparser.expression.BinaryExpression;
import net.sf.jsqlparser.expression.Expression;
import net.sf.jsqlparser.expression.LongValue;
import net.sf.jsqlparser.expression.SignedExpression;
import net.sf.jsqlparser.expression.StringValue;
import net.sf.jsqlparser.expression.operators.conditional.AndExpression;
import net.sf.jsqlparser.expression.operators.relational.Between;
import net.sf.jsqlparser.expression.operators.relational.EqualsTo;
import net.sf.jsqlparser.expression.operators.relational.ExpressionList;
import net.sf.jsqlparser.expression.operators.relational.GreaterThan;
import net.sf.jsqlparser.expression.operators.relational.GreaterThanEquals;
import net.sf.jsqlparser.expression.operators.relational.InExpression;
import net.sf.jsqlparser.expression.operators.relational.IsNullExpression;
import net.sf.jsqlparser.expression.operators.relational.MinorThan;
import net.sf.jsqlparser.expression.operators.relational.MinorThanEquals;
import net.sf.jsqlparser.expression.operators.relational.ParenthesedExpressionList;
import net.sf.jsqlparser.parser.CCJSqlParserUtil;
import net.sf.jsqlparser.parser.TokenMgrException;
import net.sf.jsqlparser.schema.Column;
import org.apache.kudu.ColumnSchema;
import org.apache.kudu.client.KuduPredicate;
import org.apache.kudu.client.KuduPredicate.ComparisonOp;
import org.apache.kudu.util.DateUtil;
import org.jspecify.annotations.Nullable;

/// What of a condition the tablet servers look at: comparisons with a literal, IN and IS NULL that
/// stand alone or between ANDs. They may give rows that the condition is not true of; the engine
/// looks at each row again.
final class Predicates {

  private final List<ColumnSchema> columns;
  private final List<String> names;
  private final @Nullable Boolean plainTimes;
  private final List<KuduPredicate> found = new ArrayList<>();

  private Predicates(List<ColumnSchema> columns, @Nullable Boolean plainTimes) {
    this.columns = columns;
    this.plainTimes = plainTimes;
    names = columns.stream().map(ColumnSchema::getName).toList();
  }

  /// Those of a condition; none if it is none that can be read, which the engine tells.
  ///
  /// @param columns all of the table
  static List<KuduPredicate> of(
      @Nullable String where, List<ColumnSchema> columns, @Nullable Boolean plainTimes) {
    Predicates predicates = new Predicates(columns, plainTimes);
    if (where != null) {
      try {
        predicates.take(CCJSqlParserUtil.parseCondExpression(where, false));
      } catch (JSQLParserException | TokenMgrException | StackOverflowError _) {
        return List.of();
      }
    }
    return predicates.found;
  }

  private void take(Expression condition) {
    switch (condition) {
      case AndExpression and -> Chain.parts(and).forEach(this::take);
      case ParenthesedExpressionList<?> inner when inner.size() == 1 -> take(inner.getFirst());
      case EqualsTo each -> compare(each, ComparisonOp.EQUAL, ComparisonOp.EQUAL);
      case GreaterThan each -> compare(each, ComparisonOp.GREATER, ComparisonOp.LESS);
      case GreaterThanEquals each ->
          compare(each, ComparisonOp.GREATER_EQUAL, ComparisonOp.LESS_EQUAL);
      case MinorThan each -> compare(each, ComparisonOp.LESS, ComparisonOp.GREATER);
      case MinorThanEquals each ->
          compare(each, ComparisonOp.LESS_EQUAL, ComparisonOp.GREATER_EQUAL);
      case Between each when !each.isNot() -> {
        add(each.getLeftExpression(), ComparisonOp.GREATER_EQUAL, each.getBetweenExpressionStart());
        add(each.getLeftExpression(), ComparisonOp.LESS_EQUAL, each.getBetweenExpressionEnd());
      }
      case IsNullExpression each -> {
        ColumnSchema column = column(each.getLeftExpression());
        if (column != null) {
          found.add(
              each.isNot()
                  ? KuduPredicate.newIsNotNullPredicate(column)
                  : KuduPredicate.newIsNullPredicate(column));
        }
      }
      case InExpression each when !each.isNot() -> in(each);
      default -> {
        // The engine alone looks at it.
      }
    }
  }

  private void compare(BinaryExpression each, ComparisonOp op, ComparisonOp mirrored) {
    add(each.getLeftExpression(), op, each.getRightExpression());
    add(each.getRightExpression(), mirrored, each.getLeftExpression());
  }

  private void add(Expression left, ComparisonOp op, Expression literal) {
    ColumnSchema column = column(left);
    Object value = column == null ? null : value(column, literal);
    if (column != null && value != null) {
      found.add(
          switch (value) {
            case Long number -> KuduPredicate.newComparisonPredicate(column, op, (long) number);
            case BigDecimal number -> KuduPredicate.newComparisonPredicate(column, op, number);
            default -> KuduPredicate.newComparisonPredicate(column, op, (String) value);
          });
    }
  }

  private void in(InExpression each) {
    ColumnSchema column = column(each.getLeftExpression());
    if (column == null || !(each.getRightExpression() instanceof ExpressionList<?> list)) {
      return;
    }
    List<Object> values = new ArrayList<>();
    for (Expression literal : list) {
      Object value = value(column, literal);
      if (value == null) {
        return;
      }
      values.add(boxed(column, value));
    }
    found.add(KuduPredicate.newInListPredicate(column, values));
  }

  /// As lists of that column want it.
  private static Object boxed(ColumnSchema column, Object value) {
    if (!(value instanceof Long number)) {
      return value;
    }
    return switch (column.getType()) {
      case INT8 -> number.byteValue();
      case INT16 -> number.shortValue();
      case INT32, DATE -> number.intValue();
      default -> number;
    };
  }

  private @Nullable ColumnSchema column(Expression expression) {
    if (!(expression instanceof Column column)) {
      return null;
    }
    int position = Selection.position(ColumnName.of(column).name(), names);
    return position < 0 ? null : columns.get(position);
  }

  /// A literal as exactly that value of the column; null if it is none.
  private @Nullable Object value(ColumnSchema column, Expression literal) {
    return switch (column.getType()) {
      case INT8 -> integer(literal, Byte.MIN_VALUE, Byte.MAX_VALUE);
      case INT16 -> integer(literal, Short.MIN_VALUE, Short.MAX_VALUE);
      case INT32 -> integer(literal, Integer.MIN_VALUE, Integer.MAX_VALUE);
      case INT64 -> integer(literal, Long.MIN_VALUE, Long.MAX_VALUE);
      case UNIXTIME_MICROS -> {
        Long micros = moment(column, literal);
        yield micros == null || micros > Long.MAX_VALUE - Temporals.EPOCH_MICROS
            ? null
            : (Object) (micros + Temporals.EPOCH_MICROS);
      }
      case DATE -> {
        Long days = moment(column, literal);
        yield days == null
                || days < DateUtil.MIN_DATE_VALUE - Temporals.EPOCH_DAYS
                || days > DateUtil.MAX_DATE_VALUE - Temporals.EPOCH_DAYS
            ? null
            : (Object) (days + Temporals.EPOCH_DAYS);
      }
      case DECIMAL -> decimal(column, literal);
      case STRING ->
          literal instanceof StringValue text && text.getPrefix() == null
              ? text.getNotExcapedValue()
              : null;
      default -> null;
    };
  }

  private static @Nullable Object integer(Expression literal, long min, long max) {
    boolean isInteger =
        literal instanceof LongValue
            || (literal instanceof SignedExpression signed
                && signed.getExpression() instanceof LongValue);
    BigDecimal number = isInteger ? number(literal) : null;
    if (number == null
        || number.compareTo(BigDecimal.valueOf(min)) < 0
        || number.compareTo(BigDecimal.valueOf(max)) > 0) {
      return null;
    }
    return number.longValueExact();
  }

  private static @Nullable BigDecimal number(Expression literal) {
    try {
      return new BigDecimal(literal.toString().replace(" ", ""));
    } catch (NumberFormatException _) {
      return null;
    }
  }

  private static @Nullable Object decimal(ColumnSchema column, Expression literal) {
    BigDecimal number = literal instanceof StringValue ? null : number(literal);
    int scale = column.getTypeAttributes().getScale();
    if (number == null || number.stripTrailingZeros().scale() > scale) {
      return null;
    }
    BigDecimal scaled = number.setScale(scale);
    return scaled.precision() > column.getTypeAttributes().getPrecision() ? null : scaled;
  }

  /// As the engine reads it: what stands between quotes, in the column's own spelling.
  private @Nullable Long moment(ColumnSchema column, Expression literal) {
    if (!(literal instanceof StringValue text) || text.getPrefix() != null) {
      return null;
    }
    Type type = KuduTypes.column(column, plainTimes).type();
    byte[] bytes = text.getNotExcapedValue().getBytes(StandardCharsets.UTF_8);
    Vector value = Vector.of(type, 1);
    boolean fits = Spelling.parser(type, SpellingStyle.ISO).parse(bytes, 0, bytes.length, value, 0);
    long found = fits ? ((LongVector) value).values[0] : Temporals.INFINITY;
    boolean ends = found == Temporals.INFINITY || found == Temporals.MINUS_INFINITY;
    return ends ? null : (Long) found;
  }
}
