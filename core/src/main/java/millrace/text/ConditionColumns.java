package millrace.text;

import java.util.ArrayList;
import java.util.List;
import net.sf.jsqlparser.JSQLParserException;
import net.sf.jsqlparser.expression.BinaryExpression;
import net.sf.jsqlparser.expression.DateUnitExpression;
import net.sf.jsqlparser.expression.ExpressionVisitorAdapter;
import net.sf.jsqlparser.expression.NotExpression;
import net.sf.jsqlparser.parser.CCJSqlParserUtil;
import net.sf.jsqlparser.schema.Column;

/// The names of columns in an SQL condition.
public final class ConditionColumns extends ExpressionVisitorAdapter<Void> {

  private final List<String> names = new ArrayList<>();

  /// Each name without its quotes, in order; none if the text is no condition, which is for
  /// somebody else to say.
  public static List<String> of(String condition) {
    ConditionColumns columns = new ConditionColumns();
    try {
      CCJSqlParserUtil.parseCondExpression(condition, false).accept(columns, null);
    } catch (JSQLParserException | RuntimeException | StackOverflowError _) {
      return List.of();
    }
    return columns.names;
  }

  @Override
  public <S> Void visit(Column column, S context) {
    names.add(ColumnName.of(column).name());
    return super.visit(column, context);
  }

  @Override
  protected <S> Void visitBinaryExpression(BinaryExpression expression, S context) {
    Chain.parts(expression).forEach(part -> part.accept(this, context));
    return null;
  }

  @Override
  public <S> Void visit(NotExpression outermost, S context) {
    return Chain.nots(outermost).inner().accept(this, context);
  }

  /// A column that bears the name of a unit of time: `year`.
  @Override
  public <S> Void visit(DateUnitExpression unit, S context) {
    names.add(unit.toString());
    return super.visit(unit, context);
  }
}
