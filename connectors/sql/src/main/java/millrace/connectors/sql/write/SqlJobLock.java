package millrace.connectors.sql.write;

import java.time.Duration;
import java.util.function.Supplier;
import millrace.connectors.sql.Locks;
import millrace.connectors.sql.Names;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TableName;
import millrace.fault.Fault;
import millrace.spi.journal.JobLock;

/// Keeps several processes at one server from doing the same copy, and from making and dropping a
/// journal at once. The locks are those of the server. On the target's thread.
///
/// @param names how the journal's name is spelled
/// @param label how to name the target in messages
/// @param target the target as it is named in locks
/// @param journal the table that it is kept in
/// @param session gives the target's own connection
record SqlJobLock(
    Names names,
    Locks locks,
    String label,
    String target,
    TableName journal,
    Supplier<SqlSession> session)
    implements JobLock {

  /// How long it waits for what others have under way.
  private static final Duration WAIT = Duration.ofSeconds(20);

  @Override
  public void take(String job) {
    if (!locks.lock(session.get(), lockOf(job), WAIT)) {
      throw new Fault.User(
          "This very copy into " + label + " is being run by somebody else.",
          "Wait for its end, or stop it.");
    }
  }

  @Override
  public boolean isFree(String job) {
    return locks.isFree(session.get(), lockOf(job));
  }

  private String lockOf(String job) {
    return "millrace job " + target + " " + job;
  }

  /// Does something while nobody else makes or drops the journal.
  void alone(Runnable work) {
    SqlSession by = session.get();
    String lock = "millrace journal " + journal.sql(names);
    if (!locks.lock(by, lock, WAIT)) {
      throw new Fault.Transient(
          journal.name() + " is being made or dropped by somebody else for a long time.",
          "Try again.",
          0,
          null);
    }
    try {
      work.run();
    } finally {
      locks.unlock(by, lock);
    }
  }
}
