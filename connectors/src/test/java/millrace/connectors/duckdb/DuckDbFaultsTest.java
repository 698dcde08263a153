package millrace.connectors.duckdb;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import millrace.fault.Fault;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What DuckDB was seen to say, and what becomes of it.
class DuckDbFaultsTest {

  /// While rows go in, and at their commit, on a file system of 12 MB.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "IO Error: Could not write file \"/small/x.db\": No space left on device",
        "TransactionContext Error: Failed to commit: Could not write file \"/small/x.db.wal\": No"
            + " space left on device",
        "FATAL Error: Failed to checkpoint: Could not write file \"/small/x.db\": Disk quota"
            + " exceeded"
      })
  void aFullDiskIsToldAsSuch(String message) {
    Fault fault = DuckDbFaults.of(new SQLException(message), "duckdb:x.db");
    assertThat(fault).isInstanceOf(Fault.External.class);
    assertThat(fault.getMessage()).isEqualTo("duckdb:x.db: the disk is full.");
    assertThat(fault.advice()).contains("Make room");
  }
}
