package millrace.connectors.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.fault.Fault;
import millrace.spi.OpenContext;
import millrace.spi.read.Selection;
import millrace.spi.write.Mode;
import millrace.testkit.Copying;
import millrace.testkit.Row;
import millrace.testkit.memory.MemoryConnector;
import millrace.testkit.oracle.LogEvent;
import millrace.testkit.oracle.OracleServer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Copies into single partitions, which lock nothing else.
class OraclePartitionTest {

  private static final OracleServer SERVER = OracleServer.start();

  private static final Schema ITEMS =
      Schema.of(List.of(new Column("id", new Type.Int(64), false, null)));

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
        "CREATE TABLE items (id NUMBER(19) NOT NULL) PARTITION BY RANGE (id) (PARTITION low VALUES"
            + " LESS THAN (1000), PARTITION high VALUES LESS THAN (MAXVALUE))");
  }

  private Copying into(
      String partition, String method, @Nullable Mode mode, int from, int count, String... more) {
    List<Row> rows = new ArrayList<>();
    for (int i = from; i < from + count; i++) {
      rows.add(Row.of(i));
    }
    memory.put("rows" + from, ITEMS, rows);
    List<String> all =
        new ArrayList<>(List.of("table", "items", "method", method, "partition", partition));
    all.addAll(List.of(more));
    return Copying.of(
            memory,
            memory.endpoint("rows" + from),
            new OracleConnector(_ -> null),
            tables.endpoint(all.toArray(String[]::new)))
        .mode(mode)
        .lanes(3, 1 << 10);
  }

  private String count() {
    return tables.bare("SELECT count(*) || ' ' || count(DISTINCT id) FROM items").getFirst();
  }

  @ParameterizedTest
  @ValueSource(strings = {"direct", "native"})
  void aPartitionIsLoadedWhileAnotherIsHeldBySomebodyElse(String method) throws SQLException {
    try (Connection other = tables.connect();
        Statement statement = other.createStatement()) {
      other.setAutoCommit(false);
      statement.execute("INSERT /*+ APPEND */ INTO items PARTITION (low) SELECT 1 FROM DUAL");
      into("high", method, Mode.APPEND, 1_000, 500).run();
      other.commit();
    }
    assertThat(count()).isEqualTo("501 501");
    if (method.equals("native")) {
      assertThat(SERVER.log().events(LogEvent.DirectPathPrepared.class))
          .isNotEmpty()
          .allSatisfy(each -> assertThat(each.partition()).isEqualTo("HIGH"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"direct", "native"})
  void aRowOfAnotherPartitionEndsTheCopy(String method) {
    assertThatThrownBy(() -> into("\"LOW\"", method, Mode.APPEND, 990, 20).run())
        .isInstanceOf(Fault.Data.class)
        .hasMessageContaining("ORA-14401");
    assertThat(count()).isEqualTo("0 0");
  }

  @ParameterizedTest
  @CsvSource({
    "high, normal, APPEND, direct path",
    "high, auto, APPEND, any partition",
    "high, native, TRUNCATE, appended",
    "high, native,, appended",
    "middle, native, APPEND, ORA-02149",
    "middle, direct, APPEND, ORA-02149"
  })
  void whatCanNotBeIsRefused(String partition, String method, @Nullable Mode mode, String words) {
    assertThatThrownBy(() -> into(partition, method, mode, 1_000, 10).run())
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining(words);
    assertThat(count()).isEqualTo("0 0");
  }

  @Test
  void theReportSaysWhyOneLaneWrites() {
    assertThat(into("high", "direct", Mode.APPEND, 1_000, 10).plan().lines())
        .anyMatch(line -> line.contains("locks the partition"))
        .anyMatch(line -> line.matches("to .* table items, partition high, append"));
  }

  /// One lane writes to a table as a whole; a copy for each partition has one each.
  @ParameterizedTest
  @ValueSource(strings = {"direct", "native"})
  void thePlanNamesTheWayByPartitions(String method) {
    tables.run("CREATE INDEX by_id ON items (id) LOCAL");
    assertThat(intoAll(method).plan().lines())
        .anyMatch(line -> line.contains("1 used") && line.contains("a copy for each partition"));
    tables.run("DROP TABLE items", "CREATE TABLE items (id NUMBER(19) PRIMARY KEY)");
    assertThat(intoAll(method).plan().lines()).noneMatch(line -> line.contains("each partition"));
  }

  private Copying intoAll(String method) {
    memory.put("all", ITEMS, List.of(Row.of(1), Row.of(2)));
    return Copying.of(
            memory,
            memory.endpoint("all"),
            new OracleConnector(_ -> null),
            tables.endpoint("table", "items", "method", method))
        .mode(Mode.APPEND)
        .lanes(3, 1 << 10);
  }

  /// All of the table would be read without a word.
  @Test
  void aPartitionIsNotReadByItself() {
    assertThatThrownBy(() ->
            new OracleConnector(_ -> null)
                .source(
                    tables.endpoint("table", "items", "partition", "high"),
                    Selection.ALL,
                    new OpenContext()))
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("partition=high");
  }

  /// Oracle's loader says so too (ORA-26017).
  @Test
  void anIndexThatIsNotDividedKeepsStreamsFromAPartition() {
    tables.run("CREATE UNIQUE INDEX whole ON items (id)");
    assertThatThrownBy(() -> into("high", "native", Mode.APPEND, 1_000, 10).run())
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("WHOLE")
        .hasMessageContaining("partition");
    assertThat(count()).isEqualTo("0 0");
    into("high", "direct", Mode.APPEND, 1_000, 10).run();
    assertThat(count()).isEqualTo("10 10");
  }

  /// Somebody else may be loading it.
  @Test
  void partsOfAnIndexThatBelongToOtherPartitionsAreLeftAlone() {
    tables.run(
        "CREATE INDEX by_id ON items (id) LOCAL",
        "ALTER INDEX by_id MODIFY PARTITION low UNUSABLE");
    into("high", "native", Mode.APPEND, 1_000, 10, "indexes", "rebuild").run();
    assertThat(
            tables.bare(
                "SELECT partition_name || ' ' || status FROM user_ind_partitions ORDER BY 1"))
        .containsExactly("HIGH USABLE", "LOW UNUSABLE");
  }

  /// They are the whole table's, and others may load its other partitions.
  @Test
  void rulesOfTheTableAreNotDisabledForAPartition() {
    assertThatThrownBy(
            () -> into("high", "native", Mode.APPEND, 1_000, 10, "constraints", "disable").run())
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("--constraints disable");
  }
}
