package millrace.connectors.file.io;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import millrace.spi.Stage;
import millrace.spi.StageClock;
import org.jspecify.annotations.Nullable;

/// A file that can only be read from its beginning: compressed, or standard input.
public final class StreamFeed implements ByteFeed {

  /// Counts the bytes of the file itself.
  private static final class Counted extends FilterInputStream {
    private long count;
    private @Nullable StageClock clock;

    Counted(InputStream file) {
      super(file);
    }

    @Override
    public int read() throws IOException {
      int next = super.read();
      count += next < 0 ? 0 : 1;
      return next;
    }

    @Override
    public int read(byte[] into, int at, int length) throws IOException {
      StageClock timed = clock;
      Stage before = timed == null ? null : timed.enter(Stage.READ);
      try {
        int taken = super.read(into, at, length);
        count += Math.max(0, taken);
        return taken;
      } finally {
        if (timed != null && before != null) {
          timed.enter(before);
        }
      }
    }
  }

  private final String name;
  private final Counted file;
  private final InputStream stream;

  /// @param name for messages
  /// @param file the bytes as they are stored; closed with the feed
  public StreamFeed(String name, InputStream file, Compression compression) {
    this.name = name;
    this.file = new Counted(file);
    try {
      stream = compression.open(this.file);
    } catch (IOException e) {
      throw Inputs.unreadable(name, e);
    }
  }

  /// From now on tells the clock what time it takes to decompress a compressed file, apart from
  /// reading it.
  ///
  /// @return this
  StreamFeed timed(StageClock clock) {
    file.clock = clock;
    return this;
  }

  @Override
  public int read(byte[] into, int at, int length) {
    if (file.clock != null) {
      file.clock.enter(Stage.DECOMPRESS);
    }
    try {
      return stream.read(into, at, length);
    } catch (IOException e) {
      throw Inputs.unreadable(name, e);
    }
  }

  @Override
  public long taken() {
    return file.count;
  }

  @Override
  public void close() {
    try {
      stream.close();
    } catch (IOException e) {
      throw Inputs.unreadable(name, e);
    }
  }
}
