package millrace.connectors.mariadb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.fault.Fault;
import millrace.plan.Job;
import millrace.spi.Secret;
import millrace.spi.write.Mode;
import millrace.testkit.Copying;
import millrace.testkit.Ran;
import millrace.testkit.Row;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What servers refuse while rows are loaded: it is told in plain words, and nothing is lost or
/// there twice.
@Timeout(value = 90, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MariaDbRefusalsTest {

  private static final Schema TWO =
      Schema.of(List.of(Column.of("id", new Type.Int(32)), Column.of("v", Type.Text.UNLIMITED)));

  private static final Job.RejectPolicy SET_ASIDE = new Job.RejectPolicy(10, null);

  private static List<Row> rows(int count) {
    return IntStream.range(0, count).mapToObj(i -> Row.of(i, "v" + i)).toList();
  }

  private static List<Row> with(List<Row> rows, int at, Object value) {
    List<Row> changed = new ArrayList<>(rows);
    changed.set(at, Row.of(rows.get(at).value(0), value));
    return changed;
  }

  private static Copying into(TestTables tables, List<Row> rows) {
    tables.memory.put("rows", TWO, rows);
    return Copying.of(
            tables.memory,
            tables.memory.endpoint("rows"),
            new MariaDbConnector(_ -> null),
            tables.endpoint("table", "w"))
        .mode(Mode.APPEND);
  }

  private static void assertIds(TestTables tables, int count, int without) {
    assertIds(tables, count, id -> id != without);
  }

  private static void assertIds(TestTables tables, int count, IntPredicate arrived) {
    assertThat(tables.bare("SELECT id FROM w ORDER BY id"))
        .isEqualTo(IntStream.range(0, count).filter(arrived).mapToObj(String::valueOf).toList());
  }

  /// A bad row ends the copy and is named; set aside, it leaves all others there once.
  private static void assertOneRowIsBad(
      TestTables tables, List<Row> rows, int bad, String words, String advice) {
    Fault.Data fault = catchThrowableOfType(Fault.Data.class, () -> into(tables, rows).run());
    assertThat(fault)
        .hasMessageContaining("row " + (bad + 1))
        .hasMessageContaining(words)
        .hasMessageContaining(advice);
    assertThat(tables.bare("SELECT id FROM w")).isEmpty();

    Ran run = into(tables, rows).rejects(SET_ASIDE).run();
    assertThat(run.meter().rejects()).isEqualTo(1);
    assertIds(tables, rows.size(), bad);
  }

  @ParameterizedTest
  @ValueSource(strings = {"mariadb", "mysql"})
  void aKeyThatComesTwiceIsABadRow(String scheme) {
    TestTables tables = new TestTables(scheme);
    tables.run("CREATE TABLE w (id int, v varchar(20) UNIQUE)");
    assertOneRowIsBad(tables, with(rows(50), 30, "v7"), 30, "Duplicate entry 'v7'", "");
  }

  @ParameterizedTest
  @ValueSource(strings = {"mariadb", "mysql"})
  void aRowWithoutItsParentIsABadRow(String scheme) {
    TestTables tables = new TestTables(scheme);
    tables.run(
        "CREATE TABLE parent (v varchar(20) PRIMARY KEY)",
        "CREATE TABLE w (id int, v varchar(20), FOREIGN KEY (v) REFERENCES parent (v))");
    for (int i = 0; i < 50; i++) {
      tables.run("INSERT INTO parent VALUES ('v" + i + "')");
    }
    assertOneRowIsBad(
        tables, with(rows(50), 30, "nobody"), 30, "foreign key", "Load the table that the foreign");
  }

  @ParameterizedTest
  @ValueSource(strings = {"mariadb", "mysql"})
  void aRowThatATriggerRefusesIsABadRow(String scheme) {
    TestTables tables = new TestTables(scheme);
    tables.run(
        "CREATE TABLE w (id int, v varchar(20))",
        "CREATE TRIGGER luck BEFORE INSERT ON w FOR EACH ROW IF NEW.v = 'bad' THEN SIGNAL SQLSTATE"
            + " '45000' SET MESSAGE_TEXT = 'brings bad luck'; END IF");
    assertOneRowIsBad(tables, with(rows(50), 30, "bad"), 30, "brings bad luck", "trigger");
  }

  /// A page of the table holds some 8,000 bytes of a row.
  @ParameterizedTest
  @ValueSource(strings = {"mariadb", "mysql"})
  void aRowThatIsTooLargeForThePagesIsABadRow(String scheme) {
    TestTables tables = new TestTables(scheme);
    String parts =
        String.join(", ", IntStream.range(0, 12).mapToObj(i -> "c" + i + " text").toList());
    tables.run(
        "SET GLOBAL innodb_strict_mode = 0",
        "CREATE TABLE w (id int, v text, " + parts + ") ROW_FORMAT=COMPACT");
    for (int i = 0; i < 12; i++) {
      tables.run("ALTER TABLE w MODIFY c" + i + " text GENERATED ALWAYS AS (v) STORED");
    }
    assertOneRowIsBad(
        tables, with(rows(50), 30, "x".repeat(900)), 30, "Row size too large", "TEXT");
  }

  /// The first waits until the lock is gone, and says whose it is; so does the second, which gives
  /// up.
  @ParameterizedTest
  @CsvSource({
    "mariadb,LOCK TABLES w WRITE,APPEND",
    "mysql,LOCK TABLES w WRITE,APPEND",
    "mariadb,SELECT count(*) FROM w,TRUNCATE",
    "mysql,SELECT count(*) FROM w,TRUNCATE"
  })
  void aTableThatOthersHaveLockedIsWaitedFor(String scheme, String lock, Mode mode)
      throws SQLException {
    TestTables tables = new TestTables(scheme);
    tables.run("CREATE TABLE w (id int PRIMARY KEY, v varchar(20))");
    if (mode == Mode.TRUNCATE) {
      tables.run("INSERT INTO w VALUES (99, 'old')");
    }
    try (Connection other = tables.server.connect(tables.database);
        Statement statement = other.createStatement()) {
      other.setAutoCommit(false);
      statement.execute(lock);
      Copying impatient =
          into(tables, rows(50)).mode(mode).patience(Duration.ZERO, Duration.ofSeconds(3));
      Ran stopped = impatient.attempt();
      Fault fault = stopped.result().fault();
      assertThat(fault).hasMessageContaining("No row has moved for 3 s");
      if (mode == Mode.TRUNCATE) {
        assertThat(stopped.leaves()).contains("w may have been emptied");
        assertIds(tables, 100, id -> id == 99);
      }
      long holder = other.unwrap(org.mariadb.jdbc.Connection.class).getThreadId();
      if (scheme.equals("mysql")) {
        assertThat(fault).hasMessageContaining("a lock of the server's connection " + holder);
      } else {
        assertThat(fault).hasMessageContaining("a lock that others hold");
      }
      CompletableFuture<Void> copy =
          CompletableFuture.runAsync(() -> into(tables, rows(50)).mode(mode).run());
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1_500));
      assertThat(copy).isNotDone();
      other.commit();
      statement.execute("UNLOCK TABLES");
      copy.join();
    }
    assertIds(tables, 50, -1);
  }

  /// Whatever of the copy's planning waits for it.
  @ParameterizedTest
  @CsvSource({"mariadb,int", "mysql,int", "mariadb,text", "mysql,text"})
  void aTableThatOthersHaveLockedIsReadNoMoreOnceTheTimeIsOver(String scheme, String type)
      throws SQLException {
    TestTables tables = new TestTables(scheme);
    tables.run(
        "CREATE TABLE t (id int PRIMARY KEY, v " + type + ")", "INSERT INTO t VALUES (1, 1)");
    try (Connection other = tables.server.connect(tables.database);
        Statement statement = other.createStatement()) {
      statement.execute("LOCK TABLES t WRITE");
      Copying copying = tables.copying(tables.endpoint("table", "t"), "id", "v");
      assertThat(
              catchThrowableOfType(
                  Fault.Transient.class,
                  () -> copying.patience(Duration.ZERO, Duration.ofSeconds(2)).run()))
          .hasMessageContaining("No row has moved for 2 s")
          .hasMessageContaining("a lock");
      statement.execute("UNLOCK TABLES");
    }
  }

  /// The server has not emptied it, and nobody says so.
  @ParameterizedTest
  @ValueSource(strings = {"mariadb", "mysql"})
  void aTableThatMayNotBeEmptiedKeepsItsRows(String scheme) {
    TestTables tables = new TestTables(scheme);
    String user = "u" + tables.database;
    tables.run(
        "CREATE TABLE w (id int PRIMARY KEY, v varchar(20))",
        "INSERT INTO w VALUES (0, 'old')",
        "CREATE USER " + user,
        "GRANT SELECT, INSERT, CREATE ON " + tables.database + ".* TO " + user);
    tables.memory.put("rows", TWO, rows(50));
    Ran refused =
        Copying.of(
                tables.memory,
                tables.memory.endpoint("rows"),
                new MariaDbConnector(_ -> null),
                tables.as(user, Secret.NONE, Map.of("table", "w")))
            .mode(Mode.TRUNCATE)
            .attempt();
    assertThat(refused.result().fault())
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("DROP command denied");
    assertThat(refused.leaves()).doesNotContain("emptied");
    assertIds(tables, 1, -1);
  }

  /// A table in memory, which may not grow: a disk that is full gives the same error.
  @ParameterizedTest
  @ValueSource(strings = {"mariadb", "mysql"})
  void aTableThatIsFullIsTold(String scheme) {
    TestTables tables = new TestTables(scheme);
    tables.run(
        "SET max_heap_table_size = 16384",
        "CREATE TABLE w (id int PRIMARY KEY, v varchar(200)) ENGINE=MEMORY");
    Ran stopped = into(tables, rows(5_000)).attempt();
    Fault fault = stopped.result().fault();
    assertThat(fault)
        .isInstanceOf(Fault.External.class)
        .hasMessageContaining("The table 'w' is full");
    assertThat(fault.advice()).contains("Make room on the server's disk");
    assertThat(tables.bare("SELECT id FROM w")).isNotEmpty();
    assertThat(stopped.leaves())
        .contains("w may hold rows of this copy: a table of engine MEMORY has no transactions");
  }
}
