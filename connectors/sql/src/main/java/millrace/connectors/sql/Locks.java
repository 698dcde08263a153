package millrace.connectors.sql;

import java.time.Duration;

/// How sessions of a server that write at once, and commit in parts, keep out of each other's way.
public interface Locks extends AutoCloseable {

  /// How rows of a table are read, in a transaction, so that others who are writing them are waited
  /// for.
  LockingRead lockingRead(TableName table);

  /// Takes a lock that this connection holds until it ends.
  ///
  /// @return whether nobody else has it
  boolean lock(SqlSession session, String name, Duration wait);

  /// Lets go of that lock.
  void unlock(SqlSession session, String name);

  /// Makes sure that locks are still held whose connection may have been lost.
  ///
  /// @param asks whether the server is asked; otherwise what is known counts
  /// @throws millrace.fault.Fault.Transient if somebody else has one: the run ends
  default void check(boolean asks) {
    // What a lane's own session holds is lost with it.
  }

  /// Whether nobody has that lock.
  boolean isFree(SqlSession session, String name);

  /// Lets go of what the locks need of their own.
  @Override
  default void close() {
    // Locks of the target's session end with it.
  }

  /// How others who are writing rows are waited for.
  ///
  /// @param before a statement that does so, or empty
  /// @param after what a query ends with that does so, or empty
  record LockingRead(String before, String after) {}
}
