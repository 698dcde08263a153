package millrace.connectors.postgres.net;

import java.sql.SQLException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import millrace.fault.Fault;
import org.jspecify.annotations.Nullable;
import org.postgresql.copy.CopyOperation;
import org.postgresql.core.BaseConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A connection and how it ends: closed, cut, or left to another. One thread uses it, except for
/// {@link #cancel}.
abstract class OpenConnection implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(OpenConnection.class);

  /// How long a cancelled statement may take to end; a network that has gone silent never ends it.
  private static final int CANCEL_TIMEOUT_SECONDS = 5;

  final BaseConnection connection;
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile boolean cancelled;
  private volatile boolean takenAway;
  private volatile boolean failed;
  private @Nullable CopyOperation lastCopy;

  /// Leaves the connection to another when it is closed; null if it ends then.
  private @Nullable Runnable leaves;

  OpenConnection(BaseConnection connection) {
    this.connection = connection;
  }

  /// When it is closed, that is done in place of its end, unless it was cancelled or can't answer.
  void leaveBy(Runnable leaving) {
    leaves = leaving;
  }

  /// Something that was asked for has failed.
  void hasFailed() {
    failed = true;
  }

  /// Whether something has.
  boolean failed() {
    return failed;
  }

  /// A COPY has begun.
  void begins(CopyOperation copy) {
    lastCopy = copy;
  }

  /// Throws if the session has been cancelled.
  public void checkCancelled() {
    if (cancelled) {
      throw cancelledFault();
    }
  }

  public boolean isCancelled() {
    return cancelled;
  }

  static Fault cancelledFault() {
    return new Fault.Cancelled("The statement was cancelled.");
  }

  /// Has the statement that runs ended soon, if one does; the thread that waits for it gets a
  /// fault. From any thread, which does not wait. If the server can't be told, or if nothing comes
  /// back from it, the connection is cut.
  public void cancel() {
    synchronized (closed) {
      if (isClosed() && leaves != null) {
        // Somebody else may have it by now.
        return;
      }
      cancelled = true;
    }
    Thread.ofPlatform().name("cut").daemon().start(this::cutUnlessClosed);
    Thread.ofPlatform().name("cancel").daemon().start(this::cancelQuery);
  }

  private void cancelQuery() {
    try {
      connection.cancelQuery();
    } catch (SQLException e) {
      LOG.debug("cancel request failed, cutting the connection", e);
      cut();
    }
  }

  private void cutUnlessClosed() {
    try {
      if (!closed.await(CANCEL_TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
        cut();
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  /// Ends it because the server allows no other connection, and another is worth more. From any
  /// thread; whoever asks the server by it gets a fault.
  void takeAway() {
    takenAway = true;
    cut();
  }

  /// Whether it was taken away.
  public boolean isTakenAway() {
    return takenAway;
  }

  private void cut() {
    try {
      connection.abort(Runnable::run);
    } catch (SQLException e) {
      LOG.debug("connection was closed already", e);
    }
  }

  /// Whether whoever opened it has closed it.
  public boolean isClosed() {
    return closed.getCount() == 0;
  }

  /// Closes the connection; the server undoes what was not committed.
  @Override
  public void close() {
    Runnable leaving = leaves;
    synchronized (closed) {
      if (isClosed() && leaving != null) {
        return;
      }
      closed.countDown();
    }
    boolean isInCopy = lastCopy != null && lastCopy.isActive();
    if (leaving != null && !cancelled && !takenAway && !isInCopy) {
      leaving.run();
    } else {
      end();
    }
  }

  /// Ends the connection.
  void end() {
    closed.countDown();
    try {
      connection.close();
    } catch (SQLException e) {
      LOG.debug("close failed", e);
    }
  }
}
