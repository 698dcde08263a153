package millrace.connectors.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import millrace.spi.Blockable;
import millrace.spi.Counters;
import millrace.spi.ServerWait;
import millrace.testkit.oracle.OracleServer;
import millrace.testkit.oracle.PlannedFault;
import millrace.testkit.oracle.ServerCall;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What a report says of the server's own waits.
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class OracleWaitsTest {

  private static final OracleServer SERVER = OracleServer.start();
  private static final long SEEN_WITHIN = TimeUnit.SECONDS.toNanos(60);

  private final TestTables tables = new TestTables(SERVER);

  @AfterAll
  static void stop() {
    SERVER.close();
  }

  /// Each line: an event, its class, and what a user reads.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          log file sync                             | Commit        | its redo log
          log buffer space                          | Configuration | room in its redo log's buffer
          log file switch (checkpoint incomplete)   | Configuration | its redo logs to be switched
          log file switch completion                | Configuration | its redo logs to be switched
          log file switch (archiving needed)        | Configuration | its redo logs to be archived
          enq: TX - allocate ITL entry              | Configuration | room for transactions in blocks that lanes share
          enq: KO - fast object checkpoint          | Application   | changed blocks of the table to be on disk
          enq: CR - block range reuse ckpt          | Other         | changed blocks of the table to be on disk
          enq: CF - contention                      | Other         | its control file
          cell smart table scan                     | User I/O      | its storage cells (Exadata)
          cell single block physical read           | User I/O      | its storage cells (Exadata)
          statement suspended, wait error to be cleared | Configuration | room that an administrator has to make
          PX Deq: Execute Reply                     | Idle          | its parallel processes
          PX Deq Credit: send blkd                  | Other         | its parallel processes
          buffer busy waits                         | Concurrency   | blocks that others use
          read by other session                     | User I/O      | blocks that others use
          enq: TX - row lock contention             | Application   | locks
          enq: TM - contention                      | Application   | locks
          library cache lock                        | Concurrency   | locks
          enq: TX - index contention                | Concurrency   | blocks of an index that lanes share
          enq: HW - contention                      | Configuration | the table to grow
          direct path write                         | User I/O      | blocks of its tables to be written
          direct path write temp                    | User I/O      | blocks of its tables to be written
          db file sequential read                   | User I/O      | blocks of its tables to be read
          db file scattered read                    | User I/O      | blocks of its tables to be read
          direct path read                          | User I/O      | blocks of its tables to be read
          free buffer waits                         | Configuration | free room in its buffer cache
          SQL*Net more data from client             | Network       | Millrace or the network
          SQL*Net message from client               | Idle          | Millrace or the network
          resmgr:cpu quantum                        | Scheduler     | its resource manager
          latch: cache buffers chains               | Concurrency   | latches and mutexes of its memory
          JS kgl get object wait                    | Administrative | JS kgl get object wait
          """)
  void eventsAreNamedInWords(String event, String waitClass, String what) {
    assertThat(OracleWaits.named(event, waitClass).what()).isEqualTo(what);
    assertThat(OracleWaits.named(event, waitClass).event()).isEqualTo(event);
  }

  /// Larger logs would be filled, too.
  @Test
  void anArchiverWithoutRoomIsNotToldAsLogsThatAreTooSmall() {
    String help = OracleWaits.named("log file switch (archiving needed)", "Configuration").help();
    assertThat(help).contains("DB_RECOVERY_FILE_DEST_SIZE").contains("Larger redo logs would not");
  }

  private ServerWait seen(Counters counters, String what) {
    List<ServerWait> all = new ArrayList<>();
    long end = System.nanoTime() + SEEN_WITHIN;
    while (System.nanoTime() < end) {
      for (ServerWait wait : counters.waits()) {
        if (wait.what().equals(what)) {
          return wait;
        }
        all.add(wait);
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
    }
    return fail("no wait for " + what + " was seen, but " + all.stream().distinct().toList());
  }

  /// What a lane does, which may fail.
  private interface Deed {
    void with(Connection lane) throws SQLException;
  }

  /// Starts a lane that does something once, and looks until its wait is seen.
  ///
  /// @param end lets the lane end
  private ServerWait seenWhile(Deed deed, String what, Deed end, Connection other)
      throws SQLException {
    try (OracleConnections connections =
            new OracleConnections(tables.endpoint("table", "t"), _ -> null);
        Connection lane = connections.open();
        Counters counters = new OracleCounters(connections)) {
      List<String> failure = new ArrayList<>();
      Thread thread =
          Thread.ofPlatform()
              .start(() -> {
                try {
                  lane.setAutoCommit(false);
                  deed.with(lane);
                } catch (SQLException e) {
                  failure.add(String.valueOf(e.getMessage()));
                }
              });
      ServerWait wait = seen(counters, what);
      end.with(other);
      try {
        thread.join();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      assertThat(failure).isEmpty();
      return wait;
    }
  }

  private static Deed executes(String sql) {
    return lane -> {
      try (Statement statement = lane.createStatement()) {
        statement.execute(sql);
      }
    };
  }

  /// A copy that stands still says who keeps it from going on, if its user may ask.
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whatAnEndWaitsForNamesTheSessionThatHoldsTheLock(boolean mayAsk)
      throws SQLException, InterruptedException {
    tables.run("CREATE TABLE t (v NUMBER)", "INSERT INTO t VALUES (1)");
    if (!mayAsk) {
      SERVER.revoke("V$SESSION");
    }
    try (Connection other = tables.connect();
        OracleConnections connections =
            new OracleConnections(tables.endpoint("table", "t"), _ -> null);
        OracleEnd end = new OracleEnd(connections);
        Connection lane = connections.open()) {
      other.setAutoCommit(false);
      executes("UPDATE t SET v = 2").with(other);
      Blockable waiting = end.waiting(new Blockable() {});
      assertThat(waiting.waitsFor()).isNull();
      CountDownLatch done = new CountDownLatch(1);
      Thread.ofPlatform()
          .start(() -> {
            try {
              executes("UPDATE t SET v = v + 1").with(lane);
            } catch (SQLException e) {
              throw new IllegalStateException(e);
            } finally {
              done.countDown();
            }
          });
      String told = null;
      for (int i = 0; i < 500 && told == null && (mayAsk || i < 20); i++) {
        TimeUnit.MILLISECONDS.sleep(10);
        told = waiting.waitsFor();
      }
      other.commit();
      done.await();
      if (mayAsk) {
        assertThat(told)
            .matches("a lock of the server's session \\d+ \\(user " + tables.user + ", .+\\)");
      } else {
        assertThat(told).isNull();
      }
    } finally {
      SERVER.grant("V$SESSION");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "UPDATE t SET v = 2, enq: TX - row lock contention",
    "LOCK TABLE t IN EXCLUSIVE MODE, enq: TM - contention"
  })
  void locksAreToldWithWhoeverHoldsThem(String sql, String event) throws SQLException {
    tables.run("CREATE TABLE t (v NUMBER)", "INSERT INTO t VALUES (1)");
    try (Connection other = tables.connect()) {
      other.setAutoCommit(false);
      executes(sql).with(other);
      ServerWait wait =
          seenWhile(
              executes("UPDATE t SET v = v + 1"), ServerWait.LOCKS, Connection::commit, other);
      assertThat(wait.event()).isEqualTo(event);
      assertThat(wait.help())
          .matches("Session \\d+ \\(user " + tables.user + ", .+\\) holds them\\.");
    }
  }

  /// The number of the holder is that of another lane on the instance that is asked.
  @Test
  void aHolderOnAnotherInstanceIsToldWithIt() throws SQLException, InterruptedException {
    try (OracleServer server = OracleServer.start()) {
      TestTables mine = new TestTables(server);
      mine.run("CREATE TABLE t (v NUMBER)", "INSERT INTO t VALUES (1)");
      server.renumberSessions(2);
      try (OracleConnections connections =
              new OracleConnections(mine.endpoint("table", "t"), _ -> null);
          Connection lane = connections.open();
          Connection other = mine.connect();
          OracleEnd end = new OracleEnd(connections);
          Counters counters = new OracleCounters(connections)) {
        other.setAutoCommit(false);
        executes("UPDATE t SET v = 2").with(other);
        // The next session, which asks who holds locks, is on the lane's instance.
        mine.connect().close();
        Thread waiting = Thread.ofPlatform().start(() -> failing(lane));
        assertThat(seen(counters, ServerWait.LOCKS).help())
            .isEqualTo("Session 101 of instance 2 holds them.");
        assertThat(end.waiting(new Blockable() {}).waitsFor())
            .isEqualTo("a lock of the server's session 101 of instance 2");
        other.rollback();
        waiting.join();
      }
    }
  }

  private static void failing(Connection lane) {
    try {
      executes("UPDATE t SET v = v + 1").with(lane);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @ParameterizedTest
  @CsvSource({"COMMIT, its redo log", "EXECUTE, blocks of its tables to be read"})
  void aCallThatTakesLongSaysWhatItWaitsFor(ServerCall call, String what) throws SQLException {
    tables.run("CREATE TABLE t (v NUMBER)");
    String text = call == ServerCall.EXECUTE ? "INSERT INTO t" : "";
    try (Connection other = tables.connect()) {
      SERVER
          .faults()
          .add(
              new PlannedFault(
                  call, text, 0, new PlannedFault.Effect.Delay(Duration.ofSeconds(2))));
      ServerWait wait =
          seenWhile(
              lane -> {
                executes("INSERT INTO t VALUES (1)").with(lane);
                lane.commit();
              },
              what,
              _ -> {},
              other);
      assertThat(wait.help()).isNotEmpty();
    }
  }

  @Test
  void aLaneInTheMiddleOfATransactionWaitsForUsAndOneWithoutIsNotLookedAt() throws SQLException {
    tables.run("CREATE TABLE t (v NUMBER)");
    try (OracleConnections connections =
            new OracleConnections(tables.endpoint("table", "t"), _ -> null);
        Connection lane = connections.open();
        Counters counters = new OracleCounters(connections)) {
      lane.setAutoCommit(false);
      assertThat(counters.waits()).isEmpty();
      executes("INSERT INTO t VALUES (1)").with(lane);
      assertThat(seen(counters, ServerWait.CLIENT).event())
          .isEqualTo("SQL*Net message from client");
    }
  }
}
