package millrace.connectors.duckdb.parquet;

import java.sql.SQLException;
import java.util.List;
import millrace.connectors.duckdb.DuckDbDatabase;
import millrace.connectors.duckdb.DuckDbFaults;
import millrace.connectors.duckdb.load.AppendColumn;
import millrace.connectors.duckdb.load.CarriedColumns;
import millrace.connectors.duckdb.load.DuckDbLoad;
import millrace.connectors.duckdb.load.DuckDbWriter;
import millrace.connectors.sql.Names;
import millrace.data.Form;
import millrace.fault.Fault;
import millrace.spi.PhaseTimer;
import millrace.spi.journal.Entry.Sealing;
import millrace.spi.journal.RunRecord;
import millrace.spi.write.Aborted;
import millrace.spi.write.Completed;
import millrace.spi.write.Mode;
import millrace.spi.write.WriteContext;
import millrace.spi.write.WriteSession;
import millrace.spi.write.Writer;
import org.duckdb.DuckDBConnection;
import org.jspecify.annotations.Nullable;

/// A Parquet file that is being written, under another name until it is complete.
final class ParquetWriteSession implements WriteSession {

  private final PartFile part;
  private final Mode mode;
  private final List<AppendColumn> slots;
  private final ParquetJournal journal;
  private final @Nullable RunRecord run;
  private @Nullable DuckDbDatabase database;
  private @Nullable DuckDBConnection connection;
  private @Nullable DuckDbLoad load;

  /// Whether the run is written down, though the file may not have its name.
  private boolean isNaming;

  /// @param run what is marked complete, or null
  ParquetWriteSession(
      PartFile part,
      Mode mode,
      List<AppendColumn> slots,
      ParquetJournal journal,
      @Nullable RunRecord run) {
    this.part = part;
    this.mode = mode;
    this.slots = List.copyOf(slots);
    this.journal = journal;
    this.run = run;
  }

  /// Starts the statement that writes the file.
  ///
  /// @param memoryBytes most memory that DuckDB takes, or 0 for its default
  void prepare(long memoryBytes, String compression, int lanes) {
    part.begin();
    DuckDbDatabase open = DuckDbDatabase.inMemory(part.label(), memoryBytes);
    database = open;
    DuckDBConnection own = open.connect();
    connection = own;
    DuckDbLoad started = new DuckDbLoad(open, own, slots, CarriedColumns.NOTHING, lanes);
    load = started;
    started.start(
        "COPY ("
            + started.rows()
            + ") TO "
            + Names.text(part.path().toString())
            // Written by way of another file of its own, it would not have the rights of ours.
            + " (FORMAT parquet, USE_TMP_FILE false, COMPRESSION "
            + compression
            + ")");
  }

  private DuckDbLoad load() {
    if (load == null) {
      throw new Fault.Bug("rows before the file is begun", null);
    }
    return load;
  }

  @Override
  public Writer writer(Form form, WriteContext context) {
    return new DuckDbWriter(load(), slots, context);
  }

  @Override
  public Completed complete(PhaseTimer steps) {
    load().finish();
    Sealing sealing = run == null ? null : journal.naming(run, part.path());
    isNaming = true;
    String lost = part.publish(mode == Mode.REPLACE);
    if (run != null && sealing != null) {
      journal.named(run, sealing);
    }
    isNaming = false;
    return Completed.noting(lost.isEmpty() ? List.of() : List.of(lost));
  }

  /// What was written down goes as well, if the file did not get its name.
  @Override
  public Aborted abort(boolean keep) {
    if (load != null) {
      load.abandon();
    }
    part.delete();
    if (run != null && isNaming) {
      journal.forget(run);
    }
    return Aborted.CLEAN;
  }

  @Override
  public void close() {
    DuckDbDatabase open = database;
    database = null;
    try {
      if (connection != null) {
        connection.close();
      }
    } catch (SQLException e) {
      throw DuckDbFaults.of(e, part.label());
    } finally {
      if (open != null) {
        open.close();
      }
    }
  }
}
