package millrace.connectors.file;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import millrace.spi.Connector;
import millrace.spi.Endpoint;
import millrace.spi.Secret;
import millrace.testkit.suite.Behaviour;
import millrace.testkit.suite.JournaledSuite;
import millrace.testkit.suite.MemoryFixture;
import org.junit.jupiter.api.io.TempDir;

/// Files of CSV.
abstract class FileResumeFixture extends MemoryFixture implements JournaledSuite {

  @TempDir Path folder;

  /// How files are named.
  String ending() {
    return ".csv";
  }

  Path file(String name) {
    return folder.resolve(name + ending());
  }

  private static Endpoint end(Path file) {
    return new Endpoint("file", file.toString(), Map.of(), Secret.NONE);
  }

  @Override
  public Connector connector() {
    return new FileConnector();
  }

  @Override
  public Endpoint table(String name) {
    return end(file(name));
  }

  @Override
  public boolean killedWritersStayOpen() {
    return true;
  }

  List<Path> hidden(String name, String ending) {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> file.getFileName().toString().startsWith("." + name + ending() + "."))
          .filter(file -> file.toString().endsWith(ending))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public List<String> leftovers(String name) {
    return hidden(name, ".tmp").stream().map(Path::toString).toList();
  }

  @Override
  public void lose(Loss loss, String name) {
    try {
      switch (loss) {
        case TABLE -> Files.delete(file(name));
        case ROWS -> Files.writeString(file(name), "");
        case STAGED -> {
          for (Path staged : hidden(name, ".tmp")) {
            Files.writeString(staged, "id");
          }
        }
        case STAGED_LAST -> {
          for (Path staged : hidden(name, ".tmp")) {
            String text = Files.readString(staged);
            int lastLine = text.lastIndexOf('\n', text.length() - 2) + 1;
            Files.writeString(staged, text.substring(0, lastLine));
          }
        }
        case JOURNAL -> {
          for (Path journal : hidden(name, ".journal")) {
            Files.delete(journal);
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void putInPlace(String other, String name) {
    try {
      Files.move(file(other), file(name), StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public List<Endpoint> spellings(String name) {
    Path link = folder.resolve("link" + ending());
    try {
      Files.deleteIfExists(link);
      Files.createSymbolicLink(link, file(name));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Path around = folder.resolve("../" + folder.getFileName() + "/./" + name + ending());
    return Stream.of(Path.of("").toAbsolutePath().relativize(file(name)), around, link)
        .map(FileResumeFixture::end)
        .toList();
  }

  @Override
  public Map<Behaviour, String> cannot() {
    return Map.of(
        Behaviour.MERGE, "a file has no keys to find rows by",
        Behaviour.EXISTING_COLUMNS, "every record has all of a file's columns",
        Behaviour.SERVER, "a file has none",
        Behaviour.SHARED_COMMITS, "each split is a line of the journal, and no transaction",
        Behaviour.NAME_PATTERNS, "a journal lies beside its file, and has another ending");
  }
}
