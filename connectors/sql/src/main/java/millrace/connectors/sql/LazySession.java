package millrace.connectors.sql;

import java.sql.SQLException;
import java.util.concurrent.locks.LockSupport;
import millrace.fault.Fault;
import millrace.spi.Blockable;
import org.jspecify.annotations.Nullable;

/// The one connection of a source or a target, opened when it is first needed; it can be opened
/// again once it is closed.
///
/// One thread uses it; any may ask what it waits for, and {@link #cancel}.
public final class LazySession implements Blockable, AutoCloseable {

  private final SqlDatabase database;
  private final boolean writes;
  private volatile @Nullable SqlSession session;
  private volatile @Nullable String waitsFor;
  private volatile boolean cancelled;

  /// Opens nothing yet.
  ///
  /// @param writes whether rows will be written through it
  public LazySession(SqlDatabase database, boolean writes) {
    this.database = database;
    this.writes = writes;
  }

  /// The connection. Opening it waits while others hold a lock.
  ///
  /// @throws Fault if it can't be opened, or it was stopped
  public SqlSession get() {
    SqlSession open = session;
    try {
      while (open == null) {
        if (cancelled) {
          throw new Fault.Cancelled(database.label() + " was stopped");
        }
        open = opened();
      }
    } finally {
      waitsFor = null;
    }
    return open;
  }

  /// Opens it; null if others hold a lock.
  private @Nullable SqlSession opened() {
    SqlSession.Faults faults = database.dialect().faults();
    try {
      SqlSession open =
          new SqlSession(
              database.connector().open(writes), database.label(), faults, database.connector());
      session = open;
      database.end().opened(open);
      return open;
    } catch (SQLException e) {
      if (!faults.isLock(e)) {
        throw faults.of(e, database.label());
      }
      waitsFor = SqlSession.lockOn(database.label());
      LockSupport.parkNanos(SqlSession.LOCK_LOOK_NANOS);
      return null;
    }
  }

  /// Whether there is one.
  public boolean isOpen() {
    return session != null;
  }

  @Override
  public @Nullable String waitsFor() {
    SqlSession open = session;
    return open == null ? waitsFor : open.waitsFor();
  }

  @Override
  public void cancel() {
    cancelled = true;
    SqlSession open = session;
    if (open != null) {
      open.cancel();
    }
  }

  @Override
  public void close() {
    SqlSession open = session;
    session = null;
    cancelled = false;
    if (open != null) {
      open.close();
    }
  }
}
