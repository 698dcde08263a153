package millrace.engine.transform;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import millrace.data.DoubleVector;
import millrace.data.Type;
import millrace.data.Vector;
import millrace.data.spelling.Spelling;
import millrace.data.spelling.SpellingStyle;
import millrace.data.spelling.ValueFormatter;
import millrace.data.spelling.ValueParser;

/// Converts integers and decimals to floating point, if nothing is lost: if the number is exact, or
/// is what the float's own shortest spelling says, as with 0.1.
final class ToFloat implements ValueConversion {

  /// Any decimal of so few digits is what the shortest spelling says.
  private static final int DIGITS_SAFE = 15;

  private static final int DIGITS_SAFE_SINGLE = 6;

  /// Shorter spellings are not so small that floats have fewer digits there.
  private static final int LENGTH_SAFE = 30;

  private final ValueFormatter formatter;
  private final ValueParser parser;
  private final Type.Float to;
  private byte[] spelled = new byte[64];

  ToFloat(Type from, Type.Float to) {
    formatter = Spelling.formatter(from, SpellingStyle.ISO);
    parser = Spelling.parser(to, SpellingStyle.ISO);
    this.to = to;
  }

  @Override
  public boolean convert(Vector from, Vector into, int row) {
    int lengthMax = formatter.lengthMax(from, row);
    if (spelled.length < lengthMax) {
      spelled = new byte[Math.max(lengthMax, 2 * spelled.length)];
    }
    int end = formatter.format(from, row, spelled, 0);
    if (!parser.parse(spelled, 0, end, into, row)) {
      return false;
    }
    double value = ((DoubleVector) into).values[row];
    return !Double.isFinite(value) || isShort(end) || survives(value, into, row, end);
  }

  private boolean isShort(int end) {
    int digits = 0;
    for (int i = 0; i < end; i++) {
      byte b = spelled[i];
      if (b >= '0' && b <= '9' && (digits > 0 || b > '0')) {
        digits++;
      }
    }
    return end <= LENGTH_SAFE && digits <= (to.bits() == 32 ? DIGITS_SAFE_SINGLE : DIGITS_SAFE);
  }

  private boolean survives(double value, Vector into, int row, int end) {
    BigDecimal wanted = new BigDecimal(new String(spelled, 0, end, StandardCharsets.US_ASCII));
    return new BigDecimal(value).compareTo(wanted) == 0
        || new BigDecimal(Spelling.text(to, into, row)).compareTo(wanted) == 0;
  }
}
