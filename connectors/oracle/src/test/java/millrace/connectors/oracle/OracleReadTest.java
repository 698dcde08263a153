package millrace.connectors.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.fault.Fault;
import millrace.spi.OpenContext;
import millrace.spi.read.ColumnRequest;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import millrace.spi.write.Mode;
import millrace.testkit.Copying;
import millrace.testkit.memory.MemoryConnector;
import millrace.testkit.oracle.LogEvent;
import millrace.testkit.oracle.OracleServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What declarations mean, and how their values are read.
class OracleReadTest {

  private static final OracleServer SERVER = OracleServer.start();

  private final TestTables tables = new TestTables(SERVER);
  private final MemoryConnector memory = new MemoryConnector();
  private final OracleConnector oracle = new OracleConnector(_ -> null);

  @AfterAll
  static void stop() {
    SERVER.close();
  }

  private Schema described(String table) {
    try (Source source =
        oracle.source(tables.endpoint("table", table), Selection.ALL, new OpenContext())) {
      return source.describe(new ColumnRequest.Typed()).description().schema();
    }
  }

  /// The value of the only column, as text.
  private List<String> texts(String table, Type type, String... more) {
    memory.put("back", Schema.of(List.of(Column.of("v", type))), List.of());
    String[] all = new String[more.length + 2];
    all[0] = "table";
    all[1] = table;
    System.arraycopy(more, 0, all, 2, more.length);
    Copying.of(oracle, tables.endpoint(all), memory, memory.endpoint("back"))
        .mode(Mode.APPEND)
        .run();
    return memory.rows("back").stream().map(row -> String.valueOf(row.value(0))).toList();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "NUMBER(4) | int16 | 1234 | 1234",
        "NUMBER(9) | int32 | 123456789 | 123456789",
        "NUMBER(18) | int64 | 1 | 1",
        "NUMBER(19) | decimal(19,0) | 9999999999999999999 | 9999999999999999999",
        "NUMBER(9,2) | decimal(9,2) | 1.5 | 1.50",
        "NUMBER | decimal | 0.00000000000000000000000000000000001 |"
            + " 0.00000000000000000000000000000000001",
        "FLOAT(10) | decimal | 1.5 | 1.5",
        "NUMBER(5,-2) | decimal | 12300 | 12300",
        "BINARY_DOUBLE | float64 | 0.1 | 0.1",
        "VARCHAR2(5 CHAR) | text(5) | 'ü' | ü",
        "VARCHAR2(5) | text(5 bytes) | 'ü' | ü",
        "CHAR(3) | text(3 bytes) | 'a' | a  ",
        "NVARCHAR2(5) | text(5 utf-16) | 'ü' | ü",
        "DATE | timestamp | DATE '2026-03-04' | 2026-03-04 00:00:00",
        "INTERVAL DAY(2) TO SECOND(1) | text | NULL | null",
        "CLOB | text | TO_CLOB('x') | x",
        "RAW(2) | bytes | NULL | null",
        "BOOLEAN | boolean | TRUE | true"
      })
  void whatADeclarationMeans(String declared, String type, String literal, String text) {
    tables.run("CREATE TABLE t (v " + declared + ")", "INSERT INTO t VALUES (" + literal + ")");
    assertThat(described("t").column(0).type().label()).isEqualTo(type);
    assertThat(texts("t", Type.Text.UNLIMITED).getFirst().strip()).isEqualTo(text.strip());
  }

  @Test
  void aDateIsADayIfTheTargetWantsOneAndHasNoTime() {
    tables.run("CREATE TABLE t (v DATE)", "INSERT INTO t VALUES (DATE '2026-03-04')");
    assertThat(texts("t", new Type.Date())).hasSize(1);
    tables.run("INSERT INTO t VALUES (TO_DATE('2026-03-04 10:00', 'YYYY-MM-DD HH24:MI'))");
    assertThatThrownBy(() -> texts("t", new Type.Date()))
        .isInstanceOf(Fault.Data.class)
        .hasMessageContaining("with a time of day");
  }

  @Test
  void nanosecondsAreToldWithWhatCutsThem() {
    tables.run(
        "CREATE TABLE t (v TIMESTAMP(9))",
        "INSERT INTO t VALUES (TO_TIMESTAMP('2026-03-04 10:00:00.123456789', 'YYYY-MM-DD"
            + " HH24:MI:SS.FF9'))");
    assertThatThrownBy(() -> texts("t", new Type.Timestamp(false)))
        .isInstanceOfSatisfying(
            Fault.Data.class,
            fault -> {
              assertThat(fault).hasMessageContaining("with nanoseconds");
              assertThat(fault.advice()).contains("CAST(\"V\" AS TIMESTAMP(6))");
            });
  }

  /// LOBs that fit their prefetched part need no call of their own.
  @Test
  void lobsComeWithTheirRows() {
    tables.run("CREATE TABLE t (v CLOB)");
    for (int i = 0; i < 20; i++) {
      tables.run("INSERT INTO t VALUES (RPAD('x', 1000, 'y'))");
    }
    SERVER.log().clear();
    assertThat(texts("t", Type.Text.UNLIMITED))
        .hasSize(20)
        .allMatch(text -> text.length() == 1_000);
    assertThat(SERVER.log().events(LogEvent.LobOperation.class)).isEmpty();
  }

  @Test
  void viewsAndQueriesAreReadByOneLane() {
    tables.run("CREATE VIEW v AS SELECT 1 AS a FROM dual");
    assertThat(described("v").names()).containsExactly("A");
    try (Source source =
        oracle.source(
            tables.endpoint("query", "SELECT 1 AS a, 'x' AS b FROM dual"),
            Selection.ALL,
            new OpenContext())) {
      assertThat(source.describe(new ColumnRequest.Typed()).description().lanes().max())
          .isEqualTo(1);
    }
  }

  @Test
  void aTableThatIsNotThereIsToldWithThoseThatAre() {
    tables.run("CREATE TABLE other (a NUMBER)");
    assertThatThrownBy(() -> described("t"))
        .isInstanceOfSatisfying(
            Fault.User.class,
            fault -> {
              assertThat(fault).hasMessageContaining("has no table T");
              assertThat(fault.advice()).contains("OTHER");
            });
  }
}
