package millrace.connectors.postgres.net;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/// Connections for the lanes of an end. Each is made ready before a lane has it, and until then a
/// cancel of the end reaches it. Any thread.
public final class LaneConnections {

  private final ConnectionFactory connectionFactory;
  private final Set<Session> opening = ConcurrentHashMap.newKeySet();
  private volatile boolean cancelled;

  public LaneConnections(ConnectionFactory connectionFactory) {
    this.connectionFactory = connectionFactory;
  }

  /// Opens one.
  ///
  /// @param ready makes of it what the lane gets, which closes it; it is closed here if that fails
  public <T> T open(Function<Session, T> ready) {
    Session session = connectionFactory.connect();
    opening.add(session);
    try {
      if (cancelled) {
        session.cancel();
      }
      return ready.apply(session);
    } catch (RuntimeException e) {
      session.close();
      throw e;
    } finally {
      opening.remove(session);
    }
  }

  /// Ends soon what those that are not ready yet are doing.
  public void cancel() {
    cancelled = true;
    opening.forEach(Session::cancel);
  }
}
