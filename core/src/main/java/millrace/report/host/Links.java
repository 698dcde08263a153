package millrace.report.host;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Follows the links that put parts of a server's data on other disks.
final class Links {

  private Links() {}

  /// The folder itself, and what links in it lead to; nothing if it can't be read.
  static List<Path> below(Path folder) {
    List<Path> found = new ArrayList<>();
    if (!Files.isReadable(folder)) {
      return found;
    }
    found.add(folder);
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder, Files::isSymbolicLink)) {
      entries.forEach(found::add);
    } catch (IOException _) {
      return found;
    }
    return found;
  }
}
