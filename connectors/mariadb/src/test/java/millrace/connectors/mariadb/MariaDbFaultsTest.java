package millrace.connectors.mariadb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.security.KeyStoreException;
import java.security.cert.CertPathBuilderException;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import millrace.connectors.sql.ServerAddress;
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

  /// What the server says, which kind of fault that is, and what is advised.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1021 | External | disk",
        "1203 | Transient | max_connections",
        "1226 | Transient | max_connections",
        "1044 | User | GRANT",
        "1143 | User | GRANT",
        "1227 | User | GRANT",
        "1370 | User | GRANT",
        "1049 | User | SHOW DATABASES",
        "1054 | User | Correct the name",
        "1064 | User | Correct the name",
        "1146 | User | Correct the name",
        "1113 | User | needs a column",
        "1117 | User | 1,017",
        "1118 | Data | TEXT or BLOB",
        "1170 | User | VARCHAR",
        "1071 | User | Shorten",
        "1273 | User | collation",
        "1290 | External | primary",
        "1792 | External | primary",
        "1836 | External | primary",
        "3948 | External | local_infile = 1",
        "1452 | Data | points to first",
        "1216 | Data | points to first",
        "1451 | Data | point to it",
        "1217 | Data | point to it",
        "1364 | User | default",
        "1153 | Data | max_allowed_packet",
        "1301 | Data | max_allowed_packet",
        "1205 | Transient | SHOW FULL PROCESSLIST",
        "1213 | Transient | --lanes",
        "1412 | Transient | Start again",
        "1969 | External | max_statement_time",
        "3024 | External | max_execution_time",
        "1114 | External | disk",
        "1053 | Transient | when it is back",
        "1927 | Transient | wait_timeout",
        "2006 | Transient | wait_timeout",
        "2013 | Transient | wait_timeout"
      })
  void eachCodeHasItsClassAndAdvice(int code, String kind, String advice) {
    Fault fault = MariaDbFaults.TABLE.of(new SQLException("It failed", "", code), "mariadb:t");
    assertThat(fault.getClass().getSimpleName()).isEqualTo(kind);
    assertThat(fault.advice()).contains(advice);
  }

  /// Some faults share a code or a state with others: their words tell them apart.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1118 | 42000 | The maximum row size, not counting BLOBs, is 65535 | User | long VARCHAR",
        "1005 | HY000 | Can't create table t (errno: 185 \"Too many columns\") | User | 1,017",
        "0 | HZ000 | query size is >= to max_allowed_packet | Data | leave out the long value",
        "1644 | 45000 | No odd numbers | Data | A trigger of the table refuses it"
      })
  void wordsAndStatesTellFaultsApart(
      int code, String state, String said, String kind, String advice) {
    Fault fault = MariaDbFaults.TABLE.of(new SQLException(said, state, code), "mariadb:t");
    assertThat(fault.getClass().getSimpleName()).isEqualTo(kind);
    assertThat(fault).hasMessage("mariadb:t: " + said + ".");
    assertThat(fault.advice()).contains(advice);
  }

  private static Fault connecting(SQLException e, Secret secret) {
    ServerAddress address = new ServerAddress("h", 3306, "d", "m", secret);
    return MariaDbFaults.connecting(e, address, "verify-full");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "1045 | Access denied for user 'm'@'%' | User | h:3306 refuses user m | Check the password",
        "1698 | Access denied for user 'm'@'h9' | User | refuses user m | DROP USER ''@'h9'",
        "1044 | Access denied for user 'm'@'h9' to d | User | may not use database d | GRANT",
        "1044 | Access denied for user ''@'h9' to d | User | may not use database d at h:3306 |"
            + " DROP USER ''@'h9'",
        "1049 | Unknown database 'd' | User | There is no database d at h:3306 | CREATE DATABASE",
        "1130 | Host 'x' is not allowed | User | refuses this host: Host 'x' | allow user m",
        "1129 | Host 'x' is blocked | User | refuses this host: Host 'x' | flush-hosts",
        "1040 | Too many connections | Transient | takes no connection now: Too | max_connections",
        "1203 | User has more | Transient | takes no connection now: User | max_connections",
        "1226 | User has exceeded | Transient | takes no connection now: User | max_connections",
        "3159 | Insecure transport | User | takes connections with TLS only | ssl-mode=required",
        "0 | RSA public key is not available | User | takes the password over TLS only |"
            + " get-server-public-key=true",
        "2013 | Lost | Transient | h:3306: Lost. | wait_timeout"
      })
  void whyThereIsNoConnectionIsTold(
      int code, String said, String kind, String words, String advice) {
    Fault fault = connecting(new SQLException(said, "", code), Secret.of("hunter2"));
    assertThat(fault.getClass().getSimpleName()).isEqualTo(kind);
    assertThat(fault).hasMessageContaining(words);
    assertThat(fault.advice()).contains(advice);
  }

  @Test
  void whoGivesNoPasswordHearsHowToGiveOne() {
    SQLException e = new SQLException("Access denied for user 'm'@'%'", "28000", 1045);
    assertThat(connecting(e, Secret.NONE).advice())
        .contains("MYSQL_PWD")
        .doesNotContain("Check the password", "DROP USER");
  }

  /// Whatever lies between the driver's exception and its reason.
  @Test
  void theReasonOfAFailedConnectionIsFoundBehindOthers() {
    assertThat(caused(new SocketTimeoutException("timed out")))
        .isInstanceOf(Fault.Transient.class)
        .hasMessage("No MariaDB or MySQL server answers at h:3306.");
    assertThat(caused(new CertPathBuilderException("no path")))
        .isInstanceOf(Fault.External.class)
        .hasMessage(
            "No TLS connection to h:3306: its certificate is signed by no authority that is"
                + " trusted.");
    Fault name = caused(new SSLException("wrong name"));
    assertThat(name)
        .isInstanceOf(Fault.External.class)
        .hasMessage("No TLS connection to h:3306: wrong name");
    assertThat(name.advice()).contains("ssl-ca", "ssl-mode=verify-full");
    assertThat(caused(new KeyStoreException("no store")))
        .hasMessage("No TLS connection to h:3306: no store");
    SQLException socket = new SQLException("Socket error", "08000", new IOException("Broken pipe"));
    assertThat(MariaDbFaults.TABLE.of(socket, "mariadb:t"))
        .isInstanceOf(Fault.Transient.class)
        .hasMessage("mariadb:t: The connection was lost: Broken pipe.");
  }

  private static Fault caused(Exception cause) {
    return connecting(new SQLException("It failed", new IOException(cause)), Secret.NONE);
  }
}
