package millrace.connectors.sql;

import millrace.fault.Fault;
import millrace.spi.Waiting;
import org.jspecify.annotations.Nullable;

/// The one connection of a source or a target, opened when it is first needed; it can be opened
/// again once it is closed.
///
/// One thread uses it; any may ask what it waits for, and {@link #cancel}.
public final class LazySession implements Waiting, AutoCloseable {

  private final SqlDatabase database;
  private final boolean writes;
  private volatile @Nullable SqlSession session;

  /// Opens nothing yet.
  ///
  /// @param writes whether rows will be written through it
  public LazySession(SqlDatabase database, boolean writes) {
    this.database = database;
    this.writes = writes;
  }

  /// The connection.
  ///
  /// @throws Fault if it can't be opened
  public SqlSession get() {
    SqlSession open = session;
    if (open == null) {
      open = SqlSession.open(database, writes);
      session = open;
    }
    return open;
  }

  /// Whether there is one.
  public boolean isOpen() {
    return session != null;
  }

  @Override
  public @Nullable String waitsFor() {
    SqlSession open = session;
    return open == null ? null : open.waitsFor();
  }

  @Override
  public void cancel() {
    SqlSession open = session;
    if (open != null) {
      open.cancel();
    }
  }

  @Override
  public void close() {
    SqlSession open = session;
    session = null;
    if (open != null) {
      open.close();
    }
  }
}
