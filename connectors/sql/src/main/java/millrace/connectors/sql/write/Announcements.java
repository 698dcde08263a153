package millrace.connectors.sql.write;

import java.util.function.Consumer;
import millrace.connectors.sql.SqlDatabase;
import millrace.connectors.sql.SqlSession;
import millrace.spi.journal.Receipt;
import millrace.spi.journal.RunRecord;
import org.jspecify.annotations.Nullable;

/// Writes down which streams are about to end, by a connection of its own. The writers of a run
/// share it.
final class Announcements implements AutoCloseable {

  private final SqlDatabase database;
  private final SqlLedger ledger;
  private @Nullable SqlSession session;

  /// Opens nothing yet.
  Announcements(SqlDatabase database, SqlLedger ledger) {
    this.database = database;
    this.ledger = ledger;
  }

  /// Rows are about to be there.
  ///
  /// @throws millrace.fault.Fault.External if the run is not known any more
  void announce(RunRecord run, Receipt receipt) {
    alone(by -> {
      if (!ledger.receipts().announce(by, run, receipt)) {
        throw ledger.forgotten();
      }
    });
  }

  /// They are not.
  void withdraw(RunRecord run, Receipt receipt) {
    alone(by -> ledger.receipts().withdraw(by, run, receipt));
  }

  private synchronized void alone(Consumer<SqlSession> work) {
    SqlSession by = session == null ? SqlSession.open(database, true) : session;
    session = by;
    try {
      by.begin(database.dialect().statements().begin());
      work.accept(by);
      by.commit();
    } catch (RuntimeException e) {
      // It may be lost: the next one opens another.
      close();
      throw e;
    }
  }

  @Override
  public synchronized void close() {
    SqlSession open = session;
    session = null;
    if (open != null) {
      open.close();
    }
  }
}
