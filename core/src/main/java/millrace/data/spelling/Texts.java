package millrace.data.spelling;

import millrace.data.BytesVector;
import millrace.data.Type;
import millrace.data.Vector;

/// Text, JSON and opaque values: their bytes as they are.
public sealed class Texts extends ValueCodec permits JsonTexts {

  private final Type.Text type;

  Texts(Type.Text type) {
    this.type = type;
  }

  /// Whether a text is short enough for its type.
  public static boolean fits(Type.Text type, byte[] bytes, int start, int end) {
    int max = type.lengthMax();
    return max == 0 || end - start <= max || length(type.unit(), bytes, start, end) <= max;
  }

  /// The length of a text.
  private static int length(Type.Text.Unit unit, byte[] bytes, int start, int end) {
    return switch (unit) {
      case CHARACTERS -> Utf8.characters(bytes, start, end);
      case UTF16 -> Utf8.utf16Units(bytes, start, end);
      case BYTES -> end - start;
    };
  }

  /// How long a text is, as the end of a sentence on one that is too long.
  public static String tooLong(Type.Text type, byte[] bytes, int start, int end) {
    return "it has " + length(type.unit(), bytes, start, end) + " " + type.unit().words();
  }

  // It matters whether the vector is a view on this very array.
  @SuppressWarnings("ReferenceEquality")
  @Override
  public boolean parse(byte[] bytes, int start, int end, Vector into, int row) {
    if (!fits(type, bytes, start, end)) {
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
