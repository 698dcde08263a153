package millrace.connectors.duckdb;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import millrace.fault.Fault;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What a user reads where DuckDB says no, for cases that a test can't bring about.
class DuckDbFaultsTest {

  private static Fault fault(String message) {
    return DuckDbFaults.of(new SQLException(message), "duckdb:a.db");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "IO Error: Could not write file \"a.db\": No space left on device | External",
        "Out of Memory Error: failed to allocate data | External",
        "IO Error: Cannot open file \"a.db\": Permission denied | External",
        "TransactionContext Error: Failed to commit: PRIMARY KEY or UNIQUE constraint violation |"
            + " Data",
        "TransactionContext Error: Failed to commit: write-write conflict | External",
        "INTERRUPT Error: Interrupted! | Cancelled",
        "Serialization Error: something new | External"
      })
  void isSortedByWhoCanDoSomething(String message, String kind) {
    assertThat(fault(message).getClass().getSimpleName()).isEqualTo(kind);
    assertThat(fault(message)).hasMessageContaining("duckdb:a.db");
  }

  @Test
  void aFullDiskComesWithAdvice() {
    Fault full = fault("IO Error: Could not write file: No space left on device\n\nLINE 1: ...");
    assertThat(full).hasMessage("duckdb:a.db: the disk is full.");
    assertThat(full.advice()).isEqualTo("Make room, or write to another disk.");
  }

  @Test
  void onlyTheFirstLineIsTold() {
    assertThat(fault("Binder Error: no column x\n\nLINE 1: SELECT x\n       ^"))
        .hasMessage("duckdb:a.db: no column x");
  }
}
