package millrace.data.spelling;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import millrace.data.Vector;

/// A value's spelling as a string, for messages.
final class Plain {

  private Plain() {}

  static String text(ValueFormatter formatter, Vector from, int row) {
    byte[] out = new byte[formatter.lengthMax(from, row)];
    int end = formatter.format(from, row, out, 0);
    return new String(Arrays.copyOf(out, end), StandardCharsets.UTF_8);
  }
}
