package millrace.online.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import millrace.online.MemoryStore;
import millrace.online.report.OnlineReport.Sum;

/// What the tables of a run with the windows of {@link millrace.online.Jobs} have to hold, made
/// from the rows that its clients sent, and from nothing that was aggregated.
final class ExpectedTables {

  private static final String RAW = "load_per_sec";
  private static final List<String> LEVELS = List.of("small", "middle", "large");
  private static final List<Long> MICROS = List.of(2_000_000L, 4_000_000L, 8_000_000L);

  private ExpectedTables() {}

  /// Checks all tables, row by row, and that the report tells of as many rows.
  static void check(MemoryStore store, List<Sum> told) {
    Map<MemoryStore.Key, Long> raw = store.sent(RAW);
    Map<MemoryStore.Key, Long> aside = store.sent(RAW + "_too_late");
    assertThat(store.sentOtherwise()).as("rows that were sent again with another load").isEmpty();
    assertThat(aside.keySet())
        .as("rows both in time and too late")
        .doesNotContainAnyElementsOf(raw.keySet());
    Map<String, Long> rows = new HashMap<>();
    rows.put("sent", (long) raw.size() + aside.size());
    rows.put("raw", (long) raw.size());
    if (!aside.isEmpty()) {
      rows.put("too late", (long) aside.size());
    }
    Map<MemoryStore.Key, Long> below = raw;
    for (int i = 0; i < LEVELS.size(); i++) {
      Map<MemoryStore.Key, Long> level = new HashMap<>(store.sent(RAW + "_" + LEVELS.get(i)));
      level.putAll(added(below, MICROS.get(i)));
      assertThat(store.rows(RAW + "_" + LEVELS.get(i))).as(LEVELS.get(i)).isEqualTo(level);
      rows.put(LEVELS.get(i), (long) level.size());
      below = level;
    }
    Map<String, Long> counted = new HashMap<>();
    told.forEach(sum -> counted.merge(sum.place(), sum.rows(), Long::sum));
    assertThat(counted).isEqualTo(rows);
  }

  private static Map<MemoryStore.Key, Long> added(Map<MemoryStore.Key, Long> below, long width) {
    Map<MemoryStore.Key, Long> sums = new HashMap<>();
    below.forEach((key, load) -> {
      long start = Math.floorDiv(key.time(), width) * width;
      sums.merge(
          new MemoryStore.Key(key.building(), key.floor(), key.device(), start), load, Long::sum);
    });
    return sums;
  }
}
