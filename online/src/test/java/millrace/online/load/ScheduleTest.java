package millrace.online.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import millrace.spi.online.Window;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// When things are due.
final class ScheduleTest {

  private static final LocalDateTime CLOCK = LocalDateTime.parse("2019-04-01T23:55:00");
  private static final long MICROS = CLOCK.toEpochSecond(ZoneOffset.UTC) * 1_000_000;

  @Property(tries = 200)
  void aSecondIsDueWhenTheDatasClockShowsIt(
      @ForAll @LongRange(min = 0, max = 700_000) long second, @ForAll long start) {
    Schedule schedule = new Schedule(start, MICROS, 700_000);
    assertThat(schedule.nanosAt(schedule.micros(second))).isEqualTo(schedule.dueNanos(second));
    assertThat(schedule.dueNanos(second) - start).isEqualTo(second * 1_000_000_000);
  }

  @Test
  void itSpansItsSeconds() {
    Schedule schedule = new Schedule(5, MICROS, 90);
    assertThat(schedule.span()).isEqualTo(new Window(MICROS, MICROS + 90_000_000));
    assertThat(schedule.endNanos()).isEqualTo(90_000_000_005L);
  }

  @Test
  void itBeginsInAMoment() {
    Schedule schedule = Schedule.starting(TimeUnit.HOURS.toNanos(1), CLOCK, 10);
    assertThat(schedule.elapsed()).isBetween(-3600.0, -3000.0);
    assertThat(schedule.nowMicros()).isLessThan(MICROS);
  }

  @Test
  void nobodyIsWokenTooEarly() {
    for (long millis : new long[] {0, 1, 7, 30}) {
      long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
      assertThat(Schedule.sleepUntil(until)).isTrue();
      assertThat(System.nanoTime() - until).isNotNegative();
    }
  }

  @Test
  void anInterruptEndsTheWaitAndStaysSet() {
    Thread.currentThread().interrupt();
    assertThat(Schedule.sleepUntil(System.nanoTime() + TimeUnit.HOURS.toNanos(1))).isFalse();
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  @Timeout(60)
  void aClockThreadEndsWithoutAnInterrupt() throws InterruptedException {
    CountDownLatch waits = new CountDownLatch(1);
    AtomicBoolean interrupted = new AtomicBoolean();
    ClockThread clock =
        ClockThread.start(
            "test",
            self -> {
              waits.countDown();
              while (self.sleepUntil(System.nanoTime() + TimeUnit.HOURS.toNanos(1))) {
                waits.countDown();
              }
              interrupted.set(Thread.currentThread().isInterrupted());
            });
    waits.await();
    clock.end();
    clock.join();
    assertThat(interrupted).isFalse();
  }
}
