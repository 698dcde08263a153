package millrace.data.spelling.number;

import millrace.data.Vector;
import millrace.data.spelling.ValueParser;
import millrace.data.spelling.Words;

/// Reads numbers of another style than the plain one, by the parser of their type.
public final class StyledNumbers extends ValueParser {

  private final ValueParser numbers;
  private final NumberRespelling respelling;
  private final boolean integers;

  /// @param numbers reads the plain spelling
  /// @param integers whether the type holds whole numbers only
  public StyledNumbers(ValueParser numbers, NumberStyle style, boolean integers) {
    this.numbers = numbers;
    respelling = new NumberRespelling(style);
    this.integers = integers;
  }

  @Override
  public boolean parse(byte[] bytes, int start, int end, Vector into, int row) {
    if (respelling.respell(bytes, start, end, integers)) {
      return numbers.parse(respelling.plain(), 0, respelling.length(), into, row);
    }
    return isWord(bytes, start, end) && numbers.parse(bytes, start, end, into, row);
  }

  private static boolean isWord(byte[] bytes, int start, int end) {
    int from = start < end && bytes[start] == '-' ? start + 1 : start;
    return Words.is(Words.NAN, bytes, from, end)
        || Words.is(Words.INF, bytes, from, end)
        || Words.is(Words.INFINITY, bytes, from, end);
  }
}
