package millrace.connectors.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.fault.Fault;
import millrace.spi.write.Mode;
import millrace.testkit.Copying;
import millrace.testkit.Row;
import millrace.testkit.memory.MemoryConnector;
import millrace.testkit.oracle.OracleServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tables whose rows lie elsewhere than in blocks of their own, and columns of LONG.
class OracleStorageTest {

  private static final OracleServer SERVER = OracleServer.start();

  private static final int ROWS = 300;

  private static final Schema ITEMS =
      Schema.of(List.of(new Column("ID", new Type.Int(32), true, null)));

  private final TestTables tables = new TestTables(SERVER);
  private final MemoryConnector memory = new MemoryConnector();
  private final OracleConnector oracle = new OracleConnector(_ -> null);

  @AfterAll
  static void stop() {
    SERVER.close();
  }

  private void fill(String table) {
    memory.put("rows", ITEMS, IntStream.range(0, ROWS).mapToObj(i -> Row.of(i)).toList());
    Copying.of(memory, memory.endpoint("rows"), oracle, tables.endpoint("table", table))
        .mode(Mode.APPEND)
        .run();
  }

  /// The statements that read the table, by which all of its rows have come once.
  private List<String> read() {
    memory.put("back", ITEMS, List.of());
    SERVER.log().clear();
    Copying.of(oracle, tables.endpoint("table", "items"), memory, memory.endpoint("back"))
        .mode(Mode.APPEND)
        .lanes(3, 1 << 10)
        .run();
    assertThat(memory.rows("back"))
        .extracting(row -> ((Number) Objects.requireNonNull(row.value(0))).intValue())
        .containsExactlyInAnyOrderElementsOf(IntStream.range(0, ROWS).boxed().toList());
    return SERVER.log().statements().stream()
        .filter(sql -> sql.matches("(?s)SELECT \"ID\".* FROM .*ITEMS.*"))
        .toList();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ORGANIZATION EXTERNAL (TYPE ORACLE_DATAPUMP LOCATION ('items.dmp'))",
        "EXTERNAL PARTITION ATTRIBUTES (TYPE ORACLE_DATAPUMP) PARTITION BY RANGE (id)"
            + " (PARTITION a VALUES LESS THAN (10), PARTITION b VALUES LESS THAN (MAXVALUE))"
      })
  void whatLiesOutsideIsReadByOneLaneAsItIsNow(String storage) {
    tables.run("CREATE TABLE base (id NUMBER(9))");
    fill("base");
    tables.run("CREATE TABLE items " + storage + " AS SELECT id FROM base");
    assertThat(read())
        .isNotEmpty()
        .noneMatch(sql -> sql.contains("AS OF SCN") || sql.contains("ROWID"));
  }

  @Test
  void aTableInAClusterIsReadByOneLane() {
    tables.run("CREATE TABLE items (id NUMBER(9)) CLUSTER by_id (id)");
    fill("items");
    assertThat(read()).isNotEmpty().noneMatch(sql -> sql.contains("ROWID"));
  }

  @Test
  void aTableInAClusterIsReadByRangesOfItsKey() {
    tables.run("CREATE TABLE items (id NUMBER(9) PRIMARY KEY) CLUSTER by_id (id)");
    fill("items");
    assertThat(read())
        .filteredOn(sql -> sql.contains("AS OF SCN"))
        .hasSizeGreaterThan(1)
        .noneMatch(sql -> sql.contains("ROWID"));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void aColumnOfLongIsRead(int lanes) {
    tables.run("CREATE TABLE longs (id NUMBER(9), v LONG)");
    for (int i = 0; i < 20; i++) {
      tables.run("INSERT INTO longs VALUES (" + i + ", 'text " + i + "')");
    }
    Column v = Column.of("V", Type.Text.UNLIMITED);
    memory.put("back", Schema.of(List.of(ITEMS.column(0), v)), List.of());
    Copying.of(oracle, tables.endpoint("table", "longs"), memory, memory.endpoint("back"))
        .mode(Mode.APPEND)
        .lanes(lanes, 1 << 10)
        .run();
    assertThat(memory.rows("back"))
        .containsExactlyInAnyOrderElementsOf(
            IntStream.range(0, 20).mapToObj(i -> Row.of(i, "text " + i)).toList());
  }

  @Test
  void aColumnOfLongIsNotStaged() {
    tables.run("CREATE TABLE longs (id NUMBER(9) PRIMARY KEY, v LONG)");
    Column v = Column.of("V", Type.Text.UNLIMITED);
    memory.put("rows", Schema.of(List.of(ITEMS.column(0), v)), List.of(Row.of(1, "a")));
    Copying copying =
        Copying.of(memory, memory.endpoint("rows"), oracle, tables.endpoint("table", "longs"));
    assertThatThrownBy(copying.mode(Mode.MERGE)::run)
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("illegal use of LONG");
    copying.mode(Mode.APPEND).run();
    assertThat(tables.bare("SELECT v FROM longs")).containsExactly("a");
  }
}
