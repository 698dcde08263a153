package millrace.connectors.postgres.journal;

import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import millrace.connectors.postgres.catalog.QualifiedName;
import millrace.connectors.postgres.net.PostgresFaults;
import millrace.connectors.postgres.net.Session;
import millrace.fault.Fault;
import millrace.io.Digest;
import millrace.spi.read.Split;

/// Advisory locks by which the connections of a run are known to each other, and to whoever wants
/// to go on with it: a killed process leaves some behind that may still carry out what it had sent.
///
/// All connections of a run share the lock of its job in its table, and whoever takes the job up
/// waits for it to be free of others first. Each transaction of a split holds a lock of that split,
/// so that what became of a lost connection's commit can be told.
///
/// @param target the table that the rows are for
/// @param patience how long others are waited for
record RunLocks(QualifiedName target, Duration patience) {

  private static final String NO_LOCK = "55P03";
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(50);

  /// Waits until no other connection works at the job, and lets none begin with it but those of
  /// this run.
  ///
  /// @throws Fault.User if one still works at it when that is over
  void takeUp(Session session, String job) {
    long key = key(job);
    try {
      session.execute(
          """
          %1$s; SELECT pg_catalog.pg_advisory_lock(%2$d), pg_catalog.pg_advisory_lock_shared(%2$d);
          SELECT pg_catalog.pg_advisory_unlock(%2$d); SET lock_timeout = 0\
          """
              .formatted(timeout(), key));
    } catch (Fault e) {
      if (isTimeout(e)) {
        throw new Fault.User(
            "The same copy is under way already, in another process.",
            "Wait for it, or stop it and say --resume.",
            e);
      }
      throw e;
    }
  }

  /// Waits until no connection works at the job, or the patience is over; meanwhile others may
  /// begin with it.
  void awaitFree(Session session, String job) {
    long end = System.nanoTime() + patience.toNanos();
    while (!isFree(session, job) && System.nanoTime() - end < 0) {
      LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
    }
  }

  /// Whether no connection works at the job just now.
  boolean isFree(Session session, String job) {
    long key = key(job);
    return session.one(
        """
        SELECT CASE WHEN pg_catalog.pg_try_advisory_lock(%d)
          THEN pg_catalog.pg_advisory_unlock(%d) ELSE false END
        """
            .formatted(key, key),
        row -> row.getBoolean(1));
  }

  /// A connection joins those that work at the job.
  void join(Session own, String job) {
    own.execute("SELECT pg_catalog.pg_advisory_lock_shared(" + key(job) + ")");
  }

  /// The statement that begins a transaction of a split.
  String beginSplit(String run, Split split) {
    return "BEGIN; " + alone(run + "/" + split.index());
  }

  /// The statement by which a transaction waits for others that do the same.
  String alone(String what) {
    return "SELECT pg_catalog.pg_advisory_xact_lock(" + number(what) + ")";
  }

  /// Begins a transaction of a split once no other one is under way.
  void awaitSplit(Session own, String run, Split split) {
    own.execute(timeout());
    own.execute(beginSplit(run, split));
  }

  private String timeout() {
    return "SET lock_timeout = " + patience.toMillis();
  }

  private static boolean isTimeout(Fault e) {
    return e.getCause() instanceof SQLException cause
        && NO_LOCK.equals(PostgresFaults.state(cause));
  }

  private long key(String job) {
    return number(job + " " + target.sql());
  }

  /// The number of a lock: 64 bits of a hash.
  private static long number(String of) {
    return Digest.of("millrace " + of).number();
  }
}
