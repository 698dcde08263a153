package millrace.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

final class ProbeTest {

  private static int measured(AtomicInteger times, long takesMs) {
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(takesMs));
    return times.incrementAndGet();
  }

  @Test
  void whatIsOverSoonIsMeasuredAgainAndCountsWhenItIsWarm() {
    AtomicInteger times = new AtomicInteger();
    int counted = Probe.warm(() -> measured(times, 400));
    assertThat(counted).isEqualTo(times.get()).isGreaterThan(1);
    assertThat(Probe.warm(() -> measured(new AtomicInteger(), 1600))).isEqualTo(1);
  }
}
