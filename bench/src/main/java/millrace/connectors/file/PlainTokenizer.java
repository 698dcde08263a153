package millrace.connectors.file;

/// CSV with commas, doubled quotes and line feeds, cut into fields one byte after the other: what
/// {@link Tokenizer} is compared to. It takes good input only.
final class PlainTokenizer {

  final int[][] starts;
  final int[][] ends;

  /// Whether a value was unescaped, and lies in the buffer beside.
  private final boolean[][] copied;

  private final byte[] beside;

  PlainTokenizer(int width, int rowsMax, int bytesMax) {
    starts = new int[width][rowsMax];
    ends = new int[width][rowsMax];
    copied = new boolean[width][rowsMax];
    beside = new byte[bytesMax];
  }

  /// Where the value of a field lies.
  byte[] bytes(int column, int row, byte[] source) {
    return copied[column][row] ? beside : source;
  }

  /// Cuts the bytes up to `to`, and returns how many records there are.
  int run(byte[] bytes, int to) {
    int row = 0;
    int column = 0;
    int tail = 0;
    int at = 0;
    while (at < to) {
      boolean quoted = bytes[at] == '"';
      boolean escaped = false;
      int start = quoted ? at + 1 : at;
      at = start;
      if (quoted) {
        while (bytes[at] != '"' || (at + 1 < to && bytes[at + 1] == '"')) {
          if (bytes[at] == '"') {
            escaped = true;
            at++;
          }
          at++;
        }
      } else {
        while (bytes[at] != ',' && bytes[at] != '\n') {
          at++;
        }
      }
      copied[column][row] = escaped;
      starts[column][row] = escaped ? tail : start;
      if (escaped) {
        tail = unescape(bytes, start, at, tail);
      }
      ends[column][row] = escaped ? tail : at;
      at += quoted ? 1 : 0;
      if (bytes[at] == '\n') {
        row++;
        column = 0;
      } else {
        column++;
      }
      at++;
    }
    return row;
  }

  private int unescape(byte[] bytes, int start, int end, int tail) {
    int out = tail;
    for (int i = start; i < end; i++) {
      if (bytes[i] == '"') {
        i++;
      }
      beside[out++] = bytes[i];
    }
    return out;
  }

  /// How many records there are: a quote opens a field only as the first thing in it.
  static long records(byte[] bytes, int to) {
    long records = 0;
    boolean opens = true;
    boolean quoted = false;
    for (int at = 0; at < to; at++) {
      byte each = bytes[at];
      if (quoted) {
        quoted = each != '"';
        // A second quote behind it takes the closing back.
        opens = !quoted;
      } else if (each == '"') {
        quoted = opens;
      } else {
        opens = each == ',' || each == '\n';
        records += each == '\n' ? 1 : 0;
      }
    }
    return records;
  }
}
