package millrace.connectors.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.BatchUpdateException;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Which of the exceptions of a batch tells what has failed.
class SqlFaultsTest {

  private static final SqlFaults FAULTS =
      new SqlFaults(List.of(), e -> String.valueOf(e.getMessage()));

  private static SQLException row() {
    return new SQLException("the row is bad", "22003");
  }

  /// As Derby's and Db2's drivers do.
  @Test
  void theOneBehindTheBatch() {
    BatchUpdateException batch =
        new BatchUpdateException("Non-atomic batch failure", "XJ208", new int[0]);
    batch.setNextException(row());
    assertThat(FAULTS.kind(batch)).isEqualTo(SqlFaults.Kind.DATA);
    assertThat(FAULTS.sentence(batch)).isEqualTo("the row is bad.");
  }

  @Test
  void theOneWithinTheBatch() {
    BatchUpdateException batch = new BatchUpdateException(row());
    assertThat(FAULTS.kind(batch)).isEqualTo(SqlFaults.Kind.DATA);
    assertThat(FAULTS.sentence(batch)).isEqualTo("the row is bad.");
  }

  /// What follows one that is no batch may be a warning.
  @Test
  void theFirstOfAStatement() {
    SQLException first = new SQLException("no such table", "42S02");
    first.setNextException(row());
    assertThat(FAULTS.kind(first)).isEqualTo(SqlFaults.Kind.USER);
    assertThat(FAULTS.sentence(first)).isEqualTo("no such table.");
  }
}
