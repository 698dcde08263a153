package millrace.connectors.postgres.online;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collections;
import millrace.connectors.sql.online.OnlineConnection.RowInsert;
import millrace.connectors.sql.online.OnlineTables;
import millrace.spi.online.Readings;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.Oid;
import org.postgresql.jdbc.PgArray;

/// Inserts rows whose key is not there yet, by one statement with an array for each column.
///
/// COPY would stop at a key that is there. Arrays are sent in binary, times as the server keeps
/// them: microseconds since 2000, so that no zone and no rounding comes in between.
final class UnnestInsert implements RowInsert {

  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private static final long MICROS_1970_TO_2000 = 946_684_800_000_000L;

  /// Dimensions, whether there are nulls, type, length, first index.
  private static final int HEADER_BYTES = 20;

  private final BaseConnection connection;
  private final PreparedStatement statement;

  UnnestInsert(BaseConnection connection, String table) throws SQLException {
    this.connection = connection;
    statement =
        connection.prepareStatement(
            "INSERT INTO "
                + table
                + " ("
                + OnlineTables.COLUMNS
                + ") SELECT * FROM ROWS FROM ("
                + String.join(", ", Collections.nCopies(6, "pg_catalog.unnest(?)"))
                + ") ON CONFLICT DO NOTHING");
  }

  @Override
  public void insert(Readings rows) throws SQLException {
    if (rows.rows() > 0) {
      bind(rows);
      statement.executeUpdate();
    }
  }

  @Override
  public void encode(Readings rows) throws SQLException {
    bind(rows);
    statement.clearParameters();
  }

  private void bind(Readings rows) throws SQLException {
    int count = rows.rows();
    statement.setArray(1, ints(rows.building, count));
    statement.setArray(2, ints(rows.floor, count));
    statement.setArray(3, ints(rows.device, count));
    statement.setArray(
        4, longs(rows.time, count, -MICROS_1970_TO_2000, Oid.TIMESTAMP, Oid.TIMESTAMP_ARRAY));
    statement.setArray(5, longs(rows.load, count, 0, Oid.INT8, Oid.INT8_ARRAY));
    statement.setArray(6, ints(rows.type, count));
  }

  private static byte[] array(int count, int type, int valueBytes) {
    byte[] bytes = new byte[HEADER_BYTES + count * (Integer.BYTES + valueBytes)];
    INT.set(bytes, 0, 1);
    INT.set(bytes, 4, 0);
    INT.set(bytes, 8, type);
    INT.set(bytes, 12, count);
    INT.set(bytes, 16, 1);
    return bytes;
  }

  private PgArray ints(int[] values, int count) throws SQLException {
    byte[] bytes = array(count, Oid.INT4, Integer.BYTES);
    int at = HEADER_BYTES;
    for (int i = 0; i < count; i++) {
      INT.set(bytes, at, Integer.BYTES);
      INT.set(bytes, at + Integer.BYTES, values[i]);
      at += 2 * Integer.BYTES;
    }
    return new PgArray(connection, Oid.INT4_ARRAY, bytes);
  }

  /// @param shift is added to each value
  private PgArray longs(long[] values, int count, long shift, int type, int arrayType)
      throws SQLException {
    byte[] bytes = array(count, type, Long.BYTES);
    int at = HEADER_BYTES;
    for (int i = 0; i < count; i++) {
      INT.set(bytes, at, Long.BYTES);
      LONG.set(bytes, at + Integer.BYTES, values[i] + shift);
      at += Integer.BYTES + Long.BYTES;
    }
    return new PgArray(connection, arrayType, bytes);
  }
}
