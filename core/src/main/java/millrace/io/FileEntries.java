package millrace.io;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import millrace.fault.Fault;
import millrace.fault.FileTrouble;
import millrace.io.store.FileLocation;
import millrace.spi.Endpoint;
import millrace.spi.catalog.TableEntry;
import millrace.spi.catalog.TablePattern;

/// Files as tables, for connectors whose ends are files: each file that a path, a folder or a glob
/// means is one.
public final class FileEntries {

  private static final Set<String> COMPRESSED =
      Set.of("gz", "gzip", "zst", "zstd", "bz2", "xz", "zip", "lz4");

  private FileEntries() {}

  /// The files that an end means, in the order of their names.
  ///
  /// @throws Fault.User if a glob means none
  public static List<TableEntry> of(Endpoint end) {
    try {
      return DataFiles.of(FileLocation.of(end)).stream().map(file -> entry(end, file)).toList();
    } catch (IOException e) {
      throw new Fault.External("Can't list " + end.label() + ": " + FileTrouble.of(e) + ".", "", e);
    }
  }

  private static TableEntry entry(Endpoint end, Path file) {
    String name = stem(String.valueOf(file.getFileName()));
    return new TableEntry(
        "",
        name,
        TablePattern.isPlain(name) ? name : TablePattern.quoted(name),
        "file",
        -1,
        bytes(file),
        List.of(),
        end.at(file.toString()));
  }

  /// Whoever opens the file tells what is wrong with it.
  private static long bytes(Path file) {
    try {
      return Files.size(file);
    } catch (IOException _) {
      return -1;
    }
  }

  /// A file's name without its endings: `orders` of `orders.csv.gz`.
  static String stem(String name) {
    String rest = name;
    int dot = rest.lastIndexOf('.');
    if (dot > 0 && COMPRESSED.contains(rest.substring(dot + 1).toLowerCase(Locale.ROOT))) {
      rest = rest.substring(0, dot);
      dot = rest.lastIndexOf('.');
    }
    return dot > 0 ? rest.substring(0, dot) : rest;
  }
}
