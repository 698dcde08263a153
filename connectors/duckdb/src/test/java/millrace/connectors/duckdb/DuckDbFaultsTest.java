package millrace.connectors.duckdb;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import millrace.fault.Fault;
import org.junit.jupiter.api.Test;
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

  @Test
  void aFileThatMayOnlyBeReadIsToldWithWhatToDo() {
    SQLException thrown =
        new SQLException("IO Error: Cannot open file \"/ro/x.db\": Permission denied");
    Fault fault = DuckDbFaults.opening(thrown, "duckdb:x.db");
    assertThat(fault).isInstanceOf(Fault.External.class);
    assertThat(fault.advice()).contains("opened to write");
  }

  @Test
  void aFileThatIsCutOffIsToldAsDamaged() {
    SQLException thrown =
        new SQLException(
            "IO Error: Could not read enough bytes from file \"x.db\": attempted to read 254432"
                + " bytes from location 20000");
    Fault fault = DuckDbFaults.opening(thrown, "duckdb:x.db");
    assertThat(fault.getMessage()).startsWith("duckdb:x.db is damaged: Could not read");
    assertThat(fault.advice()).contains("get it again");
  }

  /// An extension of DuckDB's that is not there would open it.
  @Test
  void aFileOfSqliteIsToldAsNoDatabase() {
    SQLException thrown =
        new SQLException(
            "IO Error: Failed to download extension \"sqlite_scanner\" at URL \"http://x\"");
    Fault fault = DuckDbFaults.opening(thrown, "duckdb:x.sqlite");
    assertThat(fault).isInstanceOf(Fault.User.class);
    assertThat(fault.getMessage()).isEqualTo("duckdb:x.sqlite is not a DuckDB database.");
  }
}
