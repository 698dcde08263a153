package millrace.connectors.couchdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import millrace.connectors.couchdb.KeepingServer.Harm;
import millrace.connectors.couchdb.KeepingServer.Request;
import millrace.engine.meter.Meter;
import millrace.fault.Fault;
import millrace.spi.Endpoint;
import millrace.testkit.Copying;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What is read from a cluster of which a node was away: it answers at once, with what it has.
///
/// Each case has its own server and mostly waits, so that cases run at once.
@Execution(ExecutionMode.CONCURRENT)
class CouchClusterTest {

  private static final int ALL = 2_000;

  private static final Predicate<Request> PAGES =
      request -> request.isOf("/from/_all_docs") && request.query().containsKey("include_docs");

  private final KeepingServer server = new KeepingServer();
  private final CouchConnector connector = new CouchConnector(_ -> null);
  private final Endpoint to = server.database("to", Map.of());

  @BeforeEach
  void aNodeThatWasAway() {
    server.hasCopies(3);
    server.put("from", documents(ALL));
    server.put("behind", documents(100));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private static String[] documents(int count) {
    return IntStream.range(0, count)
        .mapToObj("{\"_id\":\"id%04d\",\"_rev\":\"1-a\"}"::formatted)
        .toArray(String[]::new);
  }

  private Meter copy(Map<String, String> ofSource, Duration retryFor) {
    Endpoint from = server.database("from", ofSource);
    return Copying.of(connector, from, connector, to)
        .patience(retryFor, Duration.ofMinutes(1))
        .run()
        .meter();
  }

  private Meter copy(Map<String, String> ofSource) {
    return copy(ofSource, Duration.ofMinutes(1));
  }

  private void assertCopied() {
    assertThat(server.documents("to")).isEqualTo(server.documents("from"));
  }

  /// All but the last of those that are asked how many documents there are may lack some.
  @ParameterizedTest
  @CsvSource({"1, 0", "3, 0", "0, 6", "2, 6"})
  void pagesThatLackDocumentsAreAskedForAgain(int pages, int counts) {
    // The first page is the sample.
    int[] seen = {0};
    server.harm(pages, PAGES.and(_ -> ++seen[0] > 1), new Harm.Of("behind"));
    server.harm(counts, request -> request.isOf("/from"), new Harm.Of("behind"));
    Meter meter = copy(Map.of());
    assertCopied();
    assertThat(meter.retries()).hasSize(pages > 0 ? 1 : 0);
  }

  @ParameterizedTest
  @CsvSource({"1", "2"})
  void changesThatLackDocumentsAreAskedForAgain(int answers) {
    server.harm(answers, request -> request.isOf("/from/_changes"), new Harm.Of("behind"));
    assertThat(copy(Map.of("changes", "true")).retries()).hasSize(1);
    assertCopied();
  }

  @Test
  void aNodeThatNeverCatchesUpEndsTheCopyAndIsNamed() {
    int[] seen = {0};
    server.harm(Integer.MAX_VALUE, PAGES.and(_ -> ++seen[0] > 1), new Harm.Of("behind"));
    assertThatThrownBy(() -> copy(Map.of(), Duration.ZERO))
        .isInstanceOf(Fault.Transient.class)
        .hasMessageContaining("fewer than the 2,000 documents that there are");
  }

  @ParameterizedTest
  @CsvSource({"false", "true"})
  void documentsThatAreDeletedMeanwhileAreNotWaitedFor(String changes) {
    server.harm(
        1,
        request -> {
          if (request.isOf("/_security")) {
            server.loses("from", "id0007");
            server.loses("from", "id1999");
          }
          return false;
        },
        new Harm.Stall());
    assertThat(copy(Map.of("changes", changes)).retries()).isEmpty();
    assertCopied();
  }

  @Test
  void documentsThatWereDeletedWhileANodeWasAwayAreNotWaitedFor() {
    server.put("behind", documents(ALL));
    server.loses("from", "id0007");
    server.loses("from", "id1999");
    server.harm(4, request -> request.isOf("/from"), new Harm.Of("behind"));
    assertThat(copy(Map.of()).retries()).isEmpty();
    assertCopied();
  }

  @ParameterizedTest
  @CsvSource({
    "3, 0, node b on here came back 3 s ago",
    "30, 7, node b on here came back 30 s ago",
    "30, 0, ",
    "3600, 7, "
  })
  void whatANodeThatHasJustComeBackMayLackIsWaitedFor(int seconds, int toSend, String why) {
    server.isBackFor(seconds, toSend);
    if (why == null) {
      copy(Map.of());
      assertCopied();
    } else {
      assertThatThrownBy(() -> copy(Map.of()))
          .isInstanceOf(Fault.Transient.class)
          .hasMessageContaining(why);
    }
  }

  @Test
  void whoMayNotLookAtTheNodesCopiesAllTheSame() {
    server.isBackFor(3, 7);
    server.harm(1, request -> request.isOf("/_membership"), new Harm.Status(401, ""));
    copy(Map.of());
    assertCopied();
  }

  @Test
  void whereThereIsOneCopyItIsAskedForOnce() {
    server.hasCopies(1);
    copy(Map.of());
    // And once more when its one split has been read, whether it is still the same.
    assertThat(server.requests("/from")).hasSize(2);
  }
}
