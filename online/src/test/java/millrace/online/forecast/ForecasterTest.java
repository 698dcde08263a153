package millrace.online.forecast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import millrace.online.forecast.Forecast.Finding;
import millrace.online.report.Series;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

  /// Report E's own first set-up. 0.4 ms per million rows are 0.08 ms a second: 950 ms take 11,875
  /// s.
  @Test
  void aRunInOnePartitionHasATrendToo() {
    List<Forecast> forecasts = forecast(new Saw(1, HOUR, RATE, 50, 0.4, 0.1, 0).series(1));
    assertThat(forecasts).extracting(Forecast::finding).containsOnly(Finding.GROWS);
    assertThat(forecasts.getFirst().metAfterSeconds().orElseThrow()).isCloseTo(11_875, within(1.0));
    assertThat(forecasts.getFirst().sentence())
        .isEqualTo(
            "The write time grows by 288 ms per hour (288 to 288): the limit of 1 s is met after"
                + " about 3.3 hours (3.3 hours to 3.3 hours), at 2,380 million rows, if it"
                + " continues so. Whether a new partition makes it fall back takes two"
                + " partitions with 30 points each.");
    assertThat(forecasts.getFirst().caution())
        .isEqualTo("the write time grows: the limit of 1 s is met after about 3.3 hours");
  }

  /// As staged: 20 ms and 1 ms more each second, through both partitions.
  @Test
  void growthThatANewPartitionDoesNotResetIsNoSawTooth() {
    Forecast writes = forecast(ramp(615, 300, 20, 1, 3)).getFirst();
    assertThat(writes.finding()).isEqualTo(Finding.GROWS);
    assertThat(writes.metAfterSeconds().orElseThrow()).isCloseTo(980, within(20.0));
    assertThat(writes.sentence())
        .contains("the limit of 1 s is met after about 16 minutes")
        .endsWith(" A new partition does not make it fall back.");
    assertThat(writes.caution())
        .isEqualTo("the write time grows: the limit of 1 s is met after about 16 minutes");
  }

  /// Partitions that tell little of rows against time: the first has few points beside the second,
  /// or each is one point.
  @ParameterizedTest
  @CsvSource({"130, 20", "130, 10", "105, 10", "190, 70"})
  void growthIsToldThoughPartitionsAreTooShortToTellRowsFromTime(int seconds, int first) {
    Series ramp = ramp(seconds, 0, 20, 1, 3);
    List<Series.PartitionSwitch> switches = new ArrayList<>();
    switches.add(new Series.PartitionSwitch(0, "first"));
    for (int at = first; at < seconds; at += first == 10 && seconds == 130 ? 10 : seconds) {
      switches.add(new Series.PartitionSwitch(at, "p" + at));
    }
    Forecast writes = forecast(new Series(ramp.seconds(), List.of(), switches)).getFirst();
    assertThat(writes.finding()).as(writes.sentence()).isEqualTo(Finding.GROWS);
    assertThat(writes.metAfterSeconds().orElseThrow()).isCloseTo(980, within(250.0));
    assertThat(writes.caution()).startsWith("the write time grows: ");
    assertThat(writes.sentence())
        .endsWith("makes it fall back takes two partitions with 30 points each.");
  }

  @Test
  void growthWithoutAnyPartitionIsTold() {
    Series series = ramp(400, 0, 20, 1, 3);
    assertThat(series.switches()).isEmpty();
    Forecast writes = forecast(series).getFirst();
    assertThat(writes.finding()).isEqualTo(Finding.GROWS);
    assertThat(writes.metAfterSeconds().orElseThrow()).isCloseTo(980, within(20.0));
    assertThat(writes.sentence()).endsWith("if it continues so.");
  }

  /// A saw whose teeth are right, and whose foot rises: 1 s at the top of a tooth.
  @Property(tries = 200)
  void whatATeethOfASawAndItsFootGrowByIsToldApart(
      @ForAll @DoubleRange(min = 0, max = 0.5) double tooth,
      @ForAll @DoubleRange(min = 0.05, max = 0.5) double foot) {
    double[] at = new double[100];
    double[] rows = new double[100];
    double[] times = new double[100];
    for (int i = 0; i < at.length; i++) {
      at[i] = 10 * i + 5;
      rows[i] = at[i] % 250;
      times[i] = 20 + tooth * rows[i] + foot * at[i];
    }
    OverTime growth = OverTime.of(new Points(rows, at, times), true, 1000).orElseThrow();
    assertThat(growth.perSecond()).isCloseTo(foot, within(1e-9));
    double top = 20 + tooth * 245;
    assertThat(growth.seconds()).isCloseTo((1000 - top) / foot, within(1e-3));
  }

  @Test
  void aSawToothThatIsResetIsNoGrowthOverTimeAndNoiseNeither() {
    int grows = 0;
    for (int seed = 0; seed < 200; seed++) {
      grows += grows(new Saw(3, 600, RATE, 50, 0.4, 0, 20).series(seed));
      grows += grows(new Saw(2, 600, RATE, 50, 0.4, 0, 20).series(seed));
      grows += grows(new Saw(1, 600, RATE, 50, 0, 0, 20).series(seed));
    }
    // By chance half a percent does, and neighbours depend on each other.
    assertThat(grows).isLessThanOrEqualTo(9);
  }

  private static int grows(Series series) {
    return forecast(series).getFirst().finding() == Finding.GROWS ? 1 : 0;
  }

  @Test
  void aStepBetweenTwoPartitionsIsNoGrowth() {
    Series fast = new Saw(1, 900, RATE, 50, 0, 0, 2).series(1);
    Series slow = new Saw(1, 900, RATE, 80, 0, 0, 2).series(2);
    assertThat(forecast(behind(fast, slow)).getFirst().finding()).isEqualTo(Finding.NO_TREND);
  }

  @Test
  void aStartDelayThatGrowsIsToldThoughItsWritesDoNot() {
    // Writes that take a little longer than a second.
    List<Series.Second> seconds = new ArrayList<>();
    for (int i = 0; i < 120; i++) {
      seconds.add(new Series.Second(i, RATE, 0, Series.StartDelay.of(5.0 * i), 1_005, 1_005, 0, 0));
    }
    List<Forecast> forecasts = forecast(new Series(seconds, List.of(), List.of()));
    assertThat(forecasts.getFirst().caution())
        .isEqualTo("the start delay grows: the limit of 1 s is met after about 3.3 minutes");
  }

  @Test
  void aRunOfTwoSecondsHasAForecastThatSaysSo() {
    ForecastConfig brief = new ForecastConfig(RATE, 1_000, 60, 1, 4);
    assertThat(Forecaster.of(late(2, 8), brief))
        .extracting(Forecast::finding)
        .containsExactly(Finding.UNKNOWN);
  }

  /// Others take more and more of the processors.
  @Test
  void whatClientsAreLateByThemselvesIsNoGrowth() {
    List<Series.Second> seconds = new ArrayList<>();
    for (int i = 0; i < 120; i++) {
      double late = 10 + i;
      Series.StartDelay own = new Series.StartDelay(late, late, late - 5);
      seconds.add(new Series.Second(i, RATE, 0, own, 50, 50, 0, 0));
    }
    assertThat(forecast(new Series(seconds, List.of(), List.of())))
        .extracting(Forecast::quantity)
        .containsExactly("write time");
  }

  /// A run that is too short for other forecasts, and whose limit is met soon after it.
  @Test
  void aStartDelayThatGrowsIsToldInAShortRunToo() {
    for (int length : List.of(30, 45, 60, 99)) {
      List<Forecast> forecasts = forecast(late(length, 8));
      assertThat(forecasts.getFirst().caution())
          .as("%d s", length)
          .isEqualTo("the start delay grows: the limit of 1 s is met after about 2.1 minutes");
    }
    // Too short to judge a backlog, and a growth that so short a run does not tell of.
    assertThat(forecast(late(29, 8)).getFirst().quantity()).isEqualTo("write time");
    assertThat(forecast(late(45, 0.5)).getFirst().quantity()).isEqualTo("write time");
    // A start that was late once is no growth.
    List<Series.Second> once = new ArrayList<>();
    for (int i = 0; i < 45; i++) {
      once.add(
          new Series.Second(i, RATE, 0, Series.StartDelay.of(i == 40 ? 400 : 3), 50, 50, 0, 0));
    }
    Series spike = new Series(once, List.of(), List.of());
    assertThat(forecast(spike).getFirst().quantity()).isEqualTo("write time");
  }

  /// @param perSecond by how many milliseconds more each second begins late
  private static Series late(int count, double perSecond) {
    Random random = new Random(count);
    List<Series.Second> seconds = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      double delay = Math.max(0, 1 + perSecond * i + random.nextGaussian());
      seconds.add(new Series.Second(i, RATE, 0, Series.StartDelay.of(delay), 999, 999, 0, 0));
    }
    return new Series(seconds, List.of(), List.of());
  }

  /// @param partition seconds; 0 for none
  private static Series ramp(int count, int partition, double base, double perSecond, int seed) {
    Random random = new Random(seed);
    List<Series.Second> seconds = new ArrayList<>();
    List<Series.PartitionSwitch> switches = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      if (partition > 0 && i % partition == 0) {
        switches.add(new Series.PartitionSwitch(i, "p" + i));
      }
      double write = base + perSecond * i + 5 * random.nextGaussian();
      seconds.add(new Series.Second(i, RATE, 0, Series.StartDelay.of(1), write, write, 0, 0));
    }
    return new Series(seconds, List.of(), switches);
  }

  @Test
  void aRunThatIsTooShortSaysHowManyPointsItTakes() {
    List<Forecast> forecasts = forecast(new Saw(2, 49, RATE, 50, 0.4, 0, 2).series(1));
    assertThat(forecasts.getFirst().sentence())
        .isEqualTo(
            "The write time can't be forecast: that takes 10 points over time, and there were 8.");
    assertThat(forecasts.getLast().sentence())
        .isEqualTo(
            "The time of a minute aggregate can't be forecast: that takes 10 points over time, and"
                + " there were 2.");
  }

  @Test
  void partitionsThatAreTooShortAreNotLookedAtByThemselves() {
    // 299 s are 29 blocks of 10 s.
    assertThat(forecast(new Saw(5, 299, RATE, 50, 4, 0, 2).series(1)).getFirst().finding())
        .isEqualTo(Finding.NO_TREND);
    assertThat(forecast(new Saw(5, 300, RATE, 50, 4, 0, 2).series(1)).getFirst().finding())
        .isEqualTo(Finding.BEYOND_PARTITION);
  }

  /// 1 ms more each second, and others on the machine that make some writes longer by a second.
  @Test
  void aGrowthThatNoiseMayHideIsNotDenied() {
    List<Series.Second> seconds = new ArrayList<>();
    for (int i = 0; i < 180; i++) {
      double time = 50 + i + (i / 10 % 3 == 0 ? 1_000 : 0);
      seconds.add(new Series.Second(i, RATE, 0, Series.StartDelay.of(1), time, time, 0, 0));
    }
    Forecast writes = forecast(new Series(seconds, List.of(), List.of())).getFirst();
    assertThat(writes.finding()).isEqualTo(Finding.NO_TREND);
    assertThat(writes.sentence())
        .startsWith("The write time shows no growth over the run: ")
        .contains("; a growth of ")
        .containsPattern("would meet the limit of 1 s after about [0-9.]+ minutes\\.$");
    // Figures that hardly vary say more.
    List<Series.Second> even = new ArrayList<>();
    for (int i = 0; i < 180; i++) {
      even.add(new Series.Second(i, RATE, 0, Series.StartDelay.of(1), 50, 50, 0, 0));
    }
    assertThat(forecast(new Series(even, List.of(), List.of())).getFirst().sentence())
        .isEqualTo("The write time shows no growth over the run: 0 ms per hour (0 to 0).");
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
    assertThat(forecast(once).getFirst().finding()).isEqualTo(Finding.GROWS);
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
