package millrace.io;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// Which files of a folder hold rows: names with a dot or an underscore before them are files that
/// somebody still writes, markers, indexes, checksums.
public final class DataFiles {

  private DataFiles() {}

  /// Whether a file's name is not one of those.
  public static boolean isNamedSo(Path file) {
    String name = String.valueOf(file.getFileName());
    return !name.startsWith(".") && !name.startsWith("_");
  }

  /// The files of a folder that hold rows, in the order of their names; none of its folders'.
  ///
  /// @throws IOException where it can't be listed
  public static List<Path> in(Path folder) throws IOException {
    try (Stream<Path> entries = Files.list(folder)) {
      return entries.filter(file -> isNamedSo(file) && Files.isRegularFile(file)).sorted().toList();
    }
  }
}
