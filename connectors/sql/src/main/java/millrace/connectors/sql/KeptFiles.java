package millrace.connectors.sql;

import java.util.HashMap;
import java.util.Map;
import millrace.spi.OpenContext;
import millrace.spi.Shared;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/// What has database files open that the copies of a job write to, which leave it to each other: to
/// open and close a file for each table would read it and put it in order each time. The job closes
/// it. Any thread.
public final class KeptFiles implements AutoCloseable {

  private final Map<String, AutoCloseable> open = new HashMap<>();

  /// That of the job that an end is opened for; null if it is of none.
  public static @Nullable KeptFiles of(OpenContext context) {
    Shared shared = context.shared();
    return shared == null ? null : shared.get(KeptFiles.class, KeptFiles::new);
  }

  /// Takes what was left of a file; null if nothing was.
  public synchronized @Nullable AutoCloseable take(String file) {
    return open.remove(file);
  }

  /// Leaves what is as new, unless there is another; whether it is kept.
  public synchronized boolean leave(String file, AutoCloseable what) {
    return open.putIfAbsent(file, what) == null;
  }

  /// Closes what was left of a file.
  public synchronized void letGo(String file) {
    try (AutoCloseable _ = open.remove(file)) {
      // Nobody else uses it.
    } catch (Exception e) {
      LoggerFactory.getLogger(KeptFiles.class).debug("close failed", e);
    }
  }

  @Override
  public synchronized void close() {
    Map.copyOf(open).keySet().forEach(this::letGo);
  }
}
