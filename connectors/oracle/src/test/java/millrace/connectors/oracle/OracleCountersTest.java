package millrace.connectors.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.engine.meter.CounterWatch;
import millrace.report.Report;
import millrace.report.ReportText;
import millrace.spi.Counters;
import millrace.spi.Counters.Reading;
import millrace.spi.Counters.Scope;
import millrace.spi.write.Mode;
import millrace.testkit.Copying;
import millrace.testkit.Row;
import millrace.testkit.memory.MemoryConnector;
import millrace.testkit.oracle.OracleServer;
import millrace.text.Amount;
import org.junit.jupiter.api.Test;

/// What a report says of the server's counters, and what a user hears who may not see them.
class OracleCountersTest {

  private static final int ROWS = 2_000;

  private static final Schema TOKENS =
      Schema.of(List.of(Column.of("token", new Type.Text(20, Type.Text.Unit.CHARACTERS))));

  private static Map<String, Long> own(Reading reading) {
    return reading.counts().stream()
        .filter(count -> count.scope() == Scope.RUN)
        .collect(Collectors.toMap(Counters.Count::name, Counters.Count::value));
  }

  @Test
  void figuresOfSessionsThatHaveEndedStay() throws SQLException {
    try (OracleServer server = OracleServer.start()) {
      TestTables tables = new TestTables(server);
      tables.run("CREATE TABLE t (a NUMBER)");
      try (OracleConnections connections =
              new OracleConnections(tables.endpoint("table", "t"), _ -> null);
          Counters counters = new OracleCounters(connections)) {
        Map<String, Long> before = own(counters.read());
        try (Connection lane = connections.open();
            Statement statement = lane.createStatement()) {
          for (int i = 0; i < 10; i++) {
            statement.execute("INSERT INTO t VALUES (" + i + ")");
          }
          assertThat(own(counters.read()).get("execute count")).isGreaterThanOrEqualTo(10);
        }
        Reading after = counters.read();
        assertThat(after.missing()).isEmpty();
        assertThat(own(after).get("execute count")).isBetween(10L, 12L);
        assertThat(own(after).get("SQL*Net roundtrips to/from client")).isGreaterThan(10);
        assertThat(own(after)).containsKeys("redo size", "redo entries", "db block changes");
        assertThat(before.getOrDefault("execute count", 0L)).isZero();
        // Others' sessions, and the one that asks, are none of ours.
        tables.run("INSERT INTO t VALUES (100)");
        assertThat(own(counters.read())).isEqualTo(own(after));
      }
    }
  }

  @Test
  void eachViewThatIsClosedIsNamedWithTheGrantThatOpensIt() throws SQLException {
    try (OracleServer server = OracleServer.start()) {
      TestTables tables = new TestTables(server);
      List.of("V$SESSTAT", "V$LATCH", "V$SYSSTAT", "V$THREAD", "V$SESSION").forEach(server::revoke);
      try (OracleConnections connections =
              new OracleConnections(tables.endpoint("table", "t"), _ -> null);
          Connection _ = connections.open();
          Counters counters = new OracleCounters(connections)) {
        assertThat(counters.waits()).isEmpty();
        Reading reading = counters.read();
        // What the driver counts needs no right.
        assertThat(reading.counts())
            .extracting(Counters.Count::group)
            .containsOnly("wire", "inserts", "lobs");
        assertThat(reading.missing())
            .hasSize(5)
            .anyMatch(why -> why.endsWith("GRANT SELECT ON SYS.V_$SESSTAT TO " + tables.user + ";"))
            .anyMatch(why -> why.endsWith("GRANT SELECT ON SYS.V_$LATCH TO " + tables.user + ";"))
            .anyMatch(why -> why.endsWith("GRANT SELECT ON SYS.V_$SYSSTAT TO " + tables.user + ";"))
            .anyMatch(why -> why.endsWith("GRANT SELECT ON SYS.V_$THREAD TO " + tables.user + ";"))
            .anyMatch(
                why -> why.endsWith("GRANT SELECT ON SYS.V_$SESSION TO " + tables.user + ";"));
      }
    }
  }

  @Test
  void lobsThatDoNotComeWithTheirRowsAreCounted() throws SQLException {
    try (OracleServer server = OracleServer.start()) {
      TestTables tables = new TestTables(server);
      tables.run("CREATE TABLE lobs (v CLOB)");
      try (OracleConnections connections =
              new OracleConnections(tables.endpoint("table", "lobs"), _ -> null);
          Connection connection = connections.open();
          Counters counters = new OracleCounters(connections)) {
        try (PreparedStatement insert =
            connection.prepareStatement("INSERT INTO lobs VALUES (?)")) {
          for (int length : List.of(10, OracleLobs.USUAL, 2 * OracleLobs.USUAL)) {
            insert.setString(1, "x".repeat(length));
            insert.execute();
          }
        }
        long before = lobCalls(counters);
        try (PreparedStatement query = connection.prepareStatement("SELECT v FROM lobs");
            ResultSet rows = query.executeQuery()) {
          int characters = 0;
          while (rows.next()) {
            characters += rows.getString(1).length();
          }
          assertThat(characters).isEqualTo(10 + 3 * OracleLobs.USUAL);
        }
        assertThat(lobCalls(counters) - before).isEqualTo(1);
      }
    }
  }

  private static long lobCalls(Counters counters) {
    return counters.read().counts().stream()
        .filter(count -> count.group().equals("lobs"))
        .mapToLong(Counters.Count::value)
        .sum();
  }

  @Test
  void aViewOfNamesThatIsClosedIsNamedToo() throws SQLException {
    try (OracleServer server = OracleServer.start()) {
      TestTables tables = new TestTables(server);
      server.revoke("V$STATNAME");
      try (OracleConnections connections =
              new OracleConnections(tables.endpoint("table", "t"), _ -> null);
          Connection _ = connections.open();
          Counters counters = new OracleCounters(connections)) {
        assertThat(counters.read().missing())
            .singleElement()
            .asString()
            .endsWith("GRANT SELECT ON SYS.V_$STATNAME TO " + tables.user + ";");
      }
    }
  }

  @Test
  void aSessionThatWasLostIsSaidToBeMissing() throws SQLException {
    try (OracleServer server = OracleServer.start()) {
      TestTables tables = new TestTables(server);
      try (OracleConnections connections =
          new OracleConnections(tables.endpoint("table", "t"), _ -> null)) {
        Connection lane = connections.open();
        server.killSessions();
        try (Counters counters = new OracleCounters(connections)) {
          lane.abort(Runnable::run);
          assertThat(counters.read().missing())
              .anyMatch(why -> why.contains("ended before they could be asked"));
        }
      }
    }
  }

  /// Each instance of a cluster has a session of the lane's number.
  @Test
  void sessionsOfAnotherInstanceAreNamedAndThoseOfStrangersAreNotCounted() throws SQLException {
    try (OracleServer server = OracleServer.start()) {
      TestTables tables = new TestTables(server);
      tables.run("CREATE TABLE t (a NUMBER)");
      server.renumberSessions(2);
      try (OracleConnections connections =
              new OracleConnections(tables.endpoint("table", "t"), _ -> null);
          Connection stranger = tables.connect();
          Connection far = connections.open();
          Connection near = connections.open();
          Connection _ = tables.connect();
          Counters counters = new OracleCounters(connections)) {
        insert(near, 3);
        insert(stranger, 50);
        insert(far, 20);
        Reading reading = counters.read();
        assertThat(own(reading).get("execute count")).isBetween(3L, 10L);
        assertThat(reading.missing())
            .singleElement()
            .asString()
            .endsWith("another instance than the one that is asked (101 of instance 2)");
      }
    }
  }

  /// The server gives the number of a session that has ended to another one.
  @Test
  void aStrangerWithTheNumberOfALostSessionIsNotCounted() throws SQLException {
    try (OracleServer server = OracleServer.start()) {
      TestTables tables = new TestTables(server);
      tables.run("CREATE TABLE t (a NUMBER)");
      server.renumberSessions(1);
      try (OracleConnections connections =
          new OracleConnections(tables.endpoint("table", "t"), _ -> null)) {
        Connection lane = connections.open();
        server.killSessions();
        server.renumberSessions(1);
        try (Connection stranger = tables.connect();
            Counters counters = new OracleCounters(connections)) {
          insert(stranger, 50);
          lane.abort(Runnable::run);
          Reading reading = counters.read();
          assertThat(own(reading)).doesNotContainKey("execute count");
          assertThat(reading.missing()).anyMatch(why -> why.contains("(101 of instance 1)"));
        }
      }
    }
  }

  private static void insert(Connection connection, int times) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (int i = 0; i < times; i++) {
        statement.execute("INSERT INTO t VALUES (" + i + ")");
      }
    }
  }

  /// Rows of one short text, with batches of one and of a hundred.
  @Test
  void batchesSaveExecutesTripsAndRedo() {
    try (OracleServer server = OracleServer.start()) {
      TestTables tables = new TestTables(server);
      Map<String, Long> single = load(tables, 1);
      Map<String, Long> batches = load(tables, 100);
      // One execute for each batch, whatever the views say.
      assertThat(single).containsEntry("executes", 2_000L).containsEntry("rows", 2_000L);
      assertThat(batches).containsEntry("executes", 20L).containsEntry("rows", 2_000L);
      assertThat(single.get("round_trips")).isGreaterThan(2_000);
      assertThat(single.get("bytes_sent")).isGreaterThan(2_000 * 20);
      // A savepoint goes with each batch.
      assertThat(single.get("execute count")).isBetween(2_000L, 4_100L);
      assertThat(batches.get("execute count")).isBetween(20L, 120L);
      String trips = "SQL*Net roundtrips to/from client";
      String bytes = "bytes received via SQL*Net from client";
      assertThat(single.get(trips)).isGreaterThan(10 * batches.getOrDefault(trips, 1_000_000L));
      assertThat(single.get(bytes)).isGreaterThan(2 * batches.getOrDefault(bytes, 1_000_000_000L));
      assertThat(single)
          .containsKeys(
              "bytes sent via SQL*Net to client",
              "user calls",
              "redo size",
              "redo entries",
              "undo change vector size",
              "db block changes",
              "db block gets",
              "db block gets from cache",
              "log switches",
              "background checkpoints completed",
              "DBWR undo block writes",
              "consistent gets",
              "cache buffers chains",
              "checkpoint queue latch",
              "redo allocation",
              "shared pool");
    }
  }

  /// The driver parts a batch if the type of a bind changes within it: a long text among short
  /// ones.
  @Test
  void aBatchThatTheDriverPartsIsSeenAsSeveralExecutes() {
    try (OracleServer server = OracleServer.start()) {
      TestTables tables = new TestTables(server);
      List.of("V$SESSTAT", "V$LATCH", "V$SYSSTAT", "V$THREAD", "V$SESSION").forEach(server::revoke);
      MemoryConnector memory = new MemoryConnector();
      memory.put(
          "texts",
          Schema.of(List.of(Column.of("v", Type.Text.UNLIMITED))),
          List.of(Row.of("a"), Row.of("b".repeat(40_000)), Row.of("c")));
      Report report =
          Copying.of(
                  memory,
                  memory.endpoint("texts"),
                  new OracleConnector(_ -> null),
                  tables.endpoint("table", "texts", "text-as", "clob"))
              .mode(Mode.CREATE)
              .lanes(1, 1 << 20)
              .measuring()
              .run()
              .result()
              .report();
      assertThat(ReportText.lines(report))
          .anyMatch(line -> line.contains("inserts    target 3 rows in 3 executes, 1.0 rows each"));
      assertThat(ReportText.lines(report)).anyMatch(line -> line.contains("wire       target "));
    }
  }

  private static Map<String, Long> load(TestTables tables, int batch) {
    MemoryConnector memory = new MemoryConnector();
    memory.put(
        "tokens", TOKENS, IntStream.range(0, ROWS).mapToObj(i -> Row.of("token" + i)).toList());
    Report report =
        Copying.of(
                memory,
                memory.endpoint("tokens"),
                new OracleConnector(_ -> null),
                tables.endpoint("table", "tokens" + batch))
            .mode(Mode.CREATE)
            .lanes(1, 1 << 20)
            .units(null, Amount.parse("write-unit", String.valueOf(batch)), null)
            .measuring()
            .run()
            .result()
            .report();
    return report.statistics().counters().stream()
        .filter(counter -> counter.end().equals("target"))
        .collect(Collectors.toMap(CounterWatch.Counter::name, CounterWatch.Counter::change));
  }
}
