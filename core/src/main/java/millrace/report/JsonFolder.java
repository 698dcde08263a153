package millrace.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import millrace.fault.Fault;
import millrace.fault.FileTrouble;
import millrace.text.RecordJson;

/// A folder of the user's in which things are kept as JSON, a file each, under names that sort by
/// age. Several processes may keep something at once: a file is written beside and renamed.
///
/// @param <T> what is kept
public final class JsonFolder<T> {

  private static final String ENDING = ".json";

  private final Path folder;
  private final Class<T> type;
  private final String one;

  /// A folder that is made when the first is kept.
  ///
  /// @param one what one of them is called in messages, as in "a sweep"
  public JsonFolder(Path folder, Class<T> type, String one) {
    this.folder = folder;
    this.type = type;
    this.one = one;
  }

  /// Keeps one, in place of another of that name.
  ///
  /// @throws IOException if the folder can't be written
  public void keep(String id, T content) throws IOException {
    AtomicFile.write(
        folder, id + ENDING, RecordJson.SNAKE_CASE.lines(content) + System.lineSeparator());
  }

  /// Removes the oldest if there are more than so many, and what stands beside them under the same
  /// name with another ending.
  ///
  /// @throws IOException if one can't be removed
  public void keepNewest(int most, String otherEnding) throws IOException {
    String[] files = folder.toFile().list();
    if (files != null && files.length <= most) {
      return;
    }
    List<String> all = ids();
    for (String old : all.subList(0, Math.max(0, all.size() - most))) {
      Files.deleteIfExists(file(old));
      Files.deleteIfExists(sibling(old, otherEnding));
    }
  }

  /// All names, the oldest first; none if there is no folder.
  public List<String> ids() {
    try (Stream<Path> listed = Files.list(folder)) {
      return listed
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(ENDING))
          .map(name -> name.substring(0, name.length() - ENDING.length()))
          .sorted()
          .toList();
    } catch (NoSuchFileException _) {
      return List.of();
    } catch (IOException | UncheckedIOException e) {
      throw new Fault.External(
          "Can't list " + folder + ": " + FileTrouble.of(e) + ".",
          "Make it a folder that you may read, or move it away.",
          e);
    }
  }

  /// The names that begin so; for `last` the newest alone.
  public List<String> ids(String beginning) {
    List<String> all = ids();
    return beginning.equals("last")
        ? all.subList(Math.max(0, all.size() - 1), all.size())
        : all.stream().filter(id -> id.startsWith(beginning)).toList();
  }

  /// Whether there is one of exactly that name.
  public boolean has(String id) {
    return Files.exists(file(id));
  }

  /// One that is there.
  ///
  /// @throws Fault.External if its file can't be read, or holds something else
  public T read(String id) {
    T content = null;
    IOException why = null;
    try {
      content = ReportJson.MAPPER.readValue(file(id).toFile(), type);
    } catch (IOException e) {
      why = e;
    }
    if (content == null) {
      String not = file(id) + " is not " + one + ".";
      throw new Fault.External(not, "Delete it, or move it away.", why);
    }
    return content;
  }

  /// Where something else is kept that belongs to it, under the same name.
  public Path sibling(String id, String ending) {
    return folder.resolve(id + ending);
  }

  private Path file(String id) {
    return sibling(id, ENDING);
  }
}
