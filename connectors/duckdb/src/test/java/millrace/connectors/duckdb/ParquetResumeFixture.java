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
import millrace.testkit.suite.JournaledSuite;
import millrace.testkit.suite.MemoryFixture;
import org.junit.jupiter.api.io.TempDir;

abstract class ParquetResumeFixture extends MemoryFixture implements JournaledSuite {

  private static final String UNCHANGING = "a Parquet file ends with an index of all its rows";

  @TempDir Path folder;

  Path file(String name) {
    return folder.resolve(name + ".parquet");
  }

  private static Endpoint end(Path file) {
    return new Endpoint("parquet", file.toString(), Map.of(), Secret.NONE);
  }

  @Override
  public Connector connector() {
    return new ParquetConnector();
  }

  @Override
  public Endpoint table(String name) {
    return end(file(name));
  }

  List<Path> hidden(String name, boolean journals) {
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
  public List<String> leftovers(String name) {
    return hidden(name, false).stream().map(Path::toString).toList();
  }

  @Override
  public void lose(Loss loss, String name) {
    try {
      switch (loss) {
        case TABLE -> Files.delete(file(name));
        case JOURNAL -> {
          for (Path journal : hidden(name, true)) {
            Files.delete(journal);
          }
        }
        case ROWS -> throw notGiven(Behaviour.LOSS_OF_ROWS);
        case STAGED -> throw notGiven(Behaviour.LOSS_OF_STAGED);
        case STAGED_LAST -> throw notGiven(Behaviour.LOSS_OF_LAST_STAGED);
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
    Path around = folder.resolve("../" + folder.getFileName() + "/./" + name + ".parquet");
    return Stream.of(Path.of("").toAbsolutePath().relativize(file(name)), around)
        .map(ParquetResumeFixture::end)
        .toList();
  }

  @Override
  public Map<Behaviour, String> cannot() {
    return Map.of(
        Behaviour.APPEND, UNCHANGING,
        Behaviour.TRUNCATE, UNCHANGING,
        Behaviour.MERGE, UNCHANGING,
        Behaviour.EXISTING_COLUMNS, UNCHANGING,
        Behaviour.SERVER, "a file has none",
        Behaviour.NAME_PATTERNS, "a journal lies beside its file, and has another ending",
        Behaviour.LOSS_OF_ROWS, "a file is whole or not there",
        Behaviour.LOSS_OF_STAGED, "a copy that is cut off leaves no rows",
        Behaviour.LOSS_OF_LAST_STAGED, "a copy that is cut off leaves no rows");
  }
}
