package millrace.connectors.sql;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.BooleanSupplier;

/// A database that can be connected to.
///
/// @param label how to name it in plans, reports and errors
/// @param dialect how it differs from others
/// @param exists whether it is there, asked without changing anything; a server always is
/// @param connector opens connections
/// @param undone is told that a copy has undone what it did, and all its connections are closed
public record SqlDatabase(
    String label, Dialect dialect, BooleanSupplier exists, Connector connector, Runnable undone) {

  /// Opens a connection for one thread.
  @FunctionalInterface
  public interface Connector {

    /// Opens one.
    ///
    /// @param writes whether rows will be written through it
    /// @throws SQLException what the driver says against it
    Connection open(boolean writes) throws SQLException;
  }
}
