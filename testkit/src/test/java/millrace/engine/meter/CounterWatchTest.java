package millrace.engine.meter;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.spi.Counters;
import millrace.spi.Counters.Count;
import millrace.spi.Counters.Scope;
import millrace.spi.HasCounters;
import millrace.spi.OpenContext;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import millrace.spi.write.Mode;
import millrace.spi.write.Target;
import millrace.spi.write.WriteOptions;
import millrace.testkit.forwarding.ForwardingSource;
import millrace.testkit.memory.MemoryConnector;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// How far counters have moved, and when that can't be said.
class CounterWatchTest {

  private final MemoryConnector memory = new MemoryConnector();

  /// Counters that were read before a run and after it.
  private record Readings(Deque<Reading> left) implements Counters {

    @Override
    public Reading read() {
      return left.remove();
    }

    @Override
    public void close() {
      // They are only values.
    }
  }

  private static final class Counting extends ForwardingSource {
    private final Counters counters;

    Counting(Source inner, Counters counters) {
      super(inner);
      this.counters = counters;
    }

    @Override
    public <T> @Nullable T capability(Class<T> type) {
      HasCounters counted = () -> counters;
      return type.isInstance(counted) ? type.cast(counted) : super.capability(type);
    }
  }

  private static Counters.Reading reading(long reads, long writes, long calls) {
    return new Counters.Reading(
        List.of(
            new Count("wire", "calls", Scope.RUN, calls),
            new Count("stats", "reads", Scope.SERVER, reads),
            new Count(
                "stats", "writes", Scope.SERVER, writes, new Counters.Alarm(0, "writes", "why"))),
        List.of());
  }

  private CounterWatch.Moved watch(Counters.Reading before, Counters.Reading after) {
    memory.put("from", Schema.of(List.of(Column.of("id", new Type.Int(64)))), List.of());
    WriteOptions writeOptions = new WriteOptions(Mode.CREATE, false, List.of(), false);
    Counters counters = new Readings(new ArrayDeque<>(List.of(before, after)));
    try (Source source =
            new Counting(
                memory.source(memory.endpoint("from"), Selection.ALL, new OpenContext()),
                counters);
        Target target = memory.target(memory.endpoint("to"), writeOptions, new OpenContext());
        CounterWatch watch = CounterWatch.start(source, target)) {
      return watch.finish();
    }
  }

  private static Map<String, Long> changes(CounterWatch.Moved counted) {
    return counted.counters().stream()
        .filter(each -> each.end().equals("source"))
        .collect(
            java.util.stream.Collectors.toMap(
                CounterWatch.Counter::name, CounterWatch.Counter::change));
  }

  @Test
  void whatGrewIsTold() {
    CounterWatch.Moved counted = watch(reading(10, 20, 0), reading(15, 20, 3));
    assertThat(changes(counted)).isEqualTo(Map.of("calls", 3L, "reads", 5L, "writes", 0L));
    assertThat(counted.missing()).isEmpty();
    assertThat(counted.troubles()).isEmpty();
    assertThat(watch(reading(0, 20, 0), reading(0, 23, 0)).troubles())
        .singleElement()
        .satisfies(trouble ->
            assertThat(trouble.sentence())
                .isEqualTo("The source's server counted writes (3): why."));
  }

  @Test
  void ofCountersThatWereResetNoneIsToldThoughSomeAreGreaterThanTheyWere() {
    CounterWatch.Moved counted = watch(reading(10, 20, 0), reading(3, 900, 7));
    assertThat(changes(counted)).isEqualTo(Map.of("calls", 7L));
    assertThat(counted.missing()).containsExactly("source: stats was reset during the run");
  }
}
