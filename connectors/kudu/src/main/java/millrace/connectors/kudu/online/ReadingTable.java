package millrace.connectors.kudu.online;

import java.util.List;
import java.util.stream.Stream;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.spi.online.OnlineLayout;
import millrace.spi.online.Readings;
import millrace.spi.online.Window;
import org.apache.kudu.client.KuduPredicate;
import org.apache.kudu.client.KuduPredicate.ComparisonOp;
import org.apache.kudu.client.KuduTable;
import org.apache.kudu.client.Operation;
import org.apache.kudu.client.PartialRow;

/// A table of readings or of their sums, and where its columns are.
final class ReadingTable {

  static final String TIME = "time_stamp";
  static final String LOAD = "device_load";
  static final String TYPE = "device_type";

  /// The columns of the key: the device, then the time.
  static final List<String> KEY =
      List.of(OnlineLayout.KEY.get(0), OnlineLayout.KEY.get(1), OnlineLayout.KEY.get(2), TIME);

  private final KuduTable table;
  private final int building;
  private final int floor;
  private final int device;
  private final int time;
  private final int load;
  private final int type;

  /// @param table of {@link #schema}
  ReadingTable(KuduTable table) {
    this.table = table;
    building = index(OnlineLayout.KEY.get(0));
    floor = index(OnlineLayout.KEY.get(1));
    device = index(OnlineLayout.KEY.get(2));
    time = index(TIME);
    load = index(LOAD);
    type = index(TYPE);
  }

  private int index(String column) {
    return table.getSchema().getColumnIndex(column);
  }

  /// The columns of such a table, and its key.
  ///
  /// @param timeFirst whether the key begins with the time
  static Schema schema(boolean timeFirst) {
    Stream<String> time = Stream.of(TIME);
    Stream<String> devices = OnlineLayout.KEY.stream();
    List<String> key =
        (timeFirst ? Stream.concat(time, devices) : Stream.concat(devices, time)).toList();
    Stream<Column> others =
        Stream.of(column(LOAD, new Type.Int(64)), column(TYPE, new Type.Int(32)));
    Stream<Column> keys =
        key.stream()
            .map(name ->
                column(name, name.equals(TIME) ? new Type.Timestamp(false) : new Type.Int(32)));
    return new Schema(Stream.concat(keys, others).toList(), key);
  }

  /// A column that is never empty.
  static Column column(String name, Type type) {
    return new Column(name, type, false, null);
  }

  /// A row that is left out if its key is there.
  Operation insertIgnore(Readings rows, int at) {
    Operation insert = table.newInsertIgnore();
    PartialRow row = insert.getRow();
    row.addInt(building, rows.building[at]);
    row.addInt(floor, rows.floor[at]);
    row.addInt(device, rows.device[at]);
    row.addLong(time, rows.time[at]);
    row.addLong(load, rows.load[at]);
    row.addInt(type, rows.type[at]);
    return insert;
  }

  /// A row with the sum of a device, which replaces the one that is there.
  ///
  /// @param start where the window begins, in microseconds since 1970
  Operation upsert(DeviceSums sums, int at, long start) {
    Operation upsert = table.newUpsert();
    PartialRow row = upsert.getRow();
    row.addInt(building, sums.building(at));
    row.addInt(floor, sums.floor(at));
    row.addInt(device, sums.device(at));
    row.addLong(time, start);
    row.addLong(load, sums.watts(at));
    row.addInt(type, sums.type(at));
    return upsert;
  }

  /// The table itself.
  KuduTable table() {
    return table;
  }

  /// A row that is removed.
  Operation delete(Readings rows, int at) {
    Operation delete = table.newDelete();
    PartialRow row = delete.getRow();
    row.addInt(building, rows.building[at]);
    row.addInt(floor, rows.floor[at]);
    row.addInt(device, rows.device[at]);
    row.addLong(time, rows.time[at]);
    return delete;
  }

  /// The rows from a moment on.
  List<KuduPredicate> since(long micros) {
    return List.of(predicate(TIME, ComparisonOp.GREATER_EQUAL, micros));
  }

  /// The rows of the building of a device and of all behind it.
  List<KuduPredicate> beyond(long index) {
    Readings one = new Readings(1);
    one.add(index, 0, 0);
    return List.of(
        predicate(OnlineLayout.KEY.getFirst(), ComparisonOp.GREATER_EQUAL, one.building[0]));
  }

  /// The rows of a span, as the tablet servers look for them.
  List<KuduPredicate> within(Window span) {
    return List.of(
        predicate(TIME, ComparisonOp.GREATER_EQUAL, span.start()),
        predicate(TIME, ComparisonOp.LESS, span.end()));
  }

  /// The rows of one device.
  ///
  /// @param index the device, counted as {@link Readings#add} does
  List<KuduPredicate> ofDevice(long index) {
    Readings one = new Readings(1);
    one.add(index, 0, 0);
    return List.of(
        predicate(OnlineLayout.KEY.get(0), ComparisonOp.EQUAL, one.building[0]),
        predicate(OnlineLayout.KEY.get(1), ComparisonOp.EQUAL, one.floor[0]),
        predicate(OnlineLayout.KEY.get(2), ComparisonOp.EQUAL, one.device[0]));
  }

  private KuduPredicate predicate(String column, ComparisonOp comparison, long value) {
    return KuduPredicate.newComparisonPredicate(
        table.getSchema().getColumn(column), comparison, value);
  }
}
