package millrace.data.spelling;

import millrace.data.LongVector;
import millrace.data.Vector;

/// `true` and `false`; reads PostgreSQL's other words for them as well, in any case.
final class Booleans extends ValueCodec {

  private static final byte[][] YES = {
    Words.TRUE, Words.of("t"), Words.of("yes"), Words.of("y"), Words.of("on"), Words.of("1")
  };
  private static final byte[][] NO = {
    Words.FALSE, Words.of("f"), Words.of("no"), Words.of("n"), Words.of("off"), Words.of("0")
  };

  @Override
  public boolean parse(byte[] bytes, int start, int end, Vector into, int row) {
    LongVector longs = (LongVector) into;
    if (isOneOf(YES, bytes, start, end)) {
      longs.values[row] = 1;
    } else if (isOneOf(NO, bytes, start, end)) {
      longs.values[row] = 0;
    } else {
      return false;
    }
    longs.nulls[row] = false;
    return true;
  }

  private static boolean isOneOf(byte[][] words, byte[] bytes, int start, int end) {
    for (byte[] word : words) {
      if (Words.is(word, bytes, start, end)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public int lengthMax(Vector from, int row) {
    return Words.FALSE.length;
  }

  @Override
  public int format(Vector from, int row, byte[] out, int at) {
    boolean yes = ((LongVector) from).values[row] != 0;
    return Words.put(yes ? Words.TRUE : Words.FALSE, out, at);
  }
}
