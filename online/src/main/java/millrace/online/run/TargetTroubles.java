package millrace.online.run;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import millrace.report.ReportText;
import millrace.spi.Counters;
import millrace.spi.HasCounters;
import millrace.spi.online.OnlineStore;
import org.jspecify.annotations.Nullable;

/// What a target's own counters tell of troubles that no call of a run has failed by, such as calls
/// that its client makes again: how often and when. One thread looks at a time; any may ask.
final class TargetTroubles implements AutoCloseable {

  private final @Nullable Counters counters;
  private final Map<String, Long> last = new HashMap<>();
  private final Map<Counters.Alarm, Seen> seen = new LinkedHashMap<>();

  /// How often something happened.
  ///
  /// @param first when it was first seen, in seconds since the start
  /// @param last when it was last seen
  private record Seen(long times, double first, double last) {

    private Seen plus(Seen later) {
      return new Seen(times + later.times, first, later.last);
    }
  }

  /// Reads the counters as they are at the start.
  TargetTroubles(OnlineStore store) {
    counters = store instanceof HasCounters counted ? counted.counters() : null;
    look(0);
  }

  /// Looks what has happened since the last look.
  ///
  /// @param atSecond since the start
  synchronized void look(double atSecond) {
    if (counters == null) {
      return;
    }
    for (Counters.Count count : counters.read().counts()) {
      Counters.Alarm alarm = count.alarm();
      Long before = last.put(count.group() + "." + count.name(), count.value());
      if (alarm != null && before != null && count.value() > before) {
        seen.merge(alarm, new Seen(count.value() - before, atSecond, atSecond), Seen::plus);
      }
    }
  }

  /// How often anything happened.
  synchronized long times() {
    return seen.values().stream().mapToLong(Seen::times).sum();
  }

  /// A sentence for each.
  synchronized List<String> notes() {
    List<String> notes = new ArrayList<>();
    seen.forEach((alarm, all) ->
        notes.add(
            String.format(
                Locale.ROOT,
                "There were %s: %,d, %s; %s.",
                alarm.what(),
                all.times,
                when(all),
                alarm.help())));
    return notes;
  }

  private static String when(Seen all) {
    String first = ReportText.clock((long) all.first);
    String last = ReportText.clock((long) all.last);
    return first.equals(last) ? "at " + first : "from " + first + " to " + last;
  }

  @Override
  public void close() {
    if (counters != null) {
      counters.close();
    }
  }
}
