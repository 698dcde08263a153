package millrace.connectors.duckdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import millrace.connectors.duckdb.parquet.ParquetConnector;
import millrace.fault.Fault;
import millrace.io.FileIdentity;
import millrace.spi.Connector;
import millrace.spi.Endpoint;
import millrace.spi.Secret;
import millrace.spi.write.Mode;
import millrace.testkit.suite.Behaviour;
import millrace.testkit.suite.ResumableCopy;
import millrace.testkit.suite.ResumeSuite;
import org.junit.jupiter.api.Test;
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
  public Connector connector() {
    return new ParquetConnector();
  }

  @Override
  public Endpoint table(String name) {
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
        .map(ParquetResumeSuiteTest::end)
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

  /// What a version before journals had one spelling has written of a copy into that file.
  @Test
  void aMarkOfAnEarlierVersionIsKnown() throws IOException {
    ResumableCopy copy = copy(rows(1_000, ROWS), table("orders_create"), Mode.CREATE);
    copy.run();
    Path journal = hidden("orders_create", true).getFirst();
    Path file = file("orders_create");
    String mark =
        """
        {"run":{"id":"20261126-205100-ylrjz","job":"b954ab278f11d9ea949c64911b0bd268",\
        "source":"12c143be of 640","origins":["memory:rows"],"splitBytes":16777216,"lanes":2,\
        "startedAt":"2026-11-26T20:51:00Z"},"length":%d,"content":"%s","named":true,\
        "at":"2026-11-26T20:51:01Z"}\
        """
            .formatted(Files.size(file), FileIdentity.content(file, 0, Files.size(file)));
    Files.writeString(journal, mark);
    assertNothingToDo(copy);
    String naming = mark.replace("\"named\":true", "\"named\":false");
    Files.writeString(journal, naming);
    assertNothingToDo(copy);
    Files.writeString(journal, mark);
    Files.delete(file);
    assertRefused(copy, "is not there any more");
    Files.writeString(journal, naming);
    assertThat(copy.run().meter().rows()).isEqualTo(ROWS);
    Files.writeString(journal, "{\"run\":3}");
    assertThatThrownBy(copy::run)
        .isInstanceOfSatisfying(
            Fault.User.class,
            fault -> assertThat(fault.advice()).isEqualTo("Remove it and copy from the start."))
        .hasMessageContaining("was written by another version of Millrace");
  }
}
