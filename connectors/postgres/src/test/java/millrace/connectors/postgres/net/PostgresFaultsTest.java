package millrace.connectors.postgres.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import millrace.fault.Fault;
import millrace.spi.Endpoint;
import millrace.spi.Secret;
import millrace.testkit.PostgresServer;
import millrace.testkit.network.ConnectionFault;
import millrace.testkit.network.FaultyProxy;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/// Which failures of a real server are worth another try.
class PostgresFaultsTest {

  private final PostgresServer server = PostgresServer.shared();
  private final String database = server.newDatabase();

  private static Fault failing(Connection connection, String sql) {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      return PostgresFaults.of(e);
    }
    throw new AssertionError("nothing failed: " + sql);
  }

  private static void run(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  @Test
  void aBackendThatIsEndedIsWorthAnotherTry() throws SQLException {
    try (Connection connection = server.connect(database)) {
      Fault fault = failing(connection, "SELECT pg_terminate_backend(pg_backend_pid())");
      assertThat(fault).isInstanceOf(Fault.Transient.class);
      assertThat(failing(connection, "SELECT 1")).isInstanceOf(Fault.Transient.class);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "SASL authentication failed, Wrong password for user me at localhost:6432.",
    "password authentication failed, Wrong password for user me at localhost:6432.",
    "no such database: shop, There is no database shop at localhost:6432."
  })
  void whatAnOldPoolerRefusesIsToldAsTheServerItselfDoes(String said, String told) {
    PSQLException refusal =
        new PSQLException(new ServerErrorMessage("SFATAL\0C08P01\0M" + said + "\0"));
    Address address = new Address("localhost", 6432, "shop", "me", Map.of());
    assertThat(PostgresFaults.connecting(refusal, address, false))
        .isInstanceOf(Fault.User.class)
        .hasMessage(told);
  }

  /// Whether it is a lane's statement that is ended or the connection that keeps what all read.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "SERROR\0C40001\0Mcanceling statement due to conflict with recovery\0RProcessInterrupts\0",
        "SFATAL\0C40001\0Mterminating connection due to conflict with"
            + " recovery\0RProcessInterrupts\0"
      })
  void whoReadsFromAStandbyThatDoesNotKeepTheRowsIsToldWhatWould(String said) {
    Fault fault = PostgresFaults.of(new PSQLException(new ServerErrorMessage(said)));
    assertThat(fault).isInstanceOf(Fault.Transient.class);
    assertThat(fault.advice())
        .contains("primary server", "hot_standby_feedback", "max_standby_streaming_delay");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aLostConnectionIsWorthAnotherTry(boolean byReset) throws SQLException {
    ConnectionFault lost =
        byReset ? new ConnectionFault.Reset(20_000) : new ConnectionFault.Cut(20_000);
    try (FaultyProxy proxy = new FaultyProxy(server.host(), server.port(), _ -> lost)) {
      String location = "//" + server.user() + "@localhost:" + proxy.port() + "/" + database;
      Endpoint after = new Endpoint("postgresql", location, Map.of("table", "t"), Secret.NONE);
      try (Session session = new ConnectionFactory(after, _ -> null).connect()) {
        Fault fault = null;
        try {
          session.query("SELECT repeat('x', 100000)", row -> row.getString(1));
        } catch (Fault e) {
          fault = e;
        }
        assertThat(fault).isInstanceOf(Fault.Transient.class);
      }
    }
  }

  @Test
  void whoLosesADeadlockMayTryAtOnce() throws Exception {
    server.execute(database, "CREATE TABLE a (i int)", "CREATE TABLE b (i int)");
    try (Connection one = server.connect(database);
        Connection other = server.connect(database);
        ExecutorService threads = Executors.newFixedThreadPool(2)) {
      run(one, "BEGIN; LOCK a");
      run(other, "BEGIN; LOCK b");
      Future<@Nullable Fault> first = threads.submit(() -> faultOf(one, "LOCK b; COMMIT"));
      Future<@Nullable Fault> second = threads.submit(() -> faultOf(other, "LOCK a; COMMIT"));
      Fault fault = first.get();
      Fault loser = fault == null ? second.get() : fault;
      assertThat(loser)
          .isInstanceOfSatisfying(
              Fault.Transient.class, passing -> assertThat(passing.retryAfterMillis()).isZero())
          .hasMessageContaining("deadlock");
    }
  }

  private static @Nullable Fault faultOf(Connection connection, String sql) {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
      return null;
    } catch (SQLException e) {
      return PostgresFaults.of(e);
    }
  }

  @Test
  void aLockThatIsNotHadInTimeIsWorthAnotherTry() throws SQLException {
    server.execute(database, "CREATE TABLE locked (i int)");
    try (Connection holder = server.connect(database);
        Connection waiting = server.connect(database)) {
      run(holder, "BEGIN; LOCK locked");
      run(waiting, "SET lock_timeout = 1; BEGIN");
      assertThat(failing(waiting, "LOCK locked")).isInstanceOf(Fault.Transient.class);
    }
  }

  @Test
  void aTimeLimitOfTheUserIsNot() throws SQLException {
    try (Connection connection = server.connect(database)) {
      run(connection, "SET statement_timeout = 1");
      assertThat(failing(connection, "SELECT pg_sleep(60)")).isInstanceOf(Fault.External.class);
    }
  }

  @Test
  void aBrokenRuleIsNot() throws SQLException {
    try (Connection connection = server.connect(database)) {
      run(connection, "CREATE TABLE k (i int PRIMARY KEY); INSERT INTO k VALUES (1)");
      assertThat(failing(connection, "INSERT INTO k VALUES (1)")).isInstanceOf(Fault.Data.class);
    }
  }

  @Test
  void aServerThatHasEnoughConnectionsIsAskedAgain() throws SQLException {
    String role = "few_" + database;
    server.execute(database, "CREATE ROLE " + role + " LOGIN CONNECTION LIMIT 1");
    String location = "//" + role + "@localhost:" + server.port() + "/" + database;
    Endpoint end = new Endpoint("postgresql", location, Map.of("table", "t"), Secret.NONE);
    ConnectionFactory connectionFactory = new ConnectionFactory(end, _ -> null);
    try (Session _ = connectionFactory.connect()) {
      Fault fault = null;
      try {
        connectionFactory.connect().close();
      } catch (Fault e) {
        fault = e;
      }
      assertThat(fault)
          .isInstanceOf(Fault.Transient.class)
          .hasMessageContaining("too many connections");
    }
  }
}
