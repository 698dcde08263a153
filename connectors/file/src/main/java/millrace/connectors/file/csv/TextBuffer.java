package millrace.connectors.file.csv;

import java.util.Arrays;

/// The buffer of one batch: the source's bytes up to `end`, and behind them, up to `tail`, values
/// that had to be unescaped or decoded. The source's bytes stay as they were read, so that a bad
/// record can be handed back byte for byte.
public final class TextBuffer {

  /// Arrays that grew beyond this are dropped with their batch rather than used again.
  private static final int REUSED_BYTES_MAX = 8 << 20;

  public byte[] bytes;

  /// Where the source's bytes end.
  public int end;

  /// Where the appended values end; at least `end`.
  public int tail;

  public TextBuffer(int capacity) {
    bytes = new byte[capacity];
  }

  /// Makes it empty, with room for that many bytes.
  public void clear(int capacity) {
    if (bytes.length < capacity || bytes.length > Math.max(capacity, REUSED_BYTES_MAX)) {
      bytes = new byte[capacity];
    }
    end = 0;
    tail = 0;
  }

  /// Makes room for that many more bytes behind the tail.
  void reserve(int more) {
    if (bytes.length - tail < more) {
      int wanted = Math.addExact(tail, more);
      bytes = Arrays.copyOf(bytes, (int) Math.min(Integer.MAX_VALUE - 8L, wanted * 3L / 2));
    }
  }
}
