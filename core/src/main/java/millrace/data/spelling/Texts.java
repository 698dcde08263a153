package millrace.data.spelling;

import millrace.data.BytesVector;
import millrace.data.Vector;

/// Text, JSON and opaque values: their bytes as they are.
public final class Texts extends ValueCodec {

  private final int charactersMax;

  /// Text of at most that many characters; 0 for any length.
  Texts(int charactersMax) {
    this.charactersMax = charactersMax;
  }

  // It matters whether the vector is a view on this very array.
  @SuppressWarnings("ReferenceEquality")
  @Override
  public boolean parse(byte[] bytes, int start, int end, Vector into, int row) {
    if (charactersMax > 0
        && end - start > charactersMax
        && Utf8.characters(bytes, start, end) > charactersMax) {
      return false;
    }
    BytesVector texts = (BytesVector) into;
    if (texts.bytes == bytes) {
      texts.starts[row] = start;
      texts.ends[row] = end;
      texts.nulls[row] = false;
    } else {
      texts.append(row, bytes, start, end);
    }
    return true;
  }

  @Override
  public int lengthMax(Vector from, int row) {
    BytesVector texts = (BytesVector) from;
    return texts.ends[row] - texts.starts[row];
  }

  @Override
  public int format(Vector from, int row, byte[] out, int at) {
    return copy((BytesVector) from, row, out, at);
  }

  public static int copy(BytesVector from, int row, byte[] out, int at) {
    int length = from.ends[row] - from.starts[row];
    System.arraycopy(from.bytes, from.starts[row], out, at, length);
    return at + length;
  }
}
