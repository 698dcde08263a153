package millrace.io;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/// Folders that a run made for itself.
public final class Folders {

  private Folders() {}

  /// Removes a folder with all that is in it.
  ///
  /// @throws IOException if it can't be removed; some of it may be gone then
  public static void delete(Path folder) throws IOException {
    List<Path> all;
    try (Stream<Path> entries = Files.walk(folder)) {
      all = entries.sorted(Comparator.reverseOrder()).toList();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    for (Path each : all) {
      Files.delete(each);
    }
  }
}
