package millrace.online.forecast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/// Slopes and their intervals.
final class TrendTest {

  /// Anscombe's first quartet, as every statistics package gives it: 0.5001 with an error of
  /// 0.1179.
  @Test
  void theIntervalIsThatOfATextbook() {
    double[] x = {10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5};
    double[] y = {8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68};
    Trend trend = Trend.of(x, y);
    assertThat(trend.slope()).isCloseTo(0.5001, within(1e-4));
    assertThat(trend.error()).isCloseTo(0.1179, within(1e-4));
    // Student's t with 9 degrees of freedom is 2.262.
    assertThat(trend.low()).isCloseTo(0.2334, within(1e-3));
    assertThat(trend.high()).isCloseTo(0.7668, within(1e-3));
    assertThat(trend.grows()).isTrue();
    assertThat(trend.falls()).isFalse();
  }

  @Property
  void anExactLineHasNoInterval(
      @ForAll @DoubleRange(min = -100, max = 100) double slope,
      @ForAll @IntRange(min = 3, max = 50) int points) {
    double[] x = new double[points];
    double[] y = new double[points];
    for (int i = 0; i < points; i++) {
      x[i] = i;
      y[i] = 7 + slope * i;
    }
    Trend trend = Trend.of(x, y);
    assertThat(trend.low()).isCloseTo(slope, within(1e-6));
    assertThat(trend.high()).isCloseTo(slope, within(1e-6));
  }

  @Test
  void theIntervalHoldsTheSlopeInNinetyFiveOfAHundredCases() {
    int held = 0;
    for (int seed = 0; seed < 2000; seed++) {
      Trend trend = noisy(seed, 3, 12, 20);
      held += trend.low() <= 3 && trend.high() >= 3 ? 1 : 0;
    }
    assertThat(held).isBetween(1860, 1940);
  }

  @Test
  void twoPointsAreTooFew() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Trend.of(new double[] {1, 2}, new double[] {1, 2}));
  }

  @Test
  void blocksThatAreNotFullAreLeftOut() {
    assertThat(BlockMeans.means(new double[] {1, 3, 5, 7, 100}, 2)).containsExactly(2, 6);
    assertThat(BlockMeans.means(new double[] {1}, 2)).isEmpty();
  }

  @Test
  void slopesThatAgreeArePooledToASurerOne() {
    List<Trend> trends = List.of(noisy(1, 3, 50, 20), noisy(2, 3, 50, 20), noisy(3, 3, 50, 20));
    PooledTrend pooled = PooledTrend.of(trends);
    assertThat(pooled.contradicts()).isFalse();
    assertThat(pooled.slope()).isCloseTo(3, within(0.3));
    assertThat(pooled.high() - pooled.low())
        .isLessThan(trends.getFirst().high() - trends.getFirst().low());
  }

  @Test
  void slopesThatDifferALittleAreNoContradictionAndMakeAWiderInterval() {
    PooledTrend pooled = PooledTrend.of(List.of(noisy(1, 3, 50, 0.1), noisy(2, 4, 50, 0.1)));
    assertThat(pooled.contradicts()).isFalse();
    assertThat(pooled.slope()).isCloseTo(3.5, within(0.1));
    assertThat(pooled.low()).isCloseTo(3, within(0.1));
    assertThat(pooled.high()).isCloseTo(4, within(0.1));
  }

  @Test
  void slopesThatDifferMuchContradictEachOther() {
    assertThat(PooledTrend.of(List.of(noisy(1, 3, 50, 1), noisy(2, 1, 50, 1))).contradicts())
        .isTrue();
    assertThat(PooledTrend.of(List.of(noisy(1, 3, 50, 1), noisy(2, 0, 50, 1))).contradicts())
        .isTrue();
    assertThat(PooledTrend.of(List.of(noisy(1, 3, 50, 1), noisy(2, -3, 50, 1))).contradicts())
        .isTrue();
    assertThat(PooledTrend.of(List.of(noisy(1, -3, 50, 1), noisy(2, -1, 50, 1))).contradicts())
        .isFalse();
  }

  @Test
  void manyPartitionsWithoutATrendDoNotContradictEachOther() {
    int contradict = 0;
    for (int seed = 0; seed < 200; seed++) {
      int first = seed * 100;
      List<Trend> trends =
          IntStream.range(first, first + 24).mapToObj(each -> noisy(each, 0, 40, 10)).toList();
      contradict += PooledTrend.of(trends).contradicts() ? 1 : 0;
    }
    assertThat(contradict).isLessThanOrEqualTo(20);
  }

  private static Trend noisy(int seed, double slope, int points, double noise) {
    Random random = new Random(seed);
    double[] x = new double[points];
    double[] y = new double[points];
    for (int i = 0; i < points; i++) {
      x[i] = i;
      y[i] = 5 + slope * i + noise * random.nextGaussian();
    }
    return Trend.of(x, y);
  }
}
