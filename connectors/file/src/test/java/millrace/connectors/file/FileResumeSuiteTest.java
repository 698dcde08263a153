package millrace.connectors.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import millrace.fault.Fault;
import millrace.spi.write.Mode;
import millrace.testkit.Row;
import millrace.testkit.suite.ClusterSuite;
import millrace.testkit.suite.JoinSuite;
import millrace.testkit.suite.ResumableCopy;
import millrace.testkit.suite.ResumeSuite;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Copies that are killed and go on, into files of CSV.
class FileResumeSuiteTest extends FileResumeFixture
    implements ClusterSuite, JoinSuite, ResumeSuite {

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
    String name = "orders_" + mode.name().toLowerCase(Locale.ROOT);
    List<Row> before = before(table(name), new Way(mode, false));
    ResumableCopy copy = copy(rows(1_000, ROWS), table(name), mode);
    kill(copy, ResumableCopy.Kill.BEFORE_THE_END);
    putEarlier("cut-off", mode, name, 0);
    assertThat(copy.run().meter().rowsBefore()).isEqualTo(60);
    assertHolds(both(before, rows(1_000, ROWS)), name, copy);
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
    assertHolds(both(before, rows(1_000, ROWS)), name, copy);
    assertNothingToDo(copy);
  }
}
