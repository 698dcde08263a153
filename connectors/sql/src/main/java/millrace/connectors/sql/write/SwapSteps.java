package millrace.connectors.sql.write;

import java.util.function.Predicate;
import millrace.connectors.sql.ServerDialect;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TableName;
import millrace.spi.write.StagingName;
import org.jspecify.annotations.Nullable;

/// Puts a staging table in the place of its target, by statements that commit by themselves. Any of
/// them may have been carried out before, by a run that was cut off.
///
/// @param exists whether there is a table
record SwapSteps(
    ServerDialect dialect,
    TableName target,
    TableName staging,
    Predicate<TableName> exists,
    SqlSession session) {

  private TableName old() {
    int bytesMax = dialect.names().bytesMax();
    return target.beside(StagingName.of(target.name(), "old", bytesMax));
  }

  /// Does what has not been done.
  void run() {
    if (!exists.test(staging)) {
      return;
    }
    @Nullable TableName replaced = exists.test(target) ? target : null;
    if (replaced != null) {
      drop(old());
    }
    dialect.swap(staging, target, replaced, old()).forEach(session::execute);
  }

  /// Drops what is not needed any more.
  void clear() {
    drop(staging);
    drop(old());
  }

  private void drop(TableName table) {
    if (exists.test(table)) {
      session.execute("DROP TABLE " + table.sql(dialect.names()));
    }
  }
}
