package millrace.connectors.file.io;

import org.jspecify.annotations.Nullable;

/// Bytes that were read before, and then those that follow them.
final class ReplayFeed implements ByteFeed {

  private final byte[] before;
  private final @Nullable ByteFeed rest;
  private int at;

  /// @param rest null if nothing follows
  ReplayFeed(byte[] before, @Nullable ByteFeed rest) {
    this.before = before;
    this.rest = rest;
  }

  @Override
  public int read(byte[] into, int start, int length) {
    if (at == before.length) {
      return rest == null ? -1 : rest.read(into, start, length);
    }
    int count = Math.min(length, before.length - at);
    System.arraycopy(before, at, into, start, count);
    at += count;
    return count;
  }

  @Override
  public long taken() {
    return rest == null ? at : rest.taken();
  }

  @Override
  public void close() {
    if (rest != null) {
      rest.close();
    }
  }
}
