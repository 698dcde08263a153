package millrace.connectors.duckdb;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import millrace.connectors.duckdb.parquet.ParquetConnector;
import millrace.spi.Connector;
import millrace.spi.Endpoint;
import millrace.spi.Secret;
import millrace.testkit.suite.Behaviour;
import millrace.testkit.suite.ResumeSuite;
import org.junit.jupiter.api.io.TempDir;

class ParquetResumeSuiteTest extends ResumeSuite {

  private static final String UNCHANGING = "a Parquet file ends with an index of all its rows";

  @TempDir Path folder;

  private Path file(String name) {
    return folder.resolve(name + ".parquet");
  }

  private static Endpoint end(Path file) {
    return new Endpoint("parquet", file.toString(), Map.of(), Secret.NONE);
  }

  @Override
  protected Connector connector() {
    return new ParquetConnector();
  }

  @Override
  protected Endpoint table(String name) {
    return end(file(name));
  }

  private List<Path> hidden(String name, boolean journals) {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> file.getFileName().toString().startsWith("." + name + ".parquet."))
          .filter(file -> file.toString().endsWith(".journal") == journals)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  protected List<String> leftovers(String name) {
    return hidden(name, false).stream().map(Path::toString).toList();
  }

  @Override
  protected boolean lose(Loss loss, String name) {
    try {
      switch (loss) {
        case TABLE -> Files.delete(file(name));
        case JOURNAL -> {
          for (Path journal : hidden(name, true)) {
            Files.delete(journal);
          }
        }
        case ROWS, STAGED, STAGED_LAST -> {
          return false;
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
    Path around = folder.resolve("../" + folder.getFileName() + "/./" + name + ".parquet");
    return Stream.of(Path.of("").toAbsolutePath().relativize(file(name)), around)
        .map(ParquetResumeSuiteTest::end)
        .toList();
  }

  @Override
  protected Map<Behaviour, String> cannot() {
    return Map.of(
        Behaviour.APPEND, UNCHANGING,
        Behaviour.TRUNCATE, UNCHANGING,
        Behaviour.MERGE, UNCHANGING,
        Behaviour.EXISTING_COLUMNS, UNCHANGING);
  }
}
