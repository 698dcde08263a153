package millrace.testkit.oracle;

import static millrace.testkit.oracle.OracleStandIn.errorOf;
import static millrace.testkit.oracle.OracleStandIn.execute;
import static millrace.testkit.oracle.OracleStandIn.query;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.math.BigDecimal;
import java.sql.BatchUpdateException;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.sql.Types;
import java.time.Duration;
import java.util.Properties;
import java.util.concurrent.locks.LockSupport;
import millrace.testkit.oracle.value.TtcType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Queries, DDL and DML through the driver: what comes back, what is counted, what is refused.
@Tag("stand-in")
class OracleStandInSqlTest {

  private static final OracleServer SERVER = OracleServer.start();
  private Connection connection;

  OracleStandInSqlTest() throws SQLException {
    connection = OracleStandIn.connect(SERVER);
  }

  @AfterAll
  static void stop() {
    SERVER.close();
  }

  @BeforeEach
  void begin() throws SQLException {
    connection.setAutoCommit(false);
    execute(
        connection,
        "DROP TABLE IF EXISTS child PURGE",
        "DROP TABLE IF EXISTS item CASCADE CONSTRAINTS PURGE",
        "CREATE TABLE item (id NUMBER(9) CONSTRAINT item_pk PRIMARY KEY, name VARCHAR2(10),"
            + " price NUMBER(6,2), made DATE DEFAULT SYSDATE NOT NULL)");
    SERVER.log().clear();
  }

  @AfterEach
  void end() throws SQLException {
    connection.rollback();
    connection.close();
  }

  @Test
  void aQueryHasItsColumnsAndRows() throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT 1, 'abc', NULL, 5/2, q'[it's]', SYSDATE FROM dual WHERE 1 = 1")) {
      assertThat(rows.getMetaData().getColumnTypeName(1)).isEqualTo("NUMBER");
      assertThat(rows.getMetaData().getColumnTypeName(6)).isEqualTo("DATE");
      assertThat(rows.next()).isTrue();
      assertThat(rows.getInt(1)).isEqualTo(1);
      assertThat(rows.getString(2)).isEqualTo("abc");
      assertThat(rows.getString(3)).isNull();
      assertThat(rows.getBigDecimal(4)).isEqualByComparingTo("2.5");
      assertThat(rows.getString(5)).isEqualTo("it's");
      assertThat(rows.next()).isFalse();
    }
    assertThat(query(connection, "SELECT * FROM dual")).containsExactly("X");
  }

  @Test
  void rowsComeInAsManyFetchesAsTheirSizeAsksFor() throws SQLException {
    insert(0, 1000);
    connection.commit();
    SERVER.log().clear();
    try (Statement statement = connection.createStatement()) {
      statement.setFetchSize(300);
      try (ResultSet rows = statement.executeQuery("SELECT * FROM item ORDER BY id")) {
        int count = 0;
        while (rows.next()) {
          assertThat(rows.getInt(1)).isEqualTo(count++);
        }
        assertThat(count).isEqualTo(1000);
      }
    }
    assertThat(SERVER.log().events(LogEvent.Fetched.class))
        .extracting(LogEvent.Fetched::rows)
        .containsExactly(300, 300, 300, 100);
    assertThat(SERVER.log().roundTrips()).isEqualTo(4);
  }

  private void insert(int from, int to) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO item (id, name, price) VALUES (?, ?, ?)")) {
      for (int i = from; i < to; i++) {
        insert.setInt(1, i);
        insert.setString(2, "item " + i);
        insert.setBigDecimal(3, BigDecimal.valueOf(i, 2));
        insert.addBatch();
      }
      assertThat(insert.executeBatch()).hasSize(to - from).containsOnly(1);
    }
  }

  @Test
  void aBatchIsOneCall() throws SQLException {
    insert(0, 500);
    assertThat(SERVER.log().events(LogEvent.Executed.class))
        .singleElement()
        .satisfies(event -> {
          assertThat(event.executions()).isEqualTo(500);
          assertThat(event.rows()).isEqualTo(500);
          assertThat(event.bindTypes())
              .containsExactly(TtcType.NUMBER, TtcType.VARCHAR, TtcType.NUMBER);
        });
    assertThat(SERVER.log().roundTrips()).isEqualTo(1);
    connection.rollback();
    assertThat(query(connection, "SELECT COUNT(*) FROM item")).containsExactly("0");
  }

  @Test
  void rowsBeforeOneThatFailsStay() throws SQLException {
    insert(5, 6);
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO item (id) VALUES (?)")) {
      for (int i = 3; i < 8; i++) {
        insert.setInt(1, i);
        insert.addBatch();
      }
      BatchUpdateException error =
          catchThrowableOfType(BatchUpdateException.class, insert::executeBatch);
      assertThat(error.getErrorCode()).isEqualTo(1);
      assertThat(error.getUpdateCounts()).hasSize(2);
      assertThat(error.getMessage()).contains("(SCOTT.ITEM_PK)");
    }
    assertThat(query(connection, "SELECT id FROM item ORDER BY id")).containsExactly("3", "4", "5");
  }

  @Test
  void aBatchMayGoOnBehindErrors() throws SQLException {
    Properties properties = new Properties();
    properties.put("user", SERVER.user());
    properties.put("password", SERVER.password());
    properties.put("oracle.jdbc.continueBatchOnError", "true");
    try (Connection other = DriverManager.getConnection(SERVER.url(), properties);
        PreparedStatement insert = other.prepareStatement("INSERT INTO item (id) VALUES (?)")) {
      other.setAutoCommit(false);
      for (int id : new int[] {1, 2, 2, 3, 1, 4}) {
        insert.setInt(1, id);
        insert.addBatch();
      }
      BatchUpdateException error =
          catchThrowableOfType(BatchUpdateException.class, insert::executeBatch);
      assertThat(error.getUpdateCounts())
          .containsExactly(1, 1, Statement.EXECUTE_FAILED, 1, Statement.EXECUTE_FAILED, 1);
      other.rollback();
    }
  }

  @Test
  void emptyTextIsNull() throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO item (id, name) VALUES (?, ?)")) {
      insert.setInt(1, 1);
      insert.setString(2, "");
      insert.executeUpdate();
    }
    execute(connection, "INSERT INTO item (id, name) VALUES (2, '')");
    execute(connection, "UPDATE item SET name = '' || '' WHERE id = 2");
    assertThat(query(connection, "SELECT id FROM item WHERE name IS NULL ORDER BY id"))
        .containsExactly("1", "2");
  }

  @Test
  void namesFoldToUpperCaseUnlessQuoted() throws SQLException {
    execute(connection, "DROP TABLE IF EXISTS \"Mixed\"");
    execute(connection, "CREATE TABLE \"Mixed\" (\"a b\" NUMBER, c NUMBER)");
    execute(connection, "INSERT INTO \"Mixed\" (\"a b\", C) VALUES (1, 2)");
    assertThat(query(connection, "SELECT \"a b\", c FROM scott.\"Mixed\"")).containsExactly("1|2");
    assertThat(errorOf(connection, "SELECT * FROM mixed")).isEqualTo(942);
    assertThat(errorOf(connection, "SELECT \"A B\" FROM \"Mixed\"")).isEqualTo(904);
  }

  @Test
  void valuesThatDoNotFitAreRefusedWithOraclesCodes() throws SQLException {
    assertThat(errorOf(connection, "INSERT INTO item (id, price) VALUES (1, 12345.6)"))
        .isEqualTo(1438);
    assertThat(errorOf(connection, "INSERT INTO item (id, name) VALUES (1, 'twelve chars')"))
        .isEqualTo(12899);
    // Ten characters, but eleven bytes.
    SQLException long1 =
        catchThrowableOfType(
            SQLException.class,
            () -> execute(connection, "INSERT INTO item (id, name) VALUES (1, 'ärger.....')"));
    assertThat(long1.getMessage())
        .contains("\"SCOTT\".\"ITEM\".\"NAME\" (actual: 11, maximum: 10)");
    assertThat(errorOf(connection, "INSERT INTO item (id) VALUES ('1x')")).isEqualTo(1722);
    assertThat(errorOf(connection, "INSERT INTO item (id) VALUES (NULL)")).isEqualTo(1400);
    assertThat(errorOf(connection, "INSERT INTO item (id, made) VALUES (1, NULL)")).isEqualTo(1400);
    execute(connection, "INSERT INTO item (id, price) VALUES (1, 1.239)");
    assertThat(errorOf(connection, "UPDATE item SET made = NULL")).isEqualTo(1407);
    assertThat(query(connection, "SELECT price FROM item")).containsExactly("1.24");
  }

  @Test
  void statementsThatAreWrongAreRefusedWithOraclesCodes() {
    assertThat(errorOf(connection, "SELECT * FROM nosuch")).isEqualTo(942);
    assertThat(errorOf(connection, "SELECT nosuch FROM item")).isEqualTo(904);
    assertThat(errorOf(connection, "INSERT INTO item (nosuch) VALUES (1)")).isEqualTo(904);
    assertThat(errorOf(connection, "INSERT INTO item (id) VALUES (1, 2)")).isEqualTo(913);
    assertThat(errorOf(connection, "INSERT INTO item (id, name) VALUES (1)")).isEqualTo(947);
    assertThat(errorOf(connection, "CREATE TABLE item (a NUMBER)")).isEqualTo(955);
    assertThat(errorOf(connection, "CREATE TABLE bad (a NOTYPE)")).isEqualTo(902);
    assertThat(errorOf(connection, "DROP TABLE nosuch")).isEqualTo(942);
    assertThat(errorOf(connection, "SELECT 1/0 FROM dual")).isEqualTo(1476);
    assertThat(errorOf(connection, "RELEASE SAVEPOINT a")).isEqualTo(900);
    SQLException unknown =
        catchThrowableOfType(
            SQLException.class, () -> query(connection, "SELECT * FROM item SAMPLE (10)"));
    assertThat(unknown.getErrorCode()).isEqualTo(3001);
  }

  @Test
  void constraintsHold() throws SQLException {
    execute(
        connection,
        "CREATE TABLE child (id NUMBER, item NUMBER(9) CONSTRAINT child_fk REFERENCES item (id),"
            + " n NUMBER CONSTRAINT child_ck CHECK (n > 0), CONSTRAINT child_uk UNIQUE (id))");
    execute(connection, "INSERT INTO item (id) VALUES (1)", "INSERT INTO child VALUES (1, 1, 1)");
    assertThat(errorOf(connection, "INSERT INTO child VALUES (2, 7, 1)")).isEqualTo(2291);
    assertThat(errorOf(connection, "INSERT INTO child VALUES (2, 1, 0)")).isEqualTo(2290);
    assertThat(errorOf(connection, "INSERT INTO child VALUES (1, 1, 1)")).isEqualTo(1);
    assertThat(errorOf(connection, "DELETE FROM item")).isEqualTo(2292);
    execute(connection, "ALTER TABLE child DISABLE CONSTRAINT child_fk");
    execute(connection, "INSERT INTO child VALUES (2, 7, 1)");
    assertThat(errorOf(connection, "ALTER TABLE child ENABLE CONSTRAINT child_fk")).isEqualTo(2298);
    assertThat(errorOf(connection, "DROP TABLE item")).isEqualTo(2449);
  }

  @Test
  void ddlCommitsWhatCameBefore() throws SQLException {
    insert(1, 2);
    execute(connection, "CREATE INDEX item_name ON item (name)");
    connection.rollback();
    assertThat(query(connection, "SELECT COUNT(*) FROM item")).containsExactly("1");
    execute(connection, "TRUNCATE TABLE item");
    connection.rollback();
    assertThat(query(connection, "SELECT COUNT(*) FROM item")).containsExactly("0");
  }

  @Test
  void aTransactionGoesBackToASavepoint() throws SQLException {
    insert(1, 2);
    Savepoint savepoint = connection.setSavepoint("before");
    insert(2, 4);
    connection.rollback(savepoint);
    connection.commit();
    assertThat(query(connection, "SELECT id FROM item")).containsExactly("1");
    assertThat(SERVER.log().events(LogEvent.Committed.class)).hasSize(1);
  }

  @Test
  void rowsAreMerged() throws SQLException {
    insert(1, 3);
    try (PreparedStatement merge =
        connection.prepareStatement(
            "MERGE INTO item t USING (SELECT ? AS id, ? AS name FROM dual) s ON (t.id = s.id)"
                + " WHEN MATCHED THEN UPDATE SET t.name = s.name"
                + " WHEN NOT MATCHED THEN INSERT (id, name) VALUES (s.id, s.name)")) {
      for (int id : new int[] {2, 3}) {
        merge.setInt(1, id);
        merge.setString(2, "merged");
        merge.addBatch();
      }
      assertThat(merge.executeBatch()).containsExactly(1, 1);
    }
    assertThat(query(connection, "SELECT id, name FROM item ORDER BY 1"))
        .containsExactly("1|item 1", "2|merged", "3|merged");
  }

  @Test
  void rowsAreCutByTheirRowids() throws SQLException {
    insert(0, 300);
    connection.commit();
    execute(
        connection,
        "BEGIN DBMS_PARALLEL_EXECUTE.CREATE_TASK('cut');"
            + " DBMS_PARALLEL_EXECUTE.CREATE_CHUNKS_BY_ROWID('cut', USER, 'ITEM', TRUE, 100);"
            + " END;");
    int seen = 0;
    int chunks = 0;
    for (String range :
        query(
            connection,
            "SELECT start_rowid, end_rowid FROM user_parallel_execute_chunks"
                + " WHERE task_name = 'cut' ORDER BY chunk_id")) {
      String[] ends = range.split("\\|", -1);
      try (PreparedStatement select =
          connection.prepareStatement("SELECT COUNT(*) FROM item WHERE ROWID BETWEEN ? AND ?")) {
        select.setString(1, ends[0]);
        select.setString(2, ends[1]);
        try (ResultSet rows = select.executeQuery()) {
          rows.next();
          seen += rows.getInt(1);
        }
      }
      chunks++;
    }
    assertThat(seen).isEqualTo(300);
    assertThat(chunks).isGreaterThan(2);
    execute(connection, "BEGIN DBMS_PARALLEL_EXECUTE.DROP_TASK('cut'); END;");
    String rowid = query(connection, "SELECT ROWID FROM item WHERE id = 77").getFirst();
    assertThat(rowid).hasSize(18);
    assertThat(query(connection, "SELECT id FROM item i WHERE i.rowid = '" + rowid + "'"))
        .containsExactly("77");
  }

  /// The time of a state is known to some seconds: one so near behind a DDL may be before it.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "CREATE TABLE changed (id NUMBER)",
        "GRANT SELECT ON changed TO PUBLIC",
        "TRUNCATE TABLE changed",
        "ALTER TABLE changed ADD (b NUMBER)",
        "CREATE INDEX by_id ON changed (id)"
      })
  void aTableIsNotReadAsOfAStateSoonAfterItsDdl(String ddl) throws SQLException {
    if (!ddl.startsWith("CREATE TABLE")) {
      execute(connection, "CREATE TABLE changed (id NUMBER)");
    }
    SERVER.setScnGrain(Duration.ZERO);
    long before = scn();
    assertThat(query(connection, "SELECT COUNT(*) FROM item AS OF SCN " + before)).hasSize(1);
    execute(connection, ddl);
    SERVER.setScnGrain(Duration.ofMillis(700));
    try {
      assertThat(errorOf(connection, "SELECT * FROM changed AS OF SCN " + before)).isEqualTo(1466);
      assertThat(errorOf(connection, "SELECT * FROM changed AS OF SCN " + scn())).isEqualTo(1466);
      LockSupport.parkNanos(Duration.ofSeconds(1).toNanos());
      assertThat(query(connection, "SELECT COUNT(*) FROM changed AS OF SCN " + scn())).hasSize(1);
      assertThat(errorOf(connection, "SELECT * FROM changed AS OF SCN " + before)).isEqualTo(1466);
    } finally {
      SERVER.setScnGrain(Duration.ofSeconds(3));
      execute(connection, "DROP TABLE changed");
    }
  }

  private long scn() throws SQLException {
    return Long.parseLong(query(connection, "SELECT current_scn FROM v$database").getFirst());
  }

  @Test
  void aStateIsReadAgainByItsScn() throws SQLException {
    SERVER.setScnGrain(Duration.ZERO);
    insert(1, 3);
    connection.commit();
    String scn = query(connection, "SELECT current_scn FROM v$database").getFirst();
    insert(3, 5);
    execute(connection, "DELETE FROM item WHERE id = 1");
    connection.commit();
    assertThat(query(connection, "SELECT id FROM item AS OF SCN " + scn + " ORDER BY id"))
        .containsExactly("1", "2");
    try (PreparedStatement select =
        connection.prepareStatement("SELECT COUNT(*) FROM item AS OF SCN ? i WHERE id > ?")) {
      select.setLong(1, Long.parseLong(scn));
      select.setInt(2, 1);
      try (ResultSet rows = select.executeQuery()) {
        rows.next();
        assertThat(rows.getInt(1)).isEqualTo(1);
      }
    }
    assertThat(query(connection, "SELECT id FROM item ORDER BY id")).containsExactly("2", "3", "4");
    assertThat(errorOf(connection, "SELECT * FROM item AS OF SCN 5")).isEqualTo(1555);
    assertThat(
            query(connection, "SELECT DBMS_FLASHBACK.GET_SYSTEM_CHANGE_NUMBER FROM dual")
                .getFirst())
        .isNotEqualTo(scn);
  }

  @Test
  void aTransactionMaySeeOneState() throws SQLException {
    execute(connection, "SET TRANSACTION READ ONLY");
    assertThat(query(connection, "SELECT COUNT(*) FROM item")).containsExactly("0");
    try (Connection other = OracleStandIn.connect(SERVER)) {
      execute(other, "INSERT INTO item (id) VALUES (1)");
    }
    assertThat(query(connection, "SELECT COUNT(*) FROM item")).containsExactly("0");
    connection.commit();
    assertThat(query(connection, "SELECT COUNT(*) FROM item")).containsExactly("1");
  }

  @Test
  void someRowsAreEnough() throws SQLException {
    insert(1, 9);
    assertThat(query(connection, "SELECT id FROM item WHERE ROWNUM <= 2")).hasSize(2);
    assertThat(query(connection, "SELECT id FROM item ORDER BY id FETCH FIRST 3 ROWS ONLY"))
        .containsExactly("1", "2", "3");
    assertThat(query(connection, "SELECT name, COUNT(*) FROM item GROUP BY name")).hasSize(8);
  }

  @Test
  void aDirectPathInsertHidesItsTableUntilTheCommit() throws SQLException {
    execute(connection, "INSERT /*+ APPEND_VALUES */ INTO item (id) VALUES (1)");
    assertThat(errorOf(connection, "SELECT * FROM item")).isEqualTo(12838);
    try (Connection other = OracleStandIn.connect(SERVER)) {
      assertThat(errorOf(other, "LOCK TABLE item IN EXCLUSIVE MODE NOWAIT")).isEqualTo(54);
      assertThat(errorOf(other, "TRUNCATE TABLE item")).isEqualTo(54);
    }
    connection.commit();
    assertThat(query(connection, "SELECT id FROM item")).containsExactly("1");
  }

  @Test
  void aTableChangesItsShape() throws SQLException {
    execute(
        connection,
        "INSERT INTO item (id, name) VALUES (1, 'a')",
        "ALTER TABLE item ADD (extra VARCHAR2(5 CHAR) DEFAULT 'x' NOT NULL)",
        "ALTER TABLE item MODIFY name VARCHAR2(40)",
        "ALTER TABLE item RENAME COLUMN price TO cost",
        "ALTER TABLE item RENAME TO renamed",
        "ALTER TABLE renamed DROP COLUMN made");
    assertThat(query(connection, "SELECT * FROM renamed")).containsExactly("1|a|null|x");
    assertThat(errorOf(connection, "SELECT * FROM item")).isEqualTo(942);
    execute(connection, "ALTER TABLE renamed DROP PRIMARY KEY", "DROP TABLE renamed PURGE");
  }

  @Test
  void sequencesIdentitiesAndViews() throws SQLException {
    execute(
        connection,
        "DROP TABLE IF EXISTS counted",
        "CREATE TABLE counted (id NUMBER GENERATED ALWAYS AS IDENTITY, twice NUMBER GENERATED"
            + " ALWAYS AS (n * 2) VIRTUAL, n NUMBER)",
        "INSERT INTO counted (n) VALUES (5)",
        "CREATE SEQUENCE numbers START WITH 10",
        "CREATE OR REPLACE VIEW doubled AS SELECT id, twice AS t FROM counted");
    assertThat(query(connection, "SELECT numbers.NEXTVAL FROM dual")).containsExactly("10");
    assertThat(query(connection, "SELECT * FROM doubled")).containsExactly("1|10");
    assertThat(errorOf(connection, "INSERT INTO counted (id) VALUES (7)")).isEqualTo(32795);
    execute(connection, "DROP SEQUENCE numbers", "DROP VIEW doubled");
  }

  @Test
  void partitionsAreReadOneByOne() throws SQLException {
    execute(
        connection,
        "DROP TABLE IF EXISTS parted",
        "CREATE TABLE parted (id NUMBER(9), at DATE) PARTITION BY RANGE (at)"
            + " (PARTITION p1 VALUES LESS THAN (DATE '2026-02-01'),"
            + " PARTITION p2 VALUES LESS THAN (TO_DATE('2026-03-01', 'YYYY-MM-DD')))",
        "INSERT INTO parted VALUES (1, DATE '2026-01-05')",
        "INSERT INTO parted VALUES (2, DATE '2026-02-05')",
        "INSERT INTO parted VALUES (3, DATE '2026-02-06')");
    assertThat(query(connection, "SELECT id FROM parted PARTITION (p1)")).containsExactly("1");
    assertThat(query(connection, "SELECT p.id FROM parted PARTITION (p2) p WHERE id = 2 OR id = 1"))
        .containsExactly("2");
    assertThat(errorOf(connection, "INSERT INTO parted VALUES (4, DATE '2026-03-05')"))
        .isEqualTo(14400);
    assertThat(errorOf(connection, "SELECT * FROM parted PARTITION (p9)")).isEqualTo(2149);
    execute(connection, "ALTER TABLE parted TRUNCATE PARTITION p2");
    assertThat(query(connection, "SELECT id FROM parted")).containsExactly("1");
  }

  @Test
  void aBlockGivesValuesBack() throws SQLException {
    try (CallableStatement call =
        connection.prepareCall("BEGIN ? := DBMS_FLASHBACK.GET_SYSTEM_CHANGE_NUMBER; END;")) {
      call.registerOutParameter(1, Types.NUMERIC);
      call.execute();
      assertThat(call.getBigDecimal(1)).isGreaterThan(BigDecimal.valueOf(999_999));
    }
    assertThat(errorOf(connection, "BEGIN nosuch(1); END;")).isEqualTo(6550);
    execute(
        connection,
        "BEGIN EXECUTE IMMEDIATE 'CREATE TABLE child (a NUMBER)';"
            + " DBMS_STATS.GATHER_TABLE_STATS(USER, 'ITEM'); END;");
    assertThat(query(connection, "SELECT num_rows FROM user_tables WHERE table_name = 'ITEM'"))
        .containsExactly("0");
  }

  @Test
  void whatAValueIsMadeOfIsShown() throws SQLException {
    assertThat(query(connection, "SELECT DUMP('ab'), DUMP(1), DUMP(NULL) FROM dual"))
        .containsExactly("Typ=1 Len=2: 97,98|Typ=2 Len=2: 193,2|NULL");
  }
}
