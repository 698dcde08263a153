package millrace.testkit.suite;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import millrace.data.Temporals;
import millrace.spi.online.OnlineLayout.Level;
import millrace.spi.online.OnlineStore.Sums;
import millrace.spi.online.Readings;
import millrace.spi.online.Window;
import millrace.testkit.Row;

/// What the tables of an online run are to hold: the same calls, carried out in memory.
///
/// Threads may share it.
final class OnlineModel {

  /// Which row.
  ///
  /// @param device its number over all buildings
  /// @param time microseconds since 1970
  private record Key(long device, long time) {}

  private final Map<String, Map<Key, Long>> tables = new HashMap<>();

  private Map<Key, Long> table(String name) {
    return tables.computeIfAbsent(name, _ -> new HashMap<>());
  }

  /// Adds rows whose key is not there yet.
  synchronized void write(String table, Readings rows) {
    for (int i = 0; i < rows.rows(); i++) {
      long floor = (long) rows.building[i] * Readings.FLOORS_PER_BUILDING + rows.floor[i];
      long device = floor * Readings.DEVICES_PER_FLOOR + rows.device[i];
      table(table).putIfAbsent(new Key(device, rows.time[i]), rows.load[i]);
    }
  }

  /// Aggregates a window, and gives the number of its rows.
  synchronized long aggregate(Level below, Level level, Window window) {
    Map<Key, Long> sums = new HashMap<>();
    table(below.table())
        .forEach((key, load) -> {
          if (key.time >= window.start() && key.time < window.end()) {
            sums.merge(new Key(key.device, window.start()), load, Math::addExact);
          }
        });
    table(level.table()).putAll(sums);
    return sums.size();
  }

  /// Adds up the rows of a span.
  synchronized Sums sums(String table, Window span) {
    long rows = 0;
    long watts = 0;
    for (Map.Entry<Key, Long> row : table(table).entrySet()) {
      if (row.getKey().time >= span.start() && row.getKey().time < span.end()) {
        rows++;
        watts = Math.addExact(watts, row.getValue());
      }
    }
    return new Sums(rows, watts);
  }

  /// All rows of a table, as a connector reads them.
  synchronized List<Row> rows(String table) {
    List<Row> rows = new ArrayList<>();
    Readings one = new Readings(1);
    table(table)
        .forEach((key, load) -> {
          one.clear();
          one.add(key.device, key.time, load);
          rows.add(
              Row.of(
                  one.building[0],
                  one.floor[0],
                  one.device[0],
                  key.time - Temporals.EPOCH_MICROS,
                  load,
                  one.type[0]));
        });
    return rows;
  }
}
