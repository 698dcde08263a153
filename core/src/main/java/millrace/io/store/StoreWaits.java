package millrace.io.store;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import millrace.spi.Counters.Count;
import millrace.spi.Counters.Scope;

/// What held up those who read or wrote a store's files, beside the bytes that were on their way.
/// Reports name the bottleneck by it. Any thread.
final class StoreWaits {

  private final LongAdder answered = new LongAdder();
  private final LongAdder turnedAway = new LongAdder();
  private final LongAdder limitedNanos = new LongAdder();
  private final LongAdder limitedWriteNanos = new LongAdder();
  private final AtomicInteger writes = new AtomicInteger();
  private final LongAdder singleNanos = new LongAdder();
  private final LongAdder singleBytes = new LongAdder();

  /// A request was served.
  void answer() {
    answered.increment();
  }

  /// The store did not serve a request, since it limits how many it does.
  void turnAway() {
    turnedAway.increment();
  }

  /// A reader has waited for bytes that may have had to be asked for again.
  ///
  /// @param nanos for how long it did
  /// @param restedNanos for how long they were not asked for, since the store had turned the
  ///   request away
  void limit(long nanos, long restedNanos) {
    limitedNanos.add(Math.min(nanos, restedNanos));
  }

  /// So many requests that write are more under way.
  void write(int more) {
    writes.addAndGet(more);
  }

  /// One of them was not asked for so long. With others under way, only its part of what they bring
  /// together was lost.
  void limitWrites(long restedNanos) {
    limitedWriteNanos.add(restedNanos / Math.max(1, writes.get()));
  }

  /// The bytes of a file of which no others are on their way: by one connection, from its
  /// beginning.
  ///
  /// @param bytes counts them
  InputStream single(InputStream file, LongAdder bytes) {
    return new FilterInputStream(file) {
      @Override
      public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
      }

      @Override
      public int read(byte[] into, int at, int length) throws IOException {
        long begun = System.nanoTime();
        int count = super.read(into, at, length);
        singleNanos.add(System.nanoTime() - begun);
        singleBytes.add(Math.max(0, count));
        bytes.add(Math.max(0, count));
        return count;
      }
    };
  }

  /// How all of that is counted now.
  List<Count> counts() {
    return List.of(
        count("answered", answered.sum()),
        count("turned_away", turnedAway.sum()),
        count("limited_us", limitedNanos.sum() / 1_000),
        count("write_limited_us", limitedWriteNanos.sum() / 1_000),
        count("single_us", singleNanos.sum() / 1_000),
        count("single_bytes", singleBytes.sum()));
  }

  private static Count count(String name, long value) {
    return new Count("wire", name, Scope.RUN, value);
  }
}
