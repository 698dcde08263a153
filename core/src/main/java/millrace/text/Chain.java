package millrace.text;

import java.util.ArrayList;
import java.util.List;
import net.sf.jsqlparser.expression.BinaryExpression;
import net.sf.jsqlparser.expression.Expression;
import net.sf.jsqlparser.expression.NotExpression;

/// A chain of AND, of OR or of NOT in an SQL condition. The parser nests one as deep as it is long,
/// so that who followed it by recursion would run out of stack.
public final class Chain {

  private Chain() {}

  /// What one kind of operator joins, in order.
  ///
  /// @param chain its last operator, which the parser puts on top
  public static List<Expression> parts(BinaryExpression chain) {
    List<Expression> parts = new ArrayList<>();
    Expression rest = chain;
    while (rest instanceof BinaryExpression link && link.getClass() == chain.getClass()) {
      parts.add(link.getRightExpression());
      rest = link.getLeftExpression();
    }
    parts.add(rest);
    return parts.reversed();
  }

  /// A row of NOTs.
  ///
  /// @param odd whether together they are one NOT, and not none
  /// @param inner what they stand in front of
  public record Nots(boolean odd, Expression inner) {}

  /// What a row of NOTs comes to.
  ///
  /// @param outermost the first of them
  public static Nots nots(NotExpression outermost) {
    boolean odd = true;
    Expression inner = outermost.getExpression();
    while (inner instanceof NotExpression another) {
      odd = !odd;
      inner = another.getExpression();
    }
    return new Nots(odd, inner);
  }
}
