package millrace.connectors.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.spi.write.Mode;
import millrace.testkit.Copying;
import millrace.testkit.Ran;
import millrace.testkit.Row;
import millrace.testkit.memory.MemoryConnector;
import millrace.testkit.oracle.OracleServer;
import millrace.testkit.oracle.PlannedFault;
import millrace.testkit.oracle.ServerCall;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Tables that the server does not cut, whatever it answers (DBMS_PARALLEL_EXECUTE).
class OracleUncutTest {

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

  private void fill(String columns) {
    tables.run("CREATE TABLE items " + columns);
    memory.put("rows", ITEMS, IntStream.range(0, ROWS).mapToObj(i -> Row.of(i)).toList());
    Copying.of(memory, memory.endpoint("rows"), oracle, tables.endpoint("table", "items"))
        .mode(Mode.APPEND)
        .run();
  }

  /// All rows once each.
  private Ran read(int lanes) {
    memory.put("back", ITEMS, List.of());
    SERVER.log().clear();
    Ran ran =
        Copying.of(oracle, tables.endpoint("table", "items"), memory, memory.endpoint("back"))
            .mode(Mode.APPEND)
            .lanes(lanes, 8 << 10)
            .run();
    assertThat(memory.rows("back"))
        .extracting(row -> ((Number) Objects.requireNonNull(row.value(0))).intValue())
        .containsExactlyInAnyOrderElementsOf(IntStream.range(0, ROWS).boxed().toList());
    return ran;
  }

  private static long reads() {
    return SERVER.log().statements().stream()
        .filter(sql -> sql.startsWith("SELECT \"ID\"") && !sql.contains("FETCH "))
        .count();
  }

  /// Snapshots and refreshable clones keep no task.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "(id NUMBER(9)) | true | by its extents",
        "(id NUMBER(9)) PARTITION BY HASH (id) PARTITIONS 3 | false | by its partitions, each",
        "(id NUMBER(9) PRIMARY KEY) | false | by its key",
        "(id NUMBER(9)) | false | ''"
      })
  void aDatabaseThatIsOpenForReadingOnlyIsReadByOneLaneAndByMany(
      String columns, boolean seesExtents, String note) {
    fill(columns);
    see(seesExtents);
    SERVER.setReadOnly(true);
    try {
      for (int lanes : new int[] {1, 3}) {
        String plan = read(lanes).plan().toString().replaceAll("\\s+", " ");
        assertThat(plan).contains(note, note.isEmpty() ? "" : "EXECUTE): ORA-16000");
        assertThat(reads()).isGreaterThanOrEqualTo(note.isEmpty() ? 1 : 3);
      }
    } finally {
      SERVER.setReadOnly(false);
    }
  }

  private static void see(boolean extents) {
    if (extents) {
      SERVER.grant("DBA_EXTENTS");
    } else {
      SERVER.revoke("DBA_EXTENTS");
    }
  }

  /// What the package makes of the table is known only when it does.
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aTableThatTheServerFailsToCutIsReadAllTheSame(boolean seesExtents) {
    fill("(id NUMBER(9))");
    see(seesExtents);
    SERVER
        .faults()
        .add(
            new PlannedFault(
                ServerCall.EXECUTE,
                "CREATE_CHUNKS_BY_ROWID",
                0,
                new PlannedFault.Effect.Fail(29491, "invalid table for chunking")));
    assertThat(read(3).notes())
        .anyMatch(told ->
            told.contains(seesExtents ? "by its extents: " : "by one lane: ")
                && told.contains("ORA-29491: invalid table"));
    assertThat(reads()).isGreaterThanOrEqualTo(seesExtents ? 3 : 1);
    assertThat(tables.bare("SELECT count(*) FROM user_parallel_execute_chunks"))
        .containsExactly("0");
  }
}
