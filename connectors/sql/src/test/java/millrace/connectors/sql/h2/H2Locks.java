package millrace.connectors.sql.h2;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import millrace.connectors.sql.Locks;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TableName;

/// Locks of H2 as a server that several sessions write to.
final class H2Locks implements Locks {

  /// Who has which lock; H2 knows none that have names.
  private static final Map<String, SqlSession> LOCKS = new ConcurrentHashMap<>();

  private static final long LOOK_NANOS = Duration.ofMillis(20).toNanos();

  @Override
  public LockingRead lockingRead(TableName table) {
    return new LockingRead("", "FOR UPDATE");
  }

  @Override
  public boolean lock(SqlSession session, String name, Duration wait) {
    long end = System.nanoTime() + wait.toNanos();
    while (true) {
      SqlSession holder =
          LOCKS.compute(name, (_, had) -> had == null || had.isClosed() ? session : had);
      if (holder == session) {
        return true;
      }
      if (System.nanoTime() > end) {
        return false;
      }
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }

  @Override
  public void unlock(SqlSession session, String name) {
    LOCKS.remove(name, session);
  }

  @Override
  public boolean isFree(SqlSession session, String name) {
    SqlSession holder = LOCKS.get(name);
    return holder == null || holder == session || holder.isClosed();
  }
}
