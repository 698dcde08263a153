package millrace.connectors.mariadb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.io.InputStream;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import millrace.spi.Counters;
import millrace.spi.Endpoint;
import millrace.spi.ServerWait;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What a report says of the server's own waits. Each is brought about on real servers.
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MariaDbWaitsTest {

  private static final long SEEN_WITHIN = TimeUnit.SECONDS.toNanos(60);

  /// A connection of the connector's that does something again and again until its wait was seen.
  private static final class AtWork implements AutoCloseable {

    private final MariaDbConnections connections;
    private final Connection lane;
    private final Counters counters;
    private final AtomicBoolean stop = new AtomicBoolean();
    private final Thread thread;
    private volatile String failure = "";

    private interface Deed {
      void with(Statement lane, AtomicBoolean stop) throws SQLException;
    }

    AtWork(TestTables tables, Deed deed) {
      Endpoint table = tables.endpoint("table", "t");
      connections = new MariaDbConnections(table, _ -> null);
      lane = connections.open(true);
      counters = new MariaDbCounters(connections);
      thread =
          Thread.ofPlatform()
              .start(() -> {
                try (Statement statement = lane.createStatement()) {
                  while (!stop.get()) {
                    deed.with(statement, stop);
                  }
                } catch (SQLException e) {
                  failure = String.valueOf(e.getMessage());
                }
              });
    }

    ServerWait seen(String what) {
      return seen(what, "");
    }

    /// @param event that comes after others; empty for any
    ServerWait seen(String what, String event) {
      List<ServerWait> all = new ArrayList<>();
      long end = System.nanoTime() + SEEN_WITHIN;
      while (System.nanoTime() < end && failure.isEmpty()) {
        List<ServerWait> now = counters.waits();
        assertThat(now).hasSizeLessThanOrEqualTo(1);
        for (ServerWait wait : now) {
          if (wait.what().equals(what) && (event.isEmpty() || event.equals(wait.event()))) {
            return wait;
          }
          all.add(wait);
        }
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
      }
      return fail(
          "no wait for "
              + what
              + " was seen "
              + failure
              + ", but "
              + all.stream().distinct().toList());
    }

    void stop() {
      stop.set(true);
    }

    @Override
    public void close() throws SQLException {
      stop();
      try {
        thread.join();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      counters.close();
      lane.close();
      connections.close();
    }
  }

  private static TestTables table(String scheme) {
    TestTables tables = new TestTables(scheme);
    tables.run("CREATE TABLE t (id int PRIMARY KEY, v int)", "INSERT INTO t VALUES (1, 1)");
    return tables;
  }

  @ParameterizedTest
  @ValueSource(strings = {"mariadb", "mysql"})
  void aCommitWaitsForTheLogThatTheSettingsName(String scheme) throws SQLException {
    TestTables tables = table(scheme);
    tables.server.run("SET GLOBAL innodb_flush_log_at_trx_commit = 1");
    try (AtWork atWork = new AtWork(tables, (lane, _) -> lane.execute("UPDATE t SET v = v + 1"))) {
      assertThat(atWork.seen("its redo log").help())
          .contains("innodb_flush_log_at_trx_commit = 1")
          .doesNotContain("sync_binlog");
    } finally {
      tables.server.run("SET GLOBAL innodb_flush_log_at_trx_commit = 2");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"mariadb", "mysql"})
  void aLoadWhoseRowsComeSlowlyWaitsForUs(String scheme) throws SQLException {
    TestTables tables = table(scheme);
    try (AtWork atWork =
        new AtWork(
            tables,
            (lane, stop) -> {
              org.mariadb.jdbc.Statement load = lane.unwrap(org.mariadb.jdbc.Statement.class);
              load.setLocalInfileInputStream(nothing(stop));
              load.execute("LOAD DATA LOCAL INFILE 'x' INTO TABLE t");
            })) {
      assertThat(atWork.seen(ServerWait.CLIENT).event()).containsAnyOf("net", "client");
    }
  }

  /// Inserts over a slow network: most of the time the server has no statement of ours.
  @ParameterizedTest
  @ValueSource(strings = {"mariadb", "mysql"})
  void aTransactionWithoutAStatementWaitsForUs(String scheme) throws SQLException {
    TestTables tables = table(scheme);
    try (AtWork atWork =
        new AtWork(
            tables,
            (lane, stop) -> {
              lane.execute("BEGIN");
              lane.execute("UPDATE t SET v = v + 1");
              while (!stop.get()) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
              }
              lane.execute("ROLLBACK");
            })) {
      // The answer to the statement before may still be on its way.
      assertThat(atWork.seen(ServerWait.CLIENT, "Sleep").what()).isEqualTo(ServerWait.CLIENT);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"mariadb", "mysql"})
  void functionsOfAViewAndASortAreNamed(String scheme) throws SQLException {
    TestTables tables = table(scheme);
    tables.server.run("SET GLOBAL log_bin_trust_function_creators = 1");
    tables.run(
        "CREATE FUNCTION dawdles(i int) RETURNS int DETERMINISTIC RETURN i + 1",
        "CREATE VIEW slowly AS SELECT dawdles(id) AS id FROM t",
        "INSERT INTO t VALUES (2, 2), (3, 3)");
    boolean isMariaDb = scheme.equals("mariadb");
    try (Connection open = tables.server.connect(tables.database);
        Statement aside = open.createStatement()) {
      assertThat(StatementWork.help(aside, "SELECT id FROM slowly", isMariaDb))
          .isEqualTo("What is read calls the function dawdles. The copy is faster without.");
      assertThat(StatementWork.help(aside, "SELECT id, v FROM t ORDER BY v", isMariaDb))
          .startsWith("What is read is sorted first");
      assertThat(StatementWork.help(aside, "SELECT id FROM t", isMariaDb)).isEmpty();
      assertThat(StatementWork.help(aside, "SELECT nothing FROM t", isMariaDb)).isEmpty();
    }
  }

  /// Ends when it is told.
  private static InputStream nothing(AtomicBoolean stop) {
    return new InputStream() {
      @Override
      public int read() throws IOException {
        while (!stop.get()) {
          LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
        return -1;
      }

      @Override
      public int read(byte[] into, int from, int length) throws IOException {
        return read();
      }
    };
  }

  @ParameterizedTest
  @CsvSource({
    "mariadb,UPDATE t SET v = 2",
    "mysql,UPDATE t SET v = 2",
    "mariadb,LOCK TABLES t WRITE",
    "mysql,LOCK TABLES t WRITE"
  })
  void locksOfOthersAreLocks(String scheme, String sql) throws SQLException {
    TestTables tables = table(scheme);
    try (Connection other = tables.server.connect(tables.database);
        Statement statement = other.createStatement();
        AtWork atWork = begun(other, statement, sql, tables)) {
      assertThat(atWork.seen(ServerWait.LOCKS).help()).contains("SHOW FULL PROCESSLIST");
      atWork.stop();
      other.rollback();
      statement.execute("UNLOCK TABLES");
    }
  }

  private static AtWork begun(Connection other, Statement statement, String sql, TestTables tables)
      throws SQLException {
    other.setAutoCommit(false);
    statement.execute(sql);
    return new AtWork(tables, (lane, _) -> lane.execute("UPDATE t SET v = v + 1"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"mariadb", "mysql"})
  void looksMoveNoCounter(String scheme) throws SQLException {
    TestTables tables = table(scheme);
    MariaDbConnections connections =
        new MariaDbConnections(tables.endpoint("table", "t"), _ -> null);
    try (Connection _ = connections.open(true);
        Counters counters = new MariaDbCounters(connections)) {
      long before = selects(counters);
      for (int i = 0; i < 50; i++) {
        assertThat(counters.waits()).isEmpty();
      }
      assertThat(selects(counters) - before).isLessThan(50);
    }
    connections.close();
  }

  /// Of the whole server; other tests may use it meanwhile.
  private static long selects(Counters counters) {
    return counters.read().counts().stream()
        .filter(count -> count.name().equals("Com_select"))
        .mapToLong(Counters.Count::value)
        .sum();
  }

  @Test
  void logsThatCommitsWaitForAreNamedByTheSettings() {
    ServerWait both = MariaDbWaits.commit(1, 1);
    assertThat(both.what()).isEqualTo("its redo log and binary log");
    assertThat(both.help()).contains("(innodb_flush_log_at_trx_commit = 1, sync_binlog = 1)");
    assertThat(MariaDbWaits.commit(2, 1).what()).isEqualTo("its binary log");
    assertThat(MariaDbWaits.commit(0, 0).what()).isEqualTo("commits to end");
  }

  /// States of servers that are not at hand in that state.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          Waiting for prior transaction to commit      | its redo log
          waiting for handler commit                   | its redo log
          Writing to binlog                            | its binary log
          Waiting for semi-sync ACK from slave         | its replicas
          User sleep                                   | a function that sleeps (sleep)
          Creating sort index                          | its sort of the rows
          Sorting result                               | its sort of the rows
          Creating tmp table                           | its temporary tables
          Waiting for table level lock                 | locks
          Waiting for table flush                      | locks
          Waiting for stored function metadata lock    | locks
          Receiving from client                        | Millrace or the network
          Writing to net                               | Millrace or the network
          """)
  void statesAreNamedInWords(String state, String what) {
    ServerWait wait = MariaDbWaits.named(state, MariaDbWaits.commit(1, 0));
    assertThat(wait.what()).isEqualTo(what);
    assertThat(wait.event()).isEqualTo(state);
    assertThat(MariaDbWaits.named("Sending data", MariaDbWaits.commit(1, 0)))
        .isEqualTo(ServerWait.NONE);
  }
}
