package millrace.engine.meter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

/// The table of steps: each stands there once, and its time belongs to no other.
class PhaseTimesTest {

  @Test
  void aStepWithinAnotherStandsByItselfAndItsTimeCountsOnce() {
    PhaseLog phaseLog = new PhaseLog();
    long start = System.nanoTime();
    phaseLog.time("outer", 1, () -> phaseLog.time("inner", 3, () -> spin(20_000_000)));
    long whole = System.nanoTime() - start;
    List<PhaseLog.Phase> list = phaseLog.list();
    assertThat(list).extracting(PhaseLog.Phase::name).containsExactly("inner", "outer");
    assertThat(list.getFirst().concurrency()).isEqualTo(3);
    assertThat(list.getFirst().nanos()).isGreaterThanOrEqualTo(20_000_000);
    assertThat(list.getFirst().nanos() + list.getLast().nanos()).isLessThanOrEqualTo(whole);
  }

  @Test
  void aStepThatFailsIsTimedToo() {
    PhaseLog phaseLog = new PhaseLog();
    assertThatThrownBy(() ->
            phaseLog.time(
                "fails",
                1,
                () -> {
                  throw new IllegalStateException("so");
                }))
        .hasMessage("so");
    assertThat(phaseLog.list()).extracting(PhaseLog.Phase::name).containsExactly("fails");
  }

  private static void spin(long nanos) {
    long start = System.nanoTime();
    while (System.nanoTime() - start < nanos) {
      Thread.onSpinWait();
    }
  }
}
