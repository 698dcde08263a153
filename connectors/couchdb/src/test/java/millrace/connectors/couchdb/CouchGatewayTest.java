package millrace.connectors.couchdb;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import millrace.connectors.couchdb.KeepingServer.Harm;
import millrace.connectors.couchdb.KeepingServer.Request;
import millrace.connectors.file.FileConnector;
import millrace.engine.Run;
import millrace.engine.RunOptions;
import millrace.engine.retry.RetryPolicy;
import millrace.engine.retry.StallGuard;
import millrace.fault.Fault;
import millrace.plan.Job;
import millrace.plan.Planned;
import millrace.plan.Planner;
import millrace.spi.Blockable;
import millrace.spi.Endpoint;
import millrace.spi.OpenContext;
import millrace.spi.Secret;
import millrace.spi.Stage;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import millrace.spi.write.Mode;
import millrace.spi.write.Target;
import millrace.spi.write.WriteOptions;
import millrace.testkit.Copying;
import millrace.testkit.Ran;
import millrace.text.Amount;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What becomes of requests that fail whatever their size, and of those that the server carries
/// out, though the gateway before it, or a part of the server itself, has given up on them.
///
/// Each case has its own server and mostly waits, so that cases run at once.
@Execution(ExecutionMode.CONCURRENT)
class CouchGatewayTest {

  private static final Predicate<Request> MAKES =
      request -> request.isOf("/to") && request.method().equals("PUT");

  private final KeepingServer server = new KeepingServer();
  private final CouchConnector connector = new CouchConnector(_ -> null);
  private final Endpoint to = server.database("to", Map.of());

  @TempDir private Path folder;

  private Endpoint rows = to;

  /// Rows have no revisions: a document that is written twice is a conflict.
  @BeforeEach
  void someRows() throws IOException {
    String lines =
        IntStream.range(0, 300)
            .mapToObj(i -> "id%04d,%d\n".formatted(i, i))
            .collect(Collectors.joining("", "_id,n\n", ""));
    Path file = Files.writeString(folder.resolve("rows.csv"), lines);
    rows = new Endpoint("file", file.toString(), Map.of(), Secret.NONE);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private Copying copying() {
    return Copying.of(new FileConnector(), rows, connector, to);
  }

  @ParameterizedTest
  @ValueSource(ints = {500, 502, 503, 504})
  void documentsThatWereWrittenAreNoConflict(int status) {
    server.harm(1, request -> request.isOf("/_bulk_docs"), new Harm.GivenUp(status));
    copying().run();
    assertThat(server.documents("to")).hasSize(300);
    assertThat(server.requests("/to/_all_docs")).as("looked at all at once").hasSize(1);
  }

  /// As a server does of which one part finds a stub of an attachment that it has not, while others
  /// write.
  @Test
  void whatARefusedRequestHasWrittenAllTheSameIsNoConflict() {
    server.harm(1, request -> request.isOf("/_bulk_docs"), new Harm.GivenUp(412));
    copying().run();
    assertThat(server.documents("to")).hasSize(300);
  }

  @ParameterizedTest
  @ValueSource(ints = {500, 502, 503, 504})
  void aDatabaseThatWasMadeIsTheRunsOwn(int status) {
    server.harm(1, MAKES, new Harm.GivenUp(status));
    copying().mode(Mode.CREATE).run();
    assertThat(server.documents("to")).hasSize(300);
  }

  /// Most of the time the second try passes, so that requests stay as large as they were.
  @ParameterizedTest
  @CsvSource({"from, true", "from, false", "to, true", "to, false"})
  void aServerThatFailsNowAndThenGetsLargeRequestsAllTheSame(String side, boolean breaks) {
    server.put(
        "from",
        IntStream.range(0, 300)
            .mapToObj(i -> "{\"_id\":\"id%04d\",\"_rev\":\"1-a\"}".formatted(i))
            .toArray(String[]::new));
    String path = side.equals("from") ? "/from/_all_docs" : "/to/_bulk_docs";
    AtomicInteger number = new AtomicInteger();
    server.harm(
        Integer.MAX_VALUE,
        request -> request.isOf(path) && number.incrementAndGet() % 10 == 4,
        breaks ? new Harm.Cut(0) : new Harm.Status(500, ""));
    Endpoint from = server.database("from", Map.of());
    Amount ten = new Amount(10, false);
    Copying.of(connector, from, connector, to).units(ten, ten, null).run();
    assertThat(server.documents("to")).isEqualTo(server.documents("from"));
    assertThat(server.requests(path)).hasSizeBetween(32, 40);
  }

  /// CouchDB itself would say that the database is not found.
  @ParameterizedTest
  @ValueSource(strings = {"/from/_all_docs", "/to/_bulk_docs"})
  void aGatewayThatDoesNotFindTheServerIsNoDeletedDatabase(String path) {
    server.put("from", "{\"_id\":\"a\",\"_rev\":\"1-a\"}", "{\"_id\":\"b\",\"_rev\":\"1-b\"}");
    Endpoint from = server.database("from", Map.of());
    Job.Tuning tuning = new Job.Tuning(1, false, null, null, null);
    Job job = new Job(from, to, Selection.ALL, WriteOptions.DEFAULT, tuning, Job.RejectPolicy.NONE);
    try (Source source = connector.source(from, Selection.ALL, new OpenContext());
        Target target = connector.target(to, WriteOptions.DEFAULT, new OpenContext())) {
      Planned planned = Planner.plan(job, source, target);
      server.harm(1, request -> request.isOf(path), new Harm.Status(404, ""));
      RetryPolicy patient = RetryPolicy.of(Duration.ofMinutes(1), Duration.ZERO);
      new Run(planned, RunOptions.of(patient)).execute().orThrow();
    }
    assertThat(server.documents("to")).isEqualTo(server.documents("from"));
  }

  /// As report D's tunnel did, which let no 50 documents through.
  @Test
  void whoWaitsForAServerThatDoesNotAnswerIsToldSo() {
    Endpoint impatient = server.database("to", Map.of("request-timeout", "6"));
    server.harm(1, request -> request.isOf("/_bulk_docs"), new Harm.Stall());
    AtomicReference<String> seen = new AtomicReference<>("");
    Ran run =
        Copying.of(new FileConnector(), rows, connector, impatient)
            .run(each ->
                CompletableFuture.delayedExecutor(5, TimeUnit.SECONDS)
                    .execute(() -> seen.set(each.endWaits())));
    assertThat(seen.get())
        .matches(
            "the target waits for localhost:\\d+ to answer a request \\(writing documents, \\d+"
                + " kB\\), for at most 6 s");
    assertThat(run.run().endWaits()).isEmpty();
    assertThat(run.meter().readerNanos().get(Stage.QUEUE_WAIT))
        .as("the reader has long ended, and its lane waits for the target")
        .isGreaterThan(5_000_000_000L);
    assertThat(run.notes())
        .containsExactly(
            "Requests to the target were made smaller once, down to 150 documents: larger ones"
                + " failed, or did not come through in time. --write-unit 150 spares such waits.");
  }

  @Test
  void whoWaitsForASourceThatDoesNotAnswerBeforeAnyRowMovesIsToldSo() {
    Endpoint from = server.database("from", Map.of("request-timeout", "5"));
    server.harm(1, request -> request.isOf("/from"), new Harm.Stall());
    List<String> told = new CopyOnWriteArrayList<>();
    StallGuard stallGuard =
        new StallGuard(RetryPolicy.of(Duration.ZERO, Duration.ofMinutes(1)), told::add);
    Job.Tuning tuning = new Job.Tuning(1, false, null, null, null);
    Job job = new Job(from, to, Selection.ALL, WriteOptions.DEFAULT, tuning, Job.RejectPolicy.NONE);
    try (Source source = connector.source(from, Selection.ALL, new OpenContext());
        Target target = connector.target(to, WriteOptions.DEFAULT, new OpenContext())) {
      assertThatThrownBy(() ->
              stallGuard.get(
                  "it is planned",
                  Blockable.both(Blockable.of(source), Blockable.of(target)),
                  () -> Planner.plan(job, source, target)))
          .isInstanceOf(Fault.Transient.class)
          .hasMessageMatching("localhost:\\d+ has said nothing for 5 s\\.");
    }
    assertThat(told)
        .singleElement()
        .asString()
        .matches(
            "it is planned and waits for localhost:\\d+ to answer a request \\(opening it\\),"
                + " for at most 5 s");
  }

  @Test
  void whoGetsSmallerPagesThanWereAskedForIsToldSo() {
    server.put("from", "{\"_id\":\"a\",\"_rev\":\"1-a\"}");
    server.harm(
        2,
        request -> !request.query().getOrDefault("limit", "1").equals("1"),
        new Harm.Status(413, ""));
    Ran run = Copying.of(connector, server.database("from", Map.of()), connector, to).run();
    assertThat(run.notes()).singleElement().asString().startsWith("Pages of the source were made");
  }

  /// Such a limit may count documents, so that a large request would never pass.
  @Test
  void whoHasNoTimeForLargeRequestsGetsSmallerOnes() {
    Predicate<Request> large =
        request -> new String(request.body(), UTF_8).split("\"_id\"").length > 200;
    server.harm(
        Integer.MAX_VALUE,
        request -> request.isOf("/_bulk_docs") && large.test(request),
        new Harm.Status(429, "0"));
    copying().run();
    assertThat(server.documents("to")).hasSize(300);
  }

  @Test
  void whoGetsRequestsUnderASizeIsToldSo() {
    server.harm(1, request -> request.isOf("/_bulk_docs"), new Harm.Status(413, ""));
    Ran run = copying().run();
    assertThat(server.documents("to")).hasSize(300);
    assertThat(run.notes())
        .singleElement()
        .asString()
        .matches(
            "Requests to the target were kept under \\d+ kB: larger .* too large \\(413\\)\\.");
  }

  @Test
  void aDatabaseThatSomebodyElseHasMadeMeanwhileIsNamed() {
    server.harm(1, MAKES.and(_ -> isMadeNow()), new Harm.Stall());
    assertThatThrownBy(() -> copying().mode(Mode.CREATE).run())
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("has been made by somebody else meanwhile");
  }

  private boolean isMadeNow() {
    server.put("to");
    return false;
  }
}
