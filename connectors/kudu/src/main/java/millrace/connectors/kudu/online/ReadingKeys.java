package millrace.connectors.kudu.online;

import millrace.spi.online.Readings;
import org.apache.kudu.client.RowResult;

/// The keys of rows that were read, of one device and those behind it. One thread.
final class ReadingKeys {

  private static final int ROOM_ROWS = 1_000;

  private final long firstDevice;
  private Readings rows = new Readings(ROOM_ROWS);

  ReadingKeys(long firstDevice) {
    this.firstDevice = firstDevice;
  }

  /// @param row has the columns of {@link ReadingTable#KEY}
  void add(RowResult row) {
    long index = Readings.index(row.getInt(0), row.getInt(1), row.getInt(2));
    if (index >= firstDevice) {
      rows = rows.withRoom();
      rows.add(index, row.getLong(3), 0);
    }
  }

  Readings rows() {
    return rows;
  }
}
