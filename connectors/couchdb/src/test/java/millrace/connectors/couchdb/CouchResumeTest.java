package millrace.connectors.couchdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import millrace.fault.Fault;
import millrace.plan.Job;
import millrace.spi.Endpoint;
import millrace.spi.Secret;
import millrace.spi.write.Mode;
import millrace.testkit.Ran;
import millrace.testkit.suite.ResumableCopy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What copies of documents alone promise that were cut off: half a database is there, its changes
/// can be followed, and its journal is documents too. The rest is in the suite that all systems
/// share.
class CouchResumeTest extends DocumentsInCouch {

  @ParameterizedTest
  @CsvSource({"1, 0", "1, 5", "1, 22", "2, 9", "3, 25"})
  void aKilledCopyBetweenDatabasesGoesOn(int lanes, int batches) {
    ResumableCopy copy = copy(from(), to(), null, lanes);
    copy.killAfter(batches);
    copy.resumed().killAfter(6);
    Ran run = copy.resumed().run();
    assertThat(server.documents("to")).isEqualTo(server.documents("from"));
    assertThat(run.meter().rowsDurable()).isEqualTo(DOCUMENTS);
    assertThat(run.meter().rowsBefore() + run.meter().rows())
        .as("progress counts from where it goes on")
        .isEqualTo(DOCUMENTS);
    if (batches > 20) {
      assertThat(run.notes().toString()).contains("resumes the copy begun at");
      // Several lanes may each be in the middle of a split that no receipt speaks of yet.
      assertThat(run.meter().rows())
          .as("what was taken is not copied again")
          .isLessThan(lanes == 1 ? DOCUMENTS - 100 : DOCUMENTS);
    }
  }

  @Test
  void halfACopyIsNeverTakenForAWholeOne() {
    ResumableCopy copy = copy(from(), to());
    copy.killAfter(12);
    assertThatThrownBy(copy::run)
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("was begun at")
        .extracting(fault -> ((Fault.User) fault).advice())
        .asString()
        .contains("--resume", "--fresh");
    copy.mode(Mode.TRUNCATE).run();
    assertThat(server.documents("to")).isEqualTo(server.documents("from"));
  }

  @ParameterizedTest
  @EnumSource(names = {"CREATE", "APPEND"})
  void aCopyThatWasCutOffBeforeItsFirstReceiptIsAdvisedToGoOn(Mode mode) {
    ResumableCopy copy = copy(from(), to(), mode, 1);
    copy.killAfter(0);
    assertThatThrownBy(copy::run)
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("cut off when 0 rows had been committed, and others may have been")
        .extracting(fault -> ((Fault.User) fault).advice())
        .asString()
        .contains("--resume");
    copy.resumed().run();
    assertThat(server.documents("to")).isEqualTo(server.documents("from"));
  }

  @Test
  void aDatabaseThatWasWrittenToSinceIsRefused() {
    ResumableCopy copy = copy(from(), to());
    copy.killAfter(12);
    server.put("from", document(3, 2));
    assertThatThrownBy(() -> copy.resumed().run())
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("has been written to since")
        .hasMessageContaining("--changes")
        .extracting(fault -> ((Fault.User) fault).advice())
        .asString()
        .contains("--fresh");
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 12, 27})
  void changesGoOnWhereTheyWereWhateverWasWrittenSince(int batches) {
    ResumableCopy copy = copy(from("changes", "true"), to(), null, 2);
    copy.killAfter(batches);
    server.put("from", document(3, 2), document(590, 2), document(DOCUMENTS, 1));
    copy.resumed().killAfter(4);
    Ran run = copy.resumed().run();
    assertThat(server.documents("to")).isEqualTo(server.documents("from"));
    assertThat(run.meter().rows())
        .as("what was taken is not copied again")
        .isLessThanOrEqualTo(DOCUMENTS + 3L - 20L * Math.max(0, batches - 6));
  }

  private List<String> idsIn(String name) throws IOException {
    List<String> ids = new ArrayList<>();
    for (String line : Files.readAllLines(folder.resolve(name))) {
      ids.add(JSON.readTree(line).path("_id").asText());
    }
    return ids;
  }

  @ParameterizedTest
  @CsvSource({"false, 1, 9", "false, 2, 21", "true, 1, 13"})
  void aKilledCopyIntoAFileHasEachDocumentOnce(boolean changes, int lanes, int batches)
      throws IOException {
    Endpoint source = from("changes", Boolean.toString(changes));
    ResumableCopy copy = copy(source, file("out.jsonl"), null, lanes);
    copy.killAfter(batches);
    copy.resumed().killAfter(5);
    copy.resumed().run();
    assertThat(idsIn("out.jsonl")).containsExactlyElementsOf(server.documents("from").keySet());
  }

  @Test
  void rowsThatACopyLeavesBeforeItsFirstReceiptAreNotBroughtTwice() throws IOException {
    server.put("to");
    AtomicInteger requests = new AtomicInteger();
    server.harm(
        1,
        request -> request.isOf("/_bulk_docs") && requests.incrementAndGet() == 2,
        new KeepingServer.Harm.Status(403, ""));
    ResumableCopy copy = copy(rowsWithoutIds(), to(), Mode.APPEND, 1);
    assertThat(copy.failing(Fault.External.class, "").kept()).isTrue();
    assertThat(server.documents("to")).isNotEmpty();
    copy.resumed().run();
    assertThat(numbers())
        .containsExactlyInAnyOrderElementsOf(IntStream.range(0, 3_000).boxed().toList());
  }

  private Endpoint rowsWithoutIds() throws IOException {
    List<String> lines = new ArrayList<>(List.of("n,text"));
    IntStream.range(0, 3_000).forEach(i -> lines.add(i + ",text " + i));
    Files.write(folder.resolve("rows.csv"), lines);
    return rows();
  }

  private Endpoint rows(String... options) {
    String location = folder.resolve("rows.csv").toString();
    return new Endpoint("file", location, options(options), Secret.NONE);
  }

  @ParameterizedTest
  @EnumSource(names = {"CREATE", "APPEND", "TRUNCATE"})
  void aCommandThatWasChangedDoesNotBringRowsTwiceInsteadOfGoingOn(Mode mode) throws IOException {
    if (mode == Mode.APPEND) {
      server.put("to");
    }
    Endpoint rows = rowsWithoutIds();
    ResumableCopy copy = copy(rows, to(), mode, 1);
    copy.killAfter(11);
    int before = server.documents("to").size();
    assertThat(before).isPositive();
    Endpoint changed = rows("delimiter", ",");
    assertThatThrownBy(() -> copy(changed, to(), Mode.APPEND, 1).resumed().run())
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("another one from the same source")
        .hasMessageContaining("and others may have been")
        .extracting(fault -> ((Fault.User) fault).advice())
        .asString()
        .contains("as it was, with --resume", "leave --resume out");
    assertThat(server.documents("to")).hasSize(before);
    copy.resumed().run();
    assertThat(numbers())
        .containsExactlyInAnyOrderElementsOf(IntStream.range(0, 3_000).boxed().toList());
    copy(changed, to(), Mode.APPEND, 1).resumed().run();
    assertThat(numbers()).as("the other one has come to its end").hasSize(6_000);
  }

  @Test
  void anotherSourceOrACopyThatIsCompleteDoesNotStandInTheWay() throws IOException {
    copy(rowsWithoutIds(), to()).runUntold();
    copy(from(), to(), Mode.APPEND, 1).killAfter(12);
    assertThat(server.local("to")).hasSizeGreaterThan(2);
    ResumableCopy changed = copy(rows("delimiter", ","), to(), Mode.APPEND, 1);
    Ran run = changed.resumed().run();
    assertThat(run.meter().rows()).isEqualTo(3_000);
  }

  @Test
  void aServerThatDoesNotListItsJournalIsCopiedInto() throws IOException {
    Endpoint there = CouchServer.shared().database("unlisted-" + System.nanoTime());
    ResumableCopy copy = copy(rowsWithoutIds(), there);
    copy.run();
    Ran run = copy.mode(Mode.APPEND).resumed().run();
    assertThat(run.notes().toString()).contains("there is no such copy to resume");
    assertThat(run.meter().rowsDurable()).isEqualTo(3_000);
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 11})
  void documentsThatWereRefusedAreNotAmongTheCommitted(int batches) throws IOException {
    List<Integer> whales = List.of(10, 300, 1_200, 2_990);
    List<String> lines =
        IntStream.range(0, 3_000)
            .mapToObj(i -> "{\"n\":" + i + (whales.contains(i) ? ",\"whale\":1}" : "}"))
            .toList();
    Files.write(folder.resolve("in.jsonl"), lines);
    server.harm(
        Integer.MAX_VALUE,
        request -> new String(request.body(), StandardCharsets.UTF_8).contains("whale"),
        new KeepingServer.Harm.Status(413, ""));
    Path aside = folder.resolve("bad.jsonl");
    ResumableCopy copy =
        copy(file("in.jsonl"), to())
            .rejects(new Job.RejectPolicy(new Job.RejectLimit.Count(whales.size()), aside));
    copy.killAfter(batches);
    Ran run = copy.resumed().run();
    assertThat(numbers())
        .containsExactlyInAnyOrderElementsOf(
            IntStream.range(0, 3_000).boxed().filter(i -> !whales.contains(i)).toList());
    int written = 3_000 - whales.size();
    assertThat(run.meter().rowsBefore() + run.meter().rows()).isEqualTo(written);
    assertThat(run.meter().rowsDurable()).isEqualTo(written);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aServerOfItsOwnKeepsTheJournalToo(boolean changes) {
    CouchServer pouch = CouchServer.shared();
    String name = "resume-" + System.nanoTime();
    Endpoint there =
        pouch.database(name, Map.of("changes", Boolean.toString(changes), "skip-design", "true"));
    copy(from(), there).run();
    Endpoint copied = pouch.database(name + "-copy");
    ResumableCopy copy = copy(there, copied);
    copy.killAfter(14);
    Ran run = copy.resumed().run();
    assertThat(run.notes().toString()).contains("resumes the copy begun at");
    assertThat(run.meter().rows()).isLessThan(DOCUMENTS);
    Endpoint back = server.database("back", Map.of());
    copy(copied, back).run();
    assertThat(server.documents("back").keySet()).isEqualTo(server.documents("from").keySet());
    assertThat(copy.resumed().decide()).contains("complete since");
  }
}
