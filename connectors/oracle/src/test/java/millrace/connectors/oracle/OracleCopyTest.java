package millrace.connectors.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.plan.Job;
import millrace.spi.write.Mode;
import millrace.spi.write.WriteOptions;
import millrace.testkit.Copying;
import millrace.testkit.Ran;
import millrace.testkit.Row;
import millrace.testkit.RowCheck;
import millrace.testkit.memory.MemoryConnector;
import millrace.testkit.oracle.LogEvent;
import millrace.testkit.oracle.OracleServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// How rows come into a server and out of it, by what the server is asked.
class OracleCopyTest {

  private static final OracleServer SERVER = OracleServer.start();

  private static final Schema ITEMS =
      new Schema(
          List.of(
              new Column("id", new Type.Int(64), false, null),
              Column.of("name", Type.Text.UNLIMITED),
              Column.of("amount", new Type.Decimal(9, 2)),
              Column.of("day", new Type.Date()),
              Column.of("at", new Type.Timestamp(false))),
          List.of("id"));

  private final TestTables tables = new TestTables(SERVER);
  private final MemoryConnector memory = new MemoryConnector();
  private final OracleConnector oracle = new OracleConnector(_ -> null);

  @AfterAll
  static void stop() {
    SERVER.close();
  }

  private static List<Row> rows(int count) {
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      rows.add(
          Row.of(i, i % 5 == 0 ? null : "n" + i, i % 3 == 0 ? null : 10 * i, i, i * 1_000_001L));
    }
    return rows;
  }

  private Ran load(List<Row> rows, String table, Mode mode) {
    memory.put("rows", ITEMS, rows);
    return Copying.of(memory, memory.endpoint("rows"), oracle, tables.endpoint("table", table))
        .mode(mode)
        .lanes(2, 64 << 10)
        .run();
  }

  private List<Row> back(String table) {
    memory.put("back", Schema.of(ITEMS.columns()), List.of());
    Copying.of(oracle, tables.endpoint("table", table), memory, memory.endpoint("back"))
        .mode(Mode.APPEND)
        .lanes(3, 64 << 10)
        .run();
    return memory.rows("back");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "123456789012345678901234567890123456789",
        "{\"a\":[0.00123456789012345678901234567890123456789012345]}",
        "1e126",
        "{\"a\":1e-200}",
        "-1E400",
      })
  void aDocumentWithANumberThatWouldChangeIsRefused(String document) {
    Ran ran = loadDocument(document);
    assertThat(ran.meter().firstReject()).contains("is no document that the database keeps");
    assertThat(tables.bare("SELECT count(*) FROM docs")).containsExactly("0");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "12345678901234567890123456789012345678",
        "100000000000000000000000000000000000000000000000",
        "{\"long\":\"123456789012345678901234567890123456789012 \\\" 1e400\",\"b\":true}",
        "[1.10,0.0000000000000000000000000000000000000000015,1e00000000000000000000000000000000000001]",
      })
  void aDocumentWhoseNumbersFitArrives(String document) {
    Ran ran = loadDocument(document);
    assertThat(ran.meter().rejects()).isZero();
    assertThat(tables.bare("SELECT count(*) FROM docs")).containsExactly("1");
  }

  @Test
  void aReplacedTableKeepsWhoMayReadIt() {
    tables.run("CREATE TABLE granted (id NUMBER(19))", "GRANT SELECT, INSERT ON granted TO reader");
    memory.put("ids", Schema.of(List.of(Column.of("ID", new Type.Int(64)))), List.of(Row.of(1)));
    Copying copying =
        Copying.of(memory, memory.endpoint("ids"), oracle, tables.endpoint("table", "granted"));
    copying
        .landing(new WriteOptions(Mode.REPLACE, false, List.of(), false, WriteOptions.Types.TARGET))
        .run();
    assertThat(tables.bare("SELECT privilege FROM user_tab_privs WHERE table_name = 'GRANTED'"))
        .containsExactlyInAnyOrder("SELECT", "INSERT");
    assertThat(tables.bare("SELECT count(*) FROM granted")).containsExactly("1");
    Copying typed =
        copying.landing(
            new WriteOptions(Mode.REPLACE, false, List.of(), false, WriteOptions.Types.SOURCE));
    assertThat(typed.plan().notes()).anyMatch(note -> note.contains("grant of SELECT to READER"));
  }

  private Ran loadDocument(String document) {
    tables.run("CREATE TABLE docs (doc JSON)");
    memory.put(
        "docs", Schema.of(List.of(Column.of("DOC", new Type.Json()))), List.of(Row.of(document)));
    return Copying.of(memory, memory.endpoint("docs"), oracle, tables.endpoint("table", "docs"))
        .mode(Mode.APPEND)
        .rejects(new Job.RejectPolicy(1, null))
        .run();
  }

  @Test
  void rowsComeIntoATableAndOutOfItBySplitsAsOfOneMoment() {
    List<Row> rows = rows(20_000);
    Ran ran = load(rows, "items", Mode.CREATE);
    assertThat(ran.meter().rows()).isEqualTo(20_000);
    assertThat(tables.bare("SELECT count(*) FROM items")).containsExactly("20000");
    SERVER.log().clear();
    RowCheck.sameRows(ITEMS, rows, back("items"));
    List<String> read =
        SERVER.log().events(LogEvent.Executed.class).stream()
            .map(LogEvent.Executed::sql)
            .filter(sql -> sql.contains("AS OF SCN") && !sql.contains("ROWNUM"))
            .toList();
    assertThat(read).hasSizeGreaterThan(3).allMatch(sql -> sql.contains("ROWID"));
    assertThat(read.stream().map(sql -> sql.replaceFirst(".*AS OF SCN (\\d+).*", "$1")).distinct())
        .hasSize(1);
  }
}
