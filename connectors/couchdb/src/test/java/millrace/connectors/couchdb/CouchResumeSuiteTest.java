package millrace.connectors.couchdb;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import millrace.engine.retry.RetryPolicy;
import millrace.fault.Fault;
import millrace.spi.Connector;
import millrace.spi.Endpoint;
import millrace.spi.Secret;
import millrace.spi.write.Mode;
import millrace.testkit.Row;
import millrace.testkit.network.FaultyProxy;
import millrace.testkit.suite.Behaviour;
import millrace.testkit.suite.ResumableCopy;
import millrace.testkit.suite.ResumeSuite;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Rows that have no ids become documents that get ids of their own, and are read as rows again.
class CouchResumeSuiteTest extends ResumeSuite {

  private static final Map<String, String> FIELDS =
      Map.of("fields", "id:int64,name:text,amount:decimal(9,2)");

  /// More than a lane tries.
  private static final int LOST_TO_GIVE_UP = 6;

  private final KeepingServer server = new KeepingServer();

  @AfterEach
  void stop() {
    server.close();
  }

  @Override
  public Connector connector() {
    return new CouchConnector();
  }

  @Override
  public Endpoint table(String name) {
    return server.database(name, FIELDS);
  }

  /// A database is a table, and its journal lies in it.
  @Override
  public @Nullable Endpoint allTables() {
    return null;
  }

  /// So often that the lane that writes it gives up, and goes on behind the receipt before.
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5, 8})
  void documentsAreThereOnceIfTheAnswersToAReceiptAreLost(int before) {
    write(schema(), rows(0, 10), table("told"));
    try (FaultyProxy proxy = proxy()) {
      ResumableCopy copy =
          copy(rows(1_000, ROWS), through(proxy, table("told")), Mode.APPEND)
              .patience(RetryPolicy.of(Duration.ofMinutes(1), Duration.ZERO));
      byte[] receipt = "\"id\":\"_local/".getBytes(StandardCharsets.US_ASCII);
      proxy.loseAnswers(receipt, before, LOST_TO_GIVE_UP);
      assertThat(copy.run().meter().rows()).isEqualTo(ROWS);
      assertThat(proxy.hasLostAnswers()).isTrue();
      assertHolds(all(rows(0, 10), rows(1_000, ROWS)), "told", copy);
    }
  }

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
    assertHolds(all(before, rows(1_000, ROWS)), name, copy);
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

  @Override
  public void loseAnswers(FaultyProxy proxy, int before, int times) {
    byte[] created = "HTTP/1.1 201".getBytes(StandardCharsets.US_ASCII);
    proxy.loseAnswers(created, before, times);
  }

  @Override
  public InetSocketAddress server() {
    return InetSocketAddress.createUnresolved("localhost", server.port());
  }

  @Override
  public void lose(Loss loss, String name) {
    switch (loss) {
      case TABLE -> server.drop(name);
      case JOURNAL -> server.local(name).clear();
      case ROWS -> throw notGiven(Behaviour.LOSS_OF_ROWS);
      case STAGED -> throw notGiven(Behaviour.LOSS_OF_STAGED);
      case STAGED_LAST -> throw notGiven(Behaviour.LOSS_OF_LAST_STAGED);
    }
  }

  @Override
  public List<String> leftovers(String name) {
    return List.of();
  }

  @Override
  public List<Endpoint> spellings(String name) {
    String location = table(name).location();
    return List.of(
        new Endpoint("couchdb", location.replace("localhost", "127.0.0.1"), FIELDS, Secret.NONE),
        new Endpoint("couchdb", location + "/", FIELDS, Secret.NONE));
  }

  /// By another name of its host a source is another one.
  @Override
  public List<Endpoint> sourceSpellings(String name) {
    return List.of();
  }

  @Override
  public Map<Behaviour, String> cannot() {
    return Map.ofEntries(
        Map.entry(Behaviour.REPLACE, "one database can't be put in the place of another"),
        Map.entry(Behaviour.MERGE, "documents have no keys but their ids"),
        Map.entry(Behaviour.ATOMIC, "there are no transactions"),
        Map.entry(Behaviour.APPEARS_WHOLE, "documents are there as they come"),
        Map.entry(Behaviour.EXISTING_COLUMNS, "documents have the columns that they have"),
        Map.entry(Behaviour.NAME_PATTERNS, "a journal is documents of its database"),
        Map.entry(Behaviour.TABLE_IDENTITY, "a database has no identity of its own"),
        Map.entry(Behaviour.LOSS_OF_ROWS, "a document that is deleted leaves its deletion"),
        Map.entry(Behaviour.LOSS_OF_STAGED, "nothing is staged"),
        Map.entry(Behaviour.LOSS_OF_LAST_STAGED, "nothing is staged"),
        Map.entry(Behaviour.SHARED_COMMITS, "there are no transactions"));
  }
}
