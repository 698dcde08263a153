package millrace.connectors.sql;

import java.sql.Savepoint;
import millrace.connectors.sql.Statements.Savepoints;
import org.jspecify.annotations.Nullable;

/// A savepoint of a session's transaction. It may be set again and again; if the database has none,
/// nothing is done. On the session's thread.
public final class SqlSavepoint {

  private final SqlSession session;
  private final Savepoints how;
  private final String name;

  /// Null if it is not set, or by a statement.
  private @Nullable Savepoint byDriver;

  /// Sets nothing yet.
  ///
  /// @param name that no other of the same transaction has
  public SqlSavepoint(SqlSession session, Savepoints how, String name) {
    this.session = session;
    this.how = how;
    this.name = name;
  }

  /// Whether the database has savepoints.
  public boolean exists() {
    return how.exist();
  }

  /// Sets it.
  public void set() {
    if (how.equals(Savepoints.BY_DRIVER)) {
      byDriver = session.run(open -> open.setSavepoint(name));
    } else {
      executeIfAny(how.set());
    }
  }

  /// Forgets it.
  public void release() {
    Savepoint before = byDriver;
    byDriver = null;
    if (before == null) {
      executeIfAny(how.release());
      return;
    }
    session.run(open -> {
      open.releaseSavepoint(before);
      return true;
    });
  }

  /// Undoes what came after it, and forgets it.
  public void undo() {
    Savepoint before = byDriver;
    if (before == null) {
      executeIfAny(how.rollback());
    } else {
      session.run(open -> {
        open.rollback(before);
        return true;
      });
    }
    release();
  }

  private void executeIfAny(String sql) {
    if (!sql.isEmpty()) {
      session.execute(sql.formatted(name));
    }
  }
}
