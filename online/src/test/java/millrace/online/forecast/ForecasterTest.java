package millrace.online.forecast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import millrace.online.forecast.Forecast.Finding;
import millrace.online.report.Series;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import org.junit.jupiter.api.Test;

/// Forecasts of runs of which the slope is known.
final class ForecasterTest {

  private static final long RATE = 200_000;

  /// 720 million rows: at 200,000 rows/s one hour.
  private static final int HOUR = 3600;

  @Test
  void aLimitThatPartitionsDoNotComeToIsBeyondThem() {
    // 1 s at (1000 - 50) / 0.45 = 2,111 million rows.
    Forecast writes = forecast(new Saw(4, HOUR, RATE, 50, 0.45, 0, 0).series(1)).getFirst();
    assertThat(writes.finding()).isEqualTo(Finding.BEYOND_PARTITION);
    Growth growth = writes.growth().orElseThrow();
    assertThat(growth.slope() * 1e6).isCloseTo(0.45, within(1e-6));
    assertThat(growth.rows()).isCloseTo(2_111e6, within(1e6));
    assertThat(growth.hours()).isCloseTo(2.93, within(0.01));
    assertThat(growth.partitionRows()).isEqualTo(720e6);
    assertThat(writes.sentence())
        .isEqualTo(
            "The write time grows by 0.45 ms per million rows in a partition (0.45 to 0.45): the"
                + " limit of 1 s would be met at 2,110 million rows (2,110 to 2,110),"
                + " after 2.9 hours; partitions end before that, at 720 million"
                + " rows.");
  }

  @Test
  void aLimitThatAPartitionComesToIsMet() {
    // 1 minute at 58 / 0.1 = 580 million rows.
    List<Forecast> forecasts = forecast(new Saw(3, HOUR, RATE, 50, 0, 0.1, 2).series(7));
    assertThat(forecasts.getFirst().finding()).isEqualTo(Finding.NO_TREND);
    Forecast aggregates = forecasts.getLast();
    assertThat(aggregates.quantity()).isEqualTo("time of a minute aggregate");
    assertThat(aggregates.finding()).isEqualTo(Finding.MEETS_LIMIT);
    Growth growth = aggregates.growth().orElseThrow();
    assertThat(growth.rowsLow()).isLessThan(580e6);
    assertThat(growth.rowsHigh()).isGreaterThan(580e6);
    assertThat(growth.hours()).isCloseTo(0.8, within(0.02));
    assertThat(aggregates.sentence())
        .startsWith(
            "The time of a minute aggregate grows by 0.10 s per million rows in a partition")
        .contains("the limit of 60 s is met at 58")
        .endsWith("after 48 minutes; partitions get 720 million rows.");
  }

  /// The interval is one of 95 %, so the test allows for some misses.
  @Test
  void theIntervalHoldsTheTrueSlopeThoughSecondsDependOnEachOther() {
    int held = 0;
    for (int seed = 0; seed < 200; seed++) {
      Series series = new Saw(3, 900, RATE, 50, 0.4, 0, 20).series(seed);
      Growth growth = forecast(series).getFirst().growth().orElseThrow();
      held += growth.slopeLow() * 1e6 <= 0.4 && growth.slopeHigh() * 1e6 >= 0.4 ? 1 : 0;
    }
    assertThat(held).isGreaterThanOrEqualTo(180);
  }

  @Test
  void noiseAloneIsNoTrend() {
    int without = 0;
    for (int seed = 0; seed < 200; seed++) {
      Forecast writes = forecast(new Saw(3, 900, RATE, 50, 0, 0, 20).series(seed)).getFirst();
      without += writes.finding() == Finding.NO_TREND ? 1 : 0;
    }
    // A slope above 0 by chance is expected in 5 of 200, and its limit is far off.
    assertThat(without).isGreaterThanOrEqualTo(190);
  }

  @Test
  void aConstantTimeIsNoTrend() {
    Forecast writes = forecast(new Saw(3, 900, RATE, 50, 0, 0, 0).series(1)).getFirst();
    assertThat(writes.finding()).isEqualTo(Finding.NO_TREND);
    assertThat(writes.growth()).isEmpty();
    assertThat(writes.sentence())
        .isEqualTo(
            "The write time does not grow with the rows in a partition: 0 ms per million rows (0 to"
                + " 0).");
  }

  @Test
  void aTimeThatFallsIsNoTrend() {
    Forecast writes = forecast(new Saw(3, 900, RATE, 500, -1, 0, 2).series(1)).getFirst();
    assertThat(writes.finding()).isEqualTo(Finding.NO_TREND);
    assertThat(writes.sentence())
        .isEqualTo("The write time does not grow with the rows in a partition: it falls.");
  }

  @Test
  void onePartitionIsNotEnough() {
    List<Forecast> forecasts = forecast(new Saw(1, HOUR, RATE, 50, 0.4, 0.1, 2).series(1));
    assertThat(forecasts).extracting(Forecast::finding).containsOnly(Finding.UNKNOWN);
    assertThat(forecasts.getFirst().sentence())
        .isEqualTo(
            "The write time can't be forecast: that takes two partitions that are long enough, and"
                + " there was 1.");
  }

  @Test
  void partitionsThatAreTooShortAreNotLookedAt() {
    // 299 s are 29 blocks of 10 s.
    assertThat(forecast(new Saw(5, 299, RATE, 50, 0.4, 0, 2).series(1)).getFirst().finding())
        .isEqualTo(Finding.UNKNOWN);
    assertThat(forecast(new Saw(5, 300, RATE, 50, 4, 0, 2).series(1)).getFirst().finding())
        .isNotEqualTo(Finding.UNKNOWN);
  }

  @Test
  void partitionsThatContradictEachOtherTellNothing() {
    Series steep = new Saw(1, 900, RATE, 50, 2, 0, 2).series(1);
    Series flat = new Saw(1, 900, RATE, 50, 0.1, 0, 2).series(2);
    Forecast writes = forecast(behind(steep, flat)).getFirst();
    assertThat(writes.finding()).isEqualTo(Finding.UNKNOWN);
    assertThat(writes.sentence())
        .contains("the partitions contradict each other, from 0.")
        .contains(" to 2.0 ms");
  }

  @Test
  void whatComesBeforeTheFirstSwitchIsLeftOut() {
    Series series = new Saw(3, 900, RATE, 50, 0.4, 0, 0).series(1);
    List<Series.PartitionSwitch> switches = series.switches().subList(1, 3);
    Series later = new Series(series.seconds(), series.windows(), switches);
    assertThat(Partition.of(later)).hasSize(2);
    assertThat(Partition.of(later).getFirst().seconds().getFirst().second()).isEqualTo(900);
    Series once = new Series(series.seconds(), series.windows(), switches.subList(1, 2));
    assertThat(forecast(once).getFirst().finding()).isEqualTo(Finding.UNKNOWN);
  }

  @Test
  void aggregatesThatFailedOrWereRepeatedAreLeftOut() {
    Series series = new Saw(2, HOUR, RATE, 50, 0, 0.05, 0).series(1);
    List<Series.WindowRun> windows = new ArrayList<>(series.windows());
    windows.add(new Series.WindowRun("minute", "w", 100, 900, 1, true, false, ""));
    windows.add(new Series.WindowRun("minute", "w", 200, 900, 1, false, false, "out of memory"));
    windows.add(new Series.WindowRun("hour", "h", 200, 900, 1, false, false, ""));
    Series more = new Series(series.seconds(), windows, series.switches());
    Growth growth = forecast(more).getLast().growth().orElseThrow();
    assertThat(growth.slope() * 1e6).isCloseTo(0.05, within(1e-6));
  }

  @Test
  void aRunWithoutAggregatesHasOneForecast() {
    Series series = new Saw(2, 900, RATE, 50, 0, 0, 0).series(1);
    Series without = new Series(series.seconds(), List.of(), series.switches());
    assertThat(forecast(without)).hasSize(1);
    assertThat(forecast(new Series(List.of(), List.of(), List.of()))).hasSize(1);
  }

  @Test
  void aLimitThatIsMetFromTheBeginIsSaidSo() {
    Forecast writes = forecast(new Saw(2, 900, RATE, 1500, 0.4, 0, 0).series(1)).getFirst();
    assertThat(writes.finding()).isEqualTo(Finding.MEETS_LIMIT);
    assertThat(writes.sentence()).endsWith("the limit of 1 s is met from the first row on.");
  }

  @Property(tries = 200)
  void aKnownSlopeIsFound(
      @ForAll @DoubleRange(min = 0.05, max = 5) double slope,
      @ForAll @DoubleRange(min = 0, max = 500) double base) {
    Series series = new Saw(3, 600, RATE, base, slope, 0, 0).series(1);
    Growth growth = forecast(series).getFirst().growth().orElseThrow();
    assertThat(growth.slope() * 1e6).isCloseTo(slope, within(1e-6));
    double met = (1000 - base) / slope * 1e6;
    assertThat(growth.rows()).isCloseTo(met, within(met * 1e-6));
    assertThat(growth.isWithinPartition()).isEqualTo(growth.rowsLow() <= 600.0 * RATE);
  }

  private static List<Forecast> forecast(Series series) {
    return Forecaster.of(series, ForecastConfig.of(RATE));
  }

  /// The second run after the first.
  private static Series behind(Series first, Series second) {
    int offset = first.seconds().size();
    List<Series.Second> seconds = new ArrayList<>(first.seconds());
    for (Series.Second each : second.seconds()) {
      seconds.add(
          new Series.Second(
              each.second() + offset,
              each.rows(),
              0,
              each.startDelay(),
              each.writeMean(),
              each.writeMax(),
              0,
              0));
    }
    List<Series.PartitionSwitch> switches = new ArrayList<>(first.switches());
    switches.add(new Series.PartitionSwitch(offset, "later"));
    return new Series(seconds, List.of(), switches);
  }
}
