package millrace.connectors.couchdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.io.IOException;
import java.net.ConnectException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import millrace.connectors.couchdb.KeepingServer.Harm;
import millrace.connectors.couchdb.KeepingServer.Request;
import millrace.connectors.couchdb.http.CouchAddress;
import millrace.connectors.couchdb.http.CouchClient;
import millrace.connectors.couchdb.http.CouchFaults;
import millrace.connectors.duckdb.DuckDbConnector;
import millrace.connectors.file.FileConnector;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.engine.Run;
import millrace.engine.meter.Meter;
import millrace.fault.Fault;
import millrace.plan.Job;
import millrace.spi.Endpoint;
import millrace.spi.Secret;
import millrace.spi.Stage;
import millrace.spi.write.Mode;
import millrace.testkit.Copying;
import millrace.testkit.Ran;
import millrace.testkit.Row;
import millrace.testkit.memory.MemoryConnector;
import millrace.testkit.network.FaultyProxy;
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

/// What arrives byte for byte, and what becomes of servers and proxies that refuse, stall and break
/// off.
///
/// Each case has its own server and mostly waits, so that cases run at once.
@Execution(ExecutionMode.CONCURRENT)
class CouchHttpTest {

  private static final Predicate<Request> WRITES = request -> request.isOf("/_bulk_docs");
  private static final Predicate<Request> READS =
      request -> request.isOf("/_all_docs") && request.query().containsKey("include_docs");

  private final KeepingServer server = new KeepingServer();
  private final CouchConnector connector = new CouchConnector(_ -> null);
  private Endpoint from = server.database("from", Map.of());
  private Endpoint to = server.database("to", Map.of());

  @BeforeEach
  void someDocuments() {
    server.put("from", many(300));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private static String[] many(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> document("id%04d".formatted(i), ",\"text\":\"" + "x".repeat(100) + "\""))
        .toArray(String[]::new);
  }

  private static String document(String id, String members) {
    return "{\"_id\":\"" + id + "\",\"_rev\":\"1-a\"" + members + "}";
  }

  private Copying copying() {
    return Copying.of(connector, from, connector, to);
  }

  private void assertCopied() {
    assertThat(server.documents("to")).isEqualTo(server.documents("from"));
  }

  @Test
  void documentsArriveByteForByte() {
    server.put(
        "from",
        document("big", ",\"n\":9223372036854775807,\"m\":-12345678901234567890123"),
        document("spelled", ",\"a\":1.0,\"b\":1e2,\"c\":0.10,\"d\":-0,\"e\":1E+400"),
        document("order", ",\"z\":1,\"a\":{\"z\":[ ],\"a\":{} },\"z2\" : \"\\u0041\\/\\\"}]\""),
        document("水", ",\"\\u0061\":\"\uD83D\uDE00\""));
    copying().run();
    assertCopied();
  }

  @Test
  void aNameThatTheServerDoesNotTakeIsTheUsersToCorrect() {
    to = server.database("Orders", Map.of());
    assertThatThrownBy(() -> copying().run())
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("/Orders can't be the name of a database")
        .hasMessageContaining("Only lowercase characters");
    assertThat(server.has("Orders")).isFalse();
  }

  @Test
  void documentsGoThroughJsonLinesByteForByte(@TempDir Path folder) throws IOException {
    server.put(
        "from",
        document("big", ",\"n\":9223372036854775807,\"d\":1E+400"),
        document("水", ",\"\\u0061\":\"a,b\\n\\\"\""));
    FileConnector files = new FileConnector();
    Path path = folder.resolve("dump.jsonl");
    Endpoint file = new Endpoint("file", path.toString(), Map.of(), Secret.NONE);
    Copying.of(connector, from, files, file).lanes(2, 5_000).run();
    assertThat(Files.readAllLines(path))
        .containsExactlyInAnyOrderElementsOf(server.documents("from").values());
    Copying.of(files, file, connector, to).lanes(2, 5_000).run();
    assertCopied();
  }

  @Test
  void idAndRevisionAreKnownHoweverTheyAreSpelled(@TempDir Path folder) throws IOException {
    List<String> lines =
        List.of(
            "{\"\\u005fid\":\"a\",\"n\":1,\"_re\\u0076\":\"3-c\"}",
            "{\"_id\":\"b\",\"\\u005frev\":\"2-b\",\"\\u005f\":0}");
    Path path = folder.resolve("spelled.jsonl");
    Files.write(path, lines);
    Files.writeString(path, "{\"_\\u0069d\":\"_design\\/views\"}\n", StandardOpenOption.APPEND);
    Endpoint file = new Endpoint("file", path.toString(), Map.of(), Secret.NONE);
    to = server.database("to", Map.of("skip-design", "true"));
    Copying.of(new FileConnector(), file, connector, to).run();
    assertThat(server.documents("to")).isEqualTo(Map.of("a", lines.get(0), "b", lines.get(1)));
    assertThat(server.requests("/_bulk_docs"))
        .hasSize(1)
        .allMatch(request -> text(request).startsWith("{\"new_edits\":false,"));
  }

  @Test
  void aLineThatIsNoDocumentIsNamed(@TempDir Path folder) throws IOException {
    Path path = Files.writeString(folder.resolve("bad.jsonl"), "{\"_id\":\"a\"}\nnot JSON\n");
    Endpoint file = new Endpoint("file", path.toString(), Map.of(), Secret.NONE);
    assertThatThrownBy(() -> Copying.of(new FileConnector(), file, connector, to).run())
        .isInstanceOf(Fault.Data.class)
        .hasMessageContaining("bad.jsonl, line 2, byte 12, row 2: it is no JSON object: not JSON");
  }

  @Test
  void aLineOfTwoDocumentsIsNone(@TempDir Path folder) throws IOException {
    String two = "{\"_id\":\"a\",\"_rev\":\"1-a\"},{\"_id\":\"b\",\"_rev\":\"1-b\"}\n";
    Path path = Files.writeString(folder.resolve("bad.jsonl"), two);
    Endpoint file = new Endpoint("file", path.toString(), Map.of(), Secret.NONE);
    assertThatThrownBy(() -> Copying.of(new FileConnector(), file, connector, to).run())
        .isInstanceOf(Fault.Data.class)
        .hasMessageContaining("it is no JSON object");
    assertThat(server.documents("to")).isEmpty();
  }

  @Test
  void aBadRowIsSetAsideAsItStoodInItsFile(@TempDir Path folder) throws IOException {
    Path path = Files.writeString(folder.resolve("in.csv"), "_id,a\nx,1\n\"whale\",2\ny,3\n");
    Endpoint file = new Endpoint("file", path.toString(), Map.of(), Secret.NONE);
    server.harm(
        Integer.MAX_VALUE, WRITES.and(request -> text(request).contains("whale")), tooLarge());
    Path rejects = folder.resolve("bad.csv");
    Job.RejectPolicy policy = new Job.RejectPolicy(new Job.RejectLimit.Count(1), rejects);
    Copying.of(new FileConnector(), file, connector, to).rejects(policy).run();
    assertThat(rejects).hasContent("_id,a\n\"whale\",2\n");
    assertThat(folder.resolve("bad.csv.reasons.jsonl"))
        .content()
        .contains("\"line\":3", "document 'whale'");
    assertThat(server.documents("to")).containsOnlyKeys("x", "y");
  }

  @Test
  void whatIsWrittenBeforeACopyFailsIsSaidToStay(@TempDir Path folder) throws IOException {
    String documents = "{\"_id\":\"a\"}\n{\"_id\":\"whale\"}\n";
    Path path = Files.writeString(folder.resolve("bad.jsonl"), documents);
    Endpoint file = new Endpoint("file", path.toString(), Map.of(), Secret.NONE);
    server.harm(
        Integer.MAX_VALUE, WRITES.and(request -> text(request).contains("whale")), tooLarge());
    Copying copying = Copying.of(new FileConnector(), file, connector, to);
    assertThat(leftBy(copying)).isEmpty();
    copying(Map.of()).run();
    assertThat(leftBy(copying.mode(Mode.APPEND))).contains("stay");
    assertThat(leftBy(copying.mode(Mode.TRUNCATE)))
        .contains("was emptied first: what it held is gone. Documents");
  }

  private static String leftBy(Copying copying) {
    Ran failed = copying.attempt();
    assertThat(failed.result().fault()).isInstanceOf(Fault.Data.class);
    return failed.leaves();
  }

  @Test
  void whatAUserMayNotDoIsNamed() {
    server.harm(1, request -> request.method().equals("PUT"), new Harm.Status(401, ""));
    assertThatThrownBy(() -> copying().run())
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("for making it")
        .extracting(fault -> ((Fault) fault).advice())
        .asString()
        .contains("ask for the right");
  }

  @Test
  void aServerThatDoesNotListLocalDocumentsIsNamed() {
    server.harm(1, request -> request.isOf("_local_docs"), new Harm.Status(404, ""));
    assertThatThrownBy(() -> copying(Map.of("local", "true")).run())
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("does not list the documents that stay with it")
        .extracting(fault -> ((Fault) fault).advice())
        .asString()
        .contains("--local");
  }

  @Test
  void aFilterThatGivesOtherThanDocumentsIsNamed() {
    assertThatThrownBy(() -> copying(Map.of("filter", "cat; echo garbage")).run())
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("no JSON object: garbage");
    assertThatThrownBy(() -> copying(Map.of("filter", "printf '{\"_id'; exit 3")).run())
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("exit code 3");
  }

  @ParameterizedTest
  @ValueSource(strings = {"sleep 1000 | cat", "trap '' TERM; sleep 1000 | cat"})
  void aFilterThatHangsDoesNotKeepARunThatIsStopped(String filter) {
    Copying copying = copying(Map.of("filter", filter));
    assertThatThrownBy(() ->
            assertTimeoutPreemptively(
                Duration.ofSeconds(30),
                () ->
                    copying.run(run ->
                        CompletableFuture.delayedExecutor(2, TimeUnit.SECONDS)
                            .execute(() -> run.cancel("stopped")))))
        .isInstanceOf(Fault.Cancelled.class);
  }

  @Test
  void whatIsWaitedForAFilterIsNoReading() {
    Map<Stage, Long> nanos = copying(Map.of("filter", "sleep 2; cat")).run().meter().readerNanos();
    assertThat(nanos.get(Stage.FILTER)).isGreaterThan(1_000_000_000);
  }

  @Test
  void progressNamesTheFilterWhileItIsWaitedFor() {
    AtomicReference<Stage> seen = new AtomicReference<>();
    copying(Map.of("filter", "sleep 3; cat"))
        .run(run ->
            CompletableFuture.delayedExecutor(1500, TimeUnit.MILLISECONDS)
                .execute(() -> seen.set(run.meter().busiestNow())));
    assertThat(seen.get()).isEqualTo(Stage.FILTER);
  }

  @Test
  void whatAFilterWaitsForItsSourceIsReading() {
    CountDownLatch answered = new CountDownLatch(2);
    AtomicInteger reads = new AtomicInteger();
    // The first page is the sample.
    server.harm(
        1, request -> READS.test(request) && reads.incrementAndGet() > 1, new Harm.Meet(answered));
    CompletableFuture.delayedExecutor(2, TimeUnit.SECONDS).execute(answered::countDown);
    Map<Stage, Long> nanos = copying(Map.of("filter", "cat")).run().meter().readerNanos();
    assertThat(nanos.get(Stage.READ)).isGreaterThan(nanos.get(Stage.FILTER));
  }

  @ParameterizedTest
  @ValueSource(strings = {"sleep 1000 | cat", "exec >&-; sleep 1000"})
  void aFilterThatHangsIsNamedWhereTheRunStalls(String filter) {
    from = server.database("from", Map.of("filter", filter));
    assertThatThrownBy(() -> copying().patience(Duration.ZERO, Duration.ofSeconds(2)).run())
        .isInstanceOf(Fault.Transient.class)
        .hasMessage("No row has moved for 2 s: the source waits for the filter: " + filter + ".");
  }

  @Test
  void ofLargeDocumentsOnlySomeAreLookedAtBeforehand() {
    String text = ",\"text\":\"" + "x".repeat(3 << 20) + "\"";
    server.put("from", document("a", text), document("b", text), document("c", ",\"late\":1"));
    assertThatThrownBy(() -> copying().select(List.of("late")).run())
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("no field 'late'");
    copying().run();
    assertCopied();
  }

  @Test
  void aLargeDocumentAmongSmallOnesMakesNoSmallPages() {
    server.put("from", document("a", ",\"text\":\"" + "x".repeat(5 << 20) + "\""));
    for (int i = 0; i < 3000; i++) {
      server.put("from", document("b%04d".formatted(i), ",\"text\":\"" + "x".repeat(2000) + "\""));
    }
    copying().run();
    assertCopied();
    assertThat(server.requests("/from/_all_docs")).hasSizeLessThan(30);
  }

  @Test
  void changesAreFollowedBySequencesThatNobodyReads() {
    copying(Map.of("changes", "true")).run();
    assertCopied();
    assertThat(server.requests("/_changes").getFirst().query()).containsEntry("since", "0");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 299})
  void whatTheServerCannotGiveNowIsAskedForAgain(int given) {
    server.harm(3, request -> request.isOf("/_bulk_get"), new Harm.Unable(given));
    copying(Map.of("changes", "true")).run();
    assertCopied();
  }

  @Test
  void whatTheServerCanNeverGiveEndsTheCopyAndIsNamed() {
    server.harm(Integer.MAX_VALUE, request -> request.isOf("/_bulk_get"), new Harm.Unable(0));
    assertThatThrownBy(() -> copying(Map.of("changes", "true")).run())
        .isInstanceOf(Fault.Transient.class)
        .hasMessageContaining("internal_fabric_error");
  }

  @Test
  void aRevisionThatIsGoneWhenItIsAskedForIsPassedOver() {
    server.put("from", document("id0300", ""));
    server.loses("from", "id0300");
    copying(Map.of("changes", "true")).run();
    assertCopied();
  }

  private Copying copying(Map<String, String> ofSource) {
    from = server.database("from", ofSource);
    return copying();
  }

  /// Each fills a request.
  private void largeDocuments(int count) {
    String text = ",\"text\":\"" + "x".repeat(1_500_000) + "\"";
    server.put(
        "from",
        IntStream.range(0, count)
            .mapToObj(i -> document("large" + i, text))
            .toArray(String[]::new));
  }

  @Test
  void severalRequestsOfALaneWaitForTheirAnswersAtATime() {
    largeDocuments(7);
    server.harm(Integer.MAX_VALUE, WRITES, new Harm.Meet(new CountDownLatch(3)));
    assertTimeoutPreemptively(Duration.ofSeconds(25), () -> copying().run());
    assertCopied();
  }

  @Test
  void aRunThatIsStoppedWaitsForNoneOfThem() {
    largeDocuments(7);
    server.harm(Integer.MAX_VALUE, WRITES, new Harm.Stall());
    assertThatThrownBy(() ->
            assertTimeoutPreemptively(
                Duration.ofSeconds(25),
                () -> copying().run(run -> Thread.startVirtualThread(() -> stopAtThree(run)))))
        .isInstanceOf(Fault.Cancelled.class);
    assertThat(server.requests("/_bulk_docs")).hasSize(3);
  }

  private void stopAtThree(Run run) {
    while (server.requests("/_bulk_docs").size() < 3) {
      LockSupport.parkNanos(1_000_000);
    }
    run.cancel("stopped");
  }

  @Test
  void aRequestThatIsTooLargeIsHalvedUntilItPasses() {
    server.harm(
        Integer.MAX_VALUE, WRITES.and(request -> request.body().length > 9_000), tooLarge());
    copying().run();
    assertCopied();
    List<Request> writes = server.requests("/_bulk_docs");
    long refused = writes.stream().filter(request -> request.body().length > 9_000).count();
    assertThat(refused).isBetween(1L, 12L);
  }

  private static Harm tooLarge() {
    return new Harm.Status(413, "");
  }

  @ParameterizedTest
  @ValueSource(ints = {500, 504})
  void aRequestOnWhichTheServerOrItsGatewayFailsIsHalvedUntilItPasses(int status) {
    server.harm(
        status == 500 ? Integer.MAX_VALUE : 5,
        WRITES.and(request -> request.body().length > 9_000),
        new Harm.Status(status, ""));
    copying().run();
    assertCopied();
  }

  @Test
  void oneDocumentOnWhichTheServerFailsIsNamed() {
    server.harm(
        Integer.MAX_VALUE,
        WRITES.and(request -> text(request).contains("id0123")),
        new Harm.Status(500, ""));
    assertThatThrownBy(() -> copying().run())
        .isInstanceOf(Fault.Data.class)
        .hasMessageContaining("document 'id0123': the target's server fails on it")
        .hasMessageContaining("500");
  }

  @Test
  void documentsOnWhichTheServerFailsAreSetAsideAndTheOthersArrive(@TempDir Path folder)
      throws IOException {
    List<String> bad = List.of("id0000", "id0001", "id0123", "id0299");
    server.harm(
        Integer.MAX_VALUE,
        WRITES.and(request -> bad.stream().anyMatch(text(request)::contains)),
        new Harm.Status(500, ""));
    Path rejects = folder.resolve("bad.jsonl");
    Job.RejectPolicy policy = new Job.RejectPolicy(new Job.RejectLimit.Count(4), rejects);
    Copying copying = copying().rejects(policy).units(null, Amount.parse("n", "100"), null);
    assertTimeoutPreemptively(Duration.ofMinutes(1), () -> copying.run());
    assertThat(Files.readAllLines(rejects)).hasSize(4).allMatch(line -> line.contains("id0"));
    assertThat(server.documents("to")).hasSize(296).doesNotContainKeys(bad.toArray(String[]::new));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aServerThatFailsOnAllSetsNothingAside(boolean onWritesAlone, @TempDir Path folder)
      throws IOException {
    server.harm(
        Integer.MAX_VALUE,
        onWritesAlone ? WRITES : request -> request.path().startsWith("/to/"),
        new Harm.Status(500, ""));
    Path rejects = folder.resolve("bad.jsonl");
    Job.RejectPolicy policy = new Job.RejectPolicy(new Job.RejectLimit.Count(1000), rejects);
    assertThatThrownBy(() -> copying().rejects(policy).run()).isInstanceOf(Fault.Transient.class);
    List<String> aside = Files.exists(rejects) ? Files.readAllLines(rejects) : List.of();
    assertThat(aside).isEmpty();
  }

  @Test
  void documentsThatAreThereWithTheSameContentAreNoConflicts() {
    MemoryConnector memory = new MemoryConnector();
    Schema schema =
        Schema.of(List.of(Column.of("_id", Type.Text.UNLIMITED), Column.of("n", new Type.Int(64))));
    memory.put("rows", schema, List.of(Row.of("a", 1), Row.of("b", 2), Row.of("c", 3)));
    Copying copying = Copying.of(memory, memory.endpoint("rows"), connector, to).mode(Mode.APPEND);
    server.put("to", "{\"n\":1.0,\"_id\":\"a\",\"_rev\":\"1-x\"}", "{\"_id\":\"c\",\"n\":3}");
    assertThat(copying.run().notes().toString())
        .contains("2 documents were there already with the same content");
    assertThat(server.documents("to")).containsOnlyKeys("a", "b", "c");
    memory.put("rows", schema, List.of(Row.of("b", 2), Row.of("c", 4)));
    assertThatThrownBy(copying::run)
        .isInstanceOf(Fault.Data.class)
        .hasMessageContaining("document 'c': conflict");
  }

  /// The requests with that document, up to the second that has no other.
  private static Predicate<Request> untilItWentAloneTwice(String id) {
    AtomicInteger alone = new AtomicInteger();
    return request -> {
      boolean fits = text(request).contains(id) && alone.get() < 2;
      if (fits && text(request).split("\"_id\"").length == 2) {
        alone.incrementAndGet();
      }
      return fits;
    };
  }

  private static String text(Request request) {
    return new String(request.body(), StandardCharsets.UTF_8);
  }

  @Test
  void aBadDocumentOfASplitThatIsTriedAgainIsSetAsideOnceAndCountedOnce(@TempDir Path folder)
      throws IOException {
    server.put("from", document("a-whale", ",\"text\":\"" + "x".repeat(20_000) + "\""));
    server.harm(
        Integer.MAX_VALUE, WRITES.and(request -> text(request).contains("whale")), tooLarge());
    server.harm(Integer.MAX_VALUE, WRITES.and(untilItWentAloneTwice("id0299")), new Harm.Cut(0));
    Path rejects = folder.resolve("bad.jsonl");
    Job.RejectPolicy policy = new Job.RejectPolicy(new Job.RejectLimit.Count(1), rejects);
    Duration minute = Duration.ofMinutes(1);
    Meter meter = copying().rejects(policy).patience(minute, minute).run().meter();
    assertThat(meter.retries()).isNotEmpty();
    assertThat(meter.rejects()).isEqualTo(1);
    assertThat(meter.rows()).isEqualTo(300);
    assertThat(Files.readAllLines(rejects)).hasSize(1);
    assertThat(server.documents("to")).hasSize(300);
  }

  @Test
  void oneDocumentThatIsTooLargeIsNamed() {
    server.put("from", document("whale", ",\"text\":\"" + "x".repeat(20_000) + "\""));
    server.harm(
        Integer.MAX_VALUE, WRITES.and(request -> request.body().length > 9_000), tooLarge());
    assertThatThrownBy(() -> copying().run())
        .isInstanceOf(Fault.Data.class)
        .hasMessageContaining("whale")
        .hasMessageContaining("too large");
  }

  @Test
  void aServerThatHangsUpOnLargeRequestsGetsSmallerOnes() {
    server.harm(
        Integer.MAX_VALUE, WRITES.and(request -> request.body().length > 9_000), new Harm.HangUp());
    copying().run();
    assertCopied();
  }

  @Test
  void oneDocumentOnWhichTheServerHangsUpIsNamed() {
    server.put("from", document("whale", ",\"text\":\"" + "x".repeat(20_000) + "\""));
    server.harm(
        Integer.MAX_VALUE, WRITES.and(request -> request.body().length > 9_000), new Harm.HangUp());
    assertThatThrownBy(() -> copying().run())
        .isInstanceOf(Fault.Data.class)
        .hasMessageContaining("whale")
        .hasMessageContaining("too large");
  }

  @Test
  void aConnectionThatBreaksOnWhateverIsSentIsNoFaultOfADocument() {
    server.harm(Integer.MAX_VALUE, WRITES, new Harm.Cut(0));
    assertThatThrownBy(() -> copying().run()).isInstanceOf(Fault.Transient.class);
  }

  @Test
  void whoeverLogsInByCookieDoesSoAgainBeforeItIsTooOld() {
    Map<String, String> byCookie = Map.of("auth", "cookie");
    from = server.databaseOfUser("from", byCookie);
    to = server.databaseOfUser("to", byCookie);
    copying().measuring().run();
    assertThat(server.requests("/_session"))
        .as("one for each end, and for its counters")
        .hasSize(4);
    server.cookiesLast(0);
    copying().mode(Mode.APPEND).measuring().run();
    assertThat(server.requests("/_session")).hasSizeGreaterThan(5);
    assertCopied();
  }

  @Test
  void aServerThatWantsPatienceIsAskedAgain() {
    server.harm(2, WRITES, new Harm.Status(429, "0"));
    server.harm(1, READS, new Harm.Status(503, "0"));
    copying().run();
    assertCopied();
  }

  @Test
  void aProxyThatStallsOnLargeRequestsGetsSmallerOnes() {
    to = server.database("to", Map.of("request-timeout", "1"));
    server.harm(3, WRITES.and(request -> request.body().length > 9_000), new Harm.Stall());
    copying().run();
    assertCopied();
  }

  /// A proxy that lets some fifty documents through in one message costs the way down to what
  /// passes, and ever fewer looks whether more does by now.
  @ParameterizedTest
  @CsvSource({"true, 200000", "false, 16000000"})
  void aProxyThatStallsOnLargeMessagesCostsAHandfulOfStalls(boolean atSource, long splitBytes) {
    server.put("from", many(10_000));
    try (FaultyProxy proxy =
        new FaultyProxy(
            "localhost",
            server.port(),
            _ -> new millrace.testkit.network.ConnectionFault.StallLarge(10_000))) {
      String name = atSource ? "from" : "to";
      Endpoint through =
          KeepingServer.databaseAt(proxy.port(), name, Map.of("request-timeout", "2"));
      from = atSource ? through : from;
      to = atSource ? to : through;
      copying().lanes(1, splitBytes).run();
      assertThat(proxy.harmed()).isBetween(2, 15);
    }
    assertCopied();
    assertThat(server.requests(atSource ? "/_all_docs" : "/_bulk_docs")).hasSizeGreaterThan(150);
  }

  @Test
  void digitsThatAFieldsTypeBySampleDoesNotKeepAreReportedUnlessItsTypeIsGiven() {
    server.put("numbers", manyOf("1e20"));
    server.put("numbers", document("last", ",\"n\":9007199254740993"));
    MemoryConnector memory = new MemoryConnector();
    assertThatThrownBy(() -> copyFields("numbers", "_id,n", memory))
        .isInstanceOf(Fault.Data.class)
        .hasMessageContaining("'9007199254740993' is no float64; its type is a guess by sample");
    assertThatThrownBy(() -> copyFields("numbers", "_id,n:float64", memory))
        .isInstanceOf(Fault.Data.class)
        .hasMessageContaining("'9007199254740993' is no float64");
    copyFields("numbers", "_id,n:decimal", memory);
    assertThat(memory.rows("numbers")).hasSize(201);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "1           | \"42\"    | int64   | 42",
        "1.5         | \"1.5\"   | float64 | 1.5",
        "true        | \"true\"  | boolean | 1",
        "\"a\"       | 42        | text    | 42",
        "\"a\"       | {\"b\":1} | text    | {\"b\":1}",
        "null        | 42        | text    | 42",
      })
  void aValueOfAnotherKindThanAFieldHasBySampleIsReportedUnlessItsTypeIsGiven(
      String sampled, String last, String type, String read) {
    server.put("kinds", manyOf(sampled));
    server.put("kinds", document("last", ",\"n\":" + last));
    MemoryConnector memory = new MemoryConnector();
    assertThatThrownBy(() -> copyFields("kinds", "_id,n", memory))
        .isInstanceOf(Fault.Data.class)
        .hasMessageContaining("'" + last + "' is no ")
        .hasMessageContaining("its type is a guess by sample, --fields gives another");
    copyFields("kinds", "_id,n:" + type, memory);
    assertThat(memory.rows("kinds"))
        .hasSize(201)
        .anySatisfy(row -> assertThat(row.toString()).contains("[last, " + read + ","));
  }

  private void copyFields(String database, String fields, MemoryConnector memory) {
    Endpoint source = server.database(database, Map.of("fields", fields));
    Copying.of(connector, source, memory, memory.endpoint(database)).run();
  }

  /// Else such a number and its digits as a text would be the same in the end.
  @Test
  void aFieldOfNumbersThatNoTypeKeepsIsJson() {
    server.put("wide", manyOf("1e400"));
    server.put("wide", document("last", ",\"n\":\"1e400\""));
    MemoryConnector memory = new MemoryConnector();
    copyFields("wide", "_id,n", memory);
    assertThat(memory.rows("wide"))
        .hasSize(201)
        .anySatisfy(row -> assertThat(row.toString()).contains("\"1e400\""));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "note                  | ,\"note\":\"a\"           | true",
        "note                  | ,\"note\":null              | false",
        "`address.city`        | ,\"address\":{\"city\":\"a\"} | true",
        "`address.city`        | ,\"address\":{\"street\":1}   | false",
        "`note text, doc json` | ,\"note\":\"a\"           | false",
      })
  void aFieldThatOnlyLaterDocumentsHaveIsNotLeftOutOfATableThatHasAColumnForIt(
      String column, String members, boolean refused, @TempDir Path folder) throws SQLException {
    server.put("few", manyOf("1"));
    server.put("few", document("last", members));
    String file = folder.resolve("few.duckdb").toString();
    String declared = column.contains(" ") ? column : "\"" + column + "\" text DEFAULT 'none'";
    count(file, "CREATE TABLE few (_id text, n integer, " + declared + "); FROM few");
    Endpoint table = new Endpoint("duckdb", file, Map.of("table", "few"), Secret.NONE);
    if (!refused) {
      into(table).run();
      assertThat(count(file, "SELECT count(*) FROM few")).isEqualTo(201);
      return;
    }
    assertThatThrownBy(into(table)::run)
        .isInstanceOf(Fault.Data.class)
        .hasMessageContaining("document last: none of the first documents has this field")
        .hasMessageContaining("--select");
    into(table).select(List.of("_id", "n")).run();
    assertThat(count(file, "SELECT count(*) FROM few WHERE \"" + column + "\" = 'none'"))
        .isEqualTo(201);
    into(table).select(List.of("_id", "n", column)).run();
    assertThat(count(file, "SELECT count(*) FROM few WHERE \"" + column + "\" = 'a'")).isEqualTo(1);
  }

  private Copying into(Endpoint table) {
    Endpoint few = server.database("few", Map.of());
    return Copying.of(connector, few, new DuckDbConnector(), table).mode(Mode.APPEND);
  }

  private static long count(String file, String statement) throws SQLException {
    try (Connection duck = DriverManager.getConnection("jdbc:duckdb:" + file);
        Statement own = duck.createStatement()) {
      own.execute(statement);
      try (ResultSet rows = own.getResultSet()) {
        return rows.next() ? rows.getLong(1) : 0;
      }
    }
  }

  /// More documents than are sampled, each with that value.
  private static String[] manyOf(String value) {
    return IntStream.range(0, 200)
        .mapToObj(i -> document("id%04d".formatted(i), ",\"n\":" + value))
        .toArray(String[]::new);
  }

  @Test
  void aPageThatStallsIsReadInSmallerOnes() {
    from = server.database("from", Map.of("request-timeout", "1"));
    server.harm(
        1, READS.and(request -> !"100".equals(request.query().get("limit"))), new Harm.Stall());
    copying().run();
    assertCopied();
    assertThat(server.requests("/_all_docs"))
        .anyMatch(request -> "1000".equals(request.query().get("limit")));
  }

  /// A server that makes a whole page before it sends it has less to do, if that is little.
  @ParameterizedTest
  @CsvSource({"100, 5000, true", "2000000, 100000, false"})
  void pagesOfSmallDocumentsAreAskedForAsAWhole(int largestBytes, long splitBytes, boolean whole) {
    String text = "\"" + "x".repeat(largestBytes) + "\"";
    server.put("from", document("id0000a", ",\"text\":" + text));
    copying().lanes(1, splitBytes).run();
    assertCopied();
    List<Request> reads = server.requests("/_all_docs").stream().filter(READS).toList();
    assertThat(reads).hasSizeGreaterThan(6);
    assertThat(reads.subList(2, reads.size()))
        .allMatch(request -> request.query().containsKey("buffer_response") == whole);
  }

  /// The first may well have broken off by chance.
  @Test
  void aPageThatBreaksOffTwiceIsAskedForInSmallerOnes() {
    Predicate<Request> large = request -> request.query().getOrDefault("limit", "").length() > 3;
    server.harm(3, READS.and(large), new Harm.Cut(20_000));
    copying().run();
    assertCopied();
    List<Request> reads = server.requests("/_all_docs");
    assertThat(reads.getLast().query().get("limit")).isIn("500", "501");
  }

  @Test
  void documentsWithoutRevisionThatCameThroughUnheardAreNotWrittenTwice() {
    to = server.database("to", Map.of("request-timeout", "1"));
    MemoryConnector memory = new MemoryConnector();
    Schema schema =
        Schema.of(List.of(Column.of("_id", Type.Text.UNLIMITED), Column.of("n", new Type.Int(64))));
    memory.put("rows", schema, List.of(Row.of("a", 1), Row.of("b", 2)));
    // They are there, as if the answer to an earlier request had been lost.
    server.put("to", "{\"_id\":\"a\",\"n\":1}");
    server.harm(1, WRITES, new Harm.Stall());
    Copying.of(memory, memory.endpoint("rows"), connector, to).mode(Mode.APPEND).run();
    assertThat(server.documents("to"))
        .isEqualTo(Map.of("a", "{\"_id\":\"a\",\"n\":1}", "b", "{\"_id\":\"b\",\"n\":2}"));
  }

  @Test
  void rowsWithoutAnIdGetOne() {
    MemoryConnector memory = new MemoryConnector();
    memory.put(
        "rows",
        Schema.of(List.of(Column.of("n", new Type.Int(64)))),
        List.of(Row.of(1), Row.of(2)));
    Copying.of(memory, memory.endpoint("rows"), connector, to).run();
    assertThat(server.documents("to")).hasSize(2);
    assertThat(server.documents("to").keySet()).allMatch(id -> id.matches("[0-9a-f]{32}"));
  }

  @Test
  void aDatabaseThatCreateMadeGoesWhereTheRunFails() {
    server.harm(Integer.MAX_VALUE, WRITES, new Harm.Status(403, ""));
    assertThatThrownBy(() -> copying().mode(Mode.CREATE).run()).isInstanceOf(Fault.External.class);
    assertThat(server.has("to")).isFalse();
  }

  @Test
  void aDatabaseThatCannotBeDeletedIsNamed() {
    server.harm(Integer.MAX_VALUE, WRITES, new Harm.Status(403, ""));
    server.harm(1, request -> request.method().equals("DELETE"), new Harm.Status(500, ""));
    assertThatThrownBy(() -> copying().mode(Mode.CREATE).run())
        .satisfies(fault ->
            assertThat(fault.getSuppressed()[0])
                .hasMessageContaining("/to could not be deleted and holds what was copied"));
  }

  @Test
  void aServerThatIsNotThereIsNamed() {
    server.close();
    assertThatThrownBy(() -> copying().run())
        .isInstanceOfSatisfying(
            Fault.Transient.class, fault -> assertThat(fault.isUnreachable()).isTrue())
        .hasMessageContaining("localhost")
        .hasMessageContaining("can't be reached");
  }

  @Test
  void aRequestHoldsAsManyDocumentsAsWereAskedFor() {
    copying().run();
    Request only = server.requests("/_bulk_docs").getFirst();
    assertThat(new String(only.body(), StandardCharsets.UTF_8))
        .startsWith("{\"new_edits\":false,\"docs\":[{\"_id\":\"id0000\"")
        .endsWith("}]}");
  }

  /// A copy of hours is not ended by a name server that is away for a moment.
  @Test
  void aHostThatIsUnknownIsAMistakeOnlyBeforeItHasAnswered() throws IOException {
    ConnectException unknown = new ConnectException();
    unknown.initCause(new UnresolvedAddressException());
    try (CouchClient client = new CouchClient(CouchAddress.of(from, _ -> null), from)) {
      assertThat(CouchFaults.io(client, unknown))
          .isInstanceOf(Fault.User.class)
          .hasMessage("There is no host localhost.");
      String url = CouchAddress.of(from, _ -> null).databaseUrl("");
      client.start("GET", url, null, 0, false).join().body().close();
      assertThat(CouchFaults.io(client, unknown))
          .isInstanceOf(Fault.Transient.class)
          .hasMessageContaining("can't be reached: there is no such host.");
    }
  }
}
