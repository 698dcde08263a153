package millrace.connectors.sql.write;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
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
/// @param main gives the target's own connection
/// @param connect opens another for some work
public record OwnerRows(
    LedgerTable table, String begin, Insert insert, Supplier<SqlSession> main, Connect connect)
    implements SplitOwners.Table {

  /// So far from zero that no other rows are near.
  private static final int FIRST = -2_000_000_000;

  private static final int LAST = -1_000_000_000;

  /// Spells an INSERT with all of its values.
  @FunctionalInterface
  public interface Insert {
    String sql(RunRecord run, int split, long from);
  }

  /// Does something on a connection of its own.
  public interface Connect {
    <T> T with(Function<SqlSession, T> work);
  }

  private String ownersOf(int split) {
    return split == SplitOwners.ALL
        ? table.ofRun() + " AND " + table.column("split") + " < " + LAST
        : table.ofRun() + " AND " + table.column("split") + " = " + (FIRST + split);
  }

  /// What is under way by earlier owners is waited for before the run's own row is locked, which
  /// their commits may read.
  @Override
  public void put(RunRecord run, int split, long token, Consumer<List<Entry>> check) {
    connect.with(by -> {
      delete(by, run, split);
      by.begin(begin);
      try {
        by.update(
            "UPDATE %1$s SET %2$s = %2$s".formatted(table.sql(), table.column("details"))
                + table.ofHead(),
            run.id());
        check.accept(said(by, run));
        delete(by, run, split);
        by.execute(insert.sql(run, FIRST + split, token));
        by.commit();
        return true;
      } finally {
        by.rollback();
      }
    });
  }

  private void delete(SqlSession by, RunRecord run, int split) {
    by.update("DELETE FROM " + table.sql() + ownersOf(split), run.id());
  }

  private List<Entry> said(SqlSession by, RunRecord run) {
    List<Entry> said = new ArrayList<>(table.head(by, run));
    String closed = table.of(FIRST + SplitOwners.ALL, 0);
    if (!table.texts(by, closed, run.id()).isEmpty()) {
      said.add(Entry.Sealing.now(null));
    }
    return said;
  }

  @Override
  public void clear(RunRecord run) {
    delete(main.get(), run, SplitOwners.ALL);
  }

  @Override
  public List<Entry> taken(RunRecord run, int split) {
    String column = " AND " + table.column("split");
    String which = split == SplitOwners.ALL ? column + " >= 0" : column + " = " + split;
    return connect.with(by ->
        table.details(by, table.ofRun() + which, run.id()).stream().flatMap(List::stream).toList());
  }

  /// Looks a token up, in the transaction of a split's rows.
  ///
  /// @throws Fault.External if another attempt owns the split
  void check(SqlSession by, RunRecord run, Split split, long token) {
    // Another text each time: some drivers count rows alone that have changed.
    String seen = "seen " + System.nanoTime();
    String update = "UPDATE " + table.sql() + " SET " + table.column("details") + " = ?";
    if (by.update(update + table.of(FIRST + split.index(), token), seen, run.id()) == 0) {
      throw SplitOwners.overtaken(split);
    }
  }

  /// The number of an owner's row.
  public static int row(int split) {
    return FIRST + split;
  }
}
