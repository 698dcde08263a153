package millrace.io;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import millrace.fault.Fault;
import millrace.io.store.FileLocation;
import millrace.io.store.StorePath;

/// Which files hold rows: those that a path, a folder or a glob means. In a folder, names with a
/// dot or an underscore before them are files that somebody still writes, markers, indexes,
/// checksums.
public final class DataFiles {

  private DataFiles() {}

  /// Whether a name is not one of those. `_year=2026` is a part of a table that is divided by
  /// values.
  static boolean isNamedSo(String name) {
    return !name.startsWith(".") && (!name.startsWith("_") || name.contains("="));
  }

  /// Whether a file is a hidden one that a copy of ours writes.
  static boolean isStaging(Path file) {
    String name = String.valueOf(file.getFileName());
    return name.startsWith(".") && name.contains(".millrace-");
  }

  /// The files that a location means, in the order of their names: a path that exists is itself, be
  /// there characters of a glob in it. None if it is no glob and does not exist, or is a folder
  /// without files.
  ///
  /// @throws IOException if a folder can't be listed
  /// @throws Fault.User if no file matches a glob
  public static List<Path> of(FileLocation location) throws IOException {
    Path path = location.path();
    if (path instanceof StorePath stored) {
      return of(location, stored);
    }
    if (Files.isDirectory(path)) {
      return in(path);
    }
    if (Files.exists(path)) {
      return List.of(path);
    }
    return GlobPattern.isGlob(location.text()) ? Glob.find(location) : List.of();
  }

  /// The same of a store, which is asked as little as possible, and of which a refusal is told.
  private static List<Path> of(FileLocation location, StorePath path) throws IOException {
    boolean isGlob = GlobPattern.isGlob(location.text());
    if (!isGlob || GlobPattern.mayBeLiteral(location.text())) {
      if (path.isFile()) {
        return List.of(path);
      }
      if (!isGlob) {
        return path.isInFolders() ? in(path) : List.of();
      }
    }
    return Glob.find(location);
  }

  /// The files of a folder that hold rows, in the order of their names; none of its folders'.
  ///
  /// @throws IOException if it can't be listed
  public static List<Path> in(Path folder) throws IOException {
    try (Stream<Path> entries = Files.list(folder)) {
      return entries
          .filter(file -> isNamedSo(String.valueOf(file.getFileName())))
          .filter(Files::isRegularFile)
          .sorted()
          .toList();
    }
  }

  /// Where a location's files lie: the path itself, or the folder in which a glob begins.
  public static Path place(FileLocation location) {
    Path path = location.path();
    boolean isGlob = GlobPattern.isGlob(location.text());
    // Of a store a key with such characters is no more likely than a glob; it is not asked.
    if (!isGlob || (!location.isInStore() && Files.exists(path))) {
      return path;
    }
    Path folder = Glob.folder(location);
    return folder.toString().isEmpty() ? Path.of(".") : folder;
  }

  /// A location as it is named from anywhere: a file or folder by its real path, a glob by that of
  /// the folder in which it begins.
  public static String identity(FileLocation location) {
    Path place = place(location);
    return place.equals(location.path())
        ? FileIdentity.realPath(place)
        : FileIdentity.realPath(place) + "/" + location.text().substring(Glob.start(location));
  }
}
