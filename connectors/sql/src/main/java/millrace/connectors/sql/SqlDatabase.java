package millrace.connectors.sql;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.function.BooleanSupplier;
import millrace.spi.Blockable;
import millrace.spi.OpenContext;
import org.jspecify.annotations.Nullable;

/// A database that can be connected to.
///
/// @param label how to name it in plans, reports and errors
/// @param dialect how it differs from others
/// @param exists whether it is there, asked without changing anything; a server always is
/// @param connector opens connections
/// @param undone is told that a copy has undone what it did, and all its connections are closed
/// @param end what belongs to the end of the copy that uses it, and is closed with that
public record SqlDatabase(
    String label,
    Dialect dialect,
    BooleanSupplier exists,
    Connector connector,
    Runnable undone,
    ServerEnd end) {

  /// One that has nothing beside its rows.
  public SqlDatabase(
      String label, Dialect dialect, BooleanSupplier exists, Connector connector, Runnable undone) {
    this(label, dialect, exists, connector, undone, ServerEnd.NONE);
  }

  /// What an end can do that has such a database.
  ///
  /// @param session the end's own
  /// @return null if it is not that
  public <T> @Nullable T capability(Class<T> type, Blockable session) {
    return type == Blockable.class
        ? type.cast(end.waiting(session))
        : type.isInstance(end) ? type.cast(end) : null;
  }

  /// Opens a connection for one thread.
  @FunctionalInterface
  public interface Connector {

    /// Opens one.
    ///
    /// @param writes whether rows will be written through it
    /// @throws SQLException what the driver says against it
    Connection open(boolean writes) throws SQLException;

    /// Closes one whose user has ended, or leaves it to another.
    ///
    /// @throws SQLException what the driver says against it
    default void close(Connection connection) throws SQLException {
      connection.close();
    }

    /// Ends a statement that runs, from another thread.
    ///
    /// @throws SQLException what the driver says against it
    default void cancel(Statement running) throws SQLException {
      running.cancel();
    }

    /// Ends a connection that has not ended some seconds after its statement was cancelled, from
    /// another thread.
    ///
    /// @throws SQLException what the driver says against it
    default void cut(Connection connection) throws SQLException {
      connection.abort(Runnable::run);
    }
  }

  /// Runs statements of the user's, for connectors that are a {@link millrace.spi.StatementRunner}.
  public void run(List<String> statements, OpenContext context) {
    try (SqlSession session = SqlSession.open(this, true)) {
      context.needs(session);
      statements.forEach(session::execute);
    }
  }
}
