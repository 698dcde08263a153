package millrace.connectors.couchdb.http;

import java.util.Comparator;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// What the threads of an end wait for in their server. Any thread.
public final class Waits {

  /// Shorter ones are nothing to tell of.
  private static final long REPORTED_NANOS = 3_000_000_000L;

  private final Set<One> underWay = ConcurrentHashMap.newKeySet();

  /// One that goes on until it is closed.
  static final class One implements AutoCloseable {
    private final Waits all;
    private final String what;
    private final long begunNanos;

    private One(Waits all, String what, long begunNanos) {
      this.all = all;
      this.what = what;
      this.begunNanos = begunNanos;
    }

    @Override
    public void close() {
      all.underWay.remove(this);
    }
  }

  /// A wait begins, or began then, as System.nanoTime says.
  ///
  /// @param what is waited for, as the end of a sentence
  One begin(String what, long begunNanos) {
    One one = new One(this, what, begunNanos);
    underWay.add(one);
    return one;
  }

  /// The longest of those that take long, or null if there is none.
  @Nullable
  public String longest() {
    long now = System.nanoTime();
    return underWay.stream()
        .filter(one -> now - one.begunNanos >= REPORTED_NANOS)
        .max(Comparator.comparingLong(one -> now - one.begunNanos))
        .map(one -> one.what)
        .orElse(null);
  }
}
