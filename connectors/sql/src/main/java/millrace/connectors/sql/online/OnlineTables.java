package millrace.connectors.sql.online;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.stream.Collectors;
import millrace.connectors.sql.Names;
import millrace.connectors.sql.TableName;
import millrace.spi.online.OnlineLayout;
import millrace.spi.online.OnlineLayout.Level;
import millrace.spi.online.Readings;
import millrace.spi.online.Window;

/// The tables of an online run in SQL, and the statements that all databases take.
///
/// Times stand in the statements as they are: so no time zone of a driver changes them, and the
/// server can tell which partitions it needs when it plans.
///
/// @param schema where the tables are; empty for the database's default
public record OnlineTables(OnlineLayout layout, Names names, String schema) {

  /// The columns, as they stand in a statement.
  public static final String COLUMNS =
      String.join(", ", OnlineLayout.KEY) + ", time_stamp, device_load, device_type";

  private static final String DEVICE = String.join(", ", OnlineLayout.KEY);

  private static final String DEFINITION =
      OnlineLayout.KEY.stream()
              .map(name -> name + " integer NOT NULL")
              .collect(Collectors.joining(", "))
          + ", time_stamp timestamp NOT NULL, device_load bigint NOT NULL,"
          + " device_type integer NOT NULL";

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSSSSS", Locale.ROOT);

  /// The key of all tables, as it stands in a statement.
  public String key() {
    return layout.timeFirst() ? "time_stamp, " + DEVICE : DEVICE + ", time_stamp";
  }

  /// A table with its schema.
  public TableName name(String table) {
    return new TableName(schema, table);
  }

  /// A table as SQL names it.
  public String sql(String table) {
    return name(table).sql(names);
  }

  /// The table of what arrives.
  public String raw() {
    return layout.levels().getFirst().table();
  }

  /// A time as SQL spells it.
  ///
  /// @param micros since 1970, in UTC
  public static String time(long micros) {
    LocalDateTime time =
        LocalDateTime.ofInstant(Instant.EPOCH.plus(micros, ChronoUnit.MICROS), ZoneOffset.UTC);
    return "TIMESTAMP '" + TIME.format(time) + "'";
  }

  /// Microseconds since 1970 of a time in UTC.
  static long micros(LocalDateTime time) {
    return ChronoUnit.MICROS.between(Instant.EPOCH, time.toInstant(ZoneOffset.UTC));
  }

  /// Makes a table of readings.
  ///
  /// @param keyed whether it has a primary key
  public String create(String table, boolean keyed) {
    String primary = keyed ? ", PRIMARY KEY (" + key() + ")" : "";
    return "CREATE TABLE " + sql(table) + " (" + DEFINITION + primary + ")";
  }

  /// Makes the table of marks. Marks of one window are told apart by a number, so that writers need
  /// not wait for each other, and {@link SqlOnlineStore#clean} takes away the right ones.
  public String createDirty() {
    return "CREATE TABLE "
        + sql(layout.dirtyTable())
        + " (level varchar(100) NOT NULL, time_stamp timestamp NOT NULL, mark bigint NOT NULL)";
  }

  /// Removes a table if it is there.
  String drop(String table) {
    return "DROP TABLE IF EXISTS " + sql(table);
  }

  /// Removes the rows of a level that are not of the past, or not of the first devices.
  ///
  /// @param start windows that end by then are the past
  String deleteAllBut(Level level, long start, long devices) {
    return "DELETE FROM "
        + sql(level.table())
        + " WHERE time_stamp >= "
        + time(level.startOf(start))
        + " OR (CAST(building_id AS bigint) * "
        + Readings.FLOORS_PER_BUILDING
        + " + floor_id) * "
        + Readings.DEVICES_PER_FLOOR
        + " + device_id >= "
        + devices;
  }

  /// Lists the tables of the schema.
  String list() {
    return "SELECT table_name FROM information_schema.tables"
        + " WHERE table_schema = coalesce(nullif(?, ''), current_schema())";
  }

  private static String within(Window span) {
    return " WHERE time_stamp >= " + time(span.start()) + " AND time_stamp < " + time(span.end());
  }

  /// Aggregates a window. A sum is wider than its column: one that does not fit is an error.
  String aggregate(Level below, Level level, Window window) {
    return "INSERT INTO "
        + sql(level.table())
        + " ("
        + COLUMNS
        + ") SELECT "
        + DEVICE
        + ", "
        + time(window.start())
        + ", CAST(sum(device_load) AS bigint), max(device_type) FROM "
        + sql(below.table())
        + within(window)
        + " GROUP BY "
        + DEVICE
        + " ON CONFLICT ("
        + key()
        + ") DO UPDATE SET device_load = excluded.device_load, device_type = excluded.device_type";
  }

  /// Counts and adds up the rows of a span.
  String sums(String table, Window span) {
    return "SELECT count(*), CAST(coalesce(sum(device_load), 0) AS bigint) FROM "
        + sql(table)
        + within(span);
  }

  /// Counts the rows of a window that are not the sums of the level below.
  String differing(Level below, Level level, Window window) {
    return "SELECT count(*) FROM (SELECT "
        + DEVICE
        + ", sum(device_load) AS wanted FROM "
        + sql(below.table())
        + within(window)
        + " GROUP BY "
        + DEVICE
        + ") AS below FULL JOIN (SELECT "
        + DEVICE
        + ", time_stamp AS starts_at, device_load AS found FROM "
        + sql(level.table())
        + within(window)
        + ") AS level USING ("
        + DEVICE
        + ") WHERE wanted IS DISTINCT FROM found OR starts_at <> "
        + time(window.start());
  }

  /// Counts the rows of a device, or of all, by a column that no index has: the rows are read.
  String probe(String table, long device, Window span) {
    String count = "SELECT count(device_load) FROM " + sql(table) + within(span);
    if (device < 0) {
      return count;
    }
    Readings one = new Readings(1);
    one.add(device, 0, 0);
    return count
        + " AND building_id = "
        + one.building[0]
        + " AND floor_id = "
        + one.floor[0]
        + " AND device_id = "
        + one.device[0];
  }

  /// All windows that are marked.
  String dirty() {
    return "SELECT DISTINCT level, time_stamp FROM "
        + sql(layout.dirtyTable())
        + " ORDER BY time_stamp, level";
  }

  /// Marks windows.
  ///
  /// @param rows what stands in the statement for them
  String mark(String rows) {
    return "INSERT INTO " + sql(layout.dirtyTable()) + " (level, time_stamp, mark) VALUES " + rows;
  }

  /// The marks of a window, behind `SELECT` or `DELETE`.
  String marks(String verb, long start) {
    return verb
        + " FROM "
        + sql(layout.dirtyTable())
        + " WHERE level = ? AND time_stamp = "
        + time(start);
  }
}
