package millrace.connectors.couchdb.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import millrace.connectors.couchdb.CouchConnector;
import millrace.connectors.couchdb.KeepingServer;
import millrace.connectors.couchdb.KeepingServer.Harm;
import millrace.connectors.couchdb.KeepingServer.Request;
import millrace.spi.Counters;
import millrace.spi.Counters.Count;
import millrace.spi.Counters.Reading;
import millrace.spi.HasCounters;
import millrace.spi.OpenContext;
import millrace.spi.read.ColumnRequest;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What a copy's report says of requests and of the server's own counters.
class CouchCountersTest {

  private final KeepingServer server = new KeepingServer();

  @BeforeEach
  void someDocuments() {
    server.put("from", "{\"_id\":\"a\",\"text\":\"" + "x".repeat(5_000) + "\"}");
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private static boolean isReading(Request request) {
    return request.path().startsWith("/_node/");
  }

  private static boolean isOfStats(Request request) {
    return request.isOf("_stats");
  }

  private Source source() {
    return new CouchConnector(_ -> null)
        .source(server.database("from", Map.of()), Selection.ALL, new OpenContext());
  }

  private static Map<String, Long> values(Reading reading) {
    return reading.counts().stream()
        .collect(Collectors.toMap(count -> count.group() + "." + count.name(), Count::value));
  }

  @Test
  void requestsAndTheirBytesAreCountedAndTheServerTellsTheRest() {
    try (Source source = source();
        Counters counters =
            Objects.requireNonNull(source.capability(HasCounters.class)).counters()) {
      Map<String, Long> before = values(counters.read());
      source.describe(new ColumnRequest.Untyped());
      Map<String, Long> after = values(counters.read());
      long requested = server.requests("").stream().filter(each -> !isReading(each)).count();
      assertThat(before).containsEntry("wire.calls", 0L).containsEntry("wire.bytes_sent", 0L);
      assertThat(after)
          .containsEntry("wire.calls", requested)
          .containsEntry("wire.round_trips", requested)
          .doesNotContainKeys("_stats.couchdb.open", "_stats.couchdb.open_databases");
      assertThat(after.get("wire.bytes_sent")).isBetween(40 * requested, 400 * requested);
      assertThat(after.get("wire.bytes_received")).isBetween(5_000L, 5_000 + 500 * requested);
      String requests = "_stats.couchdb.httpd.requests";
      assertThat(after.getOrDefault(requests, 0L) - before.getOrDefault(requests, 0L))
          .as("the reading itself is two")
          .isEqualTo(requested + 2);
    }
  }

  @Test
  void aServerThatWasStartedAgainCountsForNothing() {
    try (Source source = source();
        Counters counters =
            Objects.requireNonNull(source.capability(HasCounters.class)).counters()) {
      assertThat(values(counters.read())).containsKey("_stats.couchdb.httpd.requests");
      server.isUpFor(7);
      Reading after = counters.read();
      assertThat(values(after)).containsKey("wire.calls");
      assertThat(values(after).keySet()).noneMatch(name -> name.startsWith("_stats"));
      assertThat(after.missing()).anyMatch(why -> why.contains("started again during the run"));
    }
  }

  @Test
  void countersThatAServerDoesNotHaveOrShowAreNamed() {
    try (Source source = source();
        Counters counters =
            Objects.requireNonNull(source.capability(HasCounters.class)).counters()) {
      server.harm(1, CouchCountersTest::isOfStats, new Harm.Status(403, "0"));
      assertThat(counters.read().missing())
          .anyMatch(why -> why.startsWith("_stats: ") && why.contains("403"));
      server.harm(2, CouchCountersTest::isOfStats, new Harm.Status(404, "0"));
      assertThat(counters.read().missing())
          .contains("_stats: the server has neither _node/_local/_stats nor _stats");
    }
  }
}
