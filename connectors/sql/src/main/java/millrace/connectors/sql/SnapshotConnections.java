package millrace.connectors.sql;

import java.sql.Connection;
import millrace.fault.Fault;

/// Connections that see one state of a database, one for each lane that reads.
public interface SnapshotConnections extends AutoCloseable {

  /// The connection of a lane, counted from 0. Threads may ask at once.
  ///
  /// @throws Fault if no more connections can see that state
  SqlSession lane(int number);

  /// What stands behind the name of a table that is read, if the state has a number; mostly empty.
  default String asOf() {
    return "";
  }

  /// Lets go of the state, so that others can write.
  @Override
  void close();

  /// For databases of which only one connection sees a state: a transaction of it, if each of its
  /// statements sees what the first one does.
  ///
  /// @param session the connection, which stays open
  static SnapshotConnections of(SqlSession session) {
    return of(session, "");
  }

  /// The same for databases whose transactions do so only if they are isolated.
  ///
  /// @param isolation a level of {@link Connection}
  static SnapshotConnections isolated(SqlSession session, int isolation) {
    session.run(connection -> {
      connection.setTransactionIsolation(isolation);
      return true;
    });
    return of(session);
  }

  /// The same.
  ///
  /// @param begin begins such a transaction; empty if the driver does
  static SnapshotConnections of(SqlSession session, String begin) {
    session.begin(begin);
    return new SnapshotConnections() {
      @Override
      public SqlSession lane(int number) {
        if (number > 0) {
          throw new Fault.Bug("one connection can't read on several lanes", null);
        }
        return session;
      }

      @Override
      public void close() {
        session.rollback();
      }
    };
  }
}
