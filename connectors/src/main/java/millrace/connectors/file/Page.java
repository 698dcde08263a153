package millrace.connectors.file;

import java.util.Arrays;

/// Bytes that are being written, in an array that grows.
final class Page {

  byte[] bytes;
  int length;

  Page(int capacity) {
    bytes = new byte[capacity];
  }

  /// Makes room for that many more bytes.
  void reserve(int more) {
    if (bytes.length - length < more) {
      long wanted = Math.max((long) length + more, Math.min(bytes.length * 2L, 1L << 30));
      bytes = Arrays.copyOf(bytes, Math.toIntExact(wanted));
    }
  }

  void append(byte[] from) {
    append(from, 0, from.length);
  }

  void append(byte[] from, int start, int end) {
    int count = end - start;
    reserve(count);
    if (count < 32) {
      // Short values are the most; the call of arraycopy costs more than they do.
      for (int i = start; i < end; i++) {
        bytes[length++] = from[i];
      }
    } else {
      System.arraycopy(from, start, bytes, length, count);
      length += count;
    }
  }
}
