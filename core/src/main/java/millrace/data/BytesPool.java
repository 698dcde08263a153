package millrace.data;

import java.util.ArrayDeque;

/// Byte arrays that go round between one lane's reader and writer, so that rows are encoded into
/// memory that the processor still has in its caches. Any thread may take and give back.
public final class BytesPool {

  private final ArrayDeque<byte[]> idle = new ArrayDeque<>();

  /// An array of at least that many bytes, whatever they hold; the one given back last if it is
  /// long enough.
  public synchronized byte[] take(int length) {
    byte[] bytes = idle.poll();
    return bytes != null && bytes.length >= length ? bytes : new byte[length];
  }

  synchronized void giveBack(byte[] bytes) {
    idle.push(bytes);
  }
}
