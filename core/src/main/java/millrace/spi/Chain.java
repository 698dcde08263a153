package millrace.spi;

import java.util.ArrayList;
import java.util.List;
import net.sf.jsqlparser.expression.BinaryExpression;
import net.sf.jsqlparser.expression.Expression;

/// A chain of AND or of OR in an SQL condition. The parser nests one as deep as it is long, so that
/// who followed it by recursion would run out of stack.
public final class Chain {

  private Chain() {}

  /// What one kind of operator joins, in order.
  ///
  /// @param whole its last operator, which the parser puts on top
  public static List<Expression> parts(BinaryExpression whole) {
    List<Expression> parts = new ArrayList<>();
    Expression rest = whole;
    while (rest instanceof BinaryExpression link && link.getClass() == whole.getClass()) {
      parts.add(link.getRightExpression());
      rest = link.getLeftExpression();
    }
    parts.add(rest);
    return parts.reversed();
  }
}
