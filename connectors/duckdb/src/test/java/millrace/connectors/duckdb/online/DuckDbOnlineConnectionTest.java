package millrace.connectors.duckdb.online;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import millrace.connectors.duckdb.DuckDbDatabase;
import millrace.connectors.sql.TableName;
import millrace.connectors.sql.online.OnlineConnection.RowInsert;
import millrace.spi.online.Readings;
import org.junit.jupiter.api.Test;

/// Rows of one write are there together, or none is: an appender commits its own in parts if it
/// finds no transaction.
final class DuckDbOnlineConnectionTest {

  private static final int ROWS = 300_000;

  private static long count(DuckDbOnlineConnection connection) throws SQLException {
    try (Statement statement = connection.jdbc().createStatement();
        ResultSet row = statement.executeQuery("SELECT count(*) FROM t")) {
      row.next();
      return row.getLong(1);
    }
  }

  @Test
  void rowsThatAreNotCommittedAreUndone() throws SQLException {
    Readings rows = new Readings(ROWS);
    for (int i = 0; i < ROWS; i++) {
      rows.add(i, 0, i);
    }
    try (DuckDbDatabase database = DuckDbDatabase.inMemory("duckdb", 1L << 30);
        DuckDbOnlineConnection connection = DuckDbOnlineConnection.of(database, "duckdb")) {
      try (Statement statement = connection.jdbc().createStatement()) {
        statement.execute(
            "CREATE TABLE t (building_id int, floor_id int, device_id int, time_stamp timestamp,"
                + " device_load bigint, device_type int)");
        connection.jdbc().commit();
      }
      RowInsert insert = connection.insert(new TableName("main", "t"));
      insert.insert(rows);
      connection.jdbc().rollback();
      assertThat(count(connection)).isZero();
      connection.jdbc().commit();
      connection.insert(new TableName("main", "t")).insert(rows);
      connection.jdbc().commit();
      assertThat(count(connection)).isEqualTo(ROWS);
    }
  }
}
