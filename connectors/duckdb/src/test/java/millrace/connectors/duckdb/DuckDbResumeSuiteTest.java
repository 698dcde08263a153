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
  protected Connector connector() {
    return new DuckDbConnector();
  }

  @Override
  protected Connection connect(Path file) throws SQLException {
    return new Duck(file).connect();
  }

  @Override
  protected String tableNames() {
    return "SELECT table_name FROM duckdb_tables()";
  }

  /// They tell how many rows there were, and name the table as the user did.
  @Test
  void marksOfEarlierVersionsAreKnown() throws SQLException {
    ResumableCopy copy = copy(rows(0, ROWS), table("marked"), Mode.CREATE);
    copy.run();
    new Duck(file())
        .run(
            "UPDATE millrace_journal SET target = upper(target),"
                + " details = replace(details, '\"held\":true', '\"rows\":640')");
    assertNothingToDo(copy);
    new Duck(file()).run("DELETE FROM marked");
    assertRefused(copy, "is empty, though it held rows then");
  }
}
