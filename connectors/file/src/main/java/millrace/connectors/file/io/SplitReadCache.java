package millrace.connectors.file.io;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import millrace.spi.read.Split;
import org.jspecify.annotations.Nullable;

/// What was read of splits when they were cut, until their readers take it: so a file is read once.
///
/// It holds the beginning of a split, as much as there is room for; the rest is read from the file
/// again. Whoever cuts puts, readers take; any thread.
public final class SplitReadCache {

  /// Small enough to stay in a processor's own cache between being read and being cut.
  private static final int WINDOW_BYTES = 1 << 18;

  /// Of the Java heap; four lanes with splits of 16 MB have room in the default one.
  private static final int HEAP_PART = 8;

  /// Bytes of a split that follow each other.
  ///
  /// @param length how many of the array's bytes
  public record Window(byte[] bytes, int length) {}

  /// Which bytes a split has; one that is read again has lost them here, and the rest of one has
  /// fewer: if it has none, it begins where the next split does.
  private record Span(String resource, long from, long to) {
    static Span of(Split split) {
      return new Span(split.resource(), split.from(), split.to());
    }
  }

  private final int windowBytes;
  private final long windowsMax;
  private final Map<Span, List<Window>> held = new HashMap<>();
  private final ArrayDeque<byte[]> free = new ArrayDeque<>();
  private long windows;

  public SplitReadCache() {
    this(WINDOW_BYTES, Runtime.getRuntime().maxMemory() / HEAP_PART);
  }

  /// @param windowBytes how much to read at a time
  /// @param bytesMax most bytes that are held
  public SplitReadCache(int windowBytes, long bytesMax) {
    this.windowBytes = windowBytes;
    windowsMax = bytesMax / windowBytes;
  }

  /// What to read into first; it does not count as held.
  public byte[] first() {
    return new byte[windowBytes];
  }

  /// An empty window in exchange for a full one, or null if there is no room for another.
  public synchronized byte @Nullable [] empty() {
    if (windows == windowsMax) {
      return null;
    }
    windows++;
    byte[] window = free.poll();
    return window == null ? new byte[windowBytes] : window;
  }

  /// Holds what a split begins with.
  public synchronized void put(Split split, List<Window> bytes) {
    List<Window> before = held.put(Span.of(split), bytes);
    if (before != null) {
      before.forEach(this::release);
    }
  }

  /// The bytes of a split: those that are held, then the file's.
  ///
  /// @param file opens the file at a place, up to the split's end; not asked if all are held
  public ByteFeed feed(Split split, LongFunction<ByteFeed> file) {
    List<Window> begin;
    synchronized (this) {
      begin = held.remove(Span.of(split));
    }
    if (begin == null) {
      return file.apply(split.from());
    }
    long end = split.from() + begin.stream().mapToLong(Window::length).sum();
    return new Cut(begin, end < split.to() ? () -> file.apply(end) : null);
  }

  private synchronized void release(Window window) {
    windows--;
    free.push(window.bytes);
  }

  /// Windows, and then the file.
  private final class Cut implements ByteFeed {
    private final ArrayDeque<Window> left;
    private final @Nullable Supplier<ByteFeed> after;
    private @Nullable ByteFeed file;
    private int at;
    private long taken;

    Cut(List<Window> windows, @Nullable Supplier<ByteFeed> after) {
      left = new ArrayDeque<>(windows);
      this.after = after;
    }

    @Override
    public int read(byte[] into, int start, int length) {
      Window window = left.peek();
      if (window == null) {
        return readBehind(into, start, length);
      }
      int count = Math.min(length, window.length - at);
      System.arraycopy(window.bytes, at, into, start, count);
      at += count;
      taken += count;
      if (at == window.length) {
        release(left.remove());
        at = 0;
      }
      return count;
    }

    private int readBehind(byte[] into, int start, int length) {
      if (after == null) {
        return -1;
      }
      ByteFeed opened = file;
      if (opened == null) {
        opened = after.get();
        file = opened;
      }
      int count = opened.read(into, start, length);
      taken += Math.max(0, count);
      return count;
    }

    @Override
    public long taken() {
      return taken;
    }

    @Override
    public void close() {
      List<Window> unread = new ArrayList<>(left);
      left.clear();
      unread.forEach(SplitReadCache.this::release);
      if (file != null) {
        file.close();
      }
    }
  }
}
