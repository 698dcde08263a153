package millrace.connectors.oracle.direct;

import java.util.concurrent.atomic.AtomicReference;
import millrace.connectors.oracle.OracleOptions;
import millrace.connectors.sql.Names;
import millrace.connectors.sql.SqlDatabase;
import millrace.connectors.sql.TableName;
import millrace.connectors.sql.sink.LoadMethod;
import millrace.connectors.sql.sink.SqlInserts;
import millrace.connectors.sql.types.TypeTable;
import millrace.connectors.sql.write.SqlJournal;
import millrace.connectors.sql.write.SqlTarget;
import millrace.spi.journal.Ledger;
import millrace.spi.write.DescribedTarget;
import millrace.spi.write.Target;
import millrace.spi.write.WriteOptions;
import org.jspecify.annotations.Nullable;

/// A table that a run before may have loaded by streams, whatever this one does. The target's
/// thread.
public final class OracleTarget implements Target {

  private final SqlDatabase database;
  private final TableName name;
  private final SqlTarget table;
  private final OracleOptions.Method sent;

  /// How rows are sent.
  ///
  /// @param options as the user says
  /// @param types how values are handed over by direct path
  /// @param inserts how rows are sent if it is not by direct path
  /// @param notStreamed the database's character set if streams send no texts in it; else empty
  public record Sending(
      OracleOptions options, TypeTable types, SqlInserts inserts, String notStreamed) {

    private LoadMethod method(Names names) {
      return options.method() == OracleOptions.Method.NORMAL
          ? inserts
          : new DirectPath(
              options, types, names, inserts, notStreamed, null, new AtomicReference<>());
    }
  }

  /// Opens nothing yet.
  ///
  /// @param label how to name the table in plans, reports and errors
  public OracleTarget(
      SqlDatabase database, TableName name, String label, WriteOptions options, Sending sending) {
    this.database = database;
    this.name = name;
    sent = sending.options().method();
    LoadMethod method = sending.method(database.dialect().names());
    table = new SqlTarget(database, name, label, options, new OracleWay(label, method));
  }

  @Override
  public <T> @Nullable T capability(Class<T> type) {
    T found = table.capability(type);
    return type == Ledger.class && found instanceof SqlJournal journal
        ? type.cast(
            new LedgerOfStreams(
                database, journal, new StreamsInDoubt(journal, database.dialect(), name), sent))
        : found;
  }

  @Override
  public DescribedTarget describe() {
    return table.describe();
  }

  @Override
  public void close() {
    table.close();
  }
}
