package millrace.connectors.duckdb.parquet;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import millrace.connectors.duckdb.DuckDbDatabase;
import millrace.connectors.duckdb.DuckDbFaults;
import millrace.connectors.duckdb.DuckDbSql;
import millrace.connectors.duckdb.load.AppendColumn;
import millrace.connectors.duckdb.load.CarriedColumns;
import millrace.connectors.duckdb.load.DuckDbLoad;
import millrace.connectors.duckdb.load.DuckDbWriter;
import millrace.data.Column;
import millrace.data.Form;
import millrace.data.Schema;
import millrace.fault.Fault;
import millrace.fault.FileTrouble;
import millrace.io.FileFormat;
import millrace.spi.Endpoint;
import millrace.spi.PhaseTimer;
import millrace.spi.journal.Journal;
import millrace.spi.write.Mode;
import millrace.spi.write.Target;
import millrace.spi.write.TargetDescription;
import millrace.spi.write.WriteContext;
import millrace.spi.write.WriteOptions;
import millrace.spi.write.WritePlan;
import millrace.spi.write.Writer;
import org.duckdb.DuckDBConnection;
import org.jspecify.annotations.Nullable;

/// One Parquet file, written beside its place and renamed when it is complete.
final class ParquetTarget implements Target {

  /// Nanoseconds of CPU per byte of text, measured with a million rows of shape `unload` (129 MB as
  /// CSV).
  private static final double COLUMNS_COST = 7.5;

  private static final List<String> COMPRESSIONS =
      List.of("snappy", "zstd", "gzip", "lz4", "uncompressed");

  private final Endpoint endpoint;
  private final WriteOptions writeOptions;
  private final String label;
  private final Path file;
  private final PartFile part;
  private final ParquetJournal journal;
  private final String compression;
  private List<AppendColumn> slots = List.of();
  private Mode mode = Mode.CREATE;
  private @Nullable DuckDbDatabase database;
  private @Nullable DuckDBConnection connection;
  private @Nullable DuckDbLoad load;

  ParquetTarget(Endpoint endpoint, WriteOptions writeOptions) {
    this.endpoint = endpoint;
    this.writeOptions = writeOptions;
    label = endpoint.label();
    file = Path.of(endpoint.location()).toAbsolutePath();
    part = new PartFile(label, file);
    journal = new ParquetJournal(file);
    compression = endpoint.text("compression").orElse("snappy").toLowerCase(Locale.ROOT);
    if (!COMPRESSIONS.contains(compression)) {
      throw new Fault.User(
          label + ": there is no compression '" + compression + "'.",
          "Choose one of " + String.join(", ", COMPRESSIONS) + ".");
    }
  }

  @Override
  public Journal journal() {
    return journal;
  }

  @Override
  public TargetDescription describe() {
    Path folder = file.getParent();
    if (folder == null || !Files.isDirectory(folder)) {
      throw new Fault.User(
          label + ": there is no folder " + folder + ".", "Make it, or correct the path.");
    }
    return TargetDescription.of(label, null);
  }

  @Override
  public WritePlan fit(Schema incoming) {
    mode = mode();
    Set<String> names = new HashSet<>();
    for (Column column : incoming.columns()) {
      if (!names.add(column.name().toLowerCase(Locale.ROOT))) {
        throw new Fault.User(
            label + ": two columns are named \"" + column.name() + "\", and case does not count.",
            "Leave one out with --select, or rename it in a query.");
      }
    }
    slots = ParquetTypes.slots(incoming);
    return new WritePlan(
        incoming,
        mode,
        "",
        ParquetTypes.notes(incoming),
        List.of("The file appears when the run is complete."));
  }

  private Mode mode() {
    if (Files.isDirectory(file)) {
      throw new Fault.User(
          label + " is a folder.",
          "Name a file in it, such as " + file.resolve("rows.parquet") + ".");
    }
    FileTrouble.checkTargetLink(file, label);
    FileFormat.checkOverwritten(file, FileFormat.PARQUET);
    boolean exists = Files.exists(file);
    Mode asked = writeOptions.mode() == null ? Mode.CREATE : writeOptions.mode();
    switch (asked) {
      case CREATE -> {
        if (exists && !journal.isComplete()) {
          throw new Fault.User(label + " exists already.", "Use --mode replace.");
        }
      }
      case REPLACE -> {}
      case APPEND, TRUNCATE, MERGE ->
          throw new Fault.User(
              label
                  + ": a Parquet file can't be changed, so there is no mode "
                  + asked.name().toLowerCase(Locale.ROOT)
                  + ".",
              "Use --mode create or replace.");
    }
    return asked;
  }

  @Override
  public double cost(Form form) {
    return form.isFrames() ? -1 : COLUMNS_COST;
  }

  @Override
  public void begin(int lanes) {
    part.begin();
    DuckDbDatabase open = DuckDbDatabase.inMemory(label, endpoint.size("memory-limit", 0));
    database = open;
    DuckDBConnection own = open.connect();
    connection = own;
    DuckDbLoad started = new DuckDbLoad(open, own, slots, CarriedColumns.NOTHING, lanes);
    load = started;
    started.start(
        "COPY ("
            + started.rows()
            + ") TO "
            + DuckDbSql.text(part.path().toString())
            + " (FORMAT parquet, COMPRESSION "
            + compression
            + ")");
  }

  @Override
  public Writer writer(Form form, WriteContext context) {
    return new DuckDbWriter(load(), slots, context);
  }

  @Override
  public void complete(PhaseTimer steps) {
    load().finish();
    journal.naming(part.path());
    part.publish(mode == Mode.REPLACE);
    journal.named();
  }

  @Override
  public void abandon() {
    DuckDbLoad running = load;
    if (running != null) {
      running.abandon();
    }
    part.delete();
    journal.abandon();
  }

  @Override
  public void close() {
    DuckDBConnection own = connection;
    DuckDbDatabase open = database;
    connection = null;
    database = null;
    try {
      if (own != null) {
        own.close();
      }
    } catch (SQLException e) {
      throw DuckDbFaults.of(e, label);
    } finally {
      if (open != null) {
        open.close();
      }
    }
  }

  private DuckDbLoad load() {
    DuckDbLoad running = load;
    if (running == null) {
      throw new Fault.Bug("writer before begin", null);
    }
    return running;
  }
}
