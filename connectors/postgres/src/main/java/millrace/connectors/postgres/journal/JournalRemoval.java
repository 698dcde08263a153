package millrace.connectors.postgres.journal;

import java.util.concurrent.locks.LockSupport;
import millrace.connectors.postgres.catalog.PostgresCatalog;
import millrace.connectors.postgres.catalog.PostgresSql;
import millrace.connectors.postgres.net.AtEnd;
import millrace.connectors.postgres.net.Session;
import millrace.fault.Fault;
import millrace.spi.journal.RunRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// How what a journal says is removed, and the table with it.
record JournalRemoval(JournalTable journal) {

  private static final long DROP_AGAIN_NANOS = 30_000_000;

  private static final Logger LOG = LoggerFactory.getLogger(JournalRemoval.class);

  /// Removes a run, and the table with it if it holds no other and nobody is about to write to it.
  /// All at once and last: until then it knows that the copy is complete, even if its process is
  /// killed.
  ///
  /// @param atEnd takes what is left to the end of a job whose copies share connections; false if
  ///   there is none
  void forget(Session session, RunRecord known, AtEnd atEnd) {
    if (atEnd.leave("drop " + journal.table().sql(), this::dropIfEmpty)) {
      // If the server crashes before it is on the disk, it is told once more that it is complete.
      session.execute(
          "BEGIN; SET LOCAL synchronous_commit = off; DELETE FROM "
              + journal.table().sql()
              + " WHERE run = "
              + PostgresSql.text(known.id())
              + "; COMMIT");
      return;
    }
    try {
      session.transaction(() -> forgetAndDrop(session, known));
    } catch (Fault e) {
      LOG.debug("another run uses the journal", e);
      journal.delete(session, known);
      dropIfUnused(session, known);
    }
  }

  /// Of runs that end at one moment none finds the table empty but the last, which the others may
  /// have kept from looking.
  private void dropIfUnused(Session session, RunRecord known) {
    LockSupport.parkNanos(DROP_AGAIN_NANOS);
    try {
      session.transaction(() -> forgetAndDrop(session, known));
    } catch (Fault e) {
      LOG.debug("the journal stays: another run uses it, or has dropped it", e);
    }
  }

  private void dropIfEmpty(Session session) {
    try {
      session.transaction(() -> {
        session.execute("LOCK TABLE " + journal.table().sql() + " IN ACCESS EXCLUSIVE MODE NOWAIT");
        if (!new PostgresCatalog(session).holdsRows(journal.table())) {
          session.execute("DROP TABLE " + journal.table().sql());
        }
      });
    } catch (Fault e) {
      LOG.debug("the journal stays: another run uses it, or has dropped it", e);
    }
  }

  private void forgetAndDrop(Session session, RunRecord known) {
    session.execute("LOCK TABLE " + journal.table().sql() + " IN ACCESS EXCLUSIVE MODE NOWAIT");
    journal.delete(session, known);
    if (!new PostgresCatalog(session).holdsRows(journal.table())) {
      session.execute("DROP TABLE " + journal.table().sql());
    }
  }
}
