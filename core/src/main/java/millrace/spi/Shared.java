package millrace.spi;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/// What the ends of the small copies of a job share, such as connections that one of them leaves to
/// the next. The job closes it when all have ended. Any thread.
public final class Shared implements AutoCloseable {

  private final Map<Class<?>, AutoCloseable> all = new HashMap<>();

  /// What is shared of that type; made when somebody asks first.
  public synchronized <T extends AutoCloseable> T get(Class<T> type, Supplier<T> make) {
    return type.cast(all.computeIfAbsent(type, _ -> make.get()));
  }

  @Override
  public synchronized void close() {
    for (AutoCloseable each : all.values()) {
      try {
        each.close();
      } catch (Exception e) {
        org.slf4j.LoggerFactory.getLogger(Shared.class).debug("close failed", e);
      }
    }
    all.clear();
  }
}
