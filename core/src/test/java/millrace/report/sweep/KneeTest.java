package millrace.report.sweep;

import static millrace.report.sweep.Made.point;
import static millrace.report.sweep.Made.pointWithLanes;
import static millrace.report.sweep.Made.sweep;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// What a sweep tells of measurements that were made up.
final class KneeTest {

  private static final Axis UNIT = new Axis("write-unit", List.of("25", "50", "200", "2000"));
  private static final Axis LANES = new Axis("lanes", List.of("1", "2"));
  private static final Axis METHOD = new Axis("method", List.of("normal", "native"));

  private static List<String> knee(Sweep sweep) {
    return SweepText.knee(sweep).knee().values();
  }

  @Test
  void theKneeIsTheSmallestWithinFivePercentOfTheBest() {
    Sweep sweep =
        sweep(
            List.of(UNIT),
            point("25", 2000, 2004, 1998),
            point("50", 1070, 1071, 1069),
            point("200", 1040, 1041, 1039),
            point("2000", 1000, 1001, 999));
    assertThat(knee(sweep)).containsExactly("200");
    assertThat(SweepText.findings(sweep))
        .contains(
            "best       write-unit=2000: 1.00 s, 1,000 rows/s",
            "knee       write-unit=200: 1.04 s, 962 rows/s, 4.0 % more time than the best; what is"
                + " within 5 % counts as equal")
        .anyMatch(line -> line.startsWith("noise      the differences are more than noise"));
  }

  @Test
  void noiseMakesMoreSettingsAsGoodAsTheBest() {
    Sweep sweep =
        sweep(
            List.of(UNIT),
            point("25", 4000, 4500, 3600),
            point("50", 1120, 1060, 1240),
            point("200", 1050, 1240, 1160),
            point("2000", 1000, 1100, 1050));
    Noise noise = Noise.of(sweep.measured());
    assertThat(noise.difference()).isBetween(0.1, 0.4);
    assertThat(knee(sweep)).containsExactly("50");
    assertThat(SweepText.knee(sweep).onlyNoise()).isFalse();
  }

  @Test
  void whatTheSettingsDoNotExplainIsOnlyNoise() {
    Sweep sweep =
        sweep(
            List.of(UNIT, LANES),
            point("25 1", 2000, 2100, 1900),
            point("50 1", 2080, 1950, 2050),
            point("25 2", 1010, 950, 1060),
            point("50 2", 980, 1070, 1000));
    assertThat(SweepText.findings(sweep))
        .contains("write-unit (lanes=2): makes no difference, only noise")
        .anyMatch(
            line -> line.startsWith("lanes (write-unit=50): knee 2, best 2; the worst takes 2.0"))
        .anyMatch(line -> line.startsWith("noise      the differences are more than noise"));
    assertThat(knee(sweep)).containsExactly("25", "2");
  }

  @Test
  void settingsThatMakeNoDifferenceAreTakenForNoiseAboutNineteenTimesOfTwenty() {
    Random random = new Random(7);
    int noise = 0;
    for (int i = 0; i < 1000; i++) {
      Sweep.Point[] points = new Sweep.Point[6];
      for (int j = 0; j < points.length; j++) {
        double[] millis = random.doubles(3, 900, 1100).toArray();
        points[j] = point(Integer.toString(j + 1), millis);
      }
      Sweep sweep = sweep(List.of(Axis.parse("lanes=1,2,3,4,5,6")), points);
      noise += SweepText.knee(sweep).onlyNoise() ? 1 : 0;
    }
    assertThat(noise).isBetween(920, 980);
  }

  @Test
  void aRoundThatWasSlowAsAWholeIsNoNoise() {
    double[][] times = {{100, 202, 99}, {50, 99, 50}, {25, 50.5, 24.5}};
    assertThat(Noise.ofTimes(times).difference()).isLessThan(0.03);
    assertThat(Noise.ofTimes(times).explainsTimes(times)).isFalse();
  }

  @Test
  void withoutRepeatsTheNoiseIsUnknown() {
    Sweep sweep = sweep(List.of(LANES), point("1", 1000), point("2", 1030));
    assertThat(knee(sweep)).containsExactly("1");
    assertThat(SweepText.findings(sweep)).anyMatch(line -> line.startsWith("noise      unknown"));
    assertThat(Noise.of(sweep.measured()).isKnown()).isFalse();
  }

  @Test
  void whatAFewRepeatsCannotTellIsNotCalledNoDifference() {
    Sweep sweep = sweep(List.of(LANES), point("1", 1000, 1500), point("2", 1400, 1100));
    assertThat(SweepText.findings(sweep))
        .anyMatch(line -> line.startsWith("noise      the differences can't be told from noise: "))
        .anyMatch(line -> line.contains("may seem to differ by more than 100 % and do not"))
        .noneMatch(line -> line.contains("only noise"));
  }

  @Test
  void namesHaveNoOrderAndAreKeptAsTheBestHasThem() {
    Sweep sweep =
        sweep(
            List.of(METHOD, LANES),
            point("normal 1", 1001, 1002, 1003),
            point("normal 2", 1004, 1001, 1002),
            point("native 1", 1000, 1003, 1002),
            point("native 2", 1000, 1001, 999));
    assertThat(knee(sweep)).containsExactly("native", "1");
  }

  @Test
  void aPointThatRanWithFewerLanesThanItsOwnIsToldAndNeitherBestNorKnee() {
    Sweep sweep =
        sweep(
            List.of(LANES),
            pointWithLanes(1, "1", 1030, 1031, 1029),
            pointWithLanes(1, "2", 1000, 1001, 999));
    assertThat(knee(sweep)).containsExactly("1");
    assertThat(SweepText.lines(sweep))
        .anyMatch(line -> line.startsWith("  best       lanes=1: "))
        .anyMatch(line -> line.matches(" +2 .* ran with 1 lane"))
        .contains(
            "  left out   1 of 2 settings did not take effect, so that none of them is the best or"
                + " the knee");
    assertThat(SweepJson.of(sweep).path("best").get(0).asText()).isEqualTo("1");
    assertThat(sweep.middleCopy("lanes=2").concurrency().lanes()).isEqualTo(1);
  }

  @Test
  void whereNoPointRanAsItWasToThereIsNoBest() {
    Sweep sweep = sweep(List.of(LANES), pointWithLanes(1, "2", 1000, 1001));
    assertThat(SweepText.lines(sweep))
        .anyMatch(line -> line.contains("ran with 1 lane"))
        .noneMatch(line -> line.contains("best       ") || line.contains("knee       "));
    assertThat(SweepJson.of(sweep).path("best").isMissingNode()).isTrue();
    assertThat(sweep.middleCopy("lanes=2").concurrency().lanes()).isEqualTo(1);
    assertThat(SweepPage.of(sweep)).contains("ran with 1 lane");
  }

  @Test
  void noWinnerIsNamedIfTheDifferencesAreNoise() {
    Sweep sweep = sweep(List.of(LANES), point("1", 1000, 1100, 1050), point("2", 1040, 1060, 1020));
    assertThat(sweep.hasWinner()).isFalse();
    assertThat(SweepText.lines(sweep))
        .contains("  best       none of them is better than the others by more than noise")
        .noneMatch(line -> line.endsWith(" best") || line.endsWith("knee"));
    assertThat(SweepJson.of(sweep).has("best")).isFalse();
    assertThat(SweepJson.of(sweep).has("knee")).isFalse();
  }

  @Test
  void whatFailedOrRanWithFewerLanesIsNotRepeatedAndHoldsNoRoundUp() {
    List<Axis> axes = List.of(LANES);
    Sweep.Point whole = point("1", 1000, 1001, 999);
    Sweep.Point fewer = pointWithLanes(1, "2", 1000);
    Sweep.Point failed = new Sweep.Point(List.of("2"), List.of(), "no such thing");
    Sweep.Point fresh = new Sweep.Point(List.of("2"), List.of(), null);
    assertThat(Sweep.isRepeated(axes, whole)).isTrue();
    assertThat(Sweep.isRepeated(axes, fresh)).isTrue();
    assertThat(Sweep.isRepeated(axes, fewer)).isFalse();
    assertThat(Sweep.isRepeated(axes, failed)).isFalse();
    assertThat(Sweep.fullRounds(axes, List.of(whole, fewer, failed))).isEqualTo(3);
    assertThat(Sweep.fullRounds(axes, List.of(whole, fresh))).isZero();
    assertThat(Sweep.fullRounds(axes, List.of(fewer, failed))).isEqualTo(1);
    assertThat(Sweep.fullRounds(axes, List.of(failed))).isZero();
  }

  @Test
  void aPointIsFoundByItsNumberHoweverThatIsSpelled() {
    Axis units = Axis.parse("write-unit=64kB..4MB");
    assertThat(units.values()).endsWith("4096kB");
    Sweep sweep = sweep(List.of(units), point("64kB", 1000, 1001), point("4096kB", 2000, 2001));
    assertThat(sweep.middleCopy("write-unit=4MB").totals().elapsedNanos()).isEqualTo(2_001_000_000);
    assertThatThrownBy(() -> sweep.middleCopy("write-unit=4194304"))
        .hasMessageEndingWith(" has not measured write-unit=4194304.");
    assertThatThrownBy(() -> sweep.middleCopy("write-unit=much"))
        .hasMessageEndingWith(" has not measured write-unit=much.");
  }

  @Test
  void aPointThatFailedIsToldAndNotCounted() {
    Sweep.Point failed = new Sweep.Point(List.of("2"), List.of(), "no such thing");
    Sweep sweep = sweep(List.of(LANES), point("1", 1000, 1001), failed);
    assertThat(SweepText.lines(sweep)).anyMatch(line -> line.endsWith("failed: no such thing"));
    assertThat(knee(sweep)).containsExactly("1");
  }
}
