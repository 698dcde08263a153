package millrace.connectors.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import millrace.connectors.sql.LockTable;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.fault.Fault;
import millrace.resume.ResumeChoice;
import millrace.spi.write.Mode;
import millrace.testkit.Copying;
import millrace.testkit.Row;
import millrace.testkit.memory.MemoryConnector;
import millrace.testkit.oracle.OracleServer;
import millrace.testkit.oracle.PlannedFault;
import millrace.testkit.oracle.ServerCall;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// What becomes of a lock whose session ends while a copy goes on.
class OracleLocksTest {

  private static final Duration NO_WAIT = Duration.ZERO;
  private static final Duration NEVER = Duration.ofDays(1);

  private final OracleServer server = OracleServer.start();
  private final TestTables tables = new TestTables(server);
  private final OracleConnections mine = connections();
  private final OracleConnections others = connections();

  private OracleConnections connections() {
    return new OracleConnections(tables.endpoint("table", "t"), _ -> null);
  }

  @AfterEach
  void stop() {
    mine.close();
    others.close();
    server.close();
  }

  @Test
  void aLockWhoseSessionHasEndedIsTakenAgain() {
    try (LockTable locks = OracleLocks.of(mine, NEVER)) {
      assertThat(locks.lock("job", NO_WAIT)).isTrue();
      server.killSessions();
      locks.check(true);
      try (LockTable other = OracleLocks.of(others, NEVER)) {
        assertThat(other.lock("job", NO_WAIT)).isFalse();
      }
    }
  }

  @Test
  void whoHasLostItToAnotherIsTold() {
    LockTable locks = OracleLocks.of(mine, NEVER);
    assertThat(locks.lock("job", NO_WAIT)).isTrue();
    server.killSessions();
    try (locks;
        LockTable other = OracleLocks.of(others, NEVER)) {
      assertThat(other.lock("job", NO_WAIT)).isTrue();
      locks.check(false);
      server
          .faults()
          .add(
              new PlannedFault(
                  ServerCall.EXECUTE,
                  "FOR UPDATE WAIT",
                  0,
                  new PlannedFault.Effect.Fail(30006, "resource busy")));
      assertThatThrownBy(() -> locks.check(true))
          .isInstanceOfSatisfying(
              Fault.Transient.class,
              fault -> {
                assertThat(fault.endsRun()).isTrue();
                assertThat(fault.advice()).contains("IDLE_TIME");
              });
    }
  }

  @Test
  void theServerIsAskedAgainAndAgainSoThatTheSessionIsNeverIdle() throws InterruptedException {
    try (LockTable locks = OracleLocks.of(mine, Duration.ofMillis(20))) {
      assertThat(locks.lock("job", NO_WAIT)).isTrue();
      long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
      while (requested() < 5 && System.nanoTime() < end) {
        Thread.sleep(20);
      }
    }
    assertThat(requested()).isGreaterThanOrEqualTo(5);
  }

  private long requested() {
    return server.log().statements().stream()
        .filter(sql -> sql.contains("MILLRACE_LOCK") && sql.endsWith("NOWAIT"))
        .count();
  }

  @Test
  void aCopyWhoseLockAnotherHasEndsBeforeItsRowsAppearAndGoesOnLater() {
    MemoryConnector memory = new MemoryConnector();
    memory.put("rows", Schema.of(List.of(Column.of("id", new Type.Int(64)))), List.of(Row.of(1)));
    Copying copying =
        Copying.of(
                memory,
                memory.endpoint("rows"),
                new OracleConnector(_ -> null),
                tables.endpoint("table", "t"))
            .mode(Mode.CREATE);
    fails("FOR UPDATE NOWAIT", 0, 2396);
    // The job's lock and the journal's are taken before.
    fails("FOR UPDATE WAIT", 2, 30006);
    assertThatThrownBy(copying::run)
        .isInstanceOf(Fault.Transient.class)
        .hasMessageContaining("somebody else has taken the lock");
    assertThat(server.faults().clear()).isTrue();
    assertThat(tables.bare("SELECT table_name FROM user_tables WHERE table_name = 'T'")).isEmpty();
    copying.run(ResumeChoice.RESUME, _ -> {}, () -> {});
    assertThat(tables.bare("SELECT count(*) FROM t")).containsExactly("1");
  }

  private void fails(String words, int skip, int code) {
    server
        .faults()
        .add(
            new PlannedFault(
                ServerCall.EXECUTE, words, skip, new PlannedFault.Effect.Fail(code, "planned")));
  }
}
