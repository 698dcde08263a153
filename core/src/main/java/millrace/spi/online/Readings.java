package millrace.spi.online;

/// Rows that are written at once. The arrays are the caller's, and filled anew for the next write:
/// who takes rows keeps none of them. One thread.
public final class Readings {

  /// The device: building, floor and number there.
  public final int[] building;

  public final int[] floor;
  public final int[] device;

  /// Microseconds since 1970-01-01 in UTC.
  public final long[] time;

  /// Watts.
  public final long[] load;

  public final int[] type;
  private int rows;

  /// Empty.
  public Readings(int capacity) {
    building = new int[capacity];
    floor = new int[capacity];
    device = new int[capacity];
    time = new long[capacity];
    load = new long[capacity];
    type = new int[capacity];
  }

  /// How many rows there are.
  public int rows() {
    return rows;
  }

  /// How many there may be.
  public int capacity() {
    return time.length;
  }

  /// This one if there is room for a row, else a larger one with the same rows.
  public Readings withRoom() {
    if (rows < time.length) {
      return this;
    }
    Readings larger = new Readings(2 * rows + 1);
    System.arraycopy(building, 0, larger.building, 0, rows);
    System.arraycopy(floor, 0, larger.floor, 0, rows);
    System.arraycopy(device, 0, larger.device, 0, rows);
    System.arraycopy(time, 0, larger.time, 0, rows);
    System.arraycopy(load, 0, larger.load, 0, rows);
    System.arraycopy(type, 0, larger.type, 0, rows);
    larger.rows = rows;
    return larger;
  }

  /// Empties it.
  public void clear() {
    rows = 0;
  }

  /// Adds a row.
  ///
  /// @param index which device, counted over all floors and buildings: see {@link
  ///   #DEVICES_PER_FLOOR}
  public void add(long index, long timeMicros, long watts) {
    building[rows] = (int) (index / DEVICES_PER_FLOOR / FLOORS_PER_BUILDING);
    floor[rows] = (int) (index / DEVICES_PER_FLOOR % FLOORS_PER_BUILDING);
    device[rows] = (int) (index % DEVICES_PER_FLOOR);
    time[rows] = timeMicros;
    load[rows] = watts;
    type[rows] = (int) (1 + index % TYPES);
    rows++;
  }

  /// Which device a row is of, counted as {@link #add} does.
  public int index(int row) {
    return Math.toIntExact(index(building[row], floor[row], device[row]));
  }

  /// Which device that is, counted as {@link #add} does.
  public static long index(int building, int floor, int device) {
    return ((long) building * FLOORS_PER_BUILDING + floor) * DEVICES_PER_FLOOR + device;
  }

  public static final int DEVICES_PER_FLOOR = 100;
  public static final int FLOORS_PER_BUILDING = 10;
  private static final int TYPES = 4;
}
