package millrace.connectors.file.io;

import com.github.luben.zstd.ZstdIOException;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.zip.ZipException;
import millrace.fault.Fault;
import millrace.fault.FileTrouble;
import millrace.fault.Nearest;
import millrace.io.DataFiles;
import millrace.io.FileIdentity;
import millrace.spi.HostLocation;
import org.jspecify.annotations.Nullable;

/// Finds the files that a location means: a path, a folder, or a glob.
public final class Inputs {

  /// The location that means standard input or output.
  public static final String STANDARD = "-";

  private static final String GLOB_CHARACTERS = "*?[{";

  private Inputs() {}

  /// The files in the order of their names; one at least.
  ///
  /// @throws Fault.User where there is none
  public static List<Path> find(String location) {
    try {
      Path path = path(location);
      if (path != null && Files.isDirectory(path)) {
        return inFolder(path);
      }
      if (path != null && Files.exists(path)) {
        refuseStream(path);
        return List.of(path);
      }
      if (location.chars().anyMatch(each -> GLOB_CHARACTERS.indexOf(each) >= 0)) {
        return matching(location);
      }
      throw path == null
          ? new Fault.User("'" + location + "' is no path.", "")
          : missing(location, path.toAbsolutePath());
    } catch (IOException e) {
      throw unreadable(location, e);
    } catch (UncheckedIOException e) {
      throw unreadable(location, Objects.requireNonNull(e.getCause()));
    }
  }

  /// Where a location's files lie: a path, or the folder in which a glob begins; nowhere for a
  /// stream.
  public static HostLocation place(String location) {
    if (location.equals(STANDARD)) {
      return HostLocation.NOWHERE;
    }
    Path path = path(location);
    int firstWild = firstWild(location);
    if (path != null && (firstWild < 0 || Files.exists(path))) {
      return HostLocation.of(path);
    }
    return firstWild < 0 ? HostLocation.NOWHERE : HostLocation.of(globFolder(location, firstWild));
  }

  /// A location as it is named from anywhere: a file or folder by its real path, a glob by that of
  /// the folder in which it begins.
  public static String identity(String location) {
    Path path = location.equals(STANDARD) ? null : path(location);
    int firstWild = firstWild(location);
    if (path == null || firstWild < 0 || Files.exists(path)) {
      return path == null ? location : FileIdentity.realPath(path);
    }
    int slash = location.lastIndexOf('/', firstWild);
    return FileIdentity.realPath(globFolder(location, firstWild))
        + "/"
        + location.substring(slash + 1);
  }

  private static int firstWild(String location) {
    int at = 0;
    while (at < location.length() && GLOB_CHARACTERS.indexOf(location.charAt(at)) < 0) {
      at++;
    }
    return at < location.length() ? at : -1;
  }

  private static Path globFolder(String glob, int firstWild) {
    int slash = glob.lastIndexOf('/', firstWild);
    return Path.of(slash < 0 ? "." : slash == 0 ? "/" : glob.substring(0, slash));
  }

  private static @Nullable Path path(String location) {
    try {
      return Path.of(location);
    } catch (InvalidPathException _) {
      return null;
    }
  }

  private static List<Path> inFolder(Path folder) throws IOException {
    List<Path> files = DataFiles.in(folder);
    if (files.isEmpty()) {
      throw new Fault.User("There is no file in the folder " + folder + ".", "");
    }
    return files;
  }

  private static List<Path> matching(String glob) throws IOException {
    int firstWild = firstWild(glob);
    int slash = glob.lastIndexOf('/', firstWild);
    Path folder = globFolder(glob, firstWild);
    String pattern = glob.substring(slash + 1);
    PathMatcher matcher = FileSystems.getDefault().getPathMatcher("glob:" + pattern);
    int depth = pattern.contains("**") ? Integer.MAX_VALUE : pattern.split("/").length;
    if (!Files.isDirectory(folder)) {
      throw new Fault.User("There is no folder " + folder + " (" + glob + ").", "");
    }
    try (Stream<Path> entries = Files.walk(folder, depth)) {
      List<Path> files =
          entries
              .filter(file -> DataFiles.isNamedSo(file) && Files.isRegularFile(file))
              .filter(file -> matcher.matches(folder.relativize(file)))
              .map(file -> slash < 0 ? folder.relativize(file) : file)
              .sorted()
              .toList();
      if (files.isEmpty()) {
        throw new Fault.User(
            "No file matches " + glob + ".", "Quote the glob, so that the shell leaves it alone.");
      }
      return files;
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
    if (folder != null && Files.isDirectory(folder)) {
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
