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

  private Copying into(String partition, String method, @Nullable Mode mode, int from, int count) {
    List<Row> rows = new ArrayList<>();
    for (int i = from; i < from + count; i++) {
      rows.add(Row.of(i));
    }
    memory.put("rows" + from, ITEMS, rows);
    return Copying.of(
            memory,
            memory.endpoint("rows" + from),
            new OracleConnector(_ -> null),
            tables.endpoint("table", "items", "method", method, "partition", partition))
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
        .anyMatch(line -> line.contains("locks the partition"));
  }
}
