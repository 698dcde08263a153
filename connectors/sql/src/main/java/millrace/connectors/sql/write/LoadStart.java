package millrace.connectors.sql.write;

import java.util.function.Predicate;
import millrace.connectors.sql.LazySession;
import millrace.connectors.sql.SqlDatabase;
import millrace.connectors.sql.TableName;
import millrace.spi.write.WriteStart;

/// What a load begins with.
///
/// @param session the target's connection
/// @param journal keeps what a run has committed
/// @param exists whether there is a table
public record LoadStart(
    SqlDatabase database,
    LazySession session,
    SqlJournal journal,
    Predicate<TableName> exists,
    WriteStart write) {

  /// All is undone: closes the connection, and takes away what was made for the copy beside the
  /// table.
  public void undone() {
    session.close();
    database.undone().run();
  }
}
