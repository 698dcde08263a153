package millrace.connectors.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import millrace.connectors.sql.SqlServerEnds;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.fault.Fault;
import millrace.spi.Endpoint;
import millrace.spi.OpenContext;
import millrace.spi.Secret;
import millrace.spi.read.Selection;
import millrace.spi.write.Mode;
import millrace.testkit.Copying;
import millrace.testkit.Row;
import millrace.testkit.memory.MemoryConnector;
import millrace.testkit.oracle.OracleServer;
import millrace.testkit.oracle.PlannedFault;
import millrace.testkit.oracle.ServerCall;
import millrace.testkit.oracle.engine.Account;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What a user hears if something is wrong: in plain words, with Oracle's code, and what to do.
class OracleFaultsTest {

  private static final OracleServer SERVER = OracleServer.start();
  private static final String PASSWORD = "pass'w0rd";

  private final OracleConnector oracle = new OracleConnector(_ -> null);
  private final SqlServerEnds ends = Objects.requireNonNull(oracle.capability(SqlServerEnds.class));
  private final MemoryConnector memory = new MemoryConnector();

  @AfterAll
  static void stop() {
    SERVER.close();
  }

  private static Endpoint at(String location, Map<String, String> parameters) {
    return new Endpoint("oracle", location, parameters, Secret.of(PASSWORD));
  }

  private static String server() {
    return SERVER.host() + ":" + SERVER.port();
  }

  private Fault refused(Endpoint endpoint) {
    try {
      oracle.source(endpoint, Selection.ALL, new OpenContext()).close();
    } catch (Fault e) {
      assertThat(e.getMessage() + e.advice()).doesNotContain(PASSWORD);
      return e;
    }
    throw new AssertionError("a connection to " + endpoint.label());
  }

  @Test
  void aWrongServiceIsNamed() {
    Fault fault = refused(at("//scott@" + server() + "/NOSUCH", Map.of("table", "t")));
    assertThat(fault)
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("knows no service NOSUCH");
    assertThat(fault.advice()).contains("lsnrctl services");
  }

  @Test
  void noListenerIsAPassingFault() throws IOException {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    assertThat(refused(at("//scott@127.0.0.1:" + port + "/FREEPDB1", Map.of("table", "t"))))
        .isInstanceOf(Fault.Transient.class)
        .hasMessageContaining("No Oracle listener answers at 127.0.0.1:" + port);
  }

  @ParameterizedTest
  @CsvSource({
    "LOCKED, ORA-28000, is locked, ACCOUNT UNLOCK",
    "EXPIRED, ORA-28001, has expired, Change it",
    "NO_SESSION, ORA-01045, may not connect, GRANT CREATE SESSION",
    "OPEN, ORA-01017, refuses user, Check the password"
  })
  void accountsThatAreRefused(Account.State state, String code, String words, String advice) {
    String password = state == Account.State.OPEN ? "another" : PASSWORD;
    SERVER.put(new Account("X" + state, password, state));
    Fault fault =
        refused(at("//x" + state + "@" + server() + "/" + SERVER.service(), Map.of("table", "t")));
    assertThat(fault)
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining(words)
        .hasMessageContaining(code);
    assertThat(fault.advice()).contains(advice);
  }

  @Test
  void whoGivesNoPasswordHearsHowToGiveOne() {
    String location = "//scott@" + server() + "/" + SERVER.service();
    Fault fault = refused(new Endpoint("oracle", location, Map.of("table", "t"), Secret.NONE));
    assertThat(fault).isInstanceOf(Fault.User.class).hasMessageContaining("ORA-01017");
    assertThat(fault.advice()).contains("ORACLE_PASSWORD");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "thin:@//localhost:1521/FREEPDB1",
        "scott/pass'w0rd@//localhost:1521/FREEPDB1",
        "//scott/pass'w0rd@localhost:1521/FREEPDB1"
      })
  void otherSpellingsAreRefusedWithOurs(String location) {
    Fault fault = refused(at(location, Map.of("table", "t")));
    assertThat(fault).isInstanceOf(Fault.User.class);
    assertThat(fault.advice()).contains("oracle://user@host:1521/service?table=orders");
  }

  @Test
  void anUnknownTnsNameIsToldWithTheFolder() {
    Fault fault = refused(at("//scott@", Map.of("table", "t", "tns", "NOSUCH")));
    assertThat(fault).hasMessageContaining("NOSUCH");
    assertThat(fault.advice()).contains("tnsnames.ora");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1653 | unable to extend table SCOTT.T by 128 in tablespace USERS | --resume",
        "1536 | space quota exceeded for tablespace 'USERS' | QUOTA",
        "1555 | snapshot too old | UNDO_RETENTION",
        "60 | deadlock detected while waiting for resource | --lanes",
        "1031 | insufficient privileges | GRANT",
        "1461 | can bind a LONG value only for insert into a LONG column | --method native",
        "3113 | end-of-file on communication channel | alert log"
      })
  void whatTheServerSaysIsExplained(int code, String text, String advice) {
    SQLException said =
        new SQLException("ORA-%05d: %s\n\nhttps://x".formatted(code, text), "", code);
    Fault fault = OracleFaults.TABLE.of(said, "oracle:t");
    assertThat(fault).hasMessage("oracle:t: ORA-%05d: %s.".formatted(code, text));
    assertThat(fault.advice()).contains(advice);
  }

  /// Those that an administrator meets in one night.
  @ParameterizedTest
  @CsvSource({
    "257, Transient, archive",
    "12953, External, edition",
    "12954, External, edition",
    "1659, External, AUTOEXTEND",
    "1628, External, AUTOEXTEND",
    "1631, External, AUTOEXTEND",
    "1632, External, AUTOEXTEND",
    "972, User, shorter",
    "902, User, COMPATIBLE",
    "406, User, COMPATIBLE",
    "997, User, --select",
    "12838, User, --method normal",
    "32795, User, --select",
    "29491, User, --lanes 1",
    "8176, Transient, undo",
    "8180, Transient, undo",
    "8181, Transient, undo",
    "8188, User, --lanes 1",
    "1578, External, RMAN",
    "26040, External, NOLOGGING",
    "4031, Transient, --lanes",
    "4036, Transient, --lanes",
    "28365, External, keystore",
    "28009, User, SYS",
    "942, User, GRANT",
    "41900, User, GRANT",
    "41901, User, GRANT",
    "41902, User, GRANT",
    "41903, User, GRANT",
    "41904, User, GRANT",
    "26065, User, --method normal",
    "28113, User, VPD",
    "28115, Data, whom the policy lets",
    "55610, User, archive",
    "25153, External, TEMP",
    "14074, User, partition"
  })
  void eachCodeHasItsClassAndAdvice(int code, String kind, String advice) {
    SQLException said = new SQLException("ORA-%05d: words of the server".formatted(code), "", code);
    Fault fault = OracleFaults.TABLE.of(said, "oracle:t");
    assertThat(fault.getClass().getSimpleName()).isEqualTo(kind);
    assertThat(fault.advice()).contains(advice);
  }

  /// What the stand-in refuses by its own rules, as the driver tells it.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "INSERT INTO t (id) VALUES (7) | ORA-00001 | ID_OF_T",
        "INSERT INTO t (id, v) VALUES (8, 'äö') | ORA-12899 | actual: 4, maximum: 3",
        "INSERT INTO t (id) VALUES (TO_NUMBER('12x')) | ORA-01722 | invalid number",
        "INSERT INTO t (id) VALUES (NULL) | ORA-01400 | ID",
        "INSERT INTO t (id) VALUES (1234567890) | ORA-01438 | precision"
      })
  void aValueThatTheServerRefusesIsToldWithItsCode(String sql, String code, String words) {
    TestTables tables = new TestTables(SERVER);
    tables.run(
        "CREATE TABLE t (id NUMBER(9) CONSTRAINT id_of_t PRIMARY KEY, v VARCHAR2(3))",
        "INSERT INTO t VALUES (7, 'abc')");
    assertThatThrownBy(
            () -> ends.run(tables.endpoint("table", "t"), List.of(sql), new OpenContext()))
        .isInstanceOf(Fault.class)
        .hasMessageContaining(code)
        .hasMessageContaining(words);
    assertThat(tables.bare("SELECT count(*) FROM t")).containsExactly("1");
  }

  @Test
  void aNumberThatIsNoneEndsAQuery() {
    TestTables tables = new TestTables(SERVER);
    memory.put("back", Schema.of(List.of(Column.of("N", Type.Text.UNLIMITED))), List.of());
    assertThatThrownBy(() ->
            Copying.of(
                    oracle,
                    tables.endpoint("query", "SELECT TO_NUMBER('12x') AS n FROM dual"),
                    memory,
                    memory.endpoint("back"))
                .mode(Mode.APPEND)
                .run())
        .isInstanceOf(Fault.Data.class)
        .hasMessageContaining("ORA-01722");
  }

  /// What is full ends the copy, in every way of loading, and not a row of its batch is there.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "normal | EXECUTE | 1536 | space quota exceeded for tablespace 'USERS' | QUOTA",
        "direct | EXECUTE | 1536 | space quota exceeded for tablespace 'USERS' | QUOTA",
        "native | DIRECT_PATH_STREAM | 1536 | space quota exceeded for tablespace 'USERS' | QUOTA",
        "native | DIRECT_PATH_FINISH | 1653 | unable to extend table T by 128 | AUTOEXTEND"
      })
  void whatIsFullIsToldInEveryWayOfLoading(
      String method, ServerCall call, int code, String text, String advice) {
    TestTables tables = new TestTables(SERVER);
    memory.put(
        "rows",
        Schema.of(List.of(Column.of("id", new Type.Int(32)))),
        List.of(Row.of(1), Row.of(2)));
    tables.run("CREATE TABLE t (id NUMBER(9))");
    String where =
        call == ServerCall.EXECUTE ? "INTO \"" + tables.user + "\".\"T\" (\"ID\") VALUES" : "";
    SERVER.faults().add(new PlannedFault(call, where, 0, new PlannedFault.Effect.Fail(code, text)));
    assertThatThrownBy(() ->
            Copying.of(
                    memory,
                    memory.endpoint("rows"),
                    oracle,
                    tables.endpoint("table", "t", "method", method))
                .mode(Mode.APPEND)
                .run())
        .isInstanceOfSatisfying(
            Fault.External.class,
            fault -> {
              assertThat(fault).hasMessageContaining("ORA-%05d: %s".formatted(code, text));
              assertThat(fault.advice()).contains(advice).contains("--resume");
            });
    assertThat(SERVER.faults().clear()).isTrue();
    assertThat(tables.bare("SELECT count(*) FROM t")).containsExactly("0");
  }

  /// A direct insert of many rows does not say which of them it is.
  @Test
  void aKeyThatIsThereTwiceInADirectInsertIsToldWithTheWayToFindIt() {
    TestTables tables = new TestTables(SERVER);
    Schema schema = Schema.of(List.of(Column.of("id", new Type.Int(32))));
    memory.put("rows", schema, List.of(Row.of(1), Row.of(2), Row.of(1)));
    tables.run("CREATE TABLE t (id NUMBER(9) PRIMARY KEY)");
    assertThatThrownBy(() ->
            Copying.of(
                    memory,
                    memory.endpoint("rows"),
                    oracle,
                    tables.endpoint("table", "t", "method", "direct"))
                .mode(Mode.APPEND)
                .run())
        .isInstanceOfSatisfying(
            Fault.Data.class,
            fault -> {
              assertThat(fault).hasMessageContaining("ORA-00001");
              assertThat(fault.advice()).contains("--method normal");
            });
  }

  @Test
  void aFullTablespaceEndsTheCopyAndRowsThatAreCommittedStay() {
    TestTables tables = new TestTables(SERVER);
    Schema schema = Schema.of(List.of(Column.of("id", new Type.Int(32))));
    memory.put("rows", schema, List.of(Row.of(1), Row.of(2)));
    tables.run("CREATE TABLE t (id NUMBER(9))");
    SERVER
        .faults()
        .add(
            new PlannedFault(
                ServerCall.EXECUTE,
                "INSERT INTO \"" + tables.user + "\".\"T\"",
                0,
                new PlannedFault.Effect.Fail(1653, "unable to extend table T")));
    assertThatThrownBy(() ->
            Copying.of(memory, memory.endpoint("rows"), oracle, tables.endpoint("table", "t"))
                .mode(Mode.APPEND)
                .run())
        .isInstanceOf(Fault.External.class)
        .hasMessageContaining("ORA-01653");
    assertThat(SERVER.faults().clear()).isTrue();
    assertThat(tables.bare("SELECT count(*) FROM t")).containsExactly("0");
  }

  @ParameterizedTest
  @CsvSource({"normal, 3662000", "native, 3662000", "normal, -730120"})
  void aYearThatOracleDoesNotHaveIsToldWithThoseThatItHas(String method, long day) {
    TestTables tables = new TestTables(SERVER);
    tables.run("CREATE TABLE t (d DATE)");
    memory.put("rows", Schema.of(List.of(Column.of("d", new Type.Date()))), List.of(Row.of(day)));
    assertThatThrownBy(() ->
            Copying.of(
                    memory,
                    memory.endpoint("rows"),
                    oracle,
                    tables.endpoint("table", "t", "method", method))
                .mode(Mode.APPEND)
                .run())
        .isInstanceOf(Fault.Data.class)
        .hasMessageContaining("the years 1 to 9999");
  }

  @Test
  void aValueThatOnlyTheServerFindsTooLongIsNamedWithBothLengths() {
    TestTables tables = new TestTables(SERVER);
    tables.run("CREATE TABLE t (id NUMBER(9), v VARCHAR2(3))");
    Schema schema =
        Schema.of(List.of(Column.of("id", new Type.Int(32)), Column.of("v", Type.Text.UNLIMITED)));
    memory.put("rows", schema, List.of(Row.of(1, "äö")));
    assertThatThrownBy(() ->
            Copying.of(memory, memory.endpoint("rows"), oracle, tables.endpoint("table", "t"))
                .mode(Mode.APPEND)
                .run())
        .isInstanceOf(Fault.Data.class)
        .hasMessageContaining("it has 4 bytes")
        .hasMessageContaining("\"v\"");
  }
}
