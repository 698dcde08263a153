package millrace.testkit.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLRecoverableException;
import millrace.testkit.oracle.engine.Account;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// Oracle's own driver logs on to the stand-in, or hears why it may not.
@Tag("stand-in")
class OracleStandInLogonTest {

  private static final OracleServer SERVER = OracleServer.start();

  @AfterAll
  static void stop() {
    SERVER.close();
  }

  @ParameterizedTest
  @EnumSource(OracleRelease.class)
  void theDriverLogsOnToEitherRelease(OracleRelease release) throws SQLException {
    try (OracleServer server = OracleServer.start(release);
        Connection connection = OracleStandIn.connect(server)) {
      DatabaseMetaData meta = connection.getMetaData();
      assertThat(meta.getDatabaseProductVersion()).contains(release.fullVersion());
      assertThat(meta.getDatabaseMajorVersion()).isEqualTo(release == OracleRelease.R19 ? 19 : 23);
      assertThat(meta.getUserName()).isEqualTo("SCOTT");
      assertThat(connection.isValid(5)).isTrue();
      assertThat(server.log().events(LogEvent.LoggedOn.class)).hasSize(1);
    }
  }

  @Test
  void aWrongPasswordAndAnUnknownUserAreRefusedAlike() {
    assertThatThrownBy(() -> OracleStandIn.connect(SERVER, "scott", "wrong"))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getErrorCode()).isEqualTo(1017))
        .hasMessageContaining("ORA-01017");
    assertThatThrownBy(() -> OracleStandIn.connect(SERVER, "nobody", "tiger"))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getErrorCode()).isEqualTo(1017));
  }

  @ParameterizedTest
  @CsvSource({"LOCKED, 28000", "EXPIRED, 28001", "NO_SESSION, 1045"})
  void anAccountMayBeClosed(Account.State state, int code) {
    SERVER.put(new Account(state.name(), "tiger", state));
    assertThatThrownBy(() -> OracleStandIn.connect(SERVER, state.name(), "tiger"))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getErrorCode()).isEqualTo(code));
    assertThat(SERVER.log().events(LogEvent.LogonRefused.class))
        .anyMatch(event -> event.user().equals(state.name()) && event.code() == code);
  }

  @Test
  void anAccountThatExpiresSoonGetsAWarning() throws SQLException {
    SERVER.put(new Account("GRACE", "tiger", Account.State.GRACE));
    try (Connection connection = OracleStandIn.connect(SERVER, "grace", "tiger")) {
      assertThat(connection.getWarnings().getMessage()).contains("ORA-28002");
    }
  }

  @Test
  void anotherServiceIsNotThere() {
    String url = SERVER.url().replace(SERVER.service(), "NOWHERE");
    assertThatThrownBy(() -> DriverManager.getConnection(url, "scott", "tiger"))
        .isInstanceOf(SQLRecoverableException.class)
        .hasMessageContaining("ORA-12514");
  }

  @Test
  void aLogOffIsTold() throws SQLException {
    try (OracleServer server = OracleServer.start()) {
      OracleStandIn.connect(server).close();
      OracleStandIn.await(() -> !server.log().events(LogEvent.LoggedOff.class).isEmpty());
      assertThat(server.log().events(LogEvent.Lost.class)).isEmpty();
    }
  }
}
