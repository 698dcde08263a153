package millrace.connectors.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import millrace.connectors.postgres.net.ConnectionFactory;
import millrace.connectors.postgres.net.Session;
import millrace.spi.Counters;
import millrace.spi.Counters.Reading;
import millrace.spi.Endpoint;
import millrace.spi.HasCounters;
import millrace.spi.OpenContext;
import millrace.spi.Secret;
import millrace.spi.ServerWait;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import millrace.testkit.PostgresServer;
import millrace.testkit.network.ConnectionFault;
import millrace.testkit.network.FaultyProxy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What a report says of the server's own counters.
class PostgresCountersTest {

  /// Each line: the event's kind and name as one version of the server or another has them; what a
  /// user reads.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          LWLock | WALWriteLock   | its write-ahead log
          LWLock | WALWrite       | its write-ahead log
          IO     | WALSync        | its write-ahead log
          IO     | WalSync        | its write-ahead log
          Lock   | extend         | the table to grow
          Lock   | transactionid  | locks
          IO     | DataFileRead   | pages of its tables to be read
          IO     | DataFileWrite  | pages of its tables to be written
          Client | ClientRead     | Millrace or the network
          IPC    | SyncRep        | its standby servers
          Timeout | PgSleep       | a function that sleeps (pg_sleep)
          LWLock | BufferMapping  | LWLock:BufferMapping
          """)
  void waitsAreNamedInWordsWhereThereAreSome(String kind, String event, String what) {
    assertThat(PostgresWaits.named(kind, event, false).what()).isEqualTo(what);
    assertThat(PostgresWaits.named(kind, event, false).event()).isEqualTo(kind + ":" + event);
  }

  @Test
  void lookingAtWaitsMovesNoCounterOfTransactionsByMoreThanOne() {
    PostgresServer server = PostgresServer.shared();
    String database = server.newDatabase();
    server.execute(database, "CREATE TABLE t (a int)");
    Endpoint table =
        new Endpoint("postgresql", server.location(database), Map.of("table", "t"), Secret.NONE);
    try (Source source = new PostgresConnector().source(table, Selection.ALL, new OpenContext());
        Counters counters =
            Objects.requireNonNull(source.capability(HasCounters.class)).counters()) {
      long before = commits(counters.read());
      long unlooked = commits(counters.read()) - before;
      for (int i = 0; i < 50; i++) {
        assertThat(counters.waits()).isEmpty();
      }
      assertThat(commits(counters.read()) - before).isLessThanOrEqualTo(2 * unlooked + 1);
    }
  }

  @Test
  void aLaneInTheMiddleOfATransactionWaitsForUsWhereTheConnectionThatOnlyHoldsOneDoesNot() {
    PostgresServer server = PostgresServer.shared();
    Endpoint end =
        new Endpoint("postgresql", server.location(server.newDatabase()), Map.of(), Secret.NONE);
    ConnectionFactory connectionFactory = new ConnectionFactory(end, _ -> null);
    try (Session holder = connectionFactory.connect();
        Session lane = connectionFactory.connect();
        Counters counters = new PostgresCounters(connectionFactory, holder)) {
      holder.begin();
      assertThat(counters.waits()).isEmpty();
      lane.begin();
      // Its process has answered, and is about to fall asleep.
      List<ServerWait> waits = counters.waits();
      while (waits.equals(List.of(ServerWait.NONE))) {
        waits = counters.waits();
      }
      assertThat(waits).containsExactly(new ServerWait("Client:ClientRead", ServerWait.CLIENT, ""));
    }
  }

  @Test
  void functionsOfAViewAndASortAreNamed() {
    PostgresServer server = PostgresServer.shared();
    String database = server.newDatabase();
    server.execute(
        database,
        "CREATE FUNCTION slow(i int) RETURNS int LANGUAGE plpgsql AS 'BEGIN RETURN i + 1; END'",
        "CREATE VIEW slowly AS SELECT slow(i) AS i FROM generate_series(1, 9) AS g(i)");
    Endpoint end = new Endpoint("postgresql", server.location(database), Map.of(), Secret.NONE);
    try (Session aside = new ConnectionFactory(end, _ -> null).connect()) {
      aside.begin();
      assertThat(work(aside, "SELECT i FROM slowly"))
          .isEqualTo("What is read calls the function slow. The copy is faster without.");
      assertThat(
              work(aside, "SELECT i FROM (SELECT i, md5(i::text) AS h FROM slowly) q ORDER BY h"))
          .contains("the function slow", "What is read is sorted first, by ", "md5");
      assertThat(work(aside, "SELECT nothing FROM slowly")).isEmpty();
      assertThat(work(aside, "SELECT 1")).isEmpty();
      assertThat(ReadWork.of(aside, "COPY (SELECT i FROM slowl")).isEmpty();
    }
  }

  private static String work(Session aside, String query) {
    return ReadWork.of(aside, "COPY (" + query + ") TO STDOUT (FORMAT binary)");
  }

  /// Who calls it is another matter for rows that are read than for those that are written.
  @Test
  void aFunctionThatSleepsIsOfTheQueryThatCallsIt() {
    assertThat(PostgresWaits.named("Timeout", "PgSleep", true).help())
        .startsWith("What is read calls it: the query, a view")
        .doesNotContain("trigger");
    assertThat(PostgresWaits.named("Timeout", "PgSleep", false).help()).contains("trigger");
  }

  private static long commits(Reading reading) {
    return reading.counts().stream()
        .filter(count -> count.name().equals("xact_commit"))
        .mapToLong(Counters.Count::value)
        .sum();
  }

  /// Otherwise a copy that has ended behind such a network would never say so.
  @Test
  void aServerThatNoLongerAnswersKeepsNobodyWaitingForItsCounters() {
    PostgresServer server = PostgresServer.shared();
    String database = server.newDatabase();
    server.execute(database, "CREATE TABLE t (a int)");
    try (FaultyProxy proxy =
        new FaultyProxy(server.host(), server.port(), _ -> new ConnectionFault.None())) {
      String location = "//" + server.user() + "@localhost:" + proxy.port() + "/" + database;
      Endpoint table = new Endpoint("postgresql", location, Map.of("table", "t"), Secret.NONE);
      try (Source source = new PostgresConnector().source(table, Selection.ALL, new OpenContext());
          Counters counters =
              Objects.requireNonNull(source.capability(HasCounters.class)).counters()) {
        assertThat(counters.read().missing()).noneMatch(why -> why.startsWith("pg_stat_database"));
        proxy.silence();
        Reading silent = counters.read();
        assertThat(silent.missing()).anyMatch(why -> why.startsWith("pg_stat_database"));
        assertThat(silent.counts()).allMatch(count -> count.group().equals("wire"));
      }
    }
  }
}
