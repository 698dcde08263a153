package millrace.connectors.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Objects;
import millrace.connectors.Connectors;
import millrace.spi.Counters;
import millrace.spi.Counters.Reading;
import millrace.spi.Endpoint;
import millrace.spi.Secret;
import millrace.spi.Selection;
import millrace.spi.Source;
import millrace.testkit.PostgresServer;
import millrace.testkit.network.FaultyProxy;
import millrace.testkit.network.Harm;
import org.junit.jupiter.api.Test;

/// What a report says of the server's own counters.
class PostgresCountersTest {

  /// Otherwise a copy that has ended behind such a network would never say so.
  @Test
  void aServerThatNoLongerAnswersKeepsNobodyWaitingForItsCounters() {
    PostgresServer server = PostgresServer.shared();
    String database = server.newDatabase();
    server.execute(database, "CREATE TABLE t (a int)");
    try (FaultyProxy proxy = new FaultyProxy(server.host(), server.port(), _ -> new Harm.None())) {
      String location = "//" + server.user() + "@localhost:" + proxy.port() + "/" + database;
      Endpoint table = new Endpoint("postgresql", location, Map.of("table", "t"), Secret.NONE);
      try (Source source = Connectors.of(table).source(table, Selection.ALL);
          Counters counters = Objects.requireNonNull(source.counters())) {
        assertThat(counters.read().missing()).noneMatch(why -> why.startsWith("pg_stat_database"));
        proxy.silence();
        Reading silent = counters.read();
        assertThat(silent.missing()).anyMatch(why -> why.startsWith("pg_stat_database: "));
        assertThat(silent.counts()).allMatch(count -> count.group().equals("wire"));
      }
    }
  }
}
