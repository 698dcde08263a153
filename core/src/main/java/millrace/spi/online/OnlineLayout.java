package millrace.spi.online;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import millrace.fault.Fault;

/// Which tables an online run has, and how they are made.
///
/// All have the same columns: those of {@link OnlineLayout#KEY}, `time_stamp` (a time without a
/// zone, in UTC), `device_load` (int64, watts) and `device_type` (int32). The key is the device and
/// the time. A row of a level stands for a window: its time is where the window begins, its load
/// the sum of the level below.
///
/// @param levels from what arrives upwards, each with its own table; the first is what arrives
/// @param timeFirst whether keys begin with the time, not with the device
/// @param partition how wide the range partitions of what arrives are; zero if it has none
/// @param hashBuckets into how many buckets by hash of the device each table is cut, if the system
///   has them; 0 if nobody says
public record OnlineLayout(
    List<Level> levels, boolean timeFirst, Duration partition, int hashBuckets) {

  /// The columns that tell a device, int32 each.
  public static final List<String> KEY = List.of("building_id", "floor_id", "device_id");

  /// One level.
  ///
  /// @param name such as `minute`; `raw` is what arrives
  /// @param table its name, without database or schema
  /// @param window how long the windows are whose sums its rows are; a second for what arrives
  public record Level(String name, String table, Duration window) {

    /// Where the window begins that a moment is in, in microseconds since 1970 as that is.
    public long startOf(long micros) {
      long width = window.toNanos() / 1_000;
      return Math.floorDiv(micros, width) * width;
    }
  }

  public OnlineLayout {
    levels = List.copyOf(levels);
  }

  /// Whether a table is that of a level above what arrives.
  public boolean isAggregated(String table) {
    return levels.stream().skip(1).anyMatch(level -> level.table().equals(table));
  }

  /// The names of all tables.
  public List<String> tables() {
    List<String> all = new ArrayList<>(levels.stream().map(Level::table).toList());
    all.add(sideTable());
    all.add(sentTable());
    all.add(dirtyTable());
    return all;
  }

  /// Makes sure that the tables that are there are those of an earlier run, which are dropped: that
  /// one has left its table of marks.
  ///
  /// @param label of the target
  /// @param there the tables of this layout that are there
  /// @throws Fault.User if they are somebody else's
  public void checkNotForeign(String label, List<String> there) {
    if (!there.isEmpty() && !there.contains(dirtyTable())) {
      throw new Fault.User(
          label + " has a table " + there.getFirst() + " that no online run has made.",
          "Name another one in the target's URL or in the job (tables: raw:), or drop it"
              + " yourself.");
    }
  }

  /// The table of rows that came too late for any window.
  public String sideTable() {
    return levels.getFirst().table() + "_too_late";
  }

  /// The table of what clients know that they have sent, a row for each device and window. It is
  /// filled at the end, to be compared with what arrived.
  public String sentTable() {
    return levels.getFirst().table() + "_sent";
  }

  /// The table that keeps which windows are to be aggregated again: columns `level` (text) and
  /// `time_stamp`, and what else the system needs to tell marks apart.
  public String dirtyTable() {
    return levels.getFirst().table() + "_dirty";
  }
}
