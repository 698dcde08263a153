package millrace.engine.transform;

import millrace.data.BytesVector;
import millrace.data.Type;
import millrace.data.Vector;
import millrace.data.spelling.Spelling;
import millrace.data.spelling.SpellingStyle;
import millrace.data.spelling.ValueFormatter;
import millrace.data.spelling.ValueParser;

/// Converts by way of the spelling: to text, and between decimals of which one is too long for a
/// long.
final class Respell implements ValueConversion {

  private static final int ANY_SCALE = Integer.MAX_VALUE;

  private final ValueFormatter formatter;
  private final ValueParser parser;
  private final int scale;
  private final boolean fitsAny;
  private byte[] spelled = new byte[64];

  Respell(Type from, Type to) {
    formatter = Spelling.formatter(from, SpellingStyle.ISO);
    parser = Spelling.parser(to, SpellingStyle.ISO);
    scale =
        switch (to) {
          case Type.Int _ -> 0;
          case Type.Decimal(int precision, int digits) ->
              precision == 0 ? ANY_SCALE : Math.max(0, digits);
          case Type.Bool _,
              Type.Float _,
              Type.Temporal _,
              Type.Uuid _,
              Type.Textual _,
              Type.Bytes _ ->
              ANY_SCALE;
        };
    boolean limited = to instanceof Type.Text(int lengthMax, _) && lengthMax > 0;
    fitsAny = scale == ANY_SCALE && !limited;
  }

  @Override
  public boolean convert(Vector from, Vector into, int row) {
    int lengthMax = formatter.lengthMax(from, row);
    if (spelled.length < lengthMax) {
      spelled = new byte[Math.max(lengthMax, 2 * spelled.length)];
    }
    int end = formatter.format(from, row, spelled, 0);
    if (fitsAny && into instanceof BytesVector texts) {
      texts.append(row, spelled, 0, end);
      return true;
    }
    return parser.parse(spelled, 0, withoutSpareZeros(end), into, row);
  }

  /// Where the number ends without the zeros that the scale has no room for, nor a bare point.
  private int withoutSpareZeros(int end) {
    int point = 0;
    while (point < end && spelled[point] != '.') {
      point++;
    }
    int last = end;
    while (last - point - 1 > scale && spelled[last - 1] == '0') {
      last--;
    }
    return last == point + 1 ? point : last;
  }
}
