package millrace.io;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import millrace.io.store.StorePath;

/// Looks for files of this machine and of stores alike, as they are at this moment.
public final class FileLookup {

  private FileLookup() {}

  /// Whether there is such a file. A link that leads to none is none.
  ///
  /// @throws IOException if its store can't tell
  public static boolean isThere(Path file) throws IOException {
    return file instanceof StorePath stored ? stored.anew().isFile() : Files.exists(file);
  }

  /// What a small file holds, which others may be writing to.
  ///
  /// @throws IOException if it can't be read
  public static byte[] content(Path file) throws IOException {
    return file instanceof StorePath stored ? stored.content().bytes() : Files.readAllBytes(file);
  }

  /// Files of one folder whose names begin as that path does.
  ///
  /// @throws IOException if the folder, or the store, can't be listed
  public static List<Path> beginningWith(Path beginning) throws IOException {
    if (beginning instanceof StorePath stored) {
      return List.copyOf(stored.beginningSo());
    }
    String name = String.valueOf(beginning.getFileName());
    List<Path> all = new ArrayList<>();
    try (DirectoryStream<Path> siblings =
        Files.newDirectoryStream(
            beginning.resolveSibling(""),
            sibling -> String.valueOf(sibling.getFileName()).startsWith(name))) {
      siblings.forEach(all::add);
    }
    return all;
  }
}
