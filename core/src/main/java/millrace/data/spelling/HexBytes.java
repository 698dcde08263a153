package millrace.data.spelling;

import millrace.data.BytesVector;
import millrace.data.Vector;

/// Raw bytes as PostgreSQL spells bytea: `\x` and two hexadecimal digits a byte.
final class HexBytes extends ValueCodec {

  private byte[] buffer = new byte[256];

  @Override
  public boolean parse(byte[] bytes, int start, int end, Vector into, int row) {
    int digits = end - start - 2;
    if (digits < 0 || digits % 2 != 0 || bytes[start] != '\\' || bytes[start + 1] != 'x') {
      return false;
    }
    int count = digits / 2;
    if (buffer.length < count) {
      buffer = new byte[Math.max(count, 2 * buffer.length)];
    }
    if (!Hex.read(bytes, start + 2, count, buffer, 0)) {
      return false;
    }
    ((BytesVector) into).append(row, buffer, 0, count);
    return true;
  }

  @Override
  public int lengthMax(Vector from, int row) {
    BytesVector values = (BytesVector) from;
    return Math.addExact(2, Math.multiplyExact(2, values.ends[row] - values.starts[row]));
  }

  @Override
  public int format(Vector from, int row, byte[] out, int at) {
    BytesVector values = (BytesVector) from;
    out[at] = '\\';
    out[at + 1] = 'x';
    int start = values.starts[row];
    return Hex.write(values.bytes, start, values.ends[row] - start, out, at + 2);
  }
}
