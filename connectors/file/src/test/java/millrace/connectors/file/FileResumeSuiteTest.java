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
import millrace.testkit.suite.ResumeSuite;
import org.junit.jupiter.api.io.TempDir;

/// Files of CSV.
class FileResumeSuiteTest extends ResumeSuite {

  @TempDir Path folder;

  /// How files are named.
  String ending() {
    return ".csv";
  }

  private Path file(String name) {
    return folder.resolve(name + ending());
  }

  private static Endpoint end(Path file) {
    return new Endpoint("file", file.toString(), Map.of(), Secret.NONE);
  }

  @Override
  protected Connector connector() {
    return new FileConnector();
  }

  @Override
  protected Endpoint table(String name) {
    return end(file(name));
  }

  @Override
  protected boolean killedWritersStayOpen() {
    return true;
  }

  private List<Path> hidden(String name, String ending) {
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
  protected List<String> leftovers(String name) {
    return hidden(name, ".tmp").stream().map(Path::toString).toList();
  }

  @Override
  protected boolean lose(Loss loss, String name) {
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
      return true;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  protected boolean putInPlace(String other, String name) {
    try {
      Files.move(file(other), file(name), StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return true;
  }

  @Override
  protected List<Endpoint> spellings(String name) {
    Path link = folder.resolve("link" + ending());
    try {
      Files.deleteIfExists(link);
      Files.createSymbolicLink(link, file(name));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Path around = folder.resolve("../" + folder.getFileName() + "/./" + name + ending());
    return Stream.of(Path.of("").toAbsolutePath().relativize(file(name)), around, link)
        .map(FileResumeSuiteTest::end)
        .toList();
  }

  @Override
  protected Map<Behaviour, String> cannot() {
    return Map.of(
        Behaviour.MERGE, "a file has no keys to find rows by",
        Behaviour.EXISTING_COLUMNS, "every record has all of a file's columns");
  }
}
