package millrace.connectors.generate;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import millrace.data.BytesVector;
import millrace.data.Vector;

/// Random texts of mixed-case letters and digits, as field report B shows them.
///
/// @param shortest fewest characters
/// @param longest most characters
/// @param paddedTo length up to which blanks are added, as a CHAR column does; 0 for none
record Alphanumeric(int shortest, int longest, int paddedTo) implements ColumnMaker {

  /// 64 characters for 6 random bits each: the 10 digits and 52 letters, and `0` and `1` once more.
  private static final byte[] ALPHABET =
      "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz01"
          .getBytes(StandardCharsets.US_ASCII);

  private static final int CHARACTERS_PER_RANDOM = 10;

  @Override
  public void fill(Vector into, long seed, long firstRow, int rows) {
    BytesVector vector = (BytesVector) into;
    byte[] text = new byte[Math.max(longest, paddedTo) + CHARACTERS_PER_RANDOM];
    for (int row = 0; row < rows; row++) {
      long cell = Counter.at(seed, firstRow + row);
      int length = shortest + (int) Counter.below(cell, longest - shortest + 1L);
      write(text, length, cell);
      if (length < paddedTo) {
        Arrays.fill(text, length, paddedTo, (byte) ' ');
        length = paddedTo;
      }
      vector.append(row, text, 0, length);
    }
  }

  /// Writes at least that many characters, whole tens of them; they follow from the cell alone.
  private static void write(byte[] text, int length, long cell) {
    int end = 0;
    for (int part = 0; end < length; part++) {
      long bits = Counter.at(cell, part);
      for (int i = 0; i < CHARACTERS_PER_RANDOM; i++) {
        text[end++] = ALPHABET[(int) (bits & 63)];
        bits >>>= 6;
      }
    }
  }
}
