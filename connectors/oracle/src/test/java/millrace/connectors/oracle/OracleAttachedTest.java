package millrace.connectors.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.fault.Fault;
import millrace.spi.write.Mode;
import millrace.testkit.Copying;
import millrace.testkit.Ran;
import millrace.testkit.Row;
import millrace.testkit.memory.MemoryConnector;
import millrace.testkit.oracle.OracleServer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What hangs on a table besides its rows: who may see them, who follows them, and what of them is
/// logged.
class OracleAttachedTest {

  private static final OracleServer SERVER = OracleServer.start();

  private static final List<Column> COLUMNS =
      List.of(
          new Column("ID", new Type.Decimal(20, 0), true, null),
          Column.of("V", new Type.Text(9, Type.Text.Unit.BYTES)));

  private final TestTables tables = new TestTables(SERVER);
  private final MemoryConnector memory = new MemoryConnector();
  private final OracleConnector oracle = new OracleConnector(_ -> null);

  @AfterAll
  static void stop() {
    SERVER.close();
  }

  private Copying copying(String method, Mode mode) {
    memory.put("rows", Schema.of(COLUMNS), List.of(Row.of("7", "a")));
    return Copying.of(
            memory,
            memory.endpoint("rows"),
            oracle,
            tables.endpoint("table", "t", "method", method))
        .mode(mode);
  }

  private String number() {
    return tables.bare("SELECT object_id FROM user_objects WHERE object_name = 'T'").getFirst();
  }

  /// A table with another number would have lost what hangs on the old one.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "security policy P | BEGIN DBMS_RLS.ADD_POLICY('%s', 'T', 'P'); END;",
        "encryption of V | ",
        "invisible column H | ALTER TABLE t ADD h NUMBER INVISIBLE",
        "materialized view log MLOG$_T | CREATE MATERIALIZED VIEW LOG ON t",
        "supplemental log group G | ALTER TABLE t ADD SUPPLEMENTAL LOG GROUP g (id) ALWAYS",
        "flashback archive FA | ALTER TABLE t FLASHBACK ARCHIVE fa"
      })
  void aTableThatSomethingHangsOnStaysInAReplace(String what, @Nullable String statement) {
    String encrypted = statement == null ? " ENCRYPT" : "";
    tables.run(
        "CREATE TABLE t (id NUMBER(20), v VARCHAR2(9)" + encrypted + ")",
        "INSERT INTO t (id, v) VALUES (1, 'old')");
    if (statement != null) {
      tables.run(statement.formatted(tables.user));
    }
    String before = number();
    copying("normal", Mode.REPLACE).run();
    assertThat(number()).isEqualTo(before);
    assertThat(tables.bare("SELECT id || ' ' || v FROM t")).containsExactly("7 a");
    memory.put("rows", Schema.of(COLUMNS.subList(0, 1)), List.of(Row.of("7")));
    assertThatThrownBy(
            Copying.of(memory, memory.endpoint("rows"), oracle, tables.endpoint("table", "t"))
                    .mode(Mode.REPLACE)
                ::run)
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining(what + " would be lost");
  }

  @Test
  void aBareTableIsSwapped() {
    tables.run("CREATE TABLE t (id NUMBER(20), v VARCHAR2(9))");
    String before = number();
    copying("normal", Mode.REPLACE).run();
    assertThat(number()).isNotEqualTo(before);
  }

  @Test
  void invisibleColumnsAreToldOf() {
    tables.run(
        "CREATE TABLE t (id NUMBER(20), h NUMBER INVISIBLE, v VARCHAR2(9), i NUMBER INVISIBLE)",
        "INSERT INTO t (id, h, v) VALUES (1, 2, 'a')");
    memory.put("back", Schema.of(COLUMNS), List.of());
    Ran ran =
        Copying.of(oracle, tables.endpoint("table", "t"), memory, memory.endpoint("back"))
            .mode(Mode.APPEND)
            .run();
    assertThat(ran.plan().notes())
        .contains("columns H, I are invisible in the table, and left out: a query can name them.");
    assertThat(memory.rows("back")).hasSize(1);
    assertThat(copying("normal", Mode.APPEND).run().plan().writePlan().notes()).isEmpty();
  }

  @Test
  void anInvisibleColumnThatMustHaveAValueIsToldOfBeforeRowsAreRefused() {
    tables.run("CREATE TABLE t (id NUMBER(20), h NUMBER INVISIBLE NOT NULL, v VARCHAR2(9))");
    Copying copying = copying("normal", Mode.APPEND);
    assertThat(copying.plan().writePlan().notes())
        .containsExactly(
            "rows will be refused: the table demands values for its invisible column H, which"
                + " nothing fills");
    assertThatThrownBy(copying::run).hasMessageContaining("cannot insert NULL");
  }

  @ParameterizedTest
  @CsvSource({
    "native, APPEND, NOLOGGING, ALTER TABLESPACE users LOGGING, the table",
    "direct, APPEND, NOLOGGING, ALTER TABLESPACE users LOGGING, the table",
    "auto, TRUNCATE, NOLOGGING, ALTER TABLESPACE users LOGGING, the table",
    "native, APPEND, NOLOGGING PARTITION BY HASH (id) (PARTITION p), ALTER TABLESPACE users"
        + " LOGGING, the table",
    "native, REPLACE, LOGGING, ALTER TABLESPACE users NOLOGGING, the tablespace",
    "native, APPEND, NOLOGGING, ALTER TABLESPACE users FORCE LOGGING, ",
    "native, APPEND, NOLOGGING, ALTER DATABASE FORCE LOGGING, ",
    "native, APPEND, LOGGING, ALTER TABLESPACE users NOLOGGING, ",
    "normal, APPEND, NOLOGGING, ALTER TABLESPACE users LOGGING, "
  })
  void rowsThatAreNotLoggedAreToldOf(
      String method, Mode mode, String storage, String logging, @Nullable String what) {
    tables.run("CREATE TABLE t (id NUMBER(20), v VARCHAR2(9)) " + storage, logging);
    List<String> notes = new ArrayList<>(copying(method, mode).run().plan().writePlan().notes());
    notes.removeIf(note -> note.startsWith("Rows are streamed"));
    tables.run("ALTER TABLESPACE users LOGGING");
    if (what == null) {
      assertThat(notes).isEmpty();
    } else {
      assertThat(notes)
          .singleElement()
          .asString()
          .startsWith(what)
          .contains("is NOLOGGING", "Back its files up");
    }
  }
}
