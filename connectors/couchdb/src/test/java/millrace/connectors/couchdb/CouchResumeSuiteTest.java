package millrace.connectors.couchdb;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.util.Comparator;
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
import org.junit.jupiter.params.provider.CsvSource;

/// Copies that are killed and go on, in a stand-in for CouchDB.
class CouchResumeSuiteTest extends CouchResumeFixture
    implements ClusterSuite, JoinSuite, ResumeSuite {

  /// Puts what a version before journals had one spelling has kept of a run in the place of what is
  /// kept of the run of that name.
  private void putEarlier(String state, Mode mode, String name, String run) throws IOException {
    String file = "journal-" + mode.name().toLowerCase(Locale.ROOT) + "-" + state + ".txt";
    server.local(name).clear();
    try (InputStream lines = CouchResumeSuiteTest.class.getResourceAsStream(file)) {
      String text = new String(Objects.requireNonNull(lines).readAllBytes(), UTF_8);
      for (String line : text.replace("@RUN@", run).lines().toList()) {
        int end = line.indexOf('|');
        server.putLocal(name, line.substring(0, end), line.substring(end + 1));
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"CREATE,300", "APPEND,280"})
  void aCopyThatAnEarlierVersionHasBegunGoesOn(Mode mode, long rows) throws IOException {
    String name = "orders_" + mode.name().toLowerCase(Locale.ROOT);
    List<Row> before = before(table(name), new Way(mode, false));
    ResumableCopy copy = copy(rows(1_000, ROWS), table(name), mode);
    kill(copy, ResumableCopy.Kill.BEFORE_THE_END);
    String run = copy.inJournal(journal -> journal.list().getFirst().run().id());
    putEarlier("cut-off", mode, name, run);
    assertThat(copy.run().meter().rowsBefore()).isEqualTo(rows);
    assertHolds(both(before, rows(1_000, ROWS)), name, copy);
    assertNothingToDo(copy);
    putEarlier("complete", mode, name, run);
    assertNothingToDo(copy);
    String head = server.local(name).stream().min(Comparator.naturalOrder()).orElse("");
    server.putLocal(name, head, "{\"run\":3}");
    assertThatThrownBy(copy::run)
        .isInstanceOfSatisfying(
            Fault.User.class,
            fault -> assertThat(fault.advice()).startsWith("Delete the documents"))
        .hasMessageContaining("was written by another version of Millrace");
  }
}
