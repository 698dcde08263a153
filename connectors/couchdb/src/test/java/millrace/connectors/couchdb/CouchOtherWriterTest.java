package millrace.connectors.couchdb;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import millrace.connectors.couchdb.KeepingServer.Harm;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.engine.retry.RetryPolicy;
import millrace.fault.Fault;
import millrace.plan.Job;
import millrace.spi.write.Mode;
import millrace.testkit.Copying;
import millrace.testkit.Ran;
import millrace.testkit.Row;
import millrace.testkit.faulty.FaultPlan;
import millrace.testkit.faulty.FaultyConnector;
import millrace.testkit.memory.MemoryConnector;
import millrace.testkit.suite.ResumableCopy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// A copy that writes documents for the second time takes those for its own that are there with the
/// content that it would write: whether an answer was lost, a gateway gave up, a split begins again
/// or a copy goes on. If somebody else has written anything else under an id, it is his document:
/// the copy leaves it, sets its own aside, and does not count it.
final class CouchOtherWriterTest {

  private static final int ROWS = 60;
  private static final int BATCH_ROWS = 20;

  private static final Schema SCHEMA =
      Schema.of(
          List.of(
              Column.of("_id", Type.Text.UNLIMITED),
              Column.of("n", new Type.Int(64)),
              Column.of("name", Type.Text.UNLIMITED)));

  /// What somebody else has written: another value, one more member, one less, and none at all; the
  /// last is just as the copy would write it.
  private static final List<String> OTHERS =
      List.of(
          "{\"_id\":\"id21\",\"n\":21,\"name\":\"other\"}",
          "{\"_id\":\"id22\",\"n\":22,\"name\":\"22\",\"more\":0}",
          "{\"_id\":\"id23\",\"n\":23}",
          "{\"_id\":\"id24\"}",
          "{\"_id\":\"id25\",\"n\":\"25\",\"name\":\"25\"}",
          "{\"name\":\"26\",\"n\":26.0,\"_id\":\"id26\"}");

  private static final List<String> BAD = List.of("id21", "id22", "id23", "id24", "id25");

  private static final RetryPolicy SOON =
      new RetryPolicy(
          Duration.ofMinutes(1), Duration.ZERO, Duration.ofNanos(1_000), Duration.ofMillis(2));

  private final KeepingServer server = new KeepingServer();
  private final MemoryConnector memory = new MemoryConnector();

  @TempDir private Path folder;

  @BeforeEach
  void somebodyElseWrites() {
    server.put("to", OTHERS.toArray(String[]::new));
    memory.put(
        "rows",
        SCHEMA,
        IntStream.range(10, 10 + ROWS).mapToObj(i -> Row.of("id" + i, i, "" + i)).toList());
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private ResumableCopy copy(FaultPlan plan) {
    Copying copying =
        Copying.of(
                memory,
                memory.endpoint("rows"),
                new FaultyConnector(new CouchConnector(_ -> null), plan),
                server.database("to", Map.of()))
            .mode(Mode.APPEND)
            .rejects(new Job.RejectPolicy(ROWS, folder.resolve("bad.csv")));
    return ResumableCopy.of(copying, BATCH_ROWS).commitRows(0).patience(SOON);
  }

  private void checkOthers(Ran run) throws IOException {
    assertThat(server.documents("to")).hasSize(ROWS);
    for (String other : OTHERS) {
      assertThat(server.documents("to")).containsValue(other);
    }
    List<String> reasons = Files.readAllLines(Job.RejectPolicy.reasons(folder.resolve("bad.csv")));
    assertThat(reasons).hasSameSizeAs(BAD).allMatch(reason -> reason.contains("conflict"));
    for (String id : BAD) {
      assertThat(reasons).filteredOn(reason -> reason.contains("'" + id + "'")).hasSize(1);
    }
    assertThat(run.meter().rejects()).isEqualTo(BAD.size());
    assertThat(run.meter().rowsDurable()).isEqualTo(ROWS - BAD.size());
  }

  static Stream<Arguments> harms() {
    return Stream.of(
        Arguments.of(new Harm.GivenUp(500), 0),
        Arguments.of(new Harm.GivenUp(503), 0),
        Arguments.of(new Harm.GivenUp(412), 0),
        Arguments.of(new Harm.GivenUp(413), 0),
        Arguments.of(new Harm.Cut(0), 0),
        Arguments.of(new Harm.Cut(40), 0),
        // A document alone in its request.
        Arguments.of(new Harm.Cut(0), 1),
        Arguments.of(new Harm.GivenUp(500), 1),
        Arguments.of(new Harm.GivenUp(504), 1));
  }

  /// The server has carried out what nobody heard of.
  ///
  /// @param rows how many a request has; 0 if as many as will go
  @ParameterizedTest
  @MethodSource("harms")
  void whatAnAnswerThatWasLostLeavesIsOursIfItIsTheSame(Harm harm, int rows) throws IOException {
    server.harm(1, request -> request.isOf("/_bulk_docs") && has(request, "id21"), harm);
    server.harm(1, request -> request.isOf("/_bulk_docs") && has(request, "id26"), harm);
    ResumableCopy copy = copy(FaultPlan.none());
    checkOthers(copy.writeRows(rows).run());
  }

  private static boolean has(KeepingServer.Request request, String id) {
    return new String(request.body(), StandardCharsets.UTF_8).contains(id);
  }

  private static FaultPlan secondBatch(FaultPlan.Kind kind) {
    return FaultPlan.at(FaultPlan.Site.WRITE, 0, 1, kind);
  }

  @Test
  void whatASplitThatBeginsAgainFindsIsOursIfItIsTheSame() throws IOException {
    Ran run = copy(secondBatch(FaultPlan.Kind.TRANSIENT)).writeRows(5).run();
    assertThat(run.meter().retries()).isNotEmpty();
    assertThat(run.notes().toString()).doesNotContain("there already with the same content");
    checkOthers(run);
  }

  @Test
  void whatACopyThatGoesOnFindsIsOursIfItIsTheSame() throws IOException {
    copy(secondBatch(FaultPlan.Kind.EXTERNAL)).writeRows(5).failing(Fault.External.class, "");
    Ran run = copy(FaultPlan.none()).writeRows(5).run();
    assertThat(run.notes().toString())
        .contains("resumes the copy begun at")
        .doesNotContain("there already with the same content");
    checkOthers(run);
  }
}
