package millrace.connectors.sql.write;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import millrace.connectors.sql.SqlSession;
import millrace.fault.Fault;
import millrace.spi.journal.Entry;
import millrace.spi.journal.RunRecord;
import millrace.spi.load.SplitOwners;
import millrace.spi.read.Split;

/// The rows of a ledger's table that tell who owns a split: numbers of splits below {@link #FIRST},
/// and the token in the place of a position. A newer token takes the row of an older one away, once
/// the transaction has ended that has looked it up.
///
/// @param begin begins a transaction
/// @param insert the statement that puts a row with the job and the target of its run
/// @param session gives the target's own connection, which has nothing else to do meanwhile
public record OwnerRows(
    LedgerTable table, String begin, Insert insert, Supplier<SqlSession> session)
    implements SplitOwners.Table {

  /// So far from zero that no other rows are near.
  private static final int FIRST = -2_000_000_000;

  /// No owner's row is above it.
  public static final int LAST = -1_000_000_000;

  /// Spells an INSERT with all of its values.
  @FunctionalInterface
  public interface Insert {
    String sql(RunRecord run, int split, long from);
  }

  private String ownersOf(int split) {
    return split == SplitOwners.ALL
        ? table.ofRun() + " AND " + table.column("split") + " < " + LAST
        : table.ofRun() + " AND " + table.column("split") + " = " + row(split);
  }

  /// What is under way by earlier owners is waited for before the run's own row is locked, which
  /// their commits may read.
  @Override
  public synchronized void put(RunRecord run, int split, long token, Consumer<List<Entry>> check) {
    SqlSession by = session.get();
    delete(by, run, split);
    by.begin(begin);
    try {
      by.update(
          "UPDATE %1$s SET %2$s = %2$s".formatted(table.sql(), table.column("details"))
              + table.ofHead(),
          run.id());
      check.accept(said(by, run));
      delete(by, run, split);
      by.execute(insert.sql(run, row(split), token));
      by.commit();
    } finally {
      by.rollback();
    }
  }

  private boolean delete(SqlSession by, RunRecord run, int split) {
    return by.update("DELETE FROM " + table.sql() + ownersOf(split), run.id()) > 0;
  }

  private List<Entry> said(SqlSession by, RunRecord run) {
    List<Entry> said = new ArrayList<>(table.head(by, run));
    String closed = table.of(row(SplitOwners.ALL), 0);
    if (!table.texts(by, closed, run.id()).isEmpty()) {
      said.add(Entry.Sealing.now(null));
    }
    return said;
  }

  @Override
  public synchronized boolean clear(RunRecord run) {
    return delete(session.get(), run, SplitOwners.ALL);
  }

  @Override
  public synchronized List<Entry> taken(RunRecord run, int split) {
    String column = " AND " + table.column("split");
    String which = split == SplitOwners.ALL ? column + " >= 0" : column + " = " + split;
    String behind = table.ofRun() + which;
    return table.details(session.get(), behind, run.id()).stream().flatMap(List::stream).toList();
  }

  /// Looks a token up, in the transaction of a split's rows.
  ///
  /// @throws Fault.External if another attempt owns the split
  void check(SqlSession by, RunRecord run, Split split, long token) {
    // Another text each time: some drivers count rows alone that have changed.
    String seen = "seen " + System.nanoTime();
    String update = "UPDATE " + table.sql() + " SET " + table.column("details") + " = ?";
    boolean owns = by.update(update + table.of(row(split.index()), token), seen, run.id()) > 0;
    if (!owns) {
      throw SplitOwners.overtaken(split);
    }
  }

  /// The number of an owner's row.
  public static int row(int split) {
    return FIRST + split;
  }
}
