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
import millrace.spi.load.LoadRows;
import millrace.spi.load.Place;
import millrace.spi.write.MergeCounts;
import millrace.spi.write.Mode;
import millrace.spi.write.WriteContext;
import millrace.spi.write.Writer;
import org.duckdb.DuckDBConnection;
import org.jspecify.annotations.Nullable;

/// A Parquet file that is being written, under another name until it is complete.
final class ParquetPlace implements Place, LoadRows {

  private final PartFile part;
  private final Mode mode;
  private final List<AppendColumn> slots;
  private final Writing writing;
  private @Nullable DuckDbDatabase database;
  private @Nullable DuckDBConnection connection;
  private @Nullable DuckDbLoad load;

  /// What could not be kept of the rights of a file that was there; empty if all was.
  private String lost = "";

  /// How DuckDB writes it.
  ///
  /// @param memoryBytes most memory that DuckDB takes, or 0 for its default
  record Writing(long memoryBytes, String compression, int lanes) {}

  ParquetPlace(PartFile part, Mode mode, List<AppendColumn> slots, Writing writing) {
    this.part = part;
    this.mode = mode;
    this.slots = List.copyOf(slots);
    this.writing = writing;
  }

  @Override
  public Layout layout() {
    String name = String.valueOf(part.path().getFileName());
    return new Layout(name, List.of(), null, false, Making.AFTER_ENTRY, false);
  }

  /// Starts the statement that writes the file.
  @Override
  public void make(String staging) {
    part.begin();
    DuckDbDatabase open = DuckDbDatabase.inMemory(part.label(), writing.memoryBytes);
    database = open;
    DuckDBConnection dedicated = open.connect();
    connection = dedicated;
    DuckDbLoad started =
        new DuckDbLoad(open, dedicated, slots, CarriedColumns.NOTHING, writing.lanes);
    load = started;
    started.start(
        "COPY ("
            + started.rows()
            + ") TO "
            + Names.text(part.path().toString())
            // Written by way of another file of its own, it would not have the rights of ours.
            + " (FORMAT parquet, USE_TMP_FILE false, COMPRESSION "
            + writing.compression
            + ")");
  }

  @Override
  public void drop(String staging) {
    if (load != null) {
      load.abandon();
    }
    part.delete();
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
  public @Nullable MergeCounts add(PhaseTimer steps) {
    load().finish();
    part.finish();
    return null;
  }

  @Override
  public Object checkSwap(boolean sealed) {
    return ParquetJournal.content(part);
  }

  @Override
  public void swap(boolean sealed) {
    lost = part.publish(mode == Mode.REPLACE);
  }

  @Override
  public Outcome outcome() {
    return new Outcome(lost.isEmpty() ? List.of() : List.of(lost), 0, false, "");
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
