package millrace.connectors.sql.write;

import java.util.function.Supplier;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TableName;
import millrace.spi.write.WritePlan;
import millrace.spi.write.WriteSession;
import millrace.spi.write.WriteStart;

/// A database's own way to take rows in one transaction, in the place of inserts by one connection.
/// Any number of lanes may write.
///
/// On the target's thread, like all that it opens but the writers.
public interface WayIn {

  /// Nanoseconds of processor time for each byte of text, the database's own work included.
  double columnsCost();

  /// Where the marks of complete runs stand.
  TableName journal(TableName target);

  /// What the engine is told of a load. Changes nothing.
  ///
  /// @param session gives the target's connection
  /// @param usual what would be told of inserts
  /// @throws millrace.fault.Fault.User why it can't be done
  WritePlan told(SqlLoad load, Supplier<SqlSession> session, WritePlan usual);

  /// Makes ready what lanes write to.
  ///
  /// @throws millrace.spi.write.OpenFailed what stays if that fails
  WriteSession open(SqlLoad load, Start start);

  /// How a load begins.
  ///
  /// @param session the target's connection
  /// @param journal is told when the run is complete
  /// @param undone is to be called once all is undone: it closes the connection, and takes away
  ///   what was made for the copy beside the table
  record Start(SqlSession session, SqlJournal journal, Runnable undone, WriteStart write) {}
}
