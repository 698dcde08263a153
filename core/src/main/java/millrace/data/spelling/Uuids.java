package millrace.data.spelling;

import millrace.data.BytesVector;
import millrace.data.Vector;

/// UUIDs: written in lower case with dashes (RFC 9562), read in any case, also without dashes.
public final class Uuids extends ValueCodec {

  private static final int LENGTH = 36;
  private static final int BYTES = 16;

  /// How many bytes each of the five groups between dashes stands for.
  private static final int[] GROUPS = {4, 2, 2, 2, 6};

  private final byte[] buffer = new byte[BYTES];

  @Override
  public boolean parse(byte[] bytes, int start, int end, Vector into, int row) {
    boolean read =
        switch (end - start) {
          case LENGTH -> readDashed(bytes, start);
          case 2 * BYTES -> Hex.read(bytes, start, BYTES, buffer, 0);
          default -> false;
        };
    if (read) {
      ((BytesVector) into).append(row, buffer, 0, BYTES);
    }
    return read;
  }

  private boolean readDashed(byte[] bytes, int start) {
    int from = start;
    int at = 0;
    for (int group : GROUPS) {
      if (at > 0 && bytes[from++] != '-') {
        return false;
      }
      if (!Hex.read(bytes, from, group, buffer, at)) {
        return false;
      }
      from += 2 * group;
      at += group;
    }
    return true;
  }

  @Override
  public int lengthMax(Vector from, int row) {
    return LENGTH;
  }

  @Override
  public int format(Vector from, int row, byte[] out, int at) {
    BytesVector uuids = (BytesVector) from;
    int next = at;
    int read = uuids.starts[row];
    for (int group : GROUPS) {
      if (next > at) {
        out[next++] = '-';
      }
      next = Hex.write(uuids.bytes, read, group, out, next);
      read += group;
    }
    return next;
  }
}
