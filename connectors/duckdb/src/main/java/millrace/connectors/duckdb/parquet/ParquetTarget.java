package millrace.connectors.duckdb.parquet;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import millrace.fault.Fault;
import millrace.fault.FileTrouble;
import millrace.io.FileFormat;
import millrace.io.store.FileLocation;
import millrace.io.store.StoreCounters;
import millrace.io.store.StorePath;
import millrace.spi.Endpoint;
import millrace.spi.HasCounters;
import millrace.spi.journal.Ledger;
import millrace.spi.load.LoadWalk;
import millrace.spi.write.DescribedTarget;
import millrace.spi.write.Landing;
import millrace.spi.write.Mode;
import millrace.spi.write.PlannedTarget;
import millrace.spi.write.Target;
import millrace.spi.write.TargetDescription;
import millrace.spi.write.TargetDescription.State;
import millrace.spi.write.WritePlan;
import millrace.spi.write.WriteRequest;
import millrace.spi.write.WriteSession;
import millrace.spi.write.WriteStart;
import org.jspecify.annotations.Nullable;

/// One Parquet file, written beside its place and renamed when it is complete; or, if that is in a
/// store, to a folder for temporary files and brought there.
final class ParquetTarget implements Target {

  /// Nanoseconds of CPU per byte of text, measured with a million rows of shape `unload` (129 MB as
  /// CSV).
  private static final double COLUMNS_COST = 7.5;

  private static final List<String> COMPRESSIONS =
      List.of("snappy", "zstd", "gzip", "lz4", "uncompressed");

  private final Endpoint endpoint;
  private final String label;
  private final Path file;
  private final ParquetJournal journal;
  private final String compression;
  private final @Nullable HasCounters counters;

  ParquetTarget(Endpoint endpoint) {
    this.endpoint = endpoint;
    label = endpoint.label();
    FileLocation location = FileLocation.of(endpoint);
    location.checkWritten();
    counters = StoreCounters.of(location);
    file = location.path().toAbsolutePath();
    journal = new ParquetJournal(file);
    compression = endpoint.text("compression").orElse("snappy").toLowerCase(Locale.ROOT);
    if (!COMPRESSIONS.contains(compression)) {
      throw new Fault.User(
          label + ": there is no compression '" + compression + "'.",
          "Choose one of " + String.join(", ", COMPRESSIONS) + ".");
    }
  }

  @Override
  public <T> @Nullable T capability(Class<T> type) {
    return type == Ledger.class
        ? type.cast(journal)
        : type == HasCounters.class ? type.cast(counters) : Target.super.capability(type);
  }

  @Override
  public DescribedTarget describe() {
    Path folder = file.getParent();
    // Those of a store are nothing but beginnings of names.
    boolean isStored = file instanceof StorePath;
    if (folder == null || !(isStored || Files.isDirectory(folder))) {
      throw new Fault.User(
          label + ": there is no folder " + folder + ".", "Make it, or correct the path.");
    }
    if (Files.isDirectory(file) || endpoint.location().endsWith("/")) {
      throw new Fault.User(
          label + " is a folder.",
          "Name a file in it, such as " + file.resolve("rows.parquet") + ".");
    }
    FileTrouble.checkTargetLink(file, label);
    FileFormat.checkOverwritten(file, FileFormat.PARQUET);
    TargetDescription described =
        TargetDescription.of(label, Files.exists(file) ? State.THERE : State.ABSENT)
            .naming(false, Integer.MAX_VALUE)
            .landing(Landing.Offer.into().staging(Landing.Commits.WHOLE, Landing.Place.SWAP));
    for (Mode mode : List.of(Mode.APPEND, Mode.TRUNCATE, Mode.MERGE)) {
      described =
          described.refusing(
              mode,
              "a Parquet file can't be changed, so there is no mode "
                  + mode.name().toLowerCase(Locale.ROOT),
              "Use --mode create or replace.");
    }
    return DescribedTarget.of(described, this::plan);
  }

  private PlannedTarget plan(WriteRequest request) {
    WritePlan plan =
        new WritePlan(
            ParquetTypes.handedOver(request.incoming()),
            request.mode(),
            "",
            ParquetTypes.notes(request.incoming()),
            List.of("The file appears when the run is complete."));
    return PlannedTarget.ofColumns(
        plan, COLUMNS_COST, start -> open(plan, request.landing(), start));
  }

  private WriteSession open(WritePlan plan, Landing landing, WriteStart start) {
    ParquetPlace place =
        new ParquetPlace(
            PartFile.of(label, file),
            plan.mode(),
            ParquetTypes.slots(plan.schema()),
            new ParquetPlace.Writing(endpoint.size("memory-limit", 0), compression, start.lanes()));
    return LoadWalk.open(place, place, journal, landing, start);
  }

  @Override
  public void close() {
    // All that is ever open is a session's.
  }
}
