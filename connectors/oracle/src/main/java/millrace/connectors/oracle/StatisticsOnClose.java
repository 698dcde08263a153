package millrace.connectors.oracle;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicBoolean;
import oracle.jdbc.OracleConnection;
import oracle.jdbc.OracleConnectionWrapper;
import oracle.jdbc.OracleStatement;

/// A connection that says when it is about to be closed: the server forgets what a session has done
/// when the session ends, so it has to be asked before.
///
/// One thread.
final class StatisticsOnClose extends OracleConnectionWrapper {

  private final OracleConnection driver;
  private final Runnable ends;
  private int lobSize = OracleLobs.USUAL;
  private final AtomicBoolean closed = new AtomicBoolean();

  /// @param ends is run before the connection is closed
  StatisticsOnClose(OracleConnection driver, Runnable ends) {
    super(driver);
    this.driver = driver;
    this.ends = ends;
  }

  /// The driver's own connection, if that is asked for: its internal parts have no wrapper.
  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    return type.isInstance(driver) ? type.cast(driver) : super.unwrap(type);
  }

  @Override
  public boolean isWrapperFor(Class<?> type) throws SQLException {
    return type.isInstance(driver) || super.isWrapperFor(type);
  }

  /// So much of each LOB comes with its row, in statements that are prepared from now on.
  void fetchOfLobs(int size) {
    lobSize = size;
  }

  @Override
  public PreparedStatement prepareStatement(String sql) throws SQLException {
    PreparedStatement made = super.prepareStatement(sql);
    if (lobSize != OracleLobs.USUAL) {
      made.unwrap(OracleStatement.class).setLobPrefetchSize(lobSize);
    }
    return made;
  }

  @Override
  public void close() throws SQLException {
    if (!closed.getAndSet(true)) {
      ends.run();
    }
    super.close();
  }
}
