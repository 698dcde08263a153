package millrace.connectors.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.fault.Fault;
import millrace.spi.write.Mode;
import millrace.testkit.Copying;
import millrace.testkit.Row;
import millrace.testkit.memory.MemoryConnector;
import millrace.testkit.oracle.LogEvent;
import millrace.testkit.oracle.OracleServer;
import millrace.testkit.oracle.PlannedFault;
import millrace.testkit.oracle.ServerCall;
import millrace.testkit.suite.ResumableCopy;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// How a table is left by direct path: its indexes, constraints and triggers, whatever became of
/// the rows.
class OracleUpkeepTest {

  private static final OracleServer SERVER = OracleServer.start();

  private static final Schema ITEMS =
      Schema.of(
          List.of(
              new Column("id", new Type.Int(64), false, null), Column.of("n", new Type.Int(64))));

  private static final String REBUILD = "rebuild";

  private final TestTables tables = new TestTables(SERVER);
  private final MemoryConnector memory = new MemoryConnector();

  @AfterAll
  static void stop() {
    SERVER.close();
  }

  @BeforeEach
  void begin() {
    SERVER.log().clear();
    tables.run(
        "CREATE TABLE parents (id NUMBER(19) PRIMARY KEY)",
        "CREATE TABLE items (id NUMBER(19) NOT NULL, n NUMBER(19))");
    for (int i = 0; i < 10; i++) {
      tables.run("INSERT INTO parents VALUES (" + i + ")");
    }
  }

  private static List<Row> rows(int from, int count) {
    List<Row> rows = new ArrayList<>();
    for (int i = from; i < from + count; i++) {
      rows.add(Row.of(i, i % 10));
    }
    return rows;
  }

  private Copying append(List<Row> rows, String... options) {
    memory.put("rows", ITEMS, rows);
    List<String> all = new ArrayList<>(List.of("table", "items", "method", "native"));
    all.addAll(List.of(options));
    return Copying.of(
            memory,
            memory.endpoint("rows"),
            new OracleConnector(_ -> null),
            tables.endpoint(all.toArray(String[]::new)))
        .mode(Mode.APPEND)
        .lanes(3, 16 << 10);
  }

  private void withRules() {
    tables.run(
        "ALTER TABLE items ADD CONSTRAINT positive CHECK (id >= 0)",
        "ALTER TABLE items ADD CONSTRAINT parent FOREIGN KEY (n) REFERENCES parents (id)",
        "CREATE TRIGGER before_items BEFORE INSERT ON items FOR EACH ROW BEGIN NULL; END;");
  }

  private List<String> rules() {
    return Stream.concat(
            tables
                .bare(
                    "SELECT constraint_name || ' ' || status FROM user_constraints"
                        + " WHERE constraint_name IN ('POSITIVE', 'PARENT') ORDER BY 1")
                .stream(),
            tables
                .bare(
                    "SELECT trigger_name || ' ' || status FROM user_triggers"
                        + " WHERE table_name = 'ITEMS'")
                .stream())
        .toList();
  }

  private static final List<String> ALL_ON =
      List.of("PARENT ENABLED", "POSITIVE ENABLED", "BEFORE_ITEMS ENABLED");

  private List<String> unusable() {
    return tables.bare(
        "SELECT index_name FROM user_indexes WHERE table_name = 'ITEMS' AND status = 'UNUSABLE'");
  }

  private String count() {
    return tables.bare("SELECT count(*) || ' ' || count(DISTINCT id) FROM items").getFirst();
  }

  private List<String> ddl(String words) {
    return SERVER.log().statements().stream().filter(sql -> sql.contains(words)).toList();
  }

  private long loaders() {
    return SERVER.log().events(LogEvent.DirectPathPrepared.class).stream()
        .map(LogEvent::session)
        .distinct()
        .count();
  }

  @Test
  void indexesThatAreRebuiltAtTheEndLetAllLanesWrite() {
    tables.run("ALTER TABLE items ADD PRIMARY KEY (id)", "CREATE INDEX by_n ON items (n)");
    append(rows(0, 5_000)).run();
    assertThat(loaders()).isEqualTo(1);
    assertThat(ddl("REBUILD")).isEmpty();
    append(rows(5_000, 5_000), "indexes", REBUILD).run();
    assertThat(loaders()).isGreaterThan(2);
    assertThat(ddl("REBUILD")).hasSize(2);
    assertThat(unusable()).isEmpty();
    assertThat(count()).isEqualTo("10000 10000");
  }

  @Test
  void onlyThePartsOfAnIndexThatWereLeftBehindAreRebuilt() {
    tables.run(
        "DROP TABLE items",
        "CREATE TABLE items (id NUMBER(19) NOT NULL, n NUMBER(19)) PARTITION BY RANGE (id)"
            + " (PARTITION low VALUES LESS THAN (1000), PARTITION high VALUES LESS THAN"
            + " (MAXVALUE))",
        "CREATE INDEX by_n ON items (n) LOCAL");
    append(rows(2_000, 100), "indexes", REBUILD, "partition", "high").run();
    assertThat(ddl("REBUILD"))
        .singleElement()
        .asString()
        .endsWith(".\"BY_N\" REBUILD PARTITION \"HIGH\"");
    assertThat(tables.bare("SELECT DISTINCT status FROM user_ind_partitions"))
        .containsExactly("USABLE");
  }

  @Test
  void anIndexThatCanNotBeRebuiltIsToldWithItsCommandAndRebuiltByTheRunThatGoesOn() {
    tables.run("CREATE INDEX by_n ON items (n)");
    SERVER
        .faults()
        .add(
            new PlannedFault(
                ServerCall.EXECUTE,
                "REBUILD",
                0,
                new PlannedFault.Effect.Fail(
                    1652, "unable to extend temp segment by 128 in tablespace TEMP")));
    ResumableCopy copy = ResumableCopy.of(append(rows(0, 1_000), "indexes", REBUILD), 100);
    assertThatThrownBy(copy::run)
        .isInstanceOf(Fault.Data.class)
        .hasMessageContaining("not in order")
        .hasMessageContaining("ORA-01652")
        .extracting(thrown -> ((Fault) thrown).advice())
        .asString()
        .contains(".\"BY_N\" REBUILD;");
    assertThat(unusable()).containsExactly("BY_N");
    copy.run();
    assertThat(unusable()).isEmpty();
    assertThat(count()).isEqualTo("1000 1000");
  }

  @Test
  void keysThatAreThereTwiceCanBeMendedBeforeTheRunGoesOn() {
    tables.run("CREATE UNIQUE INDEX by_id ON items (id)", "INSERT INTO items VALUES (5, 5)");
    ResumableCopy copy = ResumableCopy.of(append(rows(0, 100)), 10);
    assertThatThrownBy(copy::run)
        .isInstanceOf(Fault.class)
        .satisfies(thrown ->
            assertThat(thrown.getMessage() + ((Fault) thrown).advice())
                .contains("BY_ID")
                .contains("REBUILD"));
    assertThat(unusable()).containsExactly("BY_ID");
    assertThatThrownBy(copy::run)
        .isInstanceOf(Fault.Data.class)
        .hasMessageContaining("ORA-01452")
        .hasMessageContaining("drop the index");
    tables.run(
        "ALTER INDEX by_id UNUSABLE",
        "DROP INDEX by_id",
        "DELETE FROM items WHERE id = 5",
        "INSERT INTO items VALUES (5, 5)",
        "CREATE UNIQUE INDEX by_id ON items (id)");
    copy.run();
    assertThat(count()).isEqualTo("100 100");
  }

  @Test
  void aUniqueIndexThatIsUnusableIsToldBeforeTheFirstRow() {
    tables.run("CREATE UNIQUE INDEX by_id ON items (id)", "ALTER INDEX by_id UNUSABLE");
    assertThatThrownBy(() -> append(rows(0, 10)).run())
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("BY_ID");
    append(rows(0, 10), "indexes", REBUILD).run();
    assertThat(unusable()).isEmpty();
  }

  @Test
  void rulesThatAreDisabledAreOnAgainAtTheEnd() {
    withRules();
    assertThatThrownBy(() -> append(rows(0, 10)).run())
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("--constraints disable");
    append(rows(0, 1_000), "constraints", "disable").run();
    assertThat(ddl("DISABLE")).hasSize(3);
    assertThat(rules()).isEqualTo(ALL_ON);
    assertThat(count()).isEqualTo("1000 1000");
  }

  @Test
  void rulesAreOnAgainAfterAFailure() {
    withRules();
    SERVER
        .faults()
        .add(
            new PlannedFault(
                ServerCall.DIRECT_PATH_STREAM,
                "",
                1,
                new PlannedFault.Effect.Fail(1653, "unable to extend table ITEMS")));
    assertThatThrownBy(() -> append(rows(0, 10_000), "constraints", "disable").run())
        .isInstanceOf(Fault.External.class);
    assertThat(ddl("DISABLE")).hasSize(3);
    assertThat(rules()).isEqualTo(ALL_ON);
  }

  @Test
  void aRuleThatRowsDoNotKeepToIsToldWithItsCommand() {
    withRules();
    List<Row> rows = new ArrayList<>(rows(0, 100));
    rows.add(Row.of(100, 77));
    ResumableCopy copy = ResumableCopy.of(append(rows, "constraints", "disable"), 10);
    assertThatThrownBy(copy::run)
        .isInstanceOf(Fault.Data.class)
        .hasMessageContaining("ORA-02298")
        .extracting(thrown -> ((Fault) thrown).advice())
        .asString()
        .contains("ENABLE CONSTRAINT \"PARENT\";");
    assertThat(rules())
        .containsExactly("PARENT DISABLED", "POSITIVE ENABLED", "BEFORE_ITEMS ENABLED");
    tables.run("INSERT INTO parents VALUES (77)");
    copy.run();
    assertThat(rules()).isEqualTo(ALL_ON);
    assertThat(count()).isEqualTo("101 101");
  }

  /// A process that is killed enables nothing, and the one that goes on knows of it.
  @Test
  void aRunThatGoesOnEnablesWhatTheOneThatWasKilledHasDisabled() {
    withRules();
    ResumableCopy copy = ResumableCopy.of(append(rows(0, 10_000), "constraints", "disable"), 500);
    copy.kill(ResumableCopy.Kill.AMONG_ROWS, 5, false);
    assertThat(rules()).isNotEqualTo(ALL_ON);
    copy.run();
    assertThat(rules()).isEqualTo(ALL_ON);
    assertThat(count()).isEqualTo("10000 10000");
  }
}
