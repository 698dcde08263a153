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
import millrace.testkit.oracle.OracleServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Databases that an older release has made, and whose COMPATIBLE nobody has raised since.
class OracleCompatibleTest {

  private static final OracleServer SERVER = OracleServer.start();

  private static final Schema FLAGS =
      new Schema(
          List.of(
              new Column("ID", new Type.Int(16), false, null), Column.of("FLAG", new Type.Bool())),
          List.of("ID"));

  private final TestTables tables = new TestTables(SERVER);
  private final MemoryConnector memory = new MemoryConnector();

  @AfterAll
  static void stop() {
    SERVER.close();
  }

  private Copying copying(String table) {
    memory.put("rows", FLAGS, List.of(Row.of(1, 1), Row.of(2, 0)));
    return Copying.of(
        memory,
        memory.endpoint("rows"),
        new OracleConnector(_ -> null),
        tables.endpoint("table", table));
  }

  /// The name of a staging table has room for half of such a table's.
  @ParameterizedTest
  @CsvSource({"CREATE, false", "REPLACE, false", "APPEND, true", "MERGE, false"})
  void namesOfThirtyBytesAreEnough(Mode mode, boolean atomic) {
    SERVER.setCompatible("12.1.0.2.0");
    String table = "a_table_with_a_name_of_letters";
    if (mode != Mode.CREATE) {
      tables.run("CREATE TABLE " + table + " (id NUMBER(4) PRIMARY KEY, flag NUMBER(1))");
    }
    copying(table).mode(mode).atomic(atomic).run();
    assertThat(tables.bare("SELECT flag FROM " + table + " ORDER BY id")).containsExactly("1", "0");
    assertThatThrownBy(copying(table + "s").mode(Mode.CREATE)::run)
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("30 bytes");
  }

  @ParameterizedTest
  @CsvSource({"12.1.0.2.0, NUMBER", "19.0.0, NUMBER", "23.6.0, BOOLEAN"})
  void newColumnsHaveTypesThatTheDatabaseMayUse(String compatible, String type) {
    SERVER.setCompatible(compatible);
    copying("flags").mode(Mode.CREATE).run();
    assertThat(tables.bare("SELECT data_type FROM user_tab_columns WHERE column_name = 'FLAG'"))
        .containsExactly(type);
  }

  @Test
  void whoMayNotAskGoesByTheRelease() {
    SERVER.setCompatible("23.0.0");
    SERVER.revoke("DBMS_UTILITY");
    copying("flags").mode(Mode.CREATE).run();
    SERVER.grant("DBMS_UTILITY");
    assertThat(tables.bare("SELECT data_type FROM user_tab_columns WHERE column_name = 'FLAG'"))
        .containsExactly("BOOLEAN");
  }
}
