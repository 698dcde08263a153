package millrace.connectors.sql.online;

import java.sql.Connection;
import java.sql.SQLException;
import millrace.connectors.sql.TableName;
import millrace.fault.Fault;
import millrace.spi.online.Readings;

/// A connection of an online run. One thread at a time uses it; any may {@link #cancel}.
public interface OnlineConnection extends AutoCloseable {

  /// The driver's connection. A transaction begins with the first statement, and ends with the
  /// driver's `commit`.
  Connection jdbc();

  /// Prepares to insert rows into a table, on this connection and until it is closed.
  ///
  /// @throws SQLException what the driver says against it
  RowInsert insert(TableName table) throws SQLException;

  /// The fault that an exception stands for.
  Fault fault(SQLException e);

  /// Has the statement that runs end soon, and those that may follow. Does not wait.
  void cancel();

  /// Closes it; what was not committed is undone. Throws nothing: whoever closes a connection that
  /// has failed has a better reason to tell.
  @Override
  void close();

  /// Inserts rows into one table.
  interface RowInsert {

    /// Inserts all rows, as part of the connection's transaction.
    ///
    /// @throws SQLException what the driver says against it
    void insert(Readings rows) throws SQLException;

    /// Makes of the rows what would be inserted, and leaves it at that.
    ///
    /// @throws SQLException what the driver says against it
    void encode(Readings rows) throws SQLException;
  }
}
