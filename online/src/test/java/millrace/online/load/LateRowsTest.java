package millrace.online.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import millrace.online.job.OnlineJob;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Which rows come late, and how late.
final class LateRowsTest {

  private static LateRows late(double share, int meanSeconds, long seed) {
    Duration hour = Duration.ofHours(1);
    return new LateRows(
        new OnlineJob.Late(share, Duration.ofSeconds(meanSeconds), hour, hour),
        new SplittableRandom(seed));
  }

  private record Row(long device, long time, long load) {}

  @Property(tries = 100)
  void everyRowComesOutOnce(
      @ForAll @DoubleRange(min = 0, max = 1) double share,
      @ForAll @IntRange(min = 1, max = 40) int mean,
      @ForAll long seed) {
    LateRows late = late(share, mean, seed);
    Set<Row> kept = new HashSet<>();
    Set<Row> out = new HashSet<>();
    for (long second = 0; second <= 60; second++) {
      for (long device = 0; device < 20; device++) {
        Row row = new Row(device, second, second * 1_000 + device);
        if (second < 60 && late.keepsBack(second, device, second, row.load())) {
          kept.add(row);
        }
      }
      long until = second == 60 ? Long.MAX_VALUE : second;
      for (LateRows.Batch batch = late.next(until); batch != null; batch = late.next(until)) {
        for (int i = 0; i < batch.rows(); i++) {
          Row row = new Row(batch.device(i), batch.time(i), batch.load(i));
          assertThat(out.add(row)).as("%s comes once", row).isTrue();
          assertThat(row.time()).as("is late").isLessThan(second);
        }
      }
    }
    assertThat(out).isEqualTo(kept);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 10, 30})
  void shareAndMeanAreThoseOfTheJob(int mean) {
    int rows = 200_000;
    LateRows late = late(0.05, mean, 7);
    for (int i = 0; i < rows; i++) {
      late.keepsBack(0, i, 0, 0);
    }
    long kept = 0;
    double seconds = 0;
    for (long second = 0; second < 10_000; second++) {
      LateRows.Batch batch = late.next(second);
      kept += batch == null ? 0 : batch.rows();
      seconds += batch == null ? 0 : (double) batch.rows() * second;
    }
    assertThat(kept / (double) rows).isCloseTo(0.05, within(0.003));
    assertThat(seconds / kept).isCloseTo(mean, within(0.05 * mean));
  }

  @Test
  void nothingIsLateIfNothingIsToBe() {
    LateRows late = late(0, 10, 1);
    for (int i = 0; i < 10_000; i++) {
      assertThat(late.keepsBack(i, i, i, i)).isFalse();
    }
    assertThat(late.next(Long.MAX_VALUE)).isNull();
  }
}
