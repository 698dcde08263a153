package millrace.connectors.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.BatchUpdateException;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Which of several exceptions tells what has failed.
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

  /// As Derby has it of a database that another process has open, or that is damaged.
  @Test
  void theOneThatTheFirstRefersTo() {
    SqlFaults known =
        new SqlFaults(
            List.of(SqlFaults.Row.state("XSDB6", SqlFaults.Kind.LOCKED, "")),
            e -> String.valueOf(e.getMessage()));
    SQLException first =
        new SQLException(
            "Failed to start database 'shop', see the next exception for details.",
            "XJ040",
            40_000);
    first.setNextException(
        new SQLException("Another instance may have already booted it.", "XSDB6", 45_000));
    assertThat(known.isLock(first)).isTrue();
    assertThat(known.sentence(first)).isEqualTo("Another instance may have already booted it.");
  }

  /// PostgreSQL's and Db2's words for a missing right; HSQLDB's for a table that is not there, too.
  @Test
  void aMissingRightIsNoWrongName() {
    assertThat(FAULTS.advice(new SQLException("permission denied for table t", "42501")))
        .contains("right");
    assertThat(FAULTS.advice(new SQLException("no such table", "42P01"))).doesNotContain("right");
  }
}
