package millrace.connectors.couchdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import millrace.connectors.couchdb.KeepingServer.Harm;
import millrace.connectors.couchdb.KeepingServer.Request;
import millrace.connectors.file.FileConnector;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.fault.Fault;
import millrace.spi.Endpoint;
import millrace.spi.Mode;
import millrace.spi.Secret;
import millrace.testkit.Copying;
import millrace.testkit.Row;
import millrace.testkit.memory.MemoryConnector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What arrives byte for byte, and what becomes of servers and proxies that refuse, stall and break
/// off.
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
  void aLineThatIsNoDocumentIsNamed(@TempDir Path folder) throws IOException {
    Path path = Files.writeString(folder.resolve("bad.jsonl"), "{\"_id\":\"a\"}\nnot JSON\n");
    Endpoint file = new Endpoint("file", path.toString(), Map.of(), Secret.NONE);
    assertThatThrownBy(() -> Copying.of(new FileConnector(), file, connector, to).run())
        .isInstanceOf(Fault.Data.class)
        .hasMessageContaining("no JSON object: not JSON");
  }

  @Test
  void rowsOfSeveralColumnsAreNoJsonLines(@TempDir Path folder) {
    MemoryConnector memory = new MemoryConnector();
    Column column = Column.of("a", new Type.Int(64));
    memory.put("rows", Schema.of(List.of(column, Column.of("b", new Type.Json()))), List.of());
    Endpoint file =
        new Endpoint("file", folder.resolve("out.jsonl").toString(), Map.of(), Secret.NONE);
    assertThatThrownBy(
            () -> Copying.of(memory, memory.endpoint("rows"), new FileConnector(), file).run())
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("takes documents");
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
    copying().run();
    assertThat(server.requests("/_session")).as("one for each end").hasSize(2);
    server.cookiesLast(0);
    copying().mode(Mode.APPEND).run();
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

  /// A server that makes a whole page before it sends it has less to do, where that is little.
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

  @Test
  void aPageThatBreaksOffIsAskedForInSmallerOnes() {
    Predicate<Request> large = request -> request.query().getOrDefault("limit", "").length() > 3;
    server.harm(2, READS.and(large), new Harm.Cut(20_000));
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
}
