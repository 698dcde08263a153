package millrace.connectors.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import millrace.fault.Fault;

/// A range of a file that is not compressed.
final class RangeFeed implements Feed {

  /// The JDK copies through a buffer of its own of the size asked for, and keeps it per thread.
  private static final int READ_BYTES_MAX = 1 << 20;

  private final Path path;
  private final FileChannel channel;
  private final long from;
  private final long to;
  private long at;

  /// @param to where it ends; the file must be that long
  RangeFeed(Path path, long from, long to) {
    this.path = path;
    this.from = from;
    this.to = to;
    at = from;
    try {
      channel = FileChannel.open(path, StandardOpenOption.READ);
    } catch (IOException e) {
      throw Inputs.unreadable(path.toString(), e);
    }
  }

  @Override
  public int read(byte[] into, int start, int length) {
    if (at >= to) {
      return -1;
    }
    int most = (int) Math.min(Math.min(length, READ_BYTES_MAX), to - at);
    try {
      int count = channel.read(ByteBuffer.wrap(into, start, most), at);
      if (count < 0) {
        throw new Fault.External(
            path
                + " became shorter while it was read: it ends at byte "
                + at
                + " instead of "
                + to
                + ".",
            "Start again when nothing writes to it.",
            null);
      }
      at += count;
      return count;
    } catch (IOException e) {
      throw Inputs.unreadable(path.toString(), e);
    }
  }

  @Override
  public long taken() {
    return at - from;
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw Inputs.unreadable(path.toString(), e);
    }
  }
}
