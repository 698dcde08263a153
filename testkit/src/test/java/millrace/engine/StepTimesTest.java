package millrace.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import millrace.report.Report;
import org.junit.jupiter.api.Test;

/// The table of steps: each stands there once, and its time belongs to no other.
class StepTimesTest {

  @Test
  void aStepWithinAnotherStandsByItselfAndItsTimeCountsOnce() {
    Steps steps = new Steps();
    long start = System.nanoTime();
    steps.time("outer", 1, () -> steps.time("inner", 3, () -> spin(20_000_000)));
    long whole = System.nanoTime() - start;
    List<Report.Step> list = steps.list();
    assertThat(list).extracting(Report.Step::name).containsExactly("inner", "outer");
    assertThat(list.getFirst().concurrency()).isEqualTo(3);
    assertThat(list.getFirst().nanos()).isGreaterThanOrEqualTo(20_000_000);
    assertThat(list.getFirst().nanos() + list.getLast().nanos()).isLessThanOrEqualTo(whole);
  }

  @Test
  void aStepThatFailsIsTimedToo() {
    Steps steps = new Steps();
    assertThatThrownBy(() ->
            steps.time(
                "fails",
                1,
                () -> {
                  throw new IllegalStateException("so");
                }))
        .hasMessage("so");
    assertThat(steps.list()).extracting(Report.Step::name).containsExactly("fails");
  }

  private static void spin(long nanos) {
    long start = System.nanoTime();
    while (System.nanoTime() - start < nanos) {
      Thread.onSpinWait();
    }
  }
}
