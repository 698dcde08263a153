package millrace.connectors.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Vectors, written and read as their text.
class OracleVectorsTest {

  private static final OracleServer SERVER = OracleServer.start();

  private static final Schema TEXTS = Schema.of(List.of(Column.of("v", Type.Text.UNLIMITED)));

  private final TestTables tables = new TestTables(SERVER);
  private final MemoryConnector memory = new MemoryConnector();
  private final OracleConnector oracle = new OracleConnector(_ -> null);

  @AfterAll
  static void stop() {
    SERVER.close();
  }

  private Copying writing(@Nullable String... texts) {
    memory.put("rows", TEXTS, Stream.of(texts).map(Row::of).toList());
    return Copying.of(
            memory,
            memory.endpoint("rows"),
            oracle,
            tables.endpoint("table", "t", "method", "normal"))
        .mode(Mode.APPEND)
        .lanes(1, Long.MAX_VALUE);
  }

  private List<String> read(String table) {
    memory.put("back", TEXTS, List.of());
    Copying.of(oracle, tables.endpoint("table", table), memory, memory.endpoint("back"))
        .mode(Mode.APPEND)
        .run();
    return memory.rows("back").stream().map(row -> String.valueOf(row.value(0))).toList();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "(3, FLOAT32) | [1, -0.5, 1234.5] | [1.0E+000,-5.0E-001,1.2345E+003]",
        "(*, FLOAT32) | [0.1] | [1.00000001E-001]",
        "(1, FLOAT32) | [1.00000001E-001] | [1.00000001E-001]",
        "(1, FLOAT32) | [-0.006929283495992422] | [-6.9292835E-003]",
        "(2, FLOAT64) | [0.1,-1e300] | [1.0000000000000001E-001,-1.0000000000000001E+300]",
        "(3, INT8) | [1,-128,1.27e2] | [1,-128,127]",
        "(16, BINARY) | [1, 255] | [1,255]",
        "(2, *) | [.5, 2] | [5.0E-001,2.0E+000]",
        "'' | [0.12345678901] | [1.2345678901E-001]",
        "(*, *) | [0] | [0]"
      })
  void numbersArriveInTheFormatOfTheirColumn(String shape, String text, String back) {
    tables.run("CREATE TABLE t (v VECTOR" + shape + ")");
    writing(text).run();
    assertThat(read("t")).containsExactly(back);
    // What was read is taken again, and is the same.
    tables.run("DELETE FROM t");
    writing(back).run();
    assertThat(read("t")).containsExactly(back);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "(3, FLOAT32) | [1, 2] | has 2 numbers, and its column holds 3",
        "(1, FLOAT32) | [0.1234567891] | has 0.1234567891, which FLOAT32 would round",
        "(1, FLOAT32) | [1e39] | outside the range of FLOAT32",
        "(1, FLOAT32) | [1e-60] | outside the range of FLOAT32",
        "(1, FLOAT64) | [1e999] | outside the range of FLOAT64",
        "(1, FLOAT64) | [0.123456789012345678] | which FLOAT64 would round",
        "(1, FLOAT32) | [-0.0] | whose sign the database does not keep",
        "(1, FLOAT32) | [NaN] | has NaN, which is no number",
        "(*, FLOAT32) | [] | which is no number",
        "(*, FLOAT32) | [1,] | which is no number",
        "(2, INT8) | [1, 128] | has 128, which is no INT8",
        "(2, INT8) | [1, 0.5] | has 0.5, which is no INT8",
        "(16, BINARY) | [1, 256] | has 256, which is no byte from 0 to 255",
        "(16, BINARY) | [1, 2, 3] | has 24 numbers of one bit, and its column holds 16",
        "(*, *) | 1, 2 | is no vector such as [1, 2.5]"
      })
  void whatAColumnWouldChangeIsABadRecord(String shape, String text, String words) {
    tables.run("CREATE TABLE t (v VECTOR" + shape + ")");
    assertThatThrownBy(() -> writing(text).run())
        .isInstanceOf(Fault.Data.class)
        .hasMessageContaining(words);
    assertThat(tables.bare("SELECT count(*) FROM t")).containsExactly("0");
  }

  @Test
  void aBatchWithMissingVectorsIsOneCall() {
    tables.run("CREATE TABLE t (v VECTOR(2, FLOAT32))");
    SERVER.log().clear();
    writing("[1,2]", null, "[3,4]", null).run();
    assertThat(SERVER.log().events(LogEvent.Executed.class))
        .filteredOn(each -> each.sql().matches("INSERT INTO \\S*\"T\" .*"))
        .extracting(LogEvent.Executed::executions)
        .containsExactly(4);
    assertThat(read("t"))
        .containsExactlyInAnyOrder("[1.0E+000,2.0E+000]", "[3.0E+000,4.0E+000]", "null", "null");
  }

  /// A copy has the declaration of its source.
  @Test
  void aTableThatIsMadeForThemIsDeclaredAsTheirs() {
    tables.run("CREATE TABLE t (v VECTOR(2, INT8))");
    writing("[1,2]").run();
    Copying.of(
            oracle,
            tables.endpoint("table", "t"),
            oracle,
            tables.endpoint("table", "u", "method", "normal"))
        .mode(Mode.CREATE)
        .run();
    assertThat(read("u")).containsExactly("[1,2]");
  }

  @Test
  void sparseVectorsAreNotWritten() {
    tables.run("CREATE TABLE t (v VECTOR(20, FLOAT32, SPARSE))");
    assertThatThrownBy(() -> writing("[20,[1],[0.5]]").run())
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("sparse VECTOR")
        .hasMessageContaining("TO_VECTOR(");
  }
}
