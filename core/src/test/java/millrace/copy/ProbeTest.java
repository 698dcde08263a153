package millrace.copy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import millrace.engine.meter.Meter;
import millrace.plan.Lanes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ProbeTest {

  private static Probe.Span spanOf(long warmUpMs) {
    return new Probe.Span(warmUpMs, 0, 0);
  }

  private static int measured(AtomicInteger times, long takesMs) {
    long ends = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(takesMs);
    for (long left = ends - System.nanoTime(); left > 0; left = ends - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
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
    assertThat(Probe.nextRows(meter, ended, 10_000).rows()).isEqualTo(5);
    lane.join();
    ended.countDown();
    assertThat(Probe.nextRows(meter, ended, 10_000).rows()).isEqualTo(5);
  }

  @Test
  void whatIsOverSoonIsMeasuredAgainAndCountsWhenItIsWarm() {
    // A machine that stands still for longer than the warm-up measures once: then more time is
    // given.
    int counted = 1;
    for (long warmUpMs = 100; counted == 1; warmUpMs *= 2) {
      AtomicInteger times = new AtomicInteger();
      counted = Probe.warm(spanOf(warmUpMs), () -> measured(times, 10));
      assertThat(counted).isEqualTo(times.get());
    }
    AtomicInteger once = new AtomicInteger();
    assertThat(Probe.warm(spanOf(10), () -> measured(once, 50))).isEqualTo(1);
  }

  /// The beginning is as it was seen; what comes after that goes at a rate.
  @ParameterizedTest
  @CsvSource({"0, 0.5", "50, 0.75", "100, 1", "300, 2", "500, 4"})
  void whatAnAmountTakesIsReadFromTheCourseAndThenFromTheRate(long rows, double seconds) {
    List<Probe.Count> course =
        List.of(
            new Probe.Count(7_000_000_000L, 0, 0, 0),
            new Probe.Count(7_500_000_000L, 0, 0, 0),
            new Probe.Count(8_000_000_000L, 100, 0, 0),
            new Probe.Count(9_000_000_000L, 300, 0, 0));
    Probe.Rate rate = new Probe.Rate(200, 0, 0, course);
    assertThat(rate.secondsUntil(Probe.Count::rows, rows, 100)).isEqualTo(seconds);
  }

  @Test
  void aRateIsSeenInParts() {
    List<Probe.Count> course =
        List.of(
            new Probe.Count(0, 0, 0, 0),
            new Probe.Count(1_000_000_000L, 100, 0, 0),
            new Probe.Count(1_250_000_000L, 200, 0, 0),
            new Probe.Count(1_500_000_000L, 250, 0, 0));
    assertThat(new Probe.Rate(0, 0, 0, course).rates(1000, 250)).containsExactly(400.0, 200.0);
    assertThat(new Probe.Rate(0, 0, 0, course).rates(1500, 250)).isEmpty();
  }

  /// The more the looks differ, the wider; nobody is sure of what was seen once.
  @Test
  void whatLooksSayOfARateIsAsSureAsTheyAreAlike() {
    double alike = new RateSpread(List.of(100.0, 100.0, 100.0)).unsure();
    double apart = new RateSpread(List.of(60.0, 140.0, 100.0)).unsure();
    assertThat(alike).isPositive().isLessThan(apart);
    assertThat(apart).isLessThan(1);
    assertThat(new RateSpread(List.of(100.0)).unsure()).isGreaterThan(alike);
    assertThat(new RateSpread(List.of()).unsure()).isGreaterThan(alike);
  }
}
