package millrace.testkit.oracle;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/// What clients did, for tests to look at. Any thread may call it.
public final class ServerLog {

  private static final long MOST_STREAM_BYTES = 32 << 20;

  /// Of so many statements the values of a row are kept.
  private static final int MOST_VALUES = 20_000;

  private final List<LogEvent> events = new ArrayList<>();
  private final AtomicLong streamBytes = new AtomicLong();
  private final AtomicLong roundTrips = new AtomicLong();

  public synchronized void add(LogEvent event) {
    boolean isFull = events.size() >= MOST_VALUES;
    events.add(
        isFull && event instanceof LogEvent.Executed executed ? executed.withoutValues() : event);
  }

  /// A stream for the log: the bytes, or none once there are too many in it.
  public byte[] stream(byte[] bytes) {
    return streamBytes.addAndGet(bytes.length) <= MOST_STREAM_BYTES ? bytes : new byte[0];
  }

  /// An answer was sent.
  public void addRoundTrip() {
    roundTrips.incrementAndGet();
  }

  /// How many answers were sent since the log began or was cleared, log-ons included.
  public long roundTrips() {
    return roundTrips.get();
  }

  /// All that happened, in order.
  public synchronized List<LogEvent> events() {
    return List.copyOf(events);
  }

  /// All events of one kind, in order.
  public <T extends LogEvent> List<T> events(Class<T> kind) {
    return events().stream().filter(kind::isInstance).map(kind::cast).toList();
  }

  /// The statements of all sessions, in order.
  public List<String> statements() {
    return events(LogEvent.Executed.class).stream().map(LogEvent.Executed::sql).toList();
  }

  /// Forgets what happened so far.
  public synchronized void clear() {
    events.clear();
    streamBytes.set(0);
    roundTrips.set(0);
  }
}
