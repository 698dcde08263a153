package millrace.connectors.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Objects;
import millrace.connectors.sql.SqlServerEnds;
import millrace.fault.Fault;
import millrace.spi.Endpoint;
import millrace.testkit.oracle.OracleServer;
import millrace.testkit.oracle.PlannedFault;
import millrace.testkit.oracle.ServerCall;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/// Tables that are there to measure and check by.
class OracleScratchTest {

  private static final OracleServer SERVER = OracleServer.start();
  private static final String TABLES = "SELECT table_name FROM user_tables ORDER BY 1";

  private final TestTables tables = new TestTables(SERVER);
  private final SqlServerEnds ends =
      Objects.requireNonNull(new OracleConnector(_ -> null).capability(SqlServerEnds.class));

  @AfterAll
  static void stop() {
    SERVER.close();
  }

  @Test
  void itIsMadeBesideTheTableThatIsNamedAndRemovedWithWhatIsStagedForIt() {
    tables.run(
        "CREATE TABLE orders (id NUMBER)",
        "CREATE TABLE \"MILLRACE_PROBE_1_millrace_0a1b2c3d\" (id NUMBER)",
        "CREATE TABLE millrace_probe_12 (id NUMBER)");
    Endpoint scratch = ends.scratch(tables.endpoint("table", "orders"), "millrace_probe_1");
    declare(scratch, " (id NUMBER(9), c CHAR(8) DEFAULT 'x')");
    assertThat(tables.bare(TABLES)).hasSize(4).contains("MILLRACE_PROBE_1");
    ends.discard(scratch);
    assertThat(tables.bare(TABLES)).containsExactly("MILLRACE_PROBE_12", "ORDERS");
    ends.discard(scratch);
  }

  private void declare(Endpoint scratch, String definition) {
    tables.run("CREATE TABLE " + scratch.text("table").orElseThrow() + definition);
  }

  @Test
  void itIsInTheSchemaOfTheTableAndNeedsNone() {
    assertThat(ends.scratch(tables.endpoint("table", "sales.orders"), "x_1").text("table"))
        .hasValue("sales.x_1");
    Endpoint ofQuery = ends.scratch(tables.endpoint("query", "SELECT 1 FROM DUAL"), "x_1");
    assertThat(ofQuery.parameters()).containsOnlyKeys("table");
  }

  @Test
  void oneThatCanNotBeDroppedIsSaidToBeLeft() {
    Endpoint scratch = ends.scratch(tables.endpoint("table", "t"), "millrace_probe_2");
    declare(scratch, " (id NUMBER(9))");
    SERVER
        .faults()
        .add(
            new PlannedFault(
                ServerCall.EXECUTE,
                "DROP TABLE",
                0,
                new PlannedFault.Effect.Fail(1031, "insufficient privileges")));
    assertThatThrownBy(() -> ends.discard(scratch))
        .isInstanceOf(Fault.External.class)
        .hasMessageContaining("MILLRACE_PROBE_2 is left behind")
        .hasMessageContaining("ORA-01031");
  }
}
