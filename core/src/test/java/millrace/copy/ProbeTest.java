package millrace.copy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import millrace.engine.meter.Meter;
import millrace.plan.Lanes;
import org.junit.jupiter.api.Test;

final class ProbeTest {

  private static int measured(AtomicInteger times, long takesMs) {
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(takesMs));
    return times.incrementAndGet();
  }

  @Test
  void aRateIsCountedFromBatchToBatchSinceATargetMayTakeSecondsForOne() throws Exception {
    Meter meter = new Meter(Lanes.fixed(1, ""));
    CountDownLatch ended = new CountDownLatch(1);
    Thread lane =
        Thread.ofPlatform()
            .start(() -> {
              LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));
              meter.writer(0).passed(5, 0);
            });
    assertThat(Probe.nextRows(meter, ended).rows()).isEqualTo(5);
    lane.join();
    ended.countDown();
    assertThat(Probe.nextRows(meter, ended).rows()).isEqualTo(5);
  }

  @Test
  void whatIsOverSoonIsMeasuredAgainAndCountsWhenItIsWarm() {
    AtomicInteger times = new AtomicInteger();
    int counted = Probe.warm(() -> measured(times, 400));
    assertThat(counted).isEqualTo(times.get()).isGreaterThan(1);
    assertThat(Probe.warm(() -> measured(new AtomicInteger(), 1600))).isEqualTo(1);
  }
}
