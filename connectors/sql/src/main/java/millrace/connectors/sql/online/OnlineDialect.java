package millrace.connectors.sql.online;

import java.sql.SQLException;
import java.util.List;

/// How the tables of an online run differ from one database to another. Any thread may call it.
public interface OnlineDialect {

  /// How to name the database in errors.
  String label();

  /// Opens a connection.
  ///
  /// @throws millrace.fault.Fault if that can't be done
  OnlineConnection connect();

  /// Keeps other runs off the tables until {@link #close}. Does nothing if no other process can
  /// open the database meanwhile.
  ///
  /// @throws millrace.fault.Fault.User if another run works with them
  default void claim(OnlineTables tables) {}

  /// The statements that make one of the tables of readings, in order. There is none of that name.
  List<String> create(OnlineTables tables, String table);

  /// Makes those of some partitions that are missing, in the connection's transaction.
  ///
  /// @param starts where they begin, in microseconds since 1970
  /// @return those that were made
  /// @throws SQLException what the driver says against it
  List<Long> addPartitions(OnlineConnection connection, OnlineTables tables, List<Long> starts)
      throws SQLException;

  /// Lets go of what the connections share; all of them are closed.
  void close();
}
