package millrace.connectors.sql.write;

import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
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
  private final Set<Receipt> inDoubt = ConcurrentHashMap.newKeySet();
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
    inDoubt.add(receipt);
    alone(by -> {
      if (!ledger.receipts().announce(by, run, receipt)) {
        throw ledger.forgotten();
      }
    });
  }

  /// They are not.
  void withdraw(RunRecord run, Receipt receipt) {
    alone(by -> ledger.receipts().withdraw(by, run, receipt));
    settled(receipt);
  }

  /// They are there, and so is their receipt.
  void settled(Receipt receipt) {
    inDoubt.remove(receipt);
  }

  /// How many rows may be there without a receipt.
  long rowsInDoubt() {
    return inDoubt.stream().mapToLong(Receipt::rows).sum();
  }

  /// That as a sentence.
  String leaves(String table) {
    return String.format(
        Locale.ROOT, "Up to %,d rows without a receipt may be in %s.", rowsInDoubt(), table);
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
