package millrace.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;
import millrace.fault.Fault;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What is kept of the tables of a job that are done.
class JobLedgerTest {

  private static final String JOB = "copy 'PROD:public.*' 'out/{table}.csv'";

  private static final String HOW = "append";

  @TempDir private Path folder;

  private static JobLedger.Done done(String table) {
    return new JobLedger.Done(table, 5, 1, "2026-11-27T08:00:00Z");
  }

  private Path file() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.findFirst().orElseThrow();
    }
  }

  @Test
  void aJobThatGoesOnKnowsWhatIsDone() {
    JobLedger.open(folder, JOB, HOW, false).add(done("s.a"));
    assertThat(JobLedger.open(folder, JOB, HOW, true).done()).containsOnlyKeys("s.a");
    assertThat(JobLedger.open(folder, JOB, "where x", true).done()).isEmpty();
  }

  @Test
  void aJobThatBeginsAnewForgetsItOnceItBegins() {
    JobLedger.open(folder, JOB, HOW, false).add(done("s.a"));
    JobLedger anew = JobLedger.open(folder, JOB, HOW, false);
    assertThat(anew.done()).isEmpty();
    assertThat(JobLedger.open(folder, JOB, HOW, true).done()).containsOnlyKeys("s.a");
    anew.begin();
    assertThat(JobLedger.open(folder, JOB, HOW, true).done()).isEmpty();
  }

  /// A process that was killed may have left the beginning of a line.
  @Test
  void aLineThatWasCutOffSpoilsNeitherThoseBeforeNorThoseBehind() throws IOException {
    JobLedger.open(folder, JOB, HOW, false).add(done("s.a"));
    Files.writeString(file(), "{\"table\":\"s.b", StandardOpenOption.APPEND);
    JobLedger.open(folder, JOB, HOW, true).add(done("s.c"));
    assertThat(JobLedger.open(folder, JOB, HOW, true).done()).containsOnlyKeys("s.a", "s.c");
  }

  @Test
  void aFolderThatCannotBeWrittenIsNamed() throws IOException {
    Path taken = Files.writeString(folder.resolve("jobs"), "");
    assertThatThrownBy(() -> JobLedger.open(taken, JOB, HOW, false))
        .isInstanceOf(Fault.External.class)
        .hasMessageContaining(taken.toString());
  }

  /// Of two jobs between the same ends, one does not forget what the other has done.
  @Test
  void whatIsDoneInAnotherWayIsKept() {
    JobLedger.open(folder, JOB, HOW, false).add(done("s.a"));
    JobLedger.open(folder, JOB, "where x", false).add(done("s.b"));
    assertThat(JobLedger.open(folder, JOB, HOW, true).done()).containsOnlyKeys("s.a");
    assertThat(JobLedger.open(folder, JOB, "where x", true).done()).containsOnlyKeys("s.b");
  }

  /// A table without its keys lacks them, whoever copies into it next.
  @Test
  void whatIsOwedIsNotForgottenBeforeItIsPaid() {
    JobLedger.open(folder, JOB, HOW, false)
        .addOwed(
            List.of(
                new JobLedger.Owed(
                    "s.a", List.of("CREATE INDEX i ON a (x)"), List.of(), List.of(), false)));
    assertThat(JobLedger.open(folder, JOB, "replace", false).owed()).containsOnlyKeys("s.a");
    JobLedger.open(folder, JOB, HOW, false).add(List.of(new JobLedger.Paid("s.a")));
    assertThat(JobLedger.open(folder, JOB, HOW, true).owed()).isEmpty();
  }

  /// However many runs begin anew before it is paid, in this way or in others.
  @ParameterizedTest
  @ValueSource(strings = {"append", "append append", "replace append replace", "where x"})
  void whatIsOwedOutlivesRunsThatBeginAnew(String ways) {
    JobLedger.Owed first =
        new JobLedger.Owed("s.a", List.of("CREATE INDEX i"), List.of(), List.of(), false);
    JobLedger.Owed second =
        new JobLedger.Owed("s.b", List.of(), List.of("ALTER TABLE b"), List.of("s.a"), false);
    JobLedger begun = JobLedger.open(folder, JOB, HOW, false);
    begun.addOwed(List.of(first));
    begun.addOwed(List.of(second));
    begun.add(done("s.a"));
    for (String way : ways.split(" (?!x)", -1)) {
      JobLedger anew = JobLedger.open(folder, JOB, way, false);
      assertThat(anew.owed()).containsOnly(entry("s.a", first), entry("s.b", second));
      anew.add(done("s.c"));
    }
    JobLedger.open(folder, JOB, HOW, false).add(List.of(new JobLedger.Paid("s.a")));
    for (boolean resumed : new boolean[] {false, true}) {
      assertThat(JobLedger.open(folder, JOB, HOW, resumed).owed())
          .containsOnly(entry("s.b", second));
    }
  }

  /// A table that is made anew lacks what its newer definition says.
  @Test
  void whatIsOwedToATableThatIsMadeAnewIsItsNewDefinition() {
    JobLedger.Owed newer =
        new JobLedger.Owed("s.a", List.of("CREATE INDEX j"), List.of("x"), List.of("s.b"), false);
    JobLedger.open(folder, JOB, HOW, false)
        .addOwed(
            List.of(
                new JobLedger.Owed("s.a", List.of("CREATE INDEX i"), List.of(), List.of(), false)));
    JobLedger.open(folder, JOB, HOW, false).addOwed(List.of(newer));
    for (int i = 0; i < 2; i++) {
      assertThat(JobLedger.open(folder, JOB, HOW, false).owed()).containsOnly(entry("s.a", newer));
    }
  }
}
