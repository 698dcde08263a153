package millrace.connectors.oracle.direct;

import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import millrace.connectors.sql.SqlDatabase;
import millrace.connectors.sql.SqlSession;
import millrace.fault.Fault;
import millrace.spi.journal.Receipt;
import millrace.spi.journal.RunRecord;
import millrace.spi.read.Split;
import org.jspecify.annotations.Nullable;

/// Announces streams before they end, by a connection of its own. The lanes of a run share it.
final class StreamIntents implements AutoCloseable {

  private final SqlDatabase database;
  private final StreamsInDoubt streams;
  private final @Nullable RunRecord run;
  private final Set<Receipt> inDoubt = ConcurrentHashMap.newKeySet();
  private @Nullable SqlSession session;

  /// Opens nothing yet.
  ///
  /// @param run null if no journal is kept: then nothing is written down
  StreamIntents(SqlDatabase database, StreamsInDoubt streams, @Nullable RunRecord run) {
    this.database = database;
    this.streams = streams;
    this.run = run;
  }

  /// Ends a stream, and then writes its receipt.
  ///
  /// @param end commits the rows
  /// @param transaction commits the receipt
  /// @throws Fault.External if the run is not known any more
  void during(Receipt receipt, Runnable end, Runnable transaction) {
    RunRecord known = run;
    if (known == null) {
      end.run();
      transaction.run();
      return;
    }
    alone(by -> streams.announce(by, known, receipt));
    inDoubt.add(receipt);
    try {
      end.run();
    } catch (Fault.Transient | Fault.Cancelled e) {
      // Of what was cut off nobody knows whether it has come to its end.
      throw e;
    } catch (Fault e) {
      alone(by -> streams.withdraw(by, known, receipt));
      settled(receipt);
      throw e;
    }
    transaction.run();
    settled(receipt);
  }

  /// Whether rows have their receipt, or are not there.
  void settled(Receipt receipt) {
    inDoubt.remove(receipt);
  }

  /// Whether rows of a split may be there without a receipt.
  boolean isInDoubt(Split split) {
    return inDoubt.stream().anyMatch(receipt -> receipt.split().index() == split.index());
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
