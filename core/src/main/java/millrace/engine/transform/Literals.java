package millrace.engine.transform;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import millrace.data.BytesVector;
import millrace.data.Decimals;
import millrace.data.DoubleVector;
import millrace.data.LongVector;
import millrace.data.Temporals;
import millrace.data.Type;
import millrace.data.Vector;
import millrace.data.spelling.Spelling;
import millrace.data.spelling.SpellingStyle;
import net.sf.jsqlparser.expression.BooleanValue;
import net.sf.jsqlparser.expression.DateTimeLiteralExpression;
import net.sf.jsqlparser.expression.DoubleValue;
import net.sf.jsqlparser.expression.Expression;
import net.sf.jsqlparser.expression.LongValue;
import net.sf.jsqlparser.expression.SignedExpression;
import net.sf.jsqlparser.expression.StringValue;
import org.jspecify.annotations.Nullable;

/// Literals of a `--where`, read as values of the column that they are compared with.
///
/// A text between quotes is read as the column's own type reads it, as in PostgreSQL.
final class Literals {

  private Literals() {}

  /// What is compared with a column can't be: the rest of a sentence.
  static final class Unfit extends Exception {
    private static final long serialVersionUID = 1L;

    Unfit(String why) {
      super(why);
    }
  }

  /// Whether an expression is a literal that {@link #order} may take.
  static boolean isLiteral(Expression expression) {
    return expression instanceof SignedExpression signed
        ? isNumber(signed.getExpression())
        : isNumber(expression)
            || (expression instanceof StringValue string && isAsWritten(string))
            || expression instanceof BooleanValue
            || expression instanceof DateTimeLiteralExpression;
  }

  /// Whether a text is what stands between its quotes: `E'a\nb'` and `X'6162'` are not.
  private static boolean isAsWritten(StringValue text) {
    return text.getPrefix() == null || text.getPrefix().equalsIgnoreCase("N");
  }

  private static boolean isNumber(Expression expression) {
    return expression instanceof LongValue || expression instanceof DoubleValue;
  }

  /// How values of that type stand against the literal.
  ///
  /// @throws Unfit if it is none that the type has
  static ValueOrder order(Type type, Expression literal) throws Unfit {
    return switch (type) {
      case Type.Bool _ -> ValueOrder.ofLong(truth(literal));
      case Type.Int _ -> ValueOrder.ofUnits(number(literal, type), 0, false);
      case Type.Decimal decimal ->
          Decimals.fitsLong(decimal)
              ? ValueOrder.ofUnits(number(literal, type), decimal.scale(), true)
              : ValueOrder.ofDecimalText(number(literal, type));
      case Type.Float number -> ValueOrder.ofDouble(floating(literal, number));
      case Type.Date _ -> date(literal);
      case Type.Time _, Type.Timestamp _ -> ValueOrder.ofLong(temporal(literal, type));
      case Type.Text _ -> ValueOrder.ofBytes(text(literal).getBytes(StandardCharsets.UTF_8));
      case Type.Uuid _, Type.Bytes _ -> ValueOrder.ofBytes(bytes(literal, type));
      case Type.Json _, Type.Opaque _ ->
          throw new Unfit("values of " + type.label() + " have no order or equality here");
    };
  }

  private static long truth(Expression literal) throws Unfit {
    if (literal instanceof BooleanValue value) {
      return value.getValue() ? 1 : 0;
    }
    return ((LongVector) read(literal, new Type.Bool())).values[0];
  }

  private static BigDecimal number(Expression literal, Type type) throws Unfit {
    String text = literal instanceof StringValue string ? string.getValue() : literal.toString();
    try {
      return new BigDecimal(text.replace(" ", ""));
    } catch (NumberFormatException _) {
      throw unfit(literal, type);
    }
  }

  private static double floating(Expression literal, Type.Float type) throws Unfit {
    if (literal instanceof StringValue) {
      return ((DoubleVector) read(literal, type)).values[0];
    }
    BigDecimal number = number(literal, type);
    return type.bits() == 32 ? number.floatValue() : number.doubleValue();
  }

  private static ValueOrder date(Expression literal) throws Unfit {
    Type date = new Type.Date();
    Type timestamp = new Type.Timestamp(false);
    Vector days = quoted(literal, date);
    if (days != null) {
      return ValueOrder.ofDays(((LongVector) days).values[0], true);
    }
    Vector moment = quoted(literal, timestamp);
    if (moment == null) {
      throw unfit(literal, date);
    }
    long micros = ((LongVector) moment).values[0];
    long day = Math.floorDiv(micros, Temporals.DAY_MICROS);
    return ValueOrder.ofDays(day, day * Temporals.DAY_MICROS == micros);
  }

  private static long temporal(Expression literal, Type type) throws Unfit {
    return ((LongVector) read(literal, type)).values[0];
  }

  private static String text(Expression literal) throws Unfit {
    if (literal instanceof StringValue string) {
      return string.getNotExcapedValue();
    }
    throw new Unfit(literal + " is compared with text and stands in no quotes");
  }

  private static byte[] bytes(Expression literal, Type type) throws Unfit {
    BytesVector value = (BytesVector) read(literal, type);
    return Arrays.copyOfRange(value.bytes, value.starts[0], value.ends[0]);
  }

  private static Vector read(Expression literal, Type type) throws Unfit {
    Vector value = quoted(literal, type);
    if (value == null) {
      throw unfit(literal, type);
    }
    return value;
  }

  private static Unfit unfit(Expression literal, Type type) {
    boolean needsOffset = type instanceof Type.Timestamp(boolean zoned) && zoned;
    return new Unfit(
        literal
            + " is no "
            + type.label()
            + (needsOffset ? ": it needs an offset, as in '2024-02-29 12:00:00+00'" : ""));
  }

  /// What stands between the literal's quotes, as a value of that type; null if it is none.
  private static @Nullable Vector quoted(Expression literal, Type type) {
    String text;
    if (literal instanceof StringValue string) {
      text = string.getNotExcapedValue();
    } else if (literal instanceof DateTimeLiteralExpression dated) {
      text = dated.getValue().replaceAll("^'|'$", "");
    } else {
      return null;
    }
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    Vector value = Vector.of(type, 1);
    boolean fits = Spelling.parser(type, SpellingStyle.ISO).parse(bytes, 0, bytes.length, value, 0);
    return fits ? value : null;
  }
}
