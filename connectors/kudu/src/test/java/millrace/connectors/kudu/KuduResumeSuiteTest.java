package millrace.connectors.kudu;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import millrace.data.Schema;
import millrace.fault.Fault;
import millrace.resume.Journal;
import millrace.spi.Endpoint;
import millrace.spi.OpenContext;
import millrace.spi.journal.RunRecord;
import millrace.spi.write.Mode;
import millrace.spi.write.Target;
import millrace.spi.write.WriteOptions;
import millrace.testkit.suite.ClusterSuite;
import millrace.testkit.suite.JoinSuite;
import millrace.testkit.suite.ResumableCopy;
import millrace.testkit.suite.ResumeSuite;
import org.apache.kudu.client.Delete;
import org.apache.kudu.client.KuduException;
import org.apache.kudu.client.KuduSession;
import org.apache.kudu.client.KuduTable;
import org.apache.kudu.client.RowResult;
import org.apache.kudu.client.Upsert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Copies that are killed and go on, in a real cluster of Kudu.
class KuduResumeSuiteTest extends KuduResumeFixture
    implements ClusterSuite, JoinSuite, ResumeSuite {

  /// Puts what a version before journals had one spelling has kept of a run in the place of what is
  /// kept of the one run that there is.
  private void putEarlier(String state, Mode mode) throws IOException, KuduException {
    String file = "journal-" + mode.name().toLowerCase(Locale.ROOT) + "-" + state + ".txt";
    KuduTable journal = servers().client().openTable(database + ".millrace_journal");
    KuduSession session = servers().client().newSession();
    String said = "";
    String target = "";
    for (RowResult row : servers().client().newScannerBuilder(journal).build()) {
      target = row.getString("target");
      said = row.getString("part").equals("run") ? row.getString("value") : said;
      Delete delete = journal.newDelete();
      for (String key : List.of("target", "job", "part")) {
        delete.getRow().addString(key, row.getString(key));
      }
      session.apply(delete);
    }
    JsonNode begun = new ObjectMapper().readTree(said.lines().findFirst().orElse("")).path("begun");
    try (InputStream lines = KuduResumeSuiteTest.class.getResourceAsStream(file)) {
      String text = new String(Objects.requireNonNull(lines).readAllBytes(), UTF_8);
      for (String line : text.lines().toList()) {
        String value = line.substring(line.indexOf('|') + 1);
        Upsert upsert = journal.newUpsert();
        upsert.getRow().addString("target", target);
        upsert.getRow().addString("job", begun.path("run").path("job").asText());
        upsert.getRow().addString("part", line.substring(0, line.indexOf('|')));
        upsert
            .getRow()
            .addString(
                "value",
                value
                    .replace("@STAGING@", begun.path("staging").asText())
                    .replace("@INTO@", begun.path("tableId").asText()));
        session.apply(upsert);
      }
    }
    session.close();
  }

  private ResumableCopy killedBeforeTheEnd(Mode mode) {
    String name = "orders_" + mode.name().toLowerCase(Locale.ROOT);
    before(table(name), new Way(mode, false));
    ResumableCopy copy = copy(rows(1_000, ROWS), table(name), mode);
    kill(copy, ResumableCopy.Kill.BEFORE_THE_END);
    return copy;
  }

  @ParameterizedTest
  @CsvSource({"CREATE,280", "APPEND,220"})
  void aCopyThatAnEarlierVersionHasBegunGoesOn(Mode mode, long rows) throws Exception {
    ResumableCopy copy = killedBeforeTheEnd(mode);
    putEarlier("cut-off", mode);
    assertThat(copy.run().meter().rowsBefore()).isEqualTo(rows);
    String name = "orders_" + mode.name().toLowerCase(Locale.ROOT);
    int before = mode == Mode.APPEND ? 10 : 0;
    assertHolds(both(rows(0, before), rows(1_000, ROWS)), name, copy);
    putEarlier("complete", mode);
    assertThat(copy.decide()).contains("complete since", "nothing to do");
    servers().empty(database + "." + name);
    assertRefused(copy, "is empty, though 640 rows had been committed");
    lose(Loss.TABLE, name);
    assertRefused(copy, "is not there any more");
  }

  @Test
  void aCopyThatAnEarlierVersionHasNotGivenItsNameGetsIt() throws Exception {
    ResumableCopy copy = killedBeforeTheEnd(Mode.CREATE);
    putEarlier("swapping", Mode.CREATE);
    assertThat(copy.run().completeSince()).isNotEmpty();
    assertHolds(rows(1_000, ROWS), "orders_create", copy);
    assertNothingToDo(copy);
  }

  /// Row by row, which takes its time: what is left of it is no row of the copy that goes on.
  @Test
  void aCopyThatIsKilledWhileItEmptiesATableEmptiesAllOfIt()
      throws IOException, InterruptedException {
    int many = 100_000;
    Endpoint table = table("emptying");
    write(schema(), rows(1_000_000, many), table);
    killProcessWhen(table, Mode.TRUNCATE, () -> held(table).size() < many);
    assertThat(held(table)).as("what is left of what it held").isNotEmpty();
    ResumableCopy copy = copy(rows(1_000, ROWS), table, Mode.TRUNCATE);
    copy.run();
    assertHolds(rows(1_000, ROWS), "emptying", copy);
  }

  /// Rows that are written again are not the same: by another process nobody could write them.
  @ParameterizedTest
  @CsvSource({
    "keyless, APPEND, false, its key is not unique",
    "keyed, APPEND, true, with --atomic they are one transaction",
    "keyed, MERGE, false, the last row of a key wins"
  })
  void whatIsNotTheSameAgainIsNotJoined(String name, Mode mode, boolean atomic, String why) {
    boolean hasKey = name.equals("keyed");
    write(hasKey ? ITEMS : Schema.of(ITEMS.columns()), items(0, 10), table(name));
    WriteOptions options = new WriteOptions(mode, atomic, List.of(), false);
    try (Target target = connector().target(table(name), options, new OpenContext())) {
      Journal journal = Objects.requireNonNull(Journal.of(target));
      RunRecord run = new RunRecord("r", "j", "", List.of(), 0, 1, "2026-01-01T00:00:00Z");
      assertThatThrownBy(() -> journal.join(run))
          .isInstanceOf(Fault.User.class)
          .hasMessageContaining(
              database + "." + name + " takes the rows of a copy from one process")
          .hasMessageContaining(why);
    }
  }
}
