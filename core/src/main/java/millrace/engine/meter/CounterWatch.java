package millrace.engine.meter;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import millrace.spi.Counters;
import millrace.spi.Counters.Count;
import millrace.spi.Counters.Reading;
import millrace.spi.HasCounters;
import millrace.spi.read.Source;
import millrace.spi.write.Target;
import org.jspecify.annotations.Nullable;

/// Reads what both ends count before a run and after it, and looks meanwhile what their servers
/// wait for. One thread, beside which another looks.
public final class CounterWatch implements AutoCloseable {

  private final End source;
  private final End target;
  private @Nullable WaitSampler looks;

  /// One end and its counters before the run.
  private record End(String name, @Nullable Counters counters, Reading before) {

    static End of(String name, @Nullable HasCounters end) {
      Counters counters = end == null ? null : end.counters();
      return new End(
          name, counters, counters == null ? new Reading(List.of(), List.of()) : counters.read());
    }
  }

  /// How far one counter of one end moved during the run.
  ///
  /// @param end `source` or `target`
  /// @param group what it was read from, for example `wire` or `pg_stat_wal`
  /// @param name its name there; units as there
  /// @param scope whose doing it is: `this run`, or all that happened on the `whole database` or
  ///   `whole server`
  /// @param change after the last row less before the first
  public record Counter(String end, String group, String name, String scope, long change) {}

  /// How the counters moved.
  ///
  /// @param counters each of them
  /// @param missing what could not be counted and why
  /// @param waits what the servers' processes were seen to wait for while lanes worked
  /// @param troubles of those counters that tell of a trouble when they move
  public record Moved(
      List<Counter> counters,
      List<String> missing,
      ServerWaits waits,
      List<CounterTrouble> troubles) {}

  private CounterWatch(End source, End target) {
    this.source = source;
    this.target = target;
  }

  /// Reads the counters as they are before the run.
  public static CounterWatch start(Source source, Target target) {
    return new CounterWatch(
        End.of("source", source.capability(HasCounters.class)),
        End.of("target", target.capability(HasCounters.class)));
  }

  /// Reads none.
  public static CounterWatch none() {
    return new CounterWatch(End.of("source", null), End.of("target", null));
  }

  /// Looks now and then what the servers' processes wait for, as long as lanes work.
  public void lookAt(Meter lanes) {
    if (source.counters == null && target.counters == null) {
      return;
    }
    looks = WaitSampler.start(lanes, source.counters, target.counters);
  }

  /// Reads them again: the run has ended, well or not, and its lanes are closed.
  public Moved finish() {
    ServerWaits waits = looks == null ? ServerWaits.UNKNOWN : looks.finish();
    List<Counter> moved = new ArrayList<>();
    List<String> missing = new ArrayList<>();
    List<CounterTrouble> troubles = new ArrayList<>();
    compare(source, moved, missing, troubles);
    compare(target, moved, missing, troubles);
    return new Moved(moved, missing, waits, troubles);
  }

  private record Key(String group, String name) {

    static Key of(Count count) {
      return new Key(count.group(), count.name());
    }
  }

  private static void compare(
      End end, List<Counter> moved, List<String> missing, List<CounterTrouble> troubles) {
    if (end.counters == null) {
      return;
    }
    Reading after = end.counters.read();
    Map<Key, Long> before = new HashMap<>();
    end.before.counts().forEach(count -> before.put(Key.of(count), count.value()));
    Set<String> reset = new LinkedHashSet<>();
    for (Count count : after.counts()) {
      if (count.value() < before.getOrDefault(Key.of(count), 0L)) {
        reset.add(count.group());
      }
    }
    // Those that have grown past what they were since are wrong all the same.
    reset.forEach(group -> missing.add(end.name + ": " + group + " was reset during the run"));
    for (Count count : after.counts()) {
      Long was = before.get(Key.of(count));
      if (was == null) {
        String name = count.group() + "." + count.name();
        missing.add(end.name + ": " + name + " could not be read before the run");
      } else if (!reset.contains(count.group())) {
        Counters.Alarm alarm = count.alarm();
        if (alarm != null && count.value() > was) {
          troubles.add(new CounterTrouble(end.name, count.value() - was, alarm));
        }
        moved.add(
            new Counter(
                end.name, count.group(), count.name(), count.scope().label(), count.value() - was));
      }
    }
    after.missing().forEach(why -> missing.add(end.name + ": " + why));
  }

  @Override
  public void close() {
    if (looks != null) {
      looks.finish();
    }
    close(source);
    close(target);
  }

  private static void close(End end) {
    if (end.counters != null) {
      end.counters.close();
    }
  }
}
