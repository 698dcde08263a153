package millrace.testkit.oracle;

import static millrace.testkit.oracle.OracleStandIn.errorOf;
import static millrace.testkit.oracle.OracleStandIn.execute;
import static millrace.testkit.oracle.OracleStandIn.query;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.OffsetDateTime;
import java.util.Properties;
import oracle.jdbc.OraclePreparedStatement;
import oracle.jdbc.internal.OracleConnection;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Direct path loads of the driver's own: rows arrive, are there all at once, or not at all.
@Tag("stand-in")
class OracleStandInDirectPathTest {

  private static final OracleServer SERVER = OracleServer.start();
  private final Connection connection;

  OracleStandInDirectPathTest() throws SQLException {
    connection = OracleStandIn.connect(SERVER);
  }

  @AfterAll
  static void stop() {
    SERVER.close();
  }

  @BeforeEach
  void begin() throws SQLException {
    execute(
        connection,
        "DROP TABLE IF EXISTS loaded",
        "CREATE TABLE loaded (id NUMBER(9) CONSTRAINT loaded_pk PRIMARY KEY, name VARCHAR2(40))");
    connection.setAutoCommit(false);
    SERVER.log().clear();
  }

  @AfterEach
  void end() throws SQLException {
    connection.close();
  }

  private PreparedStatement prepare(String table, String... columns) throws SQLException {
    return connection.unwrap(OracleConnection.class).prepareDirectPath("SCOTT", table, columns);
  }

  private static void add(PreparedStatement load, int id, String name) throws SQLException {
    load.setInt(1, id);
    load.setString(2, name);
    load.addBatch();
  }

  @Test
  void rowsAreThereAtTheCommitAndNoSooner() throws SQLException {
    try (PreparedStatement load = prepare("LOADED", "ID", "NAME")) {
      for (int i = 0; i < 5000; i++) {
        add(load, i, "row number " + i);
      }
      assertThat(load.executeBatch()).hasSize(5000);
      assertThat(query(connection, "SELECT COUNT(*) FROM loaded")).containsExactly("0");
      connection.commit();
      add(load, 5000, "");
      load.executeBatch();
      connection.commit();
    }
    assertThat(query(connection, "SELECT COUNT(*), COUNT(name), MAX(id) FROM loaded"))
        .containsExactly("5001|5000|5000");
    assertThat(SERVER.log().events(LogEvent.DirectPathFinished.class)).hasSize(2);
    LogEvent.DirectPathStreamed first =
        SERVER.log().events(LogEvent.DirectPathStreamed.class).getFirst();
    assertThat(first.rows()).isEqualTo(5000);
    assertThat(first.stream()).hasSize(first.bytes());
  }

  @Test
  void whoClosesWithoutCommitLosesTheRows() throws SQLException {
    try (PreparedStatement load = prepare("LOADED", "ID", "NAME")) {
      add(load, 1, "a");
      load.executeBatch();
    }
    try (PreparedStatement load = prepare("LOADED", "ID", "NAME")) {
      add(load, 2, "b");
      load.executeBatch();
      connection.rollback();
    }
    assertThat(query(connection, "SELECT COUNT(*) FROM loaded")).containsExactly("0");
    assertThat(SERVER.log().events(LogEvent.DirectPathAborted.class)).hasSizeGreaterThan(1);
  }

  @Test
  void valuesArriveInTheirColumns() throws SQLException {
    execute(
        connection,
        "DROP TABLE IF EXISTS kinds",
        "CREATE TABLE kinds (n NUMBER(20,4), c CHAR(5), v NVARCHAR2(20), d DATE, t TIMESTAMP(6),"
            + " z TIMESTAMP(6) WITH TIME ZONE, f BINARY_DOUBLE, r RAW(16), b BOOLEAN)");
    try (PreparedStatement load = prepare("KINDS", "N", "C", "V", "D", "T", "Z", "F", "R", "B")) {
      load.setBigDecimal(1, new BigDecimal("-12345.678"));
      load.setString(2, "abc");
      load.setString(3, "grün€");
      load.setDate(4, java.sql.Date.valueOf("2026-03-04"));
      load.setTimestamp(5, Timestamp.valueOf("2026-03-04 05:06:07.123456"));
      load.setObject(6, OffsetDateTime.parse("2026-03-04T05:06:07.5+05:30"));
      load.unwrap(OraclePreparedStatement.class).setBinaryDouble(7, -2.5);
      load.setBytes(8, new byte[] {1, 2, 3});
      load.setBoolean(9, true);
      load.addBatch();
      load.setNull(1, Types.NUMERIC);
      load.setNull(2, Types.VARCHAR);
      load.setNull(3, Types.VARCHAR);
      load.setNull(4, Types.DATE);
      load.setNull(5, Types.TIMESTAMP);
      load.setNull(6, Types.TIMESTAMP_WITH_TIMEZONE);
      load.setNull(7, oracle.jdbc.OracleTypes.BINARY_DOUBLE);
      load.setNull(8, Types.VARBINARY);
      load.setNull(9, Types.BOOLEAN);
      load.addBatch();
      load.executeBatch();
      connection.commit();
    }
    assertThat(
            query(
                connection,
                "SELECT n, c, v, TO_CHAR(d, 'YYYY-MM-DD'), TO_CHAR(t, 'HH24:MI:SS.FF6'), f,"
                    + " RAWTOHEX(r) FROM kinds"))
        .containsExactly(
            "-12345.678|abc  |grün€|2026-03-04|05:06:07.123456|-2.5|010203",
            "null|null|null|null|null|null|null");
    assertThat(query(connection, "SELECT b FROM kinds WHERE z IS NOT NULL")).hasSize(1);
  }

  @Test
  void whatIsTooLongForAPieceComesInSeveral() throws SQLException {
    execute(
        connection,
        "DROP TABLE IF EXISTS large",
        "CREATE TABLE large (id NUMBER(9), c CLOB, s VARCHAR2(4000), b BLOB)");
    try (PreparedStatement load = prepare("LARGE", "ID", "C", "S", "B")) {
      for (int i = 0; i < 3; i++) {
        load.setInt(1, i);
        load.setString(2, "ä".repeat(50_000 + i));
        load.setString(3, "s".repeat(4000));
        load.setBytes(4, new byte[70_000 + i]);
        load.addBatch();
      }
      load.executeBatch();
      connection.commit();
    }
    assertThat(
            query(connection, "SELECT id, LENGTH(c), LENGTH(s), LENGTH(b) FROM large ORDER BY id"))
        .containsExactly("0|50000|4000|70000", "1|50001|4000|70001", "2|50002|4000|70002");
  }

  @Test
  void aTableMayHaveManyColumns() throws SQLException {
    StringBuilder ddl = new StringBuilder("CREATE TABLE wide (");
    String[] names = new String[300];
    for (int i = 0; i < names.length; i++) {
      names[i] = "C" + i;
      ddl.append(i == 0 ? "" : ", ").append(names[i]).append(" NUMBER(5)");
    }
    execute(connection, "DROP TABLE IF EXISTS wide", ddl.append(')').toString());
    try (PreparedStatement load = prepare("WIDE", names)) {
      for (int i = 0; i < names.length; i++) {
        load.setInt(i + 1, i);
      }
      load.addBatch();
      load.executeBatch();
      connection.commit();
    }
    assertThat(query(connection, "SELECT c0, c254, c255, c299 FROM wide"))
        .containsExactly("0|254|255|299");
  }

  @Test
  void valuesThatDoNotFitEndTheLoad() throws SQLException {
    execute(
        connection,
        "DROP TABLE IF EXISTS strict",
        "CREATE TABLE strict (id NUMBER(3) NOT NULL, name VARCHAR2(40) DEFAULT 'x' NOT NULL)");
    assertThat(
            errorOf(() -> {
              try (PreparedStatement load = prepare("STRICT", "ID")) {
                load.setNull(1, Types.NUMERIC);
                load.addBatch();
                load.executeBatch();
              }
            }))
        .isEqualTo(1400);
    assertThat(
            errorOf(() -> {
              try (PreparedStatement load = prepare("STRICT", "ID")) {
                load.setInt(1, 1234);
                load.addBatch();
                load.executeBatch();
              }
            }))
        .isEqualTo(1438);
    assertThat(
            errorOf(() -> {
              try (PreparedStatement load = prepare("STRICT", "ID")) {
                load.setString(1, "1x7");
                load.addBatch();
                load.executeBatch();
              }
            }))
        .isEqualTo(932);
    try (PreparedStatement load = prepare("STRICT", "ID")) {
      load.setInt(1, 7);
      load.addBatch();
      load.executeBatch();
      connection.commit();
    }
    assertThat(query(connection, "SELECT * FROM strict")).containsExactly("7|x");
  }

  @Test
  void aLoadThatCanNotBeginIsRefused() throws SQLException {
    assertThat(errorOf(() -> prepare("NOSUCH", "ID"))).isEqualTo(942);
    assertThat(errorOf(() -> prepare("LOADED", "NOSUCH"))).isEqualTo(904);
    execute(connection, "INSERT INTO loaded VALUES (1, 'x')");
    assertThat(errorOf(() -> prepare("LOADED", "ID"))).isEqualTo(26085);
    connection.rollback();
    execute(
        connection,
        "CREATE TRIGGER loaded_t BEFORE INSERT ON loaded FOR EACH ROW BEGIN NULL; END;");
    assertThat(errorOf(() -> prepare("LOADED", "ID"))).isEqualTo(26086);
    execute(connection, "ALTER TRIGGER loaded_t DISABLE");
    try (Connection other = OracleStandIn.connect(SERVER)) {
      other.setAutoCommit(false);
      execute(other, "INSERT INTO loaded VALUES (1, 'x')");
      assertThat(errorOf(() -> prepare("LOADED", "ID"))).isEqualTo(54);
      other.rollback();
    }
    prepare("LOADED", "ID").close();
  }

  @Test
  void rowsThatAreNotUniqueLeaveTheIndexUnusable() throws SQLException {
    try (PreparedStatement load = prepare("LOADED", "ID", "NAME")) {
      add(load, 1, "a");
      add(load, 1, "b");
      load.executeBatch();
      connection.commit();
    }
    assertThat(query(connection, "SELECT COUNT(*) FROM loaded")).containsExactly("2");
    String status = "SELECT status FROM user_indexes WHERE index_name = 'LOADED_PK'";
    assertThat(query(connection, status)).containsExactly("UNUSABLE");
    assertThat(errorOf(connection, "INSERT INTO loaded VALUES (5, 'x')")).isEqualTo(1502);
    assertThat(errorOf(connection, "ALTER INDEX loaded_pk REBUILD")).isEqualTo(1452);
    execute(connection, "ALTER TABLE loaded DROP PRIMARY KEY");
    execute(connection, "DELETE FROM loaded WHERE name = 'b'");
    execute(connection, "ALTER TABLE loaded ADD CONSTRAINT loaded_pk PRIMARY KEY (id)");
    assertThat(query(connection, status)).containsExactly("VALID");
  }

  @Test
  void optionsAndPartitionsAreTold() throws SQLException {
    execute(
        connection,
        "DROP TABLE IF EXISTS halves",
        "CREATE TABLE halves (id NUMBER) PARTITION BY HASH (id) (PARTITION h1, PARTITION h2)");
    Properties options = new Properties();
    options.put("DPPDEF_IN_PARALLEL", "true");
    options.put("DPPDEF_IN_NOLOG", "true");
    options.put("DPPDEF_IN_SKIP_INDEX_MAINT", "true");
    try (PreparedStatement load =
        connection
            .unwrap(OracleConnection.class)
            .prepareDirectPath("SCOTT", "HALVES", new String[] {"ID"}, "H1", options)) {
      load.setInt(1, 1);
      load.addBatch();
      load.executeBatch();
      connection.commit();
    }
    assertThat(SERVER.log().events(LogEvent.DirectPathPrepared.class))
        .singleElement()
        .satisfies(event -> {
          assertThat(event.partition()).isEqualTo("H1");
          assertThat(event.columns()).containsExactly("ID");
          assertThat(event.options()).containsExactly("NOLOG", "PARALLEL", "SKIP_INDEX_MAINT");
        });
  }

  private static PreparedStatement prepare(Connection by, String partition) throws SQLException {
    return by.unwrap(OracleConnection.class)
        .prepareDirectPath("SCOTT", "HALVES", new String[] {"ID"}, partition, new Properties());
  }

  /// A load has its partition for itself, and no other.
  @Test
  void partitionsAreLockedByThemselves() throws SQLException {
    execute(
        connection,
        "DROP TABLE IF EXISTS halves",
        "CREATE TABLE halves (id NUMBER) PARTITION BY RANGE (id)"
            + " (PARTITION h1 VALUES LESS THAN (10), PARTITION h2 VALUES LESS THAN (MAXVALUE))");
    try (Connection other = OracleStandIn.connect(SERVER);
        PreparedStatement first = prepare(connection, "H1")) {
      other.setAutoCommit(false);
      assertThat(errorOf(() -> prepare(other, "H1"))).isEqualTo(54);
      try (PreparedStatement second = prepare(other, "H2")) {
        second.setInt(1, 11);
        second.addBatch();
        second.executeBatch();
        other.commit();
      }
      first.setInt(1, 1);
      first.addBatch();
      first.executeBatch();
      connection.commit();
      execute(other, "INSERT /*+ APPEND_VALUES */ INTO halves PARTITION (h2) VALUES (12)");
      assertThat(errorOf(() -> prepare(connection, "H2"))).isEqualTo(54);
      prepare(connection, "H1").close();
      other.commit();
    }
    assertThat(query(connection, "SELECT id FROM halves ORDER BY id"))
        .containsExactly("1", "11", "12");
  }

  /// Neither does the server keep it up to date nor leave it behind.
  @Test
  void anIndexOfTheWholeTableKeepsLoadsFromAPartition() throws SQLException {
    execute(
        connection,
        "DROP TABLE IF EXISTS halves",
        "CREATE TABLE halves (id NUMBER) PARTITION BY HASH (id) (PARTITION h1, PARTITION h2)",
        "CREATE INDEX parts ON halves (id, 1) LOCAL");
    prepare(connection, "H1").close();
    execute(connection, "CREATE INDEX whole ON halves (id)");
    assertThat(errorOf(() -> prepare(connection, "H1"))).isEqualTo(26017);
  }

  @Test
  void aLoadOfRowsThatNobodyKeeps() throws SQLException {
    try (OracleServer server = OracleServer.start();
        Connection other = OracleStandIn.connect(server)) {
      execute(other, "CREATE TABLE gone (id NUMBER)");
      server.discardRowsOf("GONE");
      other.setAutoCommit(false);
      try (PreparedStatement load =
          other
              .unwrap(OracleConnection.class)
              .prepareDirectPath("SCOTT", "GONE", new String[] {"ID"})) {
        load.setInt(1, 1);
        load.addBatch();
        load.executeBatch();
        other.commit();
      }
      assertThat(server.log().events(LogEvent.DirectPathFinished.class))
          .extracting(LogEvent.DirectPathFinished::rows)
          .containsExactly(1L);
      assertThat(query(other, "SELECT COUNT(*) FROM gone")).containsExactly("0");
    }
  }

  @Test
  void aFaultAtTheFinishLosesTheRows() throws SQLException {
    SERVER
        .faults()
        .add(
            new PlannedFault(
                ServerCall.DIRECT_PATH_FINISH,
                "LOADED",
                0,
                new PlannedFault.Effect.Fail(1653, "unable to extend table SCOTT.LOADED")));
    SQLException error =
        catchThrowableOfType(
            SQLException.class,
            () -> {
              try (PreparedStatement load = prepare("LOADED", "ID", "NAME")) {
                add(load, 1, "a");
                load.executeBatch();
                connection.commit();
              }
            });
    assertThat(error.getErrorCode()).isEqualTo(1653);
    assertThat(query(connection, "SELECT COUNT(*) FROM loaded")).containsExactly("0");
  }
}
