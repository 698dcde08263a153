package millrace.connectors.sql.sink;

import millrace.data.Columns;
import millrace.spi.journal.Receipt;
import millrace.spi.read.Split;

/// Has a table take rows, within a transaction that somebody else begins. One thread, the lane's.
public interface RowSink extends AutoCloseable {

  /// What became of the rows of a batch; those that are set aside count nowhere.
  ///
  /// @param rows that the table has taken
  /// @param ignored that it has left out by its own rules, without an error
  /// @param bytes of the values that were sent
  /// @param empty texts and bytes of no length that the database takes for missing values
  record Took(long rows, long ignored, long bytes, long empty) {

    /// One without empty values.
    public Took(long rows, long ignored, long bytes) {
      this(rows, ignored, bytes, 0);
    }

    /// Nothing.
    public static final Took NOTHING = new Took(0, 0, 0);

    public Took plus(Took more) {
      return new Took(
          rows + more.rows, ignored + more.ignored, bytes + more.bytes, empty + more.empty);
    }
  }

  /// Has the table take the rows of a batch. What it refuses is set aside, with its own reason.
  ///
  /// @param batch is not released
  /// @param before how many rows of the split came before
  Took take(Columns batch, Split split, long before);

  /// Whether rows of several splits may be in one transaction.
  default boolean sharesCommits() {
    return true;
  }

  /// Commits what was taken since the last commit, with its receipt.
  ///
  /// @param transaction writes the receipt, and commits the transaction that it and the rows are in
  default void commit(Receipt receipt, Runnable transaction) {
    transaction.run();
  }

  @Override
  void close();
}
