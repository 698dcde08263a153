package millrace.connectors.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.fault.Fault;
import millrace.spi.write.Mode;
import millrace.testkit.Copying;
import millrace.testkit.Row;
import millrace.testkit.memory.MemoryConnector;
import millrace.testkit.oracle.OracleRelease;
import millrace.testkit.oracle.OracleServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Truth values on a server before version 23, which has no type for them.
class OracleTruthTest {

  private static final OracleServer SERVER = OracleServer.start(OracleRelease.R19);

  private static final Schema FLAGS =
      Schema.of(List.of(Column.of("ID", new Type.Int(32)), Column.of("B", new Type.Bool())));

  private static final List<Row> ROWS = List.of(Row.of(1, 1), Row.of(2, 0), Row.of(3, null));

  private final TestTables tables = new TestTables(SERVER);
  private final MemoryConnector memory = new MemoryConnector();
  private final OracleConnector oracle = new OracleConnector(_ -> null);

  @AfterAll
  static void stop() {
    SERVER.close();
  }

  private void load(String method, Mode mode) {
    memory.put("rows", FLAGS, ROWS);
    Copying.of(
            memory,
            memory.endpoint("rows"),
            oracle,
            tables.endpoint("table", "flags", "method", method))
        .mode(mode)
        .run();
  }

  @ParameterizedTest
  @ValueSource(strings = {"normal", "direct", OracleOptions.TRIAL})
  void theyAreNumbersOfOneDigitAndComeBack(String method) {
    load(method, Mode.CREATE);
    assertThat(
            tables.bare(
                "SELECT data_type || data_precision FROM user_tab_columns"
                    + " WHERE column_name = 'B'"))
        .containsExactly("NUMBER1");
    load(method, Mode.APPEND);
    assertThat(tables.bare("SELECT b FROM flags ORDER BY id"))
        .containsExactly("1", "1", "0", "0", null, null);
    memory.put("back", FLAGS, List.of());
    Copying.of(
            oracle,
            tables.endpoint("table", "flags", "columns", "B:boolean"),
            memory,
            memory.endpoint("back"))
        .mode(Mode.APPEND)
        .run();
    assertThat(memory.rows("back")).hasSize(6).containsAll(ROWS);
  }

  /// Nobody has confirmed what such a server keeps of the streams of a younger driver.
  @Test
  void streamsAreRefusedUnlessTheServerIsChecked() {
    assertThatThrownBy(() -> load("native", Mode.CREATE))
        .isInstanceOfSatisfying(
            Fault.User.class,
            fault -> {
              assertThat(fault).hasMessageContainingAll("of release 19.22", "the driver of 23.");
              assertThat(fault.advice()).contains("Use --method direct", "oracle-check");
            });
    assertThat(tables.bare("SELECT count(*) FROM user_tables")).containsExactly("0");
    load("auto", Mode.CREATE);
  }
}
