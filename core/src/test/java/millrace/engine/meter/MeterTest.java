package millrace.engine.meter;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import millrace.plan.Lanes;
import org.junit.jupiter.api.Test;

class MeterTest {

  /// A lane that waits for its turn ends at once if the others have done all there was.
  @Test
  void ofAWaitThatEndsBeforeItsTimeOnlyWhatWasWaitedIsLost() {
    Meter meter = new Meter(Lanes.fixed(1, ""));
    long hour = Duration.ofHours(1).toNanos();
    long again = Duration.ofHours(2).toNanos();
    meter.beginWait(0, "no connection", hour, 2, hour + again);
    meter.endWait(0);
    assertThat(meter.retries())
        .singleElement()
        .satisfies(retry -> {
          assertThat(retry.count()).isEqualTo(1);
          assertThat(retry.nanos()).isBetween(again, again + hour / 2);
        });
  }
}
