package millrace.connectors.file.io;

import com.github.luben.zstd.ZstdIOException;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.zip.ZipException;
import millrace.fault.Fault;
import millrace.fault.FileTrouble;
import millrace.fault.Nearest;
import millrace.io.DataFiles;
import millrace.io.store.FileLocation;
import millrace.io.store.StorePath;
import millrace.spi.HostLocation;
import millrace.spi.store.StoreException;
import org.jspecify.annotations.Nullable;

/// Finds the files that a location means: a path, a folder, or a glob.
public final class Inputs {

  /// The location that means standard input or output.
  public static final String STANDARD = "-";

  private Inputs() {}

  /// The files in the order of their names; one at least.
  ///
  /// @throws Fault.User if there is none
  public static List<Path> find(FileLocation location) {
    Path path = path(location);
    if (path == null) {
      throw new Fault.User("'" + location.text() + "' is no path.", "");
    }
    try {
      List<Path> files = DataFiles.of(location);
      if (files.isEmpty()) {
        throw Files.isDirectory(path)
            ? new Fault.User("There is no file in the folder " + path + ".", "")
            : missing(location.text(), path.toAbsolutePath());
      }
      if (files.size() > 1 && location.isInStore()) {
        StorePath.fetchHeads(files);
      }
      files.forEach(Inputs::refuseStream);
      return files;
    } catch (IOException e) {
      throw unreadable(location.text(), e);
    } catch (UncheckedIOException e) {
      throw unreadable(location.text(), Objects.requireNonNull(e.getCause()));
    }
  }

  /// Where a location's files lie: a path, or the folder in which a glob begins; nowhere for a
  /// stream.
  public static HostLocation place(FileLocation location) {
    return location.text().equals(STANDARD) || location.isInStore() || path(location) == null
        ? HostLocation.NOWHERE
        : HostLocation.of(DataFiles.place(location));
  }

  /// A location as it is named from anywhere: a file or folder by its real path, a glob by that of
  /// the folder in which it begins.
  public static String identity(FileLocation location) {
    return location.text().equals(STANDARD) || path(location) == null
        ? location.text()
        : DataFiles.identity(location);
  }

  private static @Nullable Path path(FileLocation location) {
    try {
      return location.path();
    } catch (InvalidPathException _) {
      return null;
    }
  }

  /// A file is opened several times, to look at it and to read it: of a pipe the rows would be gone
  /// with the first time.
  private static void refuseStream(Path path) {
    if (!Files.isRegularFile(path)) {
      throw new Fault.User(
          path + " is a pipe or a device, which can be read only once.",
          "Give it as standard input: - instead of its name, and < " + path + " at the end.");
    }
  }

  private static Fault.User missing(String location, Path path) {
    FileTrouble.checkSourceLink(path, location);
    Path folder = path.getParent();
    String hint = "";
    boolean lists = !(path instanceof StorePath stored) || stored.isInFolders();
    if (folder != null && lists && Files.isDirectory(folder)) {
      try (Stream<Path> entries = Files.list(folder)) {
        hint =
            Nearest.hint(
                String.valueOf(path.getFileName()),
                entries.map(entry -> String.valueOf(entry.getFileName())).toList());
      } catch (IOException e) {
        hint = "The folder can't be listed: " + reason(e);
      }
    }
    return new Fault.User("There is no file " + location + ".", hint);
  }

  /// Opens a file's bytes as they are stored.
  public static InputStream open(Path path) {
    try {
      return Files.newInputStream(path);
    } catch (IOException e) {
      throw unreadable(path.toString(), e);
    }
  }

  /// Opens a range of a file in a store.
  static InputStream open(StorePath path, long from, long to) {
    try {
      return path.open(from, to);
    } catch (IOException e) {
      throw unreadable(path.toString(), e);
    }
  }

  /// Whether a file can be read from anywhere: there are web servers that give only all of it.
  static boolean hasRanges(Path path) {
    try {
      return !(path instanceof StorePath stored) || stored.hasRanges();
    } catch (IOException e) {
      throw unreadable(path.toString(), e);
    }
  }

  /// How long a file is.
  public static long size(Path path) {
    try {
      return Files.size(path);
    } catch (IOException e) {
      throw unreadable(path.toString(), e);
    }
  }

  /// When a file was last written to.
  static FileTime written(Path path) {
    try {
      return Files.getLastModifiedTime(path);
    } catch (IOException e) {
      throw unreadable(path.toString(), e);
    }
  }

  /// What it means that a file can't be read.
  public static Fault unreadable(String name, IOException cause) {
    String message = "Can't read " + name + ": " + reason(cause) + ".";
    return switch (cause) {
      case AccessDeniedException _ ->
          new Fault.External(message, "Ask for permission to read it.", cause);
      case NoSuchFileException _ -> new Fault.User(message, "", cause);
      case EOFException _ ->
          new Fault.External(message, "It is cut off: get the whole file.", cause);
      case ZstdIOException zstd when isCutOff(zstd) ->
          new Fault.External(message, "It is cut off: get the whole file.", cause);
      case StoreException told when told.isTransient() ->
          new Fault.Transient(message, told.advice(), 0, cause);
      case StoreException told -> new Fault.External(message, told.advice(), cause);
      case ZipException _, ZstdIOException _ ->
          new Fault.External(message, "It is damaged: get it again.", cause);
      default -> new Fault.External(message, "", cause);
    };
  }

  /// What went wrong, in words.
  private static String reason(IOException cause) {
    return switch (cause) {
      case EOFException _ -> "it ends in the middle of the compressed data";
      case ZstdIOException zstd when isCutOff(zstd) ->
          "it ends in the middle of the compressed data";
      default -> FileTrouble.reason(cause);
    };
  }

  /// Whether the end of the file was the fault; the library has one code for that and for damage.
  private static boolean isCutOff(ZstdIOException fault) {
    return "Truncated source".equals(fault.getMessage());
  }
}
