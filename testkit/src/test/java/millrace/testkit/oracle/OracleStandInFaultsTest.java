package millrace.testkit.oracle;

import static millrace.testkit.oracle.OracleStandIn.errorOf;
import static millrace.testkit.oracle.OracleStandIn.execute;
import static millrace.testkit.oracle.OracleStandIn.query;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTimeoutException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import millrace.testkit.oracle.PlannedFault.Effect;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Cancels, time-outs, lost connections, and faults that were planned.
@Tag("stand-in")
class OracleStandInFaultsTest {

  private static final OracleServer SERVER = OracleServer.start();
  private static final String SLEEP = "BEGIN DBMS_SESSION.SLEEP(20); END;";

  @AfterAll
  static void stop() {
    SERVER.close();
  }

  @Test
  void aTimeOutEndsACallAndNothingElse() throws SQLException {
    try (Connection connection = OracleStandIn.connect(SERVER);
        Statement statement = connection.createStatement()) {
      statement.setQueryTimeout(1);
      assertThatThrownBy(() -> statement.execute(SLEEP))
          .isInstanceOf(SQLTimeoutException.class)
          .hasMessageContaining("ORA-01013");
      statement.setQueryTimeout(0);
      assertThat(query(connection, "SELECT 2 FROM dual")).containsExactly("2");
      assertThat(connection.isValid(5)).isTrue();
    }
    assertThat(SERVER.log().events(LogEvent.Cancelled.class)).isNotEmpty();
  }

  @Test
  void aLongQueryIsCancelled() throws SQLException {
    try (Connection connection = OracleStandIn.connect(SERVER);
        Statement statement = connection.createStatement()) {
      execute(connection, "DROP TABLE IF EXISTS many", "CREATE TABLE many (a NUMBER)");
      execute(connection, "INSERT INTO many VALUES (1)");
      for (int i = 0; i < 10; i++) {
        execute(connection, "INSERT INTO many SELECT a + " + (i + 1) + " FROM many");
      }
      AtomicBoolean over = new AtomicBoolean();
      Thread canceller = cancelUntil(statement, over);
      int code =
          errorOf(() ->
              statement.executeQuery(
                  "SELECT COUNT(*) FROM many a, many b, many c WHERE a.a + b.a = c.a + 0.5"));
      over.set(true);
      join(canceller);
      assertThat(code).isEqualTo(1013);
    }
    try (Connection connection = OracleStandIn.connect(SERVER)) {
      assertThat(query(connection, "SELECT COUNT(*) FROM many")).containsExactly("1024");
    }
  }

  /// Cancels now and then: the first ones may come before the call has begun.
  private static Thread cancelUntil(Statement statement, AtomicBoolean over) {
    return Thread.ofPlatform()
        .start(() -> {
          while (!over.get()) {
            LockSupport.parkNanos(Duration.ofMillis(200).toNanos());
            try {
              statement.cancel();
            } catch (SQLException e) {
              throw new AssertionError(e);
            }
          }
        });
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void cancelsAtAnyMomentDoNoHarm() throws SQLException {
    try (Connection connection = OracleStandIn.connect(SERVER);
        Statement statement = connection.createStatement()) {
      AtomicBoolean over = new AtomicBoolean();
      Thread canceller =
          Thread.ofPlatform()
              .start(() -> {
                Random random = new Random(1);
                for (int i = 0; i < 60; i++) {
                  LockSupport.parkNanos(1_000_000 + random.nextInt(4_000_000));
                  try {
                    statement.cancel();
                  } catch (SQLException e) {
                    throw new AssertionError(e);
                  }
                }
                over.set(true);
              });
      while (!over.get()) {
        int code = errorOf(() -> statement.execute("BEGIN DBMS_SESSION.SLEEP(0.002); END;"));
        assertThat(code).isIn(0, 1013);
      }
      join(canceller);
      // A cancel may still be on its way to the next call.
      errorOf(() -> statement.execute("SELECT 1 FROM dual"));
      try (ResultSet rows = statement.executeQuery("SELECT 3 FROM dual")) {
        rows.next();
        assertThat(rows.getInt(1)).isEqualTo(3);
      }
    }
  }

  @Test
  void aKilledSessionLosesItsTransaction() throws SQLException {
    try (OracleServer server = OracleServer.start();
        Connection connection = OracleStandIn.connect(server)) {
      execute(connection, "CREATE TABLE kept (a NUMBER)");
      connection.setAutoCommit(false);
      execute(connection, "INSERT INTO kept VALUES (1)");
      server.killSessions();
      assertThatThrownBy(connection::commit).isInstanceOf(SQLRecoverableException.class);
      assertThat(connection.isClosed()).isTrue();
      try (Connection other = OracleStandIn.connect(server)) {
        assertThat(query(other, "SELECT COUNT(*) FROM kept")).containsExactly("0");
      }
      OracleStandIn.await(() -> !server.log().events(LogEvent.Lost.class).isEmpty());
    }
  }

  @Test
  void aCommitMayBeDoneAlthoughItsAnswerIsLost() throws SQLException {
    try (OracleServer server = OracleServer.start()) {
      commitWith(server, new Effect.ResetBefore());
      try (Connection other = OracleStandIn.connect(server)) {
        assertThat(query(other, "SELECT COUNT(*) FROM doubtful")).containsExactly("0");
        execute(other, "DROP TABLE doubtful");
      }
      commitWith(server, new Effect.ResetAfter());
      try (Connection other = OracleStandIn.connect(server)) {
        assertThat(query(other, "SELECT COUNT(*) FROM doubtful")).containsExactly("1");
      }
      assertThat(server.faults().clear()).isTrue();
    }
  }

  private static void commitWith(OracleServer server, Effect effect) throws SQLException {
    try (Connection connection = OracleStandIn.connect(server)) {
      execute(connection, "CREATE TABLE doubtful (a NUMBER)");
      connection.setAutoCommit(false);
      execute(connection, "INSERT INTO doubtful VALUES (1)");
      server.faults().add(new PlannedFault(ServerCall.COMMIT, "", 0, effect));
      assertThatThrownBy(connection::commit).isInstanceOf(SQLRecoverableException.class);
    }
  }

  @Test
  void aStatementFailsAsPlanned() throws SQLException {
    try (Connection connection = OracleStandIn.connect(SERVER)) {
      Effect full = new Effect.Fail(1653, "unable to extend table");
      SERVER.faults().add(new PlannedFault(ServerCall.EXECUTE, "7 FROM", 1, full));
      assertThat(query(connection, "SELECT 7 FROM dual")).containsExactly("7");
      assertThat(errorOf(connection, "SELECT 7 FROM dual")).isEqualTo(1653);
      assertThat(query(connection, "SELECT 7 FROM dual")).containsExactly("7");
    }
  }

  @Test
  void transactionsDoNotSeeEachOther() throws SQLException {
    try (Connection one = OracleStandIn.connect(SERVER);
        Connection two = OracleStandIn.connect(SERVER)) {
      execute(one, "DROP TABLE IF EXISTS shared", "CREATE TABLE shared (a NUMBER PRIMARY KEY)");
      one.setAutoCommit(false);
      two.setAutoCommit(false);
      execute(one, "INSERT INTO shared VALUES (1)");
      assertThat(query(two, "SELECT COUNT(*) FROM shared")).containsExactly("0");
      one.commit();
      assertThat(query(two, "SELECT COUNT(*) FROM shared")).containsExactly("1");
      execute(one, "UPDATE shared SET a = 2");
      assertThat(errorOf(two, "SELECT a FROM shared FOR UPDATE NOWAIT")).isEqualTo(54);
      assertThat(errorOf(two, "DROP TABLE shared")).isEqualTo(54);
      one.commit();
    }
  }

  @Test
  void anEndedServerIsGone() throws SQLException {
    OracleServer server = OracleServer.start();
    try (Connection connection = OracleStandIn.connect(server)) {
      server.close();
      assertThat(errorOf(connection, "SELECT 1 FROM dual")).isNotZero();
      assertThat(errorOf(() -> OracleStandIn.connect(server))).isEqualTo(12541);
    }
  }
}
