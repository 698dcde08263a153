package millrace.connectors.duckdb;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import millrace.spi.Connector;
import millrace.spi.write.Mode;
import millrace.testkit.suite.DatabaseFileResumeSuite;
import millrace.testkit.suite.ResumableCopy;
import org.junit.jupiter.api.Test;

class DuckDbResumeSuiteTest extends DatabaseFileResumeSuite {

  @Override
  public Connector connector() {
    return new DuckDbConnector();
  }

  @Override
  public Connection connect(Path file) throws SQLException {
    return new Duck(file).connect();
  }

  @Override
  public String tableNames() {
    return "SELECT table_name FROM duckdb_tables()";
  }

  /// They tell how many rows there were, and name the table as the user did.
  @Test
  void marksOfEarlyVersionsAreKnown() throws SQLException {
    ResumableCopy copy = copy(rows(1_000, ROWS), table("orders_create"), Mode.CREATE);
    copy.run();
    new Duck(file())
        .run(
            "UPDATE millrace_journal SET target = upper(target),"
                + " details = replace('%s', '\"held\":true', '\"rows\":640')"
                    .formatted(markOfAnEarlierVersion(Mode.CREATE)));
    assertNothingToDo(copy);
    new Duck(file()).run("DELETE FROM orders_create");
    assertRefused(copy, "is empty, though it held rows then");
  }
}
