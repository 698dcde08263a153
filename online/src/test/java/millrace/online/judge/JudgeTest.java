package millrace.online.judge;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntToDoubleFunction;
import java.util.function.IntUnaryOperator;
import millrace.online.report.OnlineReport;
import millrace.online.report.Series;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/// What passes and what fails.
final class JudgeTest {

  private static final double LOAD = 1000;
  private static final double ROWS_PER_WRITE = 50;
  private static final List<String> LEVELS = List.of("minute");

  @Test
  void aRunWithoutBadTimePasses() {
    Judgement judgement = judge(seconds(600, i -> 210, i -> 0), aggregates(10, i -> 3));
    assertThat(judgement.passed()).isTrue();
    assertThat(judgement.badShare()).isZero();
    assertThat(judgement.criteria())
        .extracting(OnlineReport.Criterion::name)
        .containsExactly(
            "writes start on time",
            "aggregates finish on time",
            "no write error",
            "no aggregate error",
            "the backlog does not grow");
    assertThat(judgement.criteria())
        .extracting(OnlineReport.Criterion::measured)
        .containsExactly(
            "0.21 s at most; 0 of 600 seconds were bad",
            "3 s at most; 0 of 10 aggregates were bad",
            "none",
            "none",
            "grows by 0 % of the load, at least 0 %");
    assertThat(judgement.criteria())
        .extracting(OnlineReport.Criterion::limit)
        .containsExactly(
            "1 s, but for 0.5 % of the seconds and 5 on end",
            "60 s, but for 0.5 % of the aggregates and 1 of a level on end",
            "none",
            "none",
            "1 % of the load a second, unless it may be chance");
  }

  @Property
  void aRunIsLostOnlyIfNoRestCouldMakeItPass(
      @ForAll @Size(max = 300) List<Boolean> late,
      @ForAll @IntRange(min = 1, max = 600) int inAll) {
    List<Series.Second> soFar = seconds(late.size(), i -> late.get(i) ? 1500 : 0, i -> 0);
    boolean isLost = Judge.isLost(facts(soFar, List.of()), inAll, Limits.DEFAULT);
    int whole = Math.max(inAll, late.size());
    List<Series.Second> atBest =
        seconds(whole, i -> i < late.size() && late.get(i) ? 1500 : 0, i -> 0);
    assertThat(isLost).isEqualTo(judge(atBest, List.of()).criteria().getFirst().isBroken());
  }

  @Test
  void aWriteThatBeginsExactlyAtTheLimitIsNotLate() {
    assertThat(judge(seconds(600, i -> 1000, i -> 0), List.of()).badShare()).isZero();
    assertThat(judge(seconds(600, i -> 1000.001, i -> 0), List.of()).badShare()).isEqualTo(1);
  }

  @Test
  void halfAPercentOfBadSecondsPassesAndOneMoreFails() {
    // 3 of 600, each by itself.
    assertThat(starts(seconds(600, i -> i % 200 == 7 ? 2000 : 5, i -> 0))).isTrue();
    assertThat(starts(seconds(600, i -> i % 200 == 7 || i == 9 ? 2000 : 5, i -> 0))).isFalse();
    // 3 of 599 are more than half a percent.
    assertThat(starts(seconds(599, i -> i % 200 == 7 ? 2000 : 5, i -> 0))).isFalse();
  }

  @Test
  void fiveBadSecondsOnEndPassAndSixFail() {
    assertThat(starts(seconds(3600, i -> i >= 100 && i < 105 ? 2000 : 5, i -> 0))).isTrue();
    Judgement six = judge(seconds(3600, i -> i >= 100 && i < 106 ? 2000 : 5, i -> 0), List.of());
    assertThat(six.criteria().getFirst().holds()).isFalse();
    assertThat(six.criteria().getFirst().measured())
        .isEqualTo("2 s at most; 6 of 3600 seconds were bad, 6 on end");
    assertThat(six.badShare()).isEqualTo(6 / 3600.0);
  }

  @Test
  void aSecondThatIsMissingEndsARunOfBadOnes() {
    List<Series.Second> seconds =
        new ArrayList<>(seconds(3600, i -> i >= 100 && i < 107 ? 2000 : 5, i -> 0));
    seconds.remove(103);
    assertThat(starts(seconds)).isTrue();
  }

  @Property
  void theShareAndTheLongestRunAreCounted(
      @ForAll @Size(min = 1, max = 200) List<Boolean> bad, @ForAll @IntRange(max = 8) int runMax) {
    Limits limits = new Limits(1000, 0.25, runMax, 60, 0, 0, 0.01);
    String text = bad.stream().map(each -> each ? "b" : "g").reduce("", String::concat);
    boolean isExpected =
        text.replace("g", "").length() * 4 <= bad.size() && !text.contains("b".repeat(runMax + 1));
    RunFacts facts = facts(seconds(bad.size(), i -> bad.get(i) ? 1001 : 0, i -> 0), List.of());
    assertThat(Judge.of(facts, limits).criteria().getFirst().holds()).isEqualTo(isExpected);
  }

  @Test
  void halfAPercentOfBadAggregatesPassesAndOneMoreFails() {
    assertThat(finishes(aggregates(400, i -> i == 10 || i == 300 ? 61 : 60))).isTrue();
    assertThat(finishes(aggregates(400, i -> i % 150 == 10 ? 61 : 60))).isFalse();
    assertThat(finishes(aggregates(400, i -> i == 10 || i == 11 ? 61 : 60))).isFalse();
    assertThat(finishes(aggregates(199, i -> i == 10 ? 61 : 60))).isFalse();
  }

  @Test
  void badAggregatesOfTwoLevelsAreNotOnEnd() {
    List<Series.WindowRun> windows = new ArrayList<>(aggregates(399, i -> i == 398 ? 61 : 2));
    windows.add(window("hour", 398 * 60 + 1, 70, ""));
    assertThat(finishes(windows)).isTrue();
  }

  @Test
  void aggregatesAreOnEndByTheirBegin() {
    // The slow one is reported after its successors.
    List<Series.WindowRun> windows =
        new ArrayList<>(aggregates(400, i -> i == 10 || i == 11 ? 61 : 2));
    windows.add(windows.remove(10));
    assertThat(finishes(windows)).isFalse();
  }

  @Test
  void anyErrorFails() {
    List<Series.Second> seconds = seconds(60, i -> 5, i -> 0);
    RunFacts write =
        new RunFacts(seconds, List.of(), LEVELS, 1, 1, LOAD, ROWS_PER_WRITE, List.of());
    assertThat(failed(Judge.of(write, Limits.DEFAULT))).containsExactly("no write error");
    List<Series.WindowRun> windows = List.of(window("minute", 60, 1, "out of memory"));
    assertThat(failed(judge(seconds, windows))).containsExactly("no aggregate error");
  }

  @Test
  void sumsThatDisagreeFail() {
    List<OnlineReport.Sum> sums =
        List.of(
            new OnlineReport.Sum("raw", 10, 100, true),
            new OnlineReport.Sum("minute", 9, 90, false));
    RunFacts facts =
        new RunFacts(
            seconds(60, i -> 5, i -> 0), List.of(), LEVELS, 1, 0, LOAD, ROWS_PER_WRITE, sums);
    Judgement judgement = Judge.of(facts, Limits.DEFAULT);
    assertThat(failed(judgement)).containsExactly("the sums agree");
    assertThat(judgement.criteria().getLast().measured()).isEqualTo("not in minute");
  }

  @Test
  void aBacklogThatGrowsFailsBeforeAnyLimitIsHit() {
    // 40 rows of 1,000 are not taken each second. No write is a second late yet.
    List<Series.Second> seconds = seconds(120, i -> 300, i -> (int) (i * 40 / ROWS_PER_WRITE));
    assertThat(failed(judge(seconds, List.of()))).containsExactly("the backlog does not grow");
  }

  @Test
  void aBacklogThatGrowsByExactlyOnePercentPasses() {
    List<Series.Second> seconds = seconds(600, i -> 5, i -> i);
    assertThat(grows(seconds, 10)).isTrue();
    assertThat(grows(seconds, 10.1)).isFalse();
    RunFacts facts = new RunFacts(seconds, List.of(), LEVELS, 1, 0, LOAD, 20, List.of());
    assertThat(Judge.of(facts, Limits.DEFAULT).criteria().getLast().measured())
        .isEqualTo("grows by 2 % of the load, at least 2 %");
  }

  @Test
  void noiseAroundASteadyBacklogPassesInAShortRun() {
    int failed = 0;
    for (int seed = 0; seed < 400; seed++) {
      Random random = new Random(seed);
      failed += grows(seconds(60, i -> 5, i -> random.nextInt(12)), ROWS_PER_WRITE) ? 0 : 1;
    }
    // The slope is at least 0 in half of the runs, and above 1 % in some. 2.5 % of 400 would be 10.
    assertThat(failed).isLessThanOrEqualTo(10);
  }

  /// A queue that empties slowly: each second is much like the one before.
  @Test
  void aBacklogThatWandersButDoesNotGrowPasses() {
    int failed = 0;
    for (int seed = 0; seed < 400; seed++) {
      Random random = new Random(seed);
      double[] queue = {20};
      IntUnaryOperator wander =
          i -> {
            queue[0] = 20 + 0.9 * (queue[0] - 20) + 2 * random.nextGaussian();
            return (int) Math.max(0, queue[0]);
          };
      failed += grows(seconds(120, i -> 5, wander), ROWS_PER_WRITE) ? 0 : 1;
    }
    assertThat(failed).isLessThanOrEqualTo(10);
  }

  @Test
  void aRunThatIsTooShortIsNotFailedByItsBacklog() {
    Judgement judgement = judge(seconds(29, i -> 5, i -> i), List.of());
    assertThat(judgement.isBroken()).isFalse();
    assertThat(judgement.passed()).isFalse();
    assertThat(judgement.criteria().getLast().isUntested()).isTrue();
    assertThat(judgement.criteria().getLast().measured()).isEqualTo("that takes 30 s or more");
  }

  @Test
  void whatHasNoDataHasNeitherPassedNorFailed() {
    Judgement judgement = judge(List.of(), List.of());
    assertThat(judgement.criteria()).allMatch(OnlineReport.Criterion::isUntested);
    assertThat(judgement.passed()).isFalse();
    assertThat(judgement.isBroken()).isFalse();
    assertThat(judgement.criteria().getFirst().measured()).isEqualTo("there were no seconds");
  }

  @Test
  void aRunWithoutAnyAggregateHasNotPassed() {
    Judgement judgement = judge(seconds(600, i -> 5, i -> 0), List.of());
    assertThat(judgement.passed()).isFalse();
    assertThat(judgement.criteria())
        .filteredOn(OnlineReport.Criterion::isUntested)
        .extracting(OnlineReport.Criterion::name)
        .containsExactly("aggregates finish on time", "no aggregate error");
  }

  @Test
  void levelsThatTheClockDidNotComeToAreNamed() {
    List<Series.WindowRun> windows = aggregates(3, i -> 1);
    RunFacts facts =
        new RunFacts(
            seconds(60, i -> 5, i -> 0),
            windows,
            List.of("minute", "hour", "day"),
            3,
            0,
            LOAD,
            ROWS_PER_WRITE,
            List.of());
    assertThat(Judge.of(facts, Limits.DEFAULT).criteria().get(1).measured())
        .isEqualTo("1 s at most; 0 of 3 aggregates were bad; none of hour, day began");
  }

  private static boolean starts(List<Series.Second> seconds) {
    return judge(seconds, List.of()).criteria().getFirst().holds();
  }

  private static boolean finishes(List<Series.WindowRun> windows) {
    return judge(seconds(60, i -> 5, i -> 0), windows).criteria().get(1).holds();
  }

  private static boolean grows(List<Series.Second> seconds, double rowsPerWrite) {
    RunFacts facts = new RunFacts(seconds, List.of(), LEVELS, 1, 0, LOAD, rowsPerWrite, List.of());
    return !Judge.of(facts, Limits.DEFAULT).isBroken();
  }

  private static List<String> failed(Judgement judgement) {
    return judgement.criteria().stream()
        .filter(OnlineReport.Criterion::isBroken)
        .map(OnlineReport.Criterion::name)
        .toList();
  }

  private static Judgement judge(List<Series.Second> seconds, List<Series.WindowRun> windows) {
    return Judge.of(facts(seconds, windows), Limits.DEFAULT);
  }

  private static RunFacts facts(List<Series.Second> seconds, List<Series.WindowRun> windows) {
    return new RunFacts(
        seconds, windows, LEVELS, windows.size(), 0, LOAD, ROWS_PER_WRITE, List.of());
  }

  private static List<Series.Second> seconds(
      int count, IntToDoubleFunction delayMillis, IntUnaryOperator backlog) {
    List<Series.Second> seconds = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      seconds.add(
          new Series.Second(
              i, (long) LOAD, 0, delayMillis.applyAsDouble(i), 20, 40, backlog.applyAsInt(i), 0));
    }
    return seconds;
  }

  private static List<Series.WindowRun> aggregates(int count, IntToDoubleFunction seconds) {
    List<Series.WindowRun> windows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      windows.add(window("minute", i * 60, seconds.applyAsDouble(i), ""));
    }
    return windows;
  }

  private static Series.WindowRun window(String level, double at, double seconds, String error) {
    return new Series.WindowRun(level, level + " " + at, at, seconds, 1000, false, false, error);
  }
}
