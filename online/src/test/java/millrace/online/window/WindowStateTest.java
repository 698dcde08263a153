package millrace.online.window;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import millrace.spi.online.OnlineLayout.Level;
import millrace.spi.online.OnlineStore.Dirty;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/// In whatever order clients write and windows are aggregated, nothing that was written is missing
/// from a window in the end, and every window that lacks rows is marked in the target.
final class WindowStateTest {

  private static final long SECOND = 1_000_000;
  private static final long SMALL = 2 * SECOND;
  private static final long END = 8 * SECOND;
  private static final List<Level> LEVELS =
      List.of(
          new Level("raw", "t", Duration.ofSeconds(1)),
          new Level("small", "t_small", Duration.ofSeconds(2)),
          new Level("middle", "t_middle", Duration.ofSeconds(4)),
          new Level("large", "t_large", Duration.ofSeconds(8)));

  private static Dirty small(long start) {
    return new Dirty("small", start);
  }

  /// A write that is under way.
  private static final class Write {
    private final List<Long> windows;
    private List<Dirty> marks;
    private boolean isDurable;

    /// How many rows each window had once this write's were durable.
    private final Map<Long, Long> counts = new HashMap<>();

    private Write(List<Long> windows, List<Dirty> marks) {
      this.windows = windows;
      this.marks = marks;
    }
  }

  /// An aggregate that is under way.
  private record Aggregate(int level, Dirty window, long sum) {}

  /// A target and who uses it, one action at a time.
  private static final class Simulation {
    private final WindowState state = new WindowState(LEVELS);
    private final List<Write> writes = new ArrayList<>();
    private final List<Aggregate> aggregates = new ArrayList<>();

    /// How many rows each second has: what the target holds.
    private final Map<Long, Long> raw = new HashMap<>();

    /// What each window has in the target.
    private final Map<Dirty, Long> sums = new HashMap<>();

    /// What each window's last aggregate has seen, even if it runs or has failed.
    private final Map<Dirty, Long> seen = new HashMap<>();

    private final Set<Dirty> marked = new HashSet<>();

    private long below(int level, long start) {
      long sum = 0;
      if (level == 1) {
        return raw.getOrDefault(start, 0L);
      }
      long width = WindowState.micros(LEVELS.get(level - 1).window());
      long end = start + WindowState.micros(LEVELS.get(level).window());
      for (long at = start; at < end; at += width) {
        sum += sums.getOrDefault(new Dirty(LEVELS.get(level - 1).name(), at), 0L);
      }
      return sum;
    }

    private void write(int number) {
      Set<Long> windows = new HashSet<>();
      windows.add(number % 4 * SMALL);
      windows.add(number / 4 % 4 * SMALL);
      List<Long> starts = List.copyOf(windows);
      writes.add(new Write(starts, state.writeBegins(starts)));
    }

    private void resume(Write write) {
      boolean isNew = !write.isDurable;
      marked.addAll(write.marks);
      if (isNew) {
        write.isDurable = true;
        write.windows.forEach(start -> write.counts.put(start, raw.merge(start, 1L, Long::sum)));
      }
      if (isNew || !write.marks.isEmpty()) {
        write.marks = state.written(write.windows, write.marks);
        return;
      }
      for (long start : write.windows) {
        Dirty window = small(start);
        if (seen.containsKey(window) && seen.get(window) < write.counts.getOrDefault(start, 0L)) {
          assertThat(marked).as("windows that lack acknowledged rows").contains(window);
        }
      }
      state.acknowledged(write.windows);
      writes.remove(write);
    }

    private void begin(int level, Dirty window) {
      if (state.begins(window)) {
        long sum = below(level, window.start());
        seen.put(window, sum);
        aggregates.add(new Aggregate(level, window, sum));
      } else {
        assertThat(aggregates).extracting(Aggregate::window).contains(window);
      }
    }

    private void end(Aggregate aggregate, boolean fails) {
      aggregates.remove(aggregate);
      if (fails) {
        state.failed(aggregate.window);
      } else {
        sums.put(aggregate.window, aggregate.sum);
        state.ended(aggregate.level, aggregate.window);
      }
    }

    private void clean(long before, boolean fails) {
      for (Dirty mark : state.settle(before)) {
        assertThat(marked).contains(mark);
        assertThat(mark.start() + 2 * SECOND).isLessThanOrEqualTo(before);
        assertThat(writes).noneMatch(write -> write.windows.contains(mark.start()));
        assertThat(sums.get(mark)).as("%s", mark).isEqualTo(below(1, mark.start()));
        if (fails) {
          state.notCleaned(mark);
        } else {
          marked.remove(mark);
        }
      }
    }

    private void act(int action) {
      int number = action / 8;
      switch (action % 8) {
        case 0, 1 -> write(number);
        case 2, 3 -> {
          if (!writes.isEmpty()) {
            resume(writes.get(number % writes.size()));
          }
        }
        case 4, 5 -> {
          int level = 1 + number % 3;
          long width = WindowState.micros(LEVELS.get(level).window());
          begin(level, new Dirty(LEVELS.get(level).name(), number / 3 * width % END));
        }
        case 6 -> {
          if (!aggregates.isEmpty()) {
            end(aggregates.get(number % aggregates.size()), number % 5 == 0);
          }
        }
        default -> clean(number % 5 * SMALL, number % 7 == 0);
      }
    }

    private void openAll() {
      for (int level = 1; level < LEVELS.size(); level++) {
        for (long at = 0; at < END; at += WindowState.micros(LEVELS.get(level).window())) {
          state.open(new Dirty(LEVELS.get(level).name(), at));
        }
      }
    }

    private void aggregateAll() {
      boolean any = true;
      for (int round = 0; any; round++) {
        assertThat(round).as("it comes to an end").isLessThan(5);
        any = false;
        for (int level = 1; level < LEVELS.size(); level++) {
          for (Dirty window : state.dirty(level)) {
            any = true;
            begin(level, window);
            end(aggregates.getLast(), false);
          }
        }
      }
    }

    private void check() {
      for (int level = 1; level < LEVELS.size(); level++) {
        for (long at = 0; at < END; at += WindowState.micros(LEVELS.get(level).window())) {
          Dirty window = new Dirty(LEVELS.get(level).name(), at);
          assertThat(sums.getOrDefault(window, 0L)).as("%s", window).isEqualTo(below(level, at));
        }
      }
      clean(END, false);
    }
  }

  @Property(tries = 1_000)
  void nothingIsMissingInTheEnd(
      @ForAll @Size(max = 300) List<@IntRange(min = 0, max = 799) Integer> actions) {
    Simulation simulation = new Simulation();
    actions.forEach(simulation::act);
    while (!simulation.writes.isEmpty()) {
      simulation.resume(simulation.writes.getFirst());
    }
    while (!simulation.aggregates.isEmpty()) {
      simulation.end(simulation.aggregates.getFirst(), false);
    }
    simulation.openAll();
    simulation.aggregateAll();
    simulation.check();
    assertThat(simulation.marked).as("marks that are left").isEmpty();
  }

  /// Clients that die leave writes behind that were made durable, or not; nobody knows.
  @Property(tries = 500)
  void writesOfClientsThatDieAreAggregatedToo(
      @ForAll @Size(max = 200) List<@IntRange(min = 0, max = 799) Integer> actions) {
    Simulation simulation = new Simulation();
    actions.forEach(simulation::act);
    for (Write write : simulation.writes) {
      if (!write.isDurable) {
        write.windows.forEach(start -> simulation.raw.merge(start, 1L, Long::sum));
      }
    }
    simulation.writes.clear();
    while (!simulation.aggregates.isEmpty()) {
      simulation.end(simulation.aggregates.getFirst(), false);
    }
    simulation.openAll();
    simulation.aggregateAll();
    simulation.check();
  }

  @Test
  void aWindowThatIsAggregatedAtThisMomentIsDoneAgainLater() {
    WindowState state = new WindowState(LEVELS);
    assertThat(state.begins(small(0))).isTrue();
    assertThat(state.begins(small(0))).isFalse();
    assertThat(state.isBusy()).isTrue();
    assertThat(state.dirty(1)).as("it runs").isEmpty();
    state.ended(1, small(0));
    assertThat(state.isBusy()).isFalse();
    assertThat(state.dirty(1)).containsExactly(small(0));
  }

  /// A mark that stays has windows aggregated again that lack nothing; one that goes too early has
  /// rows forgotten if all stops.
  @Test
  void aMarkGoesOnceNoRowIsExpectedAndAllWritesAreAggregated() {
    WindowState state = new WindowState(LEVELS);
    List<Long> windows = List.of(0L);
    assertThat(state.writeBegins(windows)).as("it was not begun").isEmpty();
    state.begins(small(0));
    state.ended(1, small(0));
    List<Dirty> marks = state.writeBegins(windows);
    assertThat(marks).containsExactly(small(0));
    assertThat(state.written(windows, marks)).isEmpty();
    state.acknowledged(windows);
    assertThat(state.settle(SMALL)).as("it has to be aggregated again").isEmpty();
    state.begins(small(0));
    assertThat(state.settle(SMALL)).as("it runs").isEmpty();
    state.ended(1, small(0));
    assertThat(state.settle(SMALL)).as("the other write goes on").isEmpty();
    state.acknowledged(windows);
    state.begins(small(0));
    state.ended(1, small(0));
    assertThat(state.settle(SMALL - 1)).as("rows are expected").isEmpty();
    assertThat(state.settle(SMALL)).containsExactly(small(0));
    assertThat(state.settle(SMALL)).as("it is gone").isEmpty();
  }

  @Test
  void windowsBeforeTheEpochBeginAtTheirBegin() {
    assertThat(WindowState.startOf(Duration.ofSeconds(2), -1)).isEqualTo(-2 * SECOND);
    assertThat(WindowState.startOf(Duration.ofSeconds(2), 2 * SECOND)).isEqualTo(2 * SECOND);
  }
}
