package millrace.connectors.generate;

import java.util.Arrays;

/// Bytes that one document after the other is put together in, without a String in between.
final class Utf8Writer {

  private byte[] bytes = new byte[4096];
  private int length;

  /// The array that holds the bytes, from index 0 up to {@link #length}; valid until the next put.
  byte[] bytes() {
    return bytes;
  }

  /// How many bytes were put.
  int length() {
    return length;
  }

  /// Forgets what was put.
  void clear() {
    length = 0;
  }

  /// Appends bytes that are UTF-8 already.
  Utf8Writer put(byte[] utf8) {
    reserve(utf8.length);
    System.arraycopy(utf8, 0, bytes, length, utf8.length);
    length += utf8.length;
    return this;
  }

  /// Appends a number from 0 up, in at least that many digits.
  Utf8Writer put(long number, int digits) {
    int wanted = digits;
    for (long rest = number, tens = 1; rest != 0; rest /= 10, tens++) {
      wanted = Math.max(wanted, (int) tens);
    }
    reserve(wanted);
    long rest = number;
    for (int i = length + wanted - 1; i >= length; i--) {
      bytes[i] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
    length += wanted;
    return this;
  }

  private void reserve(int more) {
    if (bytes.length - length < more) {
      bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, length + more));
    }
  }
}
