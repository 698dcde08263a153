package millrace.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/// Writes files that are there whole or not at all, whoever else writes them and whatever the disk
/// still holds.
public final class AtomicFile {

  private AtomicFile() {}

  /// Writes a file in its folder, which is made, in place of another of that name. Only the user
  /// may read it.
  ///
  /// @throws IOException if it can't be written; what was there stays
  public static void write(Path folder, String name, String text) throws IOException {
    Files.createDirectories(folder);
    Path partial = Files.createTempFile(folder, name, ".partial");
    try {
      Files.writeString(partial, text);
      Files.move(partial, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(partial);
    }
  }
}
