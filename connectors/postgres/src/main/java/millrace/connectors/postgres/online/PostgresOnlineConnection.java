package millrace.connectors.postgres.online;

import java.sql.Connection;
import java.sql.SQLException;
import millrace.connectors.postgres.catalog.PostgresSql;
import millrace.connectors.postgres.net.Session;
import millrace.connectors.sql.TableName;
import millrace.connectors.sql.online.OnlineConnection;
import millrace.fault.Fault;

/// A session as a connection of an online run.
record PostgresOnlineConnection(Session session) implements OnlineConnection {

  /// One whose transactions begin by themselves: that saves a message for each.
  ///
  /// @param session belongs to the connection
  static PostgresOnlineConnection of(Session session) {
    try {
      session.driver().setAutoCommit(false);
    } catch (SQLException e) {
      session.close();
      throw session.fault(e);
    }
    return new PostgresOnlineConnection(session);
  }

  @Override
  public Connection jdbc() {
    return session.driver();
  }

  @Override
  public RowInsert insert(TableName table) throws SQLException {
    return new UnnestInsert(session.driver(), table.sql(PostgresSql.NAMES));
  }

  @Override
  public Fault fault(SQLException e) {
    return session.fault(e);
  }

  @Override
  public void cancel() {
    session.cancel();
  }

  @Override
  public void close() {
    session.close();
  }
}
