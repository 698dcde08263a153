package millrace.connectors.duckdb.parquet;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import millrace.data.Form;
import millrace.fault.Fault;
import millrace.fault.FileTrouble;
import millrace.io.DataFiles;
import millrace.io.FileIdentity;
import millrace.io.Folders;
import millrace.io.store.FileLocation;
import millrace.io.store.StoreCounters;
import millrace.spi.HasCounters;
import millrace.spi.read.ColumnRequest;
import millrace.spi.read.DescribedSource;
import millrace.spi.read.ReadPlan;
import millrace.spi.read.ReadSession;
import millrace.spi.read.Source;
import millrace.spi.read.SourceDescription;
import millrace.spi.read.SourceIdentity;
import org.jspecify.annotations.Nullable;

/// Parquet files in a store. DuckDB, which reads Parquet here, can't ask a store without an
/// extension that it would have to download: so the files are fetched to a folder for temporary
/// files first, which goes when the source is closed.
final class FetchedParquet implements Source {

  private final String label;
  private final String identity;
  private final FileLocation location;
  private final Function<FileLocation, Source> reader;
  private final @Nullable HasCounters counters;
  private @Nullable Fetched fetched;

  /// @param folder where they are
  /// @param names of the files in the store, by those of their copies
  /// @param content what the store tells of them, see {@link FileIdentity}
  private record Fetched(Path folder, Map<String, String> names, String content, Source files) {}

  /// @param identity what the source is, by whatever name it was reached
  /// @param reader reads files of this machine
  FetchedParquet(
      String label, String identity, FileLocation location, Function<FileLocation, Source> reader) {
    this.label = label;
    this.identity = identity;
    this.location = location;
    this.reader = reader;
    counters = StoreCounters.of(location);
  }

  @Override
  public <T> @Nullable T capability(Class<T> type) {
    return type == HasCounters.class ? type.cast(counters) : Source.super.capability(type);
  }

  @Override
  public DescribedSource describe(ColumnRequest columnRequest) {
    Fetched files = fetched();
    try {
      return new Described(files, files.files.describe(columnRequest));
    } catch (Fault e) {
      throw named(files, e);
    }
  }

  private Fetched fetched() {
    Fetched known = fetched;
    if (known == null) {
      try {
        known = fetch();
      } catch (IOException e) {
        throw new Fault.External("Can't read " + label + ": " + FileTrouble.reason(e) + ".", "", e);
      }
      fetched = known;
    }
    return known;
  }

  private Fetched fetch() throws IOException {
    List<Path> stored = DataFiles.of(location);
    if (stored.isEmpty()) {
      throw new Fault.User(label + ": there is no such file.", "Correct the path.");
    }
    Path folder = Files.createTempDirectory("millrace-");
    Map<String, String> names = new TreeMap<>();
    List<String> contents = new ArrayList<>();
    try {
      for (Path each : stored) {
        // Names of folders may make columns.
        Path copy = folder.resolve(each.toString().replaceFirst("^[a-z0-9]+://", ""));
        Files.createDirectories(copy.getParent());
        Files.copy(each, copy);
        names.put(copy.toString(), each.toString());
        contents.add(FileIdentity.of(each));
      }
    } catch (IOException | RuntimeException e) {
      Folders.delete(folder);
      throw e;
    }
    FileLocation here = FileLocation.of(folder + "/**", Map.of());
    return new Fetched(folder, names, FileIdentity.ofAll(contents), reader.apply(here));
  }

  /// Users know the files by their names in the store.
  private static Fault named(Fetched files, Fault fault) {
    String message = String.valueOf(fault.getMessage());
    for (Map.Entry<String, String> each : files.names.entrySet()) {
      message = message.replace(each.getKey(), each.getValue());
    }
    return fault.inOtherWords(message, fault.advice());
  }

  @Override
  public void close() {
    Fetched known = fetched;
    fetched = null;
    if (known == null) {
      return;
    }
    try {
      known.files.close();
    } finally {
      try {
        Folders.delete(known.folder);
      } catch (IOException e) {
        org.slf4j.LoggerFactory.getLogger(FetchedParquet.class).debug("delete failed", e);
      }
    }
  }

  private final class Described implements DescribedSource {
    private final Fetched fetched;
    private final DescribedSource files;

    Described(Fetched fetched, DescribedSource files) {
      this.fetched = fetched;
      this.files = files;
    }

    @Override
    public <T> @Nullable T capability(Class<T> type) {
      return files.capability(type);
    }

    @Override
    public SourceDescription description() {
      return files.description();
    }

    @Override
    public double cost(Form form) {
      return files.cost(form);
    }

    @Override
    public SourceIdentity identity() {
      return SourceIdentity.of(identity, fetched.content, FileIdentity.origins(fetched.content));
    }

    @Override
    public String changeSince(String before) {
      return FileIdentity.change(before, fetched.content);
    }

    @Override
    public ReadSession open(ReadPlan plan) {
      return files.open(plan);
    }
  }
}
