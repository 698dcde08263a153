package millrace.report.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import millrace.report.host.ProcessWaits.Work;
import millrace.spi.HostLocation;
import org.junit.jupiter.api.Test;

/// For how long a call waited for a processor in its target, by what was seen of the target's
/// processes. Times are in milliseconds.
final class ProcessWaitsTest {

  private static final long LOOK = 500;

  private final ProcessWaits waits = new ProcessWaits(new Proc(Path.of("/nowhere")));

  /// One more look of all processes: each has its number, and ran and waited for so long.
  private void look(int number, Map<Integer, Work> work) {
    Map<Integer, Work> nanos = new HashMap<>();
    work.forEach((id, each) -> nanos.put(id, new Work(each.ran() * 1e6, each.waited() * 1e6)));
    waits.add(number * LOOK * 1_000_000, (number + 1) * LOOK * 1_000_000, nanos);
  }

  private double held(long from, long to) {
    return waits.heldNanos(from * 1_000_000, to * 1_000_000) / 1e6;
  }

  @Test
  void aCallThatWantedAProcessorAllTheTimeWasHeldUpByWhatItWaited() {
    for (int i = 0; i < 4; i++) {
      look(i, Map.of(7, new Work(200, 300), 8, new Work(100, 0)));
    }
    assertThat(held(0, 2_000)).isEqualTo(1_200);
    assertThat(held(250, 1_250)).isEqualTo(600);
  }

  /// A session waits for a lock, and five others write for a third of the time, on processors that
  /// others keep busy.
  @Test
  void aCallThatWaitsForALockIsNotHeldUpByWhatOthersWaited() {
    for (int i = 0; i < 20; i++) {
      Work writes = new Work(70, 100);
      look(i, Map.of(1, writes, 2, writes, 3, writes, 4, writes, 5, writes, 6, new Work(0, 0)));
    }
    assertThat(held(0, 10_000)).isZero();
  }

  @Test
  void ofSeveralProcessesThatWantedOneTheLongestWaitIsTaken() {
    look(0, Map.of(1, new Work(400, 100), 2, new Work(200, 300), 3, new Work(0, 200)));
    assertThat(held(0, 500)).isEqualTo(300);
  }

  /// Several threads of a server carry out one call after the other, or at once.
  @Test
  void aProcessWithManyThreadsHoldsUpNoMoreThanTheCallTook() {
    look(0, Map.of(1, new Work(500, 1_500)));
    assertThat(held(0, 500)).isEqualTo(375);
  }

  @Test
  void whatTheLastLookHasNotSeenIsLikeTheRest() {
    look(0, Map.of(1, new Work(200, 300)));
    look(1, Map.of(1, new Work(200, 300)));
    assertThat(held(0, 1_250)).isEqualTo(750);
    assertThat(held(900, 2_000)).as("most of it is not known").isZero();
    assertThat(held(3_000, 4_000)).isZero();
  }

  /// A target in this process is seen as this process.
  @Test
  void whereThereIsNoTargetToSeeNothingIsKnown() {
    try (ProcessWaits none = ProcessWaits.of(HostLocation.NOWHERE)) {
      none.start();
      assertThat(none.heldNanos(0, System.nanoTime())).isZero();
    }
  }
}
