package millrace.connectors.sql.write;

import java.util.function.Predicate;
import millrace.connectors.sql.LazySession;
import millrace.connectors.sql.SqlDatabase;
import millrace.connectors.sql.TableName;
import millrace.spi.write.WriteStart;
import org.jspecify.annotations.Nullable;

/// What a load begins with.
///
/// @param own the target's connection
/// @param journal is told when a run is complete that is one transaction
/// @param ledger keeps what sessions of a server have committed; null of other databases
/// @param exists whether there is a table
public record LoadStart(
    SqlDatabase database,
    LazySession own,
    SqlJournal journal,
    @Nullable SqlLedger ledger,
    Predicate<TableName> exists,
    WriteStart write) {

  /// All is undone: closes the connection, and takes away what was made for the copy beside the
  /// table.
  public void undone() {
    own.close();
    database.undone().run();
  }
}
