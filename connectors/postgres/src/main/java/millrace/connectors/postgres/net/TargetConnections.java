package millrace.connectors.postgres.net;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;

/// The connections of a target: one of its own, which is open all the time and which another takes
/// the place of if it is lost, and those that a load opens beside it.
public final class TargetConnections implements AutoCloseable {

  private final ConnectionFactory connectionFactory;
  private final LaneConnections lanes;
  private final List<Session> sideBySide = new CopyOnWriteArrayList<>();
  private volatile Session main;

  /// Whether the next who needs the target's own opens another.
  private boolean stale;

  public TargetConnections(ConnectionFactory connectionFactory) {
    this.connectionFactory = connectionFactory;
    lanes = new LaneConnections(connectionFactory);
    main = connectionFactory.connect();
  }

  /// The target's own. It belongs to the target's thread.
  public Session main() {
    if (stale) {
      main = connectionFactory.connectToUndo(main);
      stale = false;
    }
    return main;
  }

  /// Closes it: another is opened in its place, if one is needed. It may be lost, or in the middle
  /// of something.
  public void renew() {
    main.close();
    stale = true;
  }

  /// Whether it is open, as far as is known; else whoever asks for it waits for the server.
  public boolean isOpen() {
    return !stale;
  }

  /// Leaves work to the end of the target's job, see {@link AtEnd}.
  public boolean atEnd(String what, Consumer<Session> work) {
    return connectionFactory.atEnd(what, work);
  }

  /// One for a lane, see {@link LaneConnections#open}.
  public <T> T forLane(Function<Session, T> ready) {
    return lanes.open(ready);
  }

  /// One to ask the server something; the caller closes it. From any thread.
  public Session another() {
    return connectionFactory.connect();
  }

  /// One more for the end of a load, which a cancel reaches as well; the caller closes it.
  public Session sideBySide() {
    Session more = connectionFactory.connect();
    sideBySide.add(more);
    main.checkCancelled();
    return more;
  }

  /// One that moves no rows, and may be taken away at any moment; the caller closes it.
  public Session aside() {
    return connectionFactory.aside();
  }

  /// Ends soon what the target's own and those beside it are doing. From any thread.
  public void cancel() {
    main.cancel();
    lanes.cancel();
    sideBySide.forEach(Session::cancel);
  }

  @Override
  public void close() {
    main.close();
  }
}
