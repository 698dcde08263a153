package millrace.connectors.sql.online;

import java.sql.SQLException;
import java.util.Deque;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import millrace.fault.Fault;

/// The connections of an online run. Any thread may call it.
///
/// As many are opened as are needed at once. One that has failed is closed, and if the server may
/// have gone, so are those that nobody uses: the next call opens another.
final class ConnectionPool implements AutoCloseable {

  /// Who loses to another transaction has done nothing, and may try again.
  private static final int ATTEMPTS_MAX = 8;

  private static final long PAUSE_NANOS = 2_000_000;

  private final OnlineDialect dialect;
  private final Deque<OnlineConnection> idle = new ConcurrentLinkedDeque<>();
  private final Set<OnlineConnection> busy = ConcurrentHashMap.newKeySet();
  private volatile boolean cancelled;
  private volatile boolean closed;

  ConnectionPool(OnlineDialect dialect) {
    this.dialect = dialect;
  }

  /// Does something with a connection.
  @FunctionalInterface
  interface Work<T> {

    /// Does it, as part of the connection's transaction.
    ///
    /// @throws SQLException what the driver says against it
    T with(OnlineConnection connection) throws SQLException;
  }

  /// Does work in a transaction, and again if it lost to another one.
  <T> T transaction(Work<T> work) {
    return untilWon(() -> {
      OnlineConnection connection = take();
      try {
        T result = work.with(connection);
        connection.jdbc().commit();
        giveBack(connection);
        return result;
      } catch (SQLException e) {
        throw failed(connection, e);
      } catch (RuntimeException e) {
        discard(connection);
        throw e;
      }
    });
  }

  /// Does work that has done nothing if it loses to another transaction.
  <T> T untilWon(Supplier<T> work) {
    for (int attempt = 1; ; attempt++) {
      try {
        return work.get();
      } catch (Fault.Transient e) {
        if (e.retryAfterMillis() > 0
            || e.isUnreachable()
            || e.endsRun()
            || attempt == ATTEMPTS_MAX) {
          throw e;
        }
        LockSupport.parkNanos(attempt * PAUSE_NANOS);
      }
    }
  }

  /// A connection for one thread, which gives it back or discards it.
  OnlineConnection take() {
    refuseIfStopped();
    OnlineConnection found = idle.poll();
    OnlineConnection connection = found == null ? dialect.connect() : found;
    busy.add(connection);
    if (cancelled || closed) {
      discard(connection);
      refuseIfStopped();
    }
    return connection;
  }

  /// Does nothing unless it was stopped or closed.
  void refuseIfStopped() {
    if (cancelled) {
      throw stopped();
    }
    if (closed) {
      throw new Fault.Bug(dialect.label() + " is used after it was closed", null);
    }
  }

  private Fault.Cancelled stopped() {
    return new Fault.Cancelled(dialect.label() + " was stopped");
  }

  /// Takes a connection back that has no transaction.
  void giveBack(OnlineConnection connection) {
    if (busy.remove(connection)) {
      idle.push(connection);
    }
    if (cancelled || closed) {
      closeIdle();
    }
  }

  /// Closes a connection, with whatever it has not committed.
  void discard(OnlineConnection connection) {
    busy.remove(connection);
    connection.close();
  }

  /// Closes a connection that has failed, and says why it did.
  Fault failed(OnlineConnection connection, SQLException e) {
    Fault fault = cancelled ? stopped() : connection.fault(e);
    discard(connection);
    if (fault instanceof Fault.Transient passing
        && (passing.isUnreachable() || passing.retryAfterMillis() > 0)) {
      closeIdle();
    }
    return fault;
  }

  private void closeIdle() {
    for (OnlineConnection each = idle.poll(); each != null; each = idle.poll()) {
      each.close();
    }
  }

  /// Stops what is under way; nothing else begins.
  void cancel() {
    cancelled = true;
    busy.forEach(OnlineConnection::cancel);
    closeIdle();
  }

  @Override
  public void close() {
    closed = true;
    closeIdle();
  }
}
