package millrace.online.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import millrace.online.judge.RunFacts;
import millrace.online.load.WriteListener.Times;
import millrace.online.load.WriteListener.Write;
import millrace.online.report.Series;
import millrace.spi.HostLocation;
import org.junit.jupiter.api.Test;

/// What this machine held up of each write and each aggregate.
final class HeldUpTest {

  private static final HostLocation FILE = HostLocation.of(Path.of("/data/meters.duckdb"));
  private static final HostLocation SERVER =
      new HostLocation(
          List.of(), List.of(new HostLocation.Service("S", "localhost", 1, "s", List.of())));

  /// For how many milliseconds the target waits for a processor, by how long a call takes.
  private final Map<Long, Long> waits = new HashMap<>();

  private HeldUp of(HostLocation target) {
    return new HeldUp(
        (from, to) -> waits.getOrDefault((to - from) / 1_000_000, 0L) * 1_000_000, target);
  }

  private void writes(HeldUp held, long second, long took, long queued, long ofTarget) {
    waits.put(took, ofTarget);
    Times times = new Times(0, took * 1_000_000, queued * 1_000_000);
    held.wrote(new Write(0, second, 1, 0, 0, 0, times));
  }

  private static Map<Long, Double> writes(HeldUp held, double share) {
    return held.machine(List.of(), share).writes();
  }

  /// As with a lock: others of the same run wait for processors all the time.
  @Test
  void onlyWhatWasMeasuredDuringAWriteIsTakenOffIt() {
    HeldUp held = of(SERVER);
    writes(held, 0, 100, 40, 30);
    writes(held, 1, 3_000, 1, 0);
    writes(held, 2, 100, 40, 30);
    writes(held, -1, 9_000, 9_000, 9_000);
    assertThat(writes(held, 0.9)).isEqualTo(Map.of(0L, 70.0, 1L, 1.0, 2L, 70.0));
    assertThat(held.share(0.9)).isCloseTo(141 / 3_200.0, within(1e-9));
    assertThat(held.machine(List.of(), 0)).isEqualTo(RunFacts.Machine.NONE);
  }

  /// Later writes begin after the longest.
  @Test
  void ofASecondTheLongestWriteCounts() {
    HeldUp held = of(SERVER);
    writes(held, 0, 100, 90, 0);
    writes(held, 0, 200, 20, 0);
    writes(held, 0, 150, 80, 0);
    assertThat(writes(held, 0.9)).isEqualTo(Map.of(0L, 20.0));
  }

  /// What a target's processes waited for beyond what others took, they took from each other.
  @Test
  void noMoreThanOthersTookIsTakenOff() {
    HeldUp held = of(SERVER);
    writes(held, 0, 1_000, 0, 900);
    assertThat(writes(held, 0.25)).isEqualTo(Map.of(0L, 250.0));
    writes(held, 1, 1_000, 600, 900);
    assertThat(writes(held, 0.9)).containsEntry(1L, 1_000.0);
  }

  /// It works on the threads of the clients: both are of the same time.
  @Test
  void clientsOfAnEmbeddedTargetWaitForEachOther() {
    HeldUp held = of(FILE);
    writes(held, 0, 1_000, 220, 850);
    writes(held, 1, 2_000, 220, 100);
    assertThat(writes(held, 0.94)).isEqualTo(Map.of(0L, 850.0, 1L, 220.0));
    assertThat(writes(held, 0.5)).isEqualTo(Map.of(0L, 500.0, 1L, 220.0));
  }

  @Test
  void anAggregateHasItsOwn() {
    HeldUp held = of(SERVER);
    Series.WindowRun quick = new Series.WindowRun("small", "a", 1, 2, 5, false, false, "");
    Series.WindowRun locked = new Series.WindowRun("small", "b", 3, 11.4, 5, false, false, "");
    held.aggregates();
    waits.put(2_000L, 1_500L);
    held.aggregated(quick);
    held.aggregates();
    held.aggregated(locked);
    Map<Series.WindowRun, Double> aggregates = held.machine(List.of(), 0.9).aggregates();
    // What this thread waited while the test was at work is added.
    assertThat(aggregates.get(quick)).isBetween(1.5, 2.0);
    assertThat(aggregates.get(locked)).isLessThan(1);
    // A mark that could not be taken away was never begun.
    held.aggregated(quick);
  }
}
