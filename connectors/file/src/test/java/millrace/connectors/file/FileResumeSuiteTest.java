package millrace.connectors.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import millrace.fault.Fault;
import millrace.spi.Connector;
import millrace.spi.Endpoint;
import millrace.spi.Secret;
import millrace.spi.write.Mode;
import millrace.testkit.Row;
import millrace.testkit.suite.Behaviour;
import millrace.testkit.suite.ResumableCopy;
import millrace.testkit.suite.ResumeSuite;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

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
        .map(FileResumeSuiteTest::end)
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

  /// Puts what a version before journals had one spelling has kept of a run in the place of what is
  /// kept of the one run that there is.
  ///
  /// @param lines so many of them at the end have not been written
  private void putEarlier(String state, Mode mode, String name, int lines) throws IOException {
    String source = "journal-" + mode.name().toLowerCase(Locale.ROOT) + "-" + state + ".txt";
    try (InputStream said = FileResumeSuiteTest.class.getResourceAsStream(source)) {
      String text = new String(Objects.requireNonNull(said).readAllBytes(), UTF_8);
      List<String> all = text.replace("@FILE@", file(name).toString()).lines().toList();
      Path journal = hidden(name, ".journal").getFirst();
      Files.write(journal, all.subList(0, all.size() - lines));
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Mode.class,
      names = {"CREATE", "APPEND"})
  void aCopyThatAnEarlierVersionHasBegunGoesOn(Mode mode) throws IOException {
    needs(ending().equals(".csv"), "what an earlier version has written into other files");
    String name = "orders_" + mode.name().toLowerCase(Locale.ROOT);
    List<Row> before = before(table(name), new Way(mode, false));
    ResumableCopy copy = copy(rows(1_000, ROWS), table(name), mode);
    kill(copy, ResumableCopy.Kill.BEFORE_THE_END);
    putEarlier("cut-off", mode, name, 0);
    assertThat(copy.run().meter().rowsBefore()).isEqualTo(60);
    assertHolds(all(before, rows(1_000, ROWS)), name, copy);
    assertNothingToDo(copy);
    putEarlier("complete", mode, name, 0);
    assertNothingToDo(copy);
    Files.writeString(file(name), "id");
    assertRefused(copy, "does not hold any more what it had written");
    Files.delete(file(name));
    assertRefused(copy, "is not there any more");
    Files.writeString(hidden(name, ".journal").getFirst(), "{\"run\":3}\n");
    assertThatThrownBy(copy::run)
        .isInstanceOfSatisfying(
            Fault.User.class,
            fault -> assertThat(fault.advice()).isEqualTo("Remove it and copy from the start."))
        .hasMessageContaining("was written by another version of Millrace");
  }

  @ParameterizedTest
  @EnumSource(
      value = Mode.class,
      names = {"CREATE", "APPEND"})
  void aCopyThatAnEarlierVersionHasNotGivenItsNameGetsIt(Mode mode) throws IOException {
    needs(ending().equals(".csv"), "what an earlier version has written into other files");
    String name = "orders_" + mode.name().toLowerCase(Locale.ROOT);
    List<Row> before = before(table(name), new Way(mode, false));
    ResumableCopy copy = copy(rows(1_000, ROWS), table(name), mode);
    copy.run();
    byte[] all = Files.readAllBytes(file(name));
    int added = mode == Mode.APPEND ? 330 : 0;
    Path journal = hidden(name, ".journal").getFirst();
    String staged = String.valueOf(journal.getFileName()).replace(".journal", ".tmp");
    Files.write(folder.resolve(staged), Arrays.copyOfRange(all, added, all.length));
    if (mode == Mode.APPEND) {
      Files.write(file(name), Arrays.copyOf(all, added));
    } else {
      Files.delete(file(name));
    }
    putEarlier("complete", mode, name, 1);
    assertThat(copy.run().completeSince()).isNotEmpty();
    assertHolds(all(before, rows(1_000, ROWS)), name, copy);
    assertNothingToDo(copy);
  }
}
