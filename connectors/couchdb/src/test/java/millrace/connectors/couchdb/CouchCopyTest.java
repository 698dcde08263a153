package millrace.connectors.couchdb;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.IntStream;
import millrace.connectors.couchdb.http.CouchAddress;
import millrace.connectors.couchdb.http.CouchClient;
import millrace.connectors.couchdb.http.HttpCalls;
import millrace.connectors.couchdb.read.KeyRange;
import millrace.connectors.file.FileConnector;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.fault.Fault;
import millrace.spi.Endpoint;
import millrace.spi.OpenContext;
import millrace.spi.Secret;
import millrace.spi.Stage;
import millrace.spi.catalog.TableEntry;
import millrace.spi.catalog.TablePattern;
import millrace.spi.read.Selection;
import millrace.spi.write.Mode;
import millrace.testkit.Copying;
import millrace.testkit.Ran;
import millrace.testkit.Row;
import millrace.testkit.memory.MemoryConnector;
import millrace.testkit.network.TestCertificates;
import millrace.testkit.suite.ResumableCopy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Copies from database to database on a server with CouchDB's API.
class CouchCopyTest {

  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final String REV = "0123456789abcdef0123456789abcde";

  private final CouchServer server = CouchServer.shared();
  private final CouchConnector connector = new CouchConnector();
  private final String name = "copy-" + System.nanoTime();
  private final Endpoint from = server.database(name + "-from");
  private final Endpoint to = server.database(name + "-to");

  private HttpCalls calls(Endpoint endpoint) {
    return new HttpCalls(client(endpoint));
  }

  private static CouchClient client(Endpoint endpoint) {
    return new CouchClient(CouchAddress.of(endpoint, _ -> null), endpoint);
  }

  private void make(Endpoint database, String... documents) {
    HttpCalls calls = calls(database);
    CouchAddress address = client(database).address();
    calls.json("PUT", address.databaseUrl(""), null, "making it", 412);
    if (documents.length > 0) {
      String body = "{\"new_edits\":false,\"docs\":[" + String.join(",", documents) + "]}";
      JsonNode answer =
          calls.need(
              "POST",
              address.databaseUrl("_bulk_docs"),
              body.getBytes(StandardCharsets.UTF_8),
              "filling it");
      assertThat(answer.toString()).isEqualTo("[]");
    }
  }

  private static String document(String id, int generation, String members) {
    return "{\"_id\":\"" + id + "\",\"_rev\":\"" + generation + "-" + REV + "0\"" + members + "}";
  }

  /// The server's own databases are none of them.
  @Test
  void databasesAreListedByAPatternAndReadAlone() {
    make(from, document("a", 1, ""));
    make(to);
    Endpoint pattern = server.database(name + "-*");
    assertThat(TablePattern.isIn(pattern)).isTrue();
    List<TableEntry> list = connector.tables(pattern, new OpenContext());
    assertThat(list).extracting(TableEntry::name).containsExactly(name + "-from", name + "-to");
    assertThat(documents(list.getFirst().end())).containsOnlyKeys("a");
    assertThat(connector.tables(server.database("*"), new OpenContext()))
        .extracting(TableEntry::name)
        .noneMatch(each -> each.startsWith("_"));
  }

  /// All documents by id, as the server has them.
  private Map<String, JsonNode> documents(Endpoint database) {
    String url = client(database).address().databaseUrl(KeyRange.ALL.query(null, 10_000));
    Map<String, JsonNode> found = new TreeMap<>();
    for (JsonNode row : calls(database).need("GET", url, null, "looking").path("rows")) {
      JsonNode document = row.path("doc");
      for (JsonNode attachment : document.path("_attachments")) {
        // When it was stored and how it is told apart is the server's own affair.
        ((ObjectNode) attachment).remove(List.of("revpos", "digest"));
      }
      found.put(row.path("id").asText(), document);
    }
    return found;
  }

  private JsonNode documentOf(Endpoint database, String id) {
    return Objects.requireNonNull(documents(database).get(id));
  }

  private Copying copying(Endpoint source, Endpoint target) {
    return Copying.of(connector, source, connector, target);
  }

  private Endpoint with(Endpoint endpoint, String option, String value) {
    Map<String, String> parameters = new HashMap<>(endpoint.parameters());
    parameters.put(option, value);
    return new Endpoint(endpoint.scheme(), endpoint.location(), parameters, endpoint.secret());
  }

  @Test
  void everythingArrivesWithItsRevision() {
    make(
        from,
        document("_design/views", 2, ",\"views\":{\"a\":{\"map\":\"function(d){emit(d.n)}\"}}"),
        document("plain", 7, ",\"n\":[1,{\"x\":null}],\"text\":\"\\u00e9\\n\\\"\""),
        document("水車", 1, ""),
        document("\uD83D\uDE00 smile", 1, ",\"above\":\"U+FFFF\""),
        document("a/b?c&d=e+f%20g", 1, ",\"odd\":true"),
        document(
            "file",
            3,
            ",\"_attachments\":{\"a.txt\":{\"content_type\":\"text/plain\",\"data\":\"aGVsbG8=\"}}"));
    copying(from, to).run();
    assertThat(documents(from)).hasSize(6);
    assertThat(documents(to)).isEqualTo(documents(from));
  }

  @Test
  void manyDocumentsOverSplitsAndLanesArriveEachOnce() {
    String[] documents = new String[5_000];
    for (int i = 0; i < documents.length; i++) {
      documents[i] =
          document("id" + i * 7919 % 5_000, 1, ",\"text\":\"" + "x".repeat(i % 90) + "\"");
    }
    make(from, documents);
    copying(from, to).lanes(3, 40_000).run();
    assertThat(documents(to)).hasSize(5_000).isEqualTo(documents(from));
  }

  @Test
  void designDocumentsAreLeftOutOnRequest() {
    make(from, document("_design/views", 1, ""), document("plain", 1, ""));
    copying(with(from, "skip-design", "true"), to).run();
    assertThat(documents(to)).containsOnlyKeys("plain");
    copying(from, with(to, "skip-design", "true")).mode(Mode.APPEND).run();
    assertThat(documents(to)).containsOnlyKeys("plain");
  }

  @Test
  void whatIsDeletedIsCopiedOnRequest() {
    make(from, document("gone", 2, ",\"_deleted\":true"), document("there", 1, ""));
    copying(with(from, "deleted", "true"), to).run();
    assertThat(documents(to)).containsOnlyKeys("there");
    String changes = client(to).address().databaseUrl("_changes");
    assertThat(calls(to).need("GET", changes, null, "looking").path("results"))
        .anyMatch(row -> row.path("id").asText().equals("gone") && row.path("deleted").asBoolean());
  }

  @Test
  void revisionsInConflictAreCopiedOnRequest() {
    make(from, document("torn", 1, ",\"side\":\"a\""), document("whole", 1, ""));
    make(from, "{\"_id\":\"torn\",\"_rev\":\"1-" + REV + "f\",\"side\":\"b\"}");
    copying(with(from, "conflicts", "true"), to).run();
    String url = client(to).address().databaseUrl("torn?conflicts=true");
    JsonNode torn = calls(to).need("GET", url, null, "looking");
    assertThat(torn.path("side").asText()).isEqualTo("b");
    assertThat(torn.path("_conflicts").path(0).asText()).isEqualTo("1-" + REV + "0");
  }

  @Test
  void theSecurityObjectComesAlong() {
    make(from, document("plain", 1, ""));
    secure(from, "ann");
    copying(from, to).run();
    assertThat(member(to)).isEqualTo("ann");
  }

  /// Also if the copy is killed and resumed.
  @Test
  void aDatabaseThatIsEmptiedKeepsItsOwnSecurityObject() {
    make(from, document("plain", 1, ""));
    secure(from, "ann");
    make(to, document("old", 1, ""));
    secure(to, "bob");
    ResumableCopy copy = ResumableCopy.of(copying(from, to).mode(Mode.TRUNCATE), 10);
    copy.killAfter(0);
    assertThat(member(to)).isEqualTo("bob");
    copy.resumed().run();
    assertThat(member(to)).isEqualTo("bob");
    assertThat(documents(to)).containsOnlyKeys("plain");
  }

  private void secure(Endpoint database, String member) {
    String security = "{\"members\":{\"names\":[\"%s\"],\"roles\":[]}}".formatted(member);
    calls(database)
        .need(
            "PUT",
            client(database).address().databaseUrl("_security"),
            security.getBytes(StandardCharsets.UTF_8),
            "setting it");
  }

  private String member(Endpoint database) {
    String url = client(database).address().databaseUrl("_security");
    JsonNode security = calls(database).need("GET", url, null, "looking");
    return security.path("members").path("names").path(0).asText();
  }

  @Test
  void copyingTwiceChangesNothing() {
    make(from, document("plain", 3, ",\"n\":1"), document("other", 1, ""));
    copying(from, to).run();
    Map<String, JsonNode> once = documents(to);
    copying(from, to).mode(Mode.APPEND).run();
    assertThat(documents(to)).isEqualTo(once);
  }

  @Test
  void aDatabaseWithDocumentsIsRefusedWithoutAModeAndTheModesNamed() {
    make(from, document("plain", 1, ""));
    make(to, document("other", 1, ""));
    assertThatThrownBy(() -> copying(from, to).run())
        .isInstanceOfSatisfying(
            Fault.User.class,
            fault -> {
              assertThat(fault).hasMessageContaining("holds rows already");
              assertThat(fault.advice()).contains("append", "truncate");
            });
    assertThatThrownBy(() -> copying(from, to).mode(Mode.CREATE).run())
        .hasMessageContaining("exists already");
    assertThatThrownBy(() -> copying(from, to).mode(Mode.REPLACE).run())
        .isInstanceOf(Fault.User.class);
    assertThat(documents(to)).containsOnlyKeys("other");
  }

  @Test
  void truncateLeavesTheNewDocumentsAlone() {
    make(from, document("plain", 1, ""));
    make(to, document("other", 1, ""));
    copying(from, to).mode(Mode.TRUNCATE).run();
    assertThat(documents(to)).containsOnlyKeys("plain");
  }

  @Test
  void aConflictNamesTheDocumentAndWhatIsWrong() {
    make(to, document("taken", 1, ",\"n\":1"));
    MemoryConnector memory = new MemoryConnector();
    Schema schema =
        Schema.of(List.of(Column.of("_id", Type.Text.UNLIMITED), Column.of("n", new Type.Int(64))));
    memory.put("rows", schema, List.of(Row.of("free", 1), Row.of("taken", 2)));
    Copying copying = Copying.of(memory, memory.endpoint("rows"), connector, to).mode(Mode.APPEND);
    assertThatThrownBy(copying::run)
        .isInstanceOf(Fault.Data.class)
        .hasMessageContaining("taken")
        .hasMessageContaining("conflict");
    assertThat(documentOf(to, "taken").path("n").asInt()).isEqualTo(1);
  }

  /// With attachments, of text too, which CouchDB compresses; deleted; and as numbers are spelled.
  @Test
  void theSameLinesAgainAreNoConflictsAndOthersAre(@TempDir Path folder) throws IOException {
    String attached =
        "{\"_id\":\"file\",\"_attachments\":{\"a.txt\":{\"content_type\":\"text/plain\","
            + "\"data\":\"aGVsbG8=\"},\"b\":{\"content_type\":\"image/png\",\"data\":\"AAEC\"}}}";
    List<String> lines =
        List.of(
            attached,
            "{\"_id\":\"gone\",\"_deleted\":true,\"why\":\"old\"}",
            "{\"_id\":\"n\",\"a\":[1.0,1e2,{\"x\":null}],\"b\":\"\\u00e9\"}");
    Path path = Files.write(folder.resolve("lines.jsonl"), lines);
    Endpoint file = new Endpoint("file", path.toString(), Map.of(), Secret.NONE);
    make(to);
    Copying copying = Copying.of(new FileConnector(), file, connector, to).mode(Mode.APPEND);
    copying.run();
    Map<String, JsonNode> once = documents(to);
    assertThat(copying.run().notes().toString()).contains("there already with the same content");
    assertThat(documents(to)).isEqualTo(once);
    Files.write(path, List.of(attached.replace("AAEC", "AAED")));
    assertThatThrownBy(copying::run)
        .isInstanceOf(Fault.Data.class)
        .hasMessageContaining("document 'file': conflict");
    Files.write(path, List.of(lines.get(2).replace("null", "0")));
    assertThatThrownBy(copying::run).hasMessageContaining("document 'n': conflict");
  }

  @Test
  void rowsBecomeDocumentsAndFieldsBecomeRows() {
    MemoryConnector memory = new MemoryConnector();
    Schema schema =
        Schema.of(
            List.of(
                Column.of("_id", Type.Text.UNLIMITED),
                Column.of("price", new Type.Decimal(9, 2)),
                Column.of("born", new Type.Date()),
                Column.of("good", new Type.Bool()),
                Column.of("more", new Type.Json())));
    List<Row> rows =
        List.of(Row.of("a", 1250, 8_000, 1, "{\"x\":[1,2]}"), Row.of("b", null, null, null, null));
    memory.put("rows", schema, rows);
    Copying.of(memory, memory.endpoint("rows"), connector, to).run();
    JsonNode a = documentOf(to, "a");
    assertThat(a.path("price").asText()).isEqualTo("12.5");
    assertThat(a.path("born").asText()).isEqualTo("2021-11-26");
    assertThat(a.path("more").path("x").path(1).asInt()).isEqualTo(2);
    memory.put("back", schema, List.of());
    Copying.of(connector, to, memory, memory.endpoint("back")).mode(Mode.APPEND).run();
    assertThat(memory.rows("back")).containsExactlyInAnyOrderElementsOf(rows);
  }

  @Test
  void aDecimalThatTheServerWouldChangeIsRefused() {
    MemoryConnector memory = new MemoryConnector();
    Schema schema =
        Schema.of(
            List.of(
                Column.of("_id", Type.Text.UNLIMITED),
                Column.of("price", new Type.Decimal(30, 2))));
    memory.put("kept", schema, List.of(Row.of("a", "1234567890123.25"), Row.of("b", "0.10")));
    Copying.of(memory, memory.endpoint("kept"), connector, to).run();
    assertThat(documents(to)).containsOnlyKeys("a", "b");
    memory.put("changed", schema, List.of(Row.of("c", "12345678901234567890.10")));
    Copying copying =
        Copying.of(memory, memory.endpoint("changed"), connector, to).mode(Mode.APPEND);
    assertThatThrownBy(copying::run)
        .isInstanceOf(Fault.Data.class)
        .hasMessageContaining("column \"price\": CouchDB would not keep this number as it is");
  }

  @Test
  void chosenFieldsAreColumnsAndTheRestIsJson() throws IOException {
    make(
        from,
        document("a", 1, ",\"n\":5,\"at\":{\"city\":\"Kyoto\",\"zip\":1},\"more\":[1]"),
        document("b", 1, ",\"more\":{}"));
    MemoryConnector memory = new MemoryConnector();
    Endpoint fields = with(from, "fields", "_id,n,at.city");
    Copying.of(connector, fields, memory, memory.endpoint("table")).run();
    Schema schema = memory.table("table").orElseThrow().schema();
    assertThat(schema.names()).containsExactly("_id", "n", "at.city", "doc");
    assertThat(schema.column(1).type()).isEqualTo(new Type.Int(64));
    Row a =
        memory.rows("table").stream().filter(r -> "a".equals(r.value(0))).findAny().orElseThrow();
    assertThat(a.value(1)).isEqualTo(5L);
    assertThat(a.value(2)).isEqualTo("Kyoto");
    JsonNode rest = JSON.readTree(String.valueOf(a.value(3)));
    assertThat(rest.path("at").path("zip").asInt()).isEqualTo(1);
    assertThat(rest.has("n")).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"'', n > 10", "doc, n > 10", "'', at.city = 'Kyoto'", "'', \"at.city\" = 'Kyoto'"})
  void aConditionOnAFieldChoosesWholeDocuments(String selected, String where) {
    make(
        from,
        document("a", 1, ",\"n\":5"),
        document("b", 1, ",\"n\":50,\"at\":{\"city\":\"Kyoto\"}"),
        document("c", 1, ""));
    List<String> columns = selected.isEmpty() ? List.of() : List.of(selected);
    copying(from, to).select(new Selection(columns, where, Long.MAX_VALUE)).run();
    assertThat(documents(to)).containsOnlyKeys("b");
    assertThat(documents(to)).containsEntry("b", documents(from).get("b"));
  }

  @Test
  void aConditionMayNameAFieldThatNoColumnIsMadeOf() {
    make(from, document("a", 1, ",\"n\":5,\"m\":1"), document("b", 1, ",\"n\":50,\"m\":2"));
    MemoryConnector memory = new MemoryConnector();
    Selection some = new Selection(List.of(), "n > 10", Long.MAX_VALUE);
    Endpoint fields = with(from, "fields", "_id,m");
    Copying.of(connector, fields, memory, memory.endpoint("table")).select(some).run();
    assertThat(memory.table("table").orElseThrow().schema().names())
        .containsExactly("_id", "m", "doc");
    Row row = memory.rows("table").getFirst();
    assertThat(memory.rows("table")).hasSize(1);
    assertThat(row.value(1)).isEqualTo(2L);
    assertThat(String.valueOf(row.value(2))).contains("\"n\":50");
  }

  @Test
  void aConditionOnAFieldThatFewDocumentsHaveIsRefused() {
    List<String> documents = new ArrayList<>();
    IntStream.range(0, 200).forEach(i -> documents.add(document("a%03d".formatted(i), 1, "")));
    documents.add(document("z", 1, ",\"late\":1"));
    make(from, documents.toArray(String[]::new));
    Selection late = new Selection(List.of(), "late = 1", Long.MAX_VALUE);
    assertThatThrownBy(() -> copying(from, to).select(late).run())
        .isInstanceOfSatisfying(
            Fault.User.class,
            fault -> {
              assertThat(fault).hasMessageContaining("no field 'late'");
              assertThat(fault.advice()).contains("fields=late:text", "--filter");
            });
  }

  @Test
  void aCookieLogsIn() {
    make(from, document("plain", 1, ""));
    copying(with(from, "auth", "cookie"), with(to, "auth", "cookie")).run();
    assertThat(documents(to)).containsOnlyKeys("plain");
  }

  @Test
  void requestsAndAnswersMayBeCompressed() {
    make(from, document("plain", 1, ",\"text\":\"" + "x".repeat(5_000) + "\""));
    copying(with(from, "gzip", "true"), with(to, "gzip", "true")).run();
    assertThat(documents(to)).isEqualTo(documents(from));
  }

  @Test
  void aWrongPasswordIsRefusedAndNotRepeated() {
    Endpoint wrong =
        new Endpoint(from.scheme(), from.location(), Map.of(), Secret.of("not-the-word"));
    for (String auth : List.of("basic", "cookie")) {
      assertThatThrownBy(() -> copying(with(wrong, "auth", auth), to).run())
          .isInstanceOf(Fault.User.class)
          .hasMessageContaining("does not let user admin in")
          .hasMessageNotContaining("not-the-word");
    }
  }

  /// @param pems its key and its certificate
  private static CouchServer encrypted(List<String> pems, Path folder) throws IOException {
    Path key = Files.writeString(folder.resolve("key.pem"), pems.get(0));
    Path certificate = Files.writeString(folder.resolve("cert.pem"), pems.get(1));
    return CouchServer.withTls(key, certificate);
  }

  @Test
  void aServerIsTrustedByTheAuthorityNamedAndByNoOther(@TempDir Path folder) throws IOException {
    TestCertificates certificates = new TestCertificates(folder);
    try (CouchServer encrypted = encrypted(certificates.server("localhost"), folder)) {
      Endpoint target = encrypted.database("to");
      make(from, document("plain", 1, ""));
      assertThatThrownBy(() -> copying(from, target).run())
          .isInstanceOf(Fault.External.class)
          .hasMessageContaining("can't be trusted");
      Endpoint trusted = with(target, "sslrootcert", certificates.authority().toString());
      copying(from, trusted).run();
      assertThat(documents(trusted)).containsOnlyKeys("plain");
      assertAdvice(at(trusted, "couchdbs", "127.0.0.1"), "as its certificate names it");
    }
  }

  @Test
  void aCertificateThatHasExpiredIsToldAsThat(@TempDir Path folder) throws IOException {
    TestCertificates certificates = new TestCertificates(folder);
    try (CouchServer encrypted = encrypted(certificates.expiredServer("localhost"), folder)) {
      String authority = certificates.authority().toString();
      assertAdvice(with(encrypted.database("to"), "sslrootcert", authority), "has to be renewed");
    }
  }

  @Test
  void whoAsksForTlsWhereThereIsNoneIsToldSo() {
    try (KeepingServer plain = new KeepingServer()) {
      Endpoint source = plain.database("from", Map.of("request-timeout", "5"));
      assertAdvice(at(source, "couchdbs", "localhost"), "couchdb://");
    }
  }

  @Test
  void whoAsksForTlsOfAWebServerWithoutItIsToldSo() throws IOException {
    byte[] answer = "HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n".getBytes(US_ASCII);
    try (ServerSocket plain = saying(answer)) {
      String location = "//localhost:" + plain.getLocalPort() + "/from";
      assertAdvice(new Endpoint("couchdbs", location, Map.of(), Secret.NONE), "couchdb://");
    }
  }

  @Test
  void whoAsksForNoTlsWhereThereIsIsToldSo() throws IOException {
    byte[] alert = {21, 3, 3, 0, 2, 2, 10};
    try (ServerSocket encrypted = saying(alert)) {
      String location = "//localhost:" + encrypted.getLocalPort() + "/from";
      assertAdvice(new Endpoint("couchdb", location, Map.of(), Secret.NONE), "couchdbs://");
    }
  }

  @Test
  void anEncryptedConnectionThatIsLostIsNoMatterOfTrust() throws IOException {
    try (ServerSocket down = saying(new byte[0])) {
      String location = "//localhost:" + down.getLocalPort() + "/from";
      Endpoint source = new Endpoint("couchdbs", location, Map.of(), Secret.NONE);
      assertThatThrownBy(() -> copying(source, to).run()).isInstanceOf(Fault.Transient.class);
    }
  }

  /// A server that says the same to all who come, whatever they say, and hangs up.
  private static ServerSocket saying(byte[] answer) throws IOException {
    ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    Thread.ofVirtual()
        .start(() -> {
          while (!server.isClosed()) {
            try (Socket client = server.accept()) {
              client.getInputStream().read();
              client.getOutputStream().write(answer);
              client.shutdownOutput();
              client.getInputStream().readAllBytes();
            } catch (IOException _) {
              // Whoever came has gone, or the test is over.
            }
          }
        });
    return server;
  }

  private static Endpoint at(Endpoint database, String scheme, String host) {
    String location = database.location().replace("localhost", host);
    return new Endpoint(scheme, location, database.parameters(), database.secret());
  }

  private void assertAdvice(Endpoint source, String part) {
    assertThatThrownBy(() -> copying(source, to).run())
        .isInstanceOfSatisfying(Fault.class, fault -> assertThat(fault.advice()).contains(part));
  }

  @Test
  void aProgramOfTheUsersSaysWhichDocumentsAreCopied() {
    make(
        from,
        document("a", 1, ",\"town\":\"Tokyo\""),
        document("b", 1, ",\"town\":\"Osaka\""),
        document("c", 1, ",\"town\":\"Tokyo\",\"n\":12345678901234567890"));
    copying(with(from, "filter", "grep Tokyo | sed s/Tokyo/Edo/"), to).run();
    assertThat(documents(to)).containsOnlyKeys("a", "c");
    assertThat(documentOf(to, "a").path("town").asText()).isEqualTo("Edo");
  }

  @Test
  void theTimeThatAFilterTakesIsToldAsItsOwn() {
    make(from, document("a", 1, ""));
    Ran run = copying(with(from, "filter", "sleep 0.5; cat"), to).run();
    assertThat(run.meter().readerNanos().get(Stage.FILTER)).isGreaterThan(300_000_000L);
  }

  @Test
  void aFilterThatFitsNothingCopiesNothingAndOneThatFailsStopsTheCopy() {
    make(from, document("a", 1, ",\"town\":\"Tokyo\""));
    copying(with(from, "filter", "grep Kyoto"), to).run();
    assertThat(documents(to)).isEmpty();
    assertThatThrownBy(
            () -> copying(with(from, "filter", "cat; exit 3"), to).mode(Mode.APPEND).run())
        .isInstanceOf(Fault.User.class)
        .hasMessage("The filter ended with exit code 3: cat; exit 3");
    assertThatThrownBy(
            () -> copying(with(from, "filter", "no_such_program"), to).mode(Mode.APPEND).run())
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("exit code 127");
  }

  @Test
  void aFilterSeesDocumentsLargerThanAnyBuffer() {
    String large = "x".repeat(300_000);
    make(from, document("a", 1, ",\"text\":\"" + large + "\""), document("b", 1, ""));
    copying(with(from, "filter", "cat"), to).run();
    assertThat(documents(to)).isEqualTo(documents(from));
  }
}
