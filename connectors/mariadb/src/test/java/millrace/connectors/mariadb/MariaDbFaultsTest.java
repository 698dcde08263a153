package millrace.connectors.mariadb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import millrace.fault.Fault;
import millrace.plan.Job;
import millrace.spi.Endpoint;
import millrace.spi.OpenContext;
import millrace.spi.Secret;
import millrace.spi.read.ColumnRequest;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What is told if something is wrong, and whose fault it is.
class MariaDbFaultsTest {

  private static void describe(Endpoint endpoint) {
    try (Source source =
        new MariaDbConnector(_ -> null).source(endpoint, Selection.ALL, new OpenContext())) {
      source.describe(new ColumnRequest.Typed());
    }
  }

  private static Endpoint endpoint(String location, String... parameters) {
    return new Endpoint("mariadb", location, Map.of(parameters[0], parameters[1]), Secret.NONE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"mariadb", "mysql"})
  void wrongPasswordIsToldAndNeverShown(String scheme) {
    TestTables tables = new TestTables(scheme);
    Endpoint wrong = tables.as("root", Secret.of("hunter2"), Map.of("table", "t"));
    assertThatThrownBy(() -> describe(wrong))
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("refuses user root")
        .hasMessageNotContaining("hunter2")
        .extracting(e -> ((Fault) e).advice())
        .asString()
        .contains("Check the password")
        .doesNotContain("hunter2");
  }

  /// A server takes the account of the nearest host first, whatever its user.
  @ParameterizedTest
  @ValueSource(strings = {"mariadb", "mysql"})
  void anAnonymousUserThatComesFirstIsTold(String scheme) {
    TestTables tables = new TestTables(scheme);
    Endpoint wrong = tables.as("root", Secret.of("hunter2"), Map.of("table", "t"));
    Matcher host =
        Pattern.compile("'root'@'([^']+)'")
            .matcher(String.valueOf(catchThrowable(() -> describe(wrong)).getMessage()));
    assertThat(host.find()).isTrue();
    String anonymous = "''@'" + host.group(1) + "'";
    tables.run(
        "CREATE USER IF NOT EXISTS " + anonymous,
        "CREATE USER 'm'@'%' IDENTIFIED BY 'p'",
        "GRANT ALL ON *.* TO 'm'@'%'");
    try {
      for (Secret secret : List.of(Secret.of("p"), Secret.NONE)) {
        assertThatThrownBy(() -> describe(tables.as("m", secret, Map.of("table", "t"))))
            .isInstanceOf(Fault.User.class)
            .extracting(e -> ((Fault) e).advice().lines().map(String::strip).toList())
            .asInstanceOf(InstanceOfAssertFactories.LIST)
            .contains("DROP USER " + anonymous);
      }
    } finally {
      tables.run("DROP USER " + anonymous, "DROP USER 'm'@'%'");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"mariadb", "mysql"})
  void missingThingsAreNamed(String scheme) {
    TestTables tables = new TestTables(scheme);
    tables.run("CREATE TABLE other (a int)");
    assertThatThrownBy(() -> describe(tables.endpoint("table", "t")))
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("has no table t.")
        .extracting(e -> ((Fault) e).advice())
        .isEqualTo("It has other.");
    assertThatThrownBy(() -> describe(tables.endpoint("query", "SELECT nix FROM other")))
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("Unknown column 'nix'");
    assertThatThrownBy(() ->
            describe(endpoint("//root@127.0.0.1:" + tables.server.port() + "/nix", "table", "t")))
        .isInstanceOf(Fault.User.class)
        .hasMessageStartingWith("There is no database nix");
    assertThatThrownBy(
            () -> describe(endpoint("//root@127.0.0.1:" + tables.server.port(), "table", "t")))
        .isInstanceOf(Fault.User.class)
        .hasMessageEndingWith("names no database.");
  }

  @Test
  void serverThatIsNotThereCanBeTriedAgain() {
    assertThatThrownBy(() -> describe(endpoint("//root@127.0.0.1:1/d", "table", "t")))
        .isInstanceOf(Fault.Transient.class)
        .hasMessage("No MariaDB or MySQL server answers at 127.0.0.1:1.");
    assertThatThrownBy(() -> describe(endpoint("//root@no.such.invalid/d", "table", "t")))
        .isInstanceOf(Fault.User.class)
        .hasMessage("There is no host no.such.invalid.");
    assertThatThrownBy(() -> describe(endpoint("//a@b@c:x/d", "table", "t")))
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("is no address");
  }

  @Test
  void tlsThatTheServerLacksIsNotDoneWithout() {
    TestTables tables = new TestTables("mariadb");
    assertThatThrownBy(() -> describe(tables.endpoint("table", "t", "ssl-mode", "REQUIRED")))
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("the server has no TLS");
    assertThatThrownBy(() -> describe(tables.endpoint("table", "t", "ssl-mode", "sometimes")))
        .isInstanceOf(Fault.User.class)
        .hasMessage("There is no ssl-mode=sometimes.");
  }

  @ParameterizedTest
  @ValueSource(strings = {"mariadb", "mysql"})
  void zeroDatesAreBadRecordsWithTheirPlace(String scheme) {
    TestTables tables = new TestTables(scheme);
    tables.server.run("SET GLOBAL sql_mode = ''");
    tables.run(
        "CREATE TABLE t (id int primary key, d date, s datetime, u time)",
        "INSERT INTO t VALUES (1, '2024-01-01', NULL, '00:00:01'), (2, '0000-00-00', NULL, NULL),"
            + " (3, NULL, '2024-00-15', NULL), (4, NULL, NULL, '838:59:59'), (5, NULL, NULL,"
            + " NULL)");
    assertThatThrownBy(
            () -> tables.copying(tables.endpoint("table", "t"), "id", "d", "s", "u").run())
        .isInstanceOf(Fault.Data.class)
        .hasMessageContaining("column \"d\": holds text '0000-00-00'")
        .hasMessageContaining("row with `id` 2")
        .extracting(e -> ((Fault) e).advice())
        .asString()
        .contains("--columns 'd:text'", "NULLIF(`d`, 0)");

    tables
        .copying(tables.endpoint("table", "t"), "id", "d", "s", "u")
        .rejects(new Job.RejectPolicy(Long.MAX_VALUE, null))
        .run();
    assertThat(tables.texts()).containsExactly("1", "4", "5");

    tables
        .copying(
            tables.endpoint("table", "t", "columns", "d:text,s:text,u:text"), "id", "d", "s", "u")
        .run();
    assertThat(tables.memory.rows("back").stream().map(row -> row.values().toString()).toList())
        .contains("[2, 0000-00-00, null, null]", "[4, null, null, 838:59:59]")
        .hasSize(5);
  }

  @ParameterizedTest
  @CsvSource({
    "1205,HY000,LOCKED",
    "1213,40001,UNDONE",
    "1062,23000,DATA",
    "1406,22001,DATA",
    "4025,23000,DATA",
    "3819,HY000,DATA",
    "1153,08S01,DATA",
    "1301,HY000,DATA",
    "1114,HY000,EXTERNAL",
    "3948,42000,EXTERNAL",
    "4166,HY000,EXTERNAL",
    "1142,42000,USER",
    "1118,42000,DATA",
    "1117,HY000,USER",
    "2013,08S01,UNREACHABLE",
    "1927,70100,UNREACHABLE",
    "1317,70100,CANCELLED",
    "1040,08004,UNREACHABLE"
  })
  void errorsAreSortedByTheirNumbers(int code, String state, String kind) {
    SQLException e = new SQLException("(conn=12) It failed", state, code);
    assertThat(MariaDbFaults.TABLE.kind(e)).hasToString(kind);
    assertThat(MariaDbFaults.TABLE.sentence(e)).isEqualTo("It failed.");
  }
}
