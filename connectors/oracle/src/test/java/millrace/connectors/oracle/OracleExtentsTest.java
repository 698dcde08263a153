package millrace.connectors.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tables that are read by their extents, since nobody can be asked to cut them.
class OracleExtentsTest {

  private static final OracleServer SERVER = OracleServer.start();

  private static final int ROWS = 3_000;

  private static final Schema ITEMS =
      Schema.of(List.of(new Column("ID", new Type.Int(32), true, null)));

  private final TestTables tables = new TestTables(SERVER);
  private final MemoryConnector memory = new MemoryConnector();
  private final OracleConnector oracle = new OracleConnector(_ -> null);

  @AfterAll
  static void stop() {
    SERVER.close();
  }

  @BeforeEach
  void begin() {
    SERVER.grant("DBA_EXTENTS");
    SERVER.revoke("DBMS_PARALLEL_EXECUTE");
  }

  private void fill(String table) {
    memory.put("rows", ITEMS, IntStream.range(0, ROWS).mapToObj(i -> Row.of(i)).toList());
    Copying.of(memory, memory.endpoint("rows"), oracle, tables.endpoint("table", table))
        .mode(Mode.APPEND)
        .run();
  }

  /// The statements that read the table, by which all of its rows have come once.
  private List<String> read(String table, long splitBytes, String... more) {
    List<String> all = new ArrayList<>(List.of("table", table));
    all.addAll(List.of(more));
    memory.put("back", ITEMS, List.of());
    SERVER.log().clear();
    Copying.of(oracle, tables.endpoint(all.toArray(String[]::new)), memory, memory.endpoint("back"))
        .mode(Mode.APPEND)
        .lanes(3, splitBytes)
        .run();
    assertThat(memory.rows("back"))
        .extracting(row -> ((Number) Objects.requireNonNull(row.value(0))).intValue())
        .containsExactlyInAnyOrderElementsOf(IntStream.range(0, ROWS).boxed().toList());
    return SERVER.log().statements().stream()
        .filter(sql -> sql.contains("AS OF SCN") && !sql.startsWith("SELECT 1"))
        .toList();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " PARTITION BY RANGE (id) (PARTITION a VALUES LESS THAN (10), PARTITION b VALUES LESS THAN"
            + " (2000), PARTITION c VALUES LESS THAN (MAXVALUE))",
        " PARTITION BY HASH (id) PARTITIONS 3",
        " PARTITION BY RANGE (id) SUBPARTITION BY HASH (id) SUBPARTITIONS 2 (PARTITION a VALUES"
            + " LESS THAN (10), PARTITION c VALUES LESS THAN (MAXVALUE))"
      })
  void aTableIsReadByRangesOfItsExtents(String division) {
    tables.run("CREATE TABLE items (id NUMBER(9))" + division);
    fill("items");
    List<String> reads = read("items", 64 << 10);
    assertThat(reads).hasSizeGreaterThan(4).allMatch(sql -> sql.contains("ROWID"));
    assertThat(reads).noneMatch(sql -> sql.contains("PARTITION ("));
    assertThat(read("items", 1 << 20)).hasSizeLessThan(reads.size());
  }

  @Test
  void anIndexWithTheNameOfTheTableIsNotTakenForIt() {
    tables.run(
        "CREATE TABLE items (id NUMBER(9))",
        "CREATE TABLE other (id NUMBER(9))",
        "CREATE INDEX items ON other (id)");
    fill("items");
    assertThat(read("items", 64 << 10)).hasSizeGreaterThan(2);
  }

  @Test
  void whoMayNotSeeExtentsReadsByPartitions() {
    SERVER.revoke("DBA_EXTENTS");
    tables.run("CREATE TABLE items (id NUMBER(9)) PARTITION BY HASH (id) PARTITIONS 3");
    fill("items");
    assertThat(read("items", 64 << 10)).hasSize(3).allMatch(sql -> sql.contains("PARTITION ("));
  }

  @Test
  void whoWantsItReadsByPartitions() {
    SERVER.grant("DBMS_PARALLEL_EXECUTE");
    tables.run("CREATE TABLE items (id NUMBER(9)) PARTITION BY HASH (id) PARTITIONS 3");
    fill("items");
    assertThat(read("items", 64 << 10, "split-by", "partition"))
        .hasSize(3)
        .allMatch(sql -> sql.contains("PARTITION ("));
    tables.run("CREATE TABLE whole (id NUMBER(9))", "CREATE VIEW v AS SELECT * FROM items");
    for (String other : List.of("whole", "v")) {
      assertThatThrownBy(() -> read(other, 64 << 10, "split-by", "partition"))
          .isInstanceOf(Fault.User.class)
          .hasMessageContaining("has no partitions");
    }
  }

  @Test
  void theServersOwnChunksComeFirst() {
    SERVER.grant("DBMS_PARALLEL_EXECUTE");
    tables.run("CREATE TABLE items (id NUMBER(9)) PARTITION BY HASH (id) PARTITIONS 3");
    fill("items");
    assertThat(read("items", 64 << 10)).hasSizeGreaterThan(3);
    assertThat(SERVER.log().statements()).noneMatch(sql -> sql.contains("dba_extents"));
  }
}
