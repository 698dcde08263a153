package millrace.connectors.duckdb;

import java.sql.SQLException;
import millrace.spi.write.Mode;
import millrace.testkit.suite.ClusterSuite;
import millrace.testkit.suite.DatabaseFileResumeSuite;
import millrace.testkit.suite.JoinSuite;
import millrace.testkit.suite.ResumableCopy;
import millrace.testkit.suite.ResumeSuite;
import org.junit.jupiter.api.Test;

/// Copies that are killed and go on, in a DuckDB file.
class DuckDbResumeSuiteTest extends DuckDbResumeFixture
    implements DatabaseFileResumeSuite, ClusterSuite, JoinSuite, ResumeSuite {

  /// They tell how many rows there were, and name the table as the user did.
  @Test
  void marksOfEarlyVersionsAreKnown() throws SQLException {
    ResumableCopy copy = copy(rows(1_000, ROWS), table("orders_create"), Mode.CREATE);
    copy.run();
    new Duck(file())
        .run(
            "UPDATE millrace_journal SET target = upper(target),"
                + " details = replace('%s', '\"held\":true', '\"rows\":640')"
                    .formatted(DatabaseFileResumeSuite.markOfAnEarlierVersion(Mode.CREATE)));
    assertNothingToDo(copy);
    new Duck(file()).run("DELETE FROM orders_create");
    assertRefused(copy, "is empty, though it held rows then");
  }
}
