package millrace.connectors.file.io;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import millrace.fault.Fault;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A range of a file that is not compressed.
///
/// What the system has in its cache comes from there. The rest of a large file comes past it, a
/// block ahead of the one that is taken: to bring a file into the cache takes the processor longer
/// than parsing it does, and drives out what others have there.
public final class RangeFeed implements ByteFeed {

  private static final Logger LOG = LoggerFactory.getLogger(RangeFeed.class);

  /// The JDK copies through a buffer of its own of the size asked for, and keeps it per thread.
  private static final int BLOCK_BYTES = 1 << 20;

  /// The way is chosen for so much at a time, and through the cache only if as much behind it is
  /// there too: what is read through it makes the system bring what follows, which would then seem
  /// to have been there. It is more than systems read ahead.
  private static final long STRETCH_BYTES = 8L << 20;

  private final Path path;
  private final FileChannel channel;
  private final long from;
  private final long to;
  private long at;

  /// Up to where the way has been chosen.
  private long chosen;

  private boolean mayPass;
  private boolean passes;
  private @Nullable ReadAhead past;

  /// Where the block under way ends.
  private long blockEnd;

  /// What came past the cache and has not been taken; null if the block comes through it.
  private @Nullable ByteBuffer block;

  /// @param to where it ends; the file must be that long
  public RangeFeed(Path path, long from, long to) {
    this.path = path;
    this.from = from;
    this.to = to;
    at = from;
    chosen = from;
    blockEnd = from;
    mayPass = to - from >= STRETCH_BYTES;
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
    try {
      if (at == blockEnd) {
        begin();
      }
      int most = (int) Math.min(length, blockEnd - at);
      int count = block == null ? cached(into, start, most) : taken(block, into, start, most);
      if (count <= 0) {
        throw shorter();
      }
      at += count;
      return count;
    } catch (IOException e) {
      throw Inputs.unreadable(path.toString(), e);
    }
  }

  private void begin() {
    long start = at - at % BLOCK_BYTES;
    blockEnd = Math.min(start + BLOCK_BYTES, to);
    if (mayPass && at >= chosen) {
      choose();
    }
    block = passes && past != null ? ahead(past, start) : null;
  }

  private @Nullable ByteBuffer ahead(ReadAhead reading, long start) {
    try {
      long next = start + BLOCK_BYTES;
      ByteBuffer bytes = reading.block(start, next < to ? next : -1);
      return bytes.position((int) Math.min(bytes.limit(), at - start));
    } catch (IOException e) {
      readThroughCache(e);
      return null;
    }
  }

  /// There are file systems that promise what they can't do. Through the cache the bytes come, or
  /// it is told why they don't.
  private void readThroughCache(IOException e) {
    LOG.debug("{} can't be read past the cache", path, e);
    mayPass = false;
    passes = false;
  }

  private void choose() {
    long start = at - at % STRETCH_BYTES;
    chosen = start + STRETCH_BYTES;
    try {
      passes = !isCached(start, chosen + STRETCH_BYTES);
      if (passes && past == null) {
        past = ReadAhead.of(path, BLOCK_BYTES);
        mayPass = past != null;
      }
    } catch (IOException e) {
      readThroughCache(e);
    }
  }

  private boolean isCached(long start, long end) throws IOException {
    long length = Math.min(end, channel.size()) - start;
    if (length <= 0) {
      return true;
    }
    try (Arena arena = Arena.ofConfined()) {
      return channel.map(FileChannel.MapMode.READ_ONLY, start, length, arena).isLoaded();
    }
  }

  private int cached(byte[] into, int start, int length) throws IOException {
    return channel.read(ByteBuffer.wrap(into, start, length), at);
  }

  private static int taken(ByteBuffer from, byte[] into, int start, int length) {
    int count = Math.min(length, from.remaining());
    from.get(into, start, count);
    return count;
  }

  private Fault shorter() {
    return new Fault.External(
        path
            + " became shorter while it was read: it ends at byte "
            + at
            + " instead of "
            + to
            + ".",
        "Start again when nothing writes to it.",
        null);
  }

  @Override
  public long taken() {
    return at - from;
  }

  @Override
  public void close() {
    try (channel) {
      if (past != null) {
        past.close();
      }
    } catch (IOException e) {
      throw Inputs.unreadable(path.toString(), e);
    }
  }
}
