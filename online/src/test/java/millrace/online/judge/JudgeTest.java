package millrace.online.judge;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import java.util.function.IntToDoubleFunction;
import java.util.stream.Collectors;
import millrace.online.job.OnlineJob;
import millrace.online.report.OnlineReport;
import millrace.online.report.Series;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What passes and what fails.
final class JudgeTest {

  private static final RunFacts.Requested REQUESTED = requested("minute");

  private static Duration length(String level) {
    return switch (level) {
      case "minute" -> Duration.ofMinutes(1);
      case "hour" -> Duration.ofHours(1);
      default -> Duration.ofDays(1);
    };
  }

  private static RunFacts.Requested requested(String... levels) {
    return new RunFacts.Requested(
        1_000,
        Arrays.stream(levels)
            .map(level -> new OnlineJob.WindowSpec(level, length(level), Duration.ZERO))
            .toList());
  }

  @Test
  void aRunWithoutBadTimePasses() {
    Judgement judgement = judge(seconds(600, i -> 210), aggregates(10, i -> 3));
    assertThat(judgement.passed()).isTrue();
    assertThat(judgement.badShare()).isZero();
    assertThat(judgement.criteria())
        .extracting(OnlineReport.Criterion::name)
        .containsExactly(
            "writes start on time",
            "aggregates finish on time",
            "no write error",
            "no aggregate error",
            "the rate is offered",
            "the backlog does not grow");
    assertThat(judgement.criteria())
        .extracting(OnlineReport.Criterion::measured)
        .containsExactly(
            "0.21 s at most; 0 of 600 seconds were bad",
            "3 s at most; 0 of 10 aggregates were bad",
            "none",
            "none",
            "100 % of them",
            "grows by 0 % of the load, at least 0 %");
    assertThat(judgement.criteria())
        .extracting(OnlineReport.Criterion::limit)
        .containsExactly(
            "1 s, but for 0.5 % of the seconds and 5 on end",
            "60 s, but for 0.5 % of the aggregates and 1 of a level on end",
            "none",
            "none",
            "95 % of the rows within the run",
            "1 % of the load a second, to within as much");
  }

  @Property
  void aRunIsLostOnlyIfNoRestCouldMakeItPass(
      @ForAll @Size(max = 300) List<Boolean> late,
      @ForAll @IntRange(min = 1, max = 600) int inAll) {
    List<Series.Second> soFar = seconds(late.size(), i -> late.get(i) ? 1500 : 0);
    boolean isLost = Judge.isLost(facts(soFar, List.of()), inAll, Limits.DEFAULT);
    int whole = Math.max(inAll, late.size());
    List<Series.Second> atBest = seconds(whole, i -> i < late.size() && late.get(i) ? 1500 : 0);
    assertThat(isLost).isEqualTo(judge(atBest, List.of()).criteria().getFirst().isBroken());
  }

  @Test
  void aWriteThatBeginsExactlyAtTheLimitIsNotLate() {
    assertThat(judge(seconds(600, i -> 1000), List.of()).badShare()).isZero();
    assertThat(judge(seconds(600, i -> 1000.001), List.of()).badShare()).isEqualTo(1);
  }

  @Test
  void halfAPercentOfBadSecondsPassesAndOneMoreFails() {
    // 3 of 600, each by itself.
    assertThat(starts(seconds(600, i -> i % 200 == 7 ? 2000 : 5))).isTrue();
    assertThat(starts(seconds(600, i -> i % 200 == 7 || i == 9 ? 2000 : 5))).isFalse();
    // 3 of 599 are more than half a percent.
    assertThat(starts(seconds(599, i -> i % 200 == 7 ? 2000 : 5))).isFalse();
  }

  @Test
  void fiveBadSecondsOnEndPassAndSixFail() {
    assertThat(starts(seconds(3600, i -> i >= 100 && i < 105 ? 2000 : 5))).isTrue();
    Judgement six = judge(seconds(3600, i -> i >= 100 && i < 106 ? 2000 : 5), List.of());
    assertThat(six.criteria().getFirst().holds()).isFalse();
    assertThat(six.criteria().getFirst().measured())
        .isEqualTo("2 s at most; 6 of 3600 seconds were bad, 6 on end");
    assertThat(six.badShare()).isEqualTo(6 / 3600.0);
  }

  @Test
  void aSecondThatIsMissingEndsARunOfBadOnes() {
    List<Series.Second> seconds =
        new ArrayList<>(seconds(3600, i -> i >= 100 && i < 107 ? 2000 : 5));
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
    RunFacts facts = facts(seconds(bad.size(), i -> bad.get(i) ? 1001 : 0), List.of());
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
    RunFacts facts =
        new RunFacts(
            seconds(60, i -> 5),
            windows,
            RunFacts.Machine.NONE,
            requested("minute", "hour"),
            400,
            0,
            0,
            List.of());
    assertThat(Judge.of(facts, Limits.DEFAULT).criteria().get(1).holds()).isTrue();
  }

  @Test
  void aggregatesAreOnEndByTheirBegin() {
    // The slow one is reported after its successors.
    List<Series.WindowRun> windows =
        new ArrayList<>(aggregates(400, i -> i == 10 || i == 11 ? 61 : 2));
    windows.add(windows.remove(10));
    assertThat(finishes(windows)).isFalse();
  }

  /// The first minute of a day, its first hour and the day itself begin at one moment.
  @Test
  void aWindowIsNotDoneByOneOfAnotherLevelThatBeginsAtTheSameMoment() {
    String midnight = "2019-04-02 00:00:00";
    List<Series.WindowRun> windows =
        List.of(
            new Series.WindowRun("minute", midnight, 60, 1, 0, false, false, "a lock is held"),
            new Series.WindowRun("hour", midnight, 3_600, 2, 1_000, false, false, ""));
    RunFacts facts =
        new RunFacts(
            seconds(60, i -> 5),
            windows,
            RunFacts.Machine.NONE,
            requested("minute", "hour"),
            2,
            0,
            0,
            List.of());
    assertThat(Judge.of(facts, Limits.DEFAULT).criteria().get(1).measured())
        .isEqualTo("2 s at most; 1 of 2 aggregates were bad; 1 failed and were not done");
  }

  @Test
  void anyErrorFails() {
    List<Series.Second> seconds = seconds(60, i -> 5);
    RunFacts write =
        new RunFacts(seconds, List.of(), RunFacts.Machine.NONE, REQUESTED, 1, 1, 0, List.of());
    assertThat(failed(Judge.of(write, Limits.DEFAULT))).containsExactly("no write error");
    List<Series.WindowRun> windows = List.of(window("minute", 60, 1, "out of memory"));
    assertThat(failed(judge(seconds, windows)))
        .containsExactly("aggregates finish on time", "no aggregate error");
  }

  @Test
  void sumsThatDisagreeFail() {
    List<OnlineReport.Sum> sums =
        List.of(
            new OnlineReport.Sum("raw", 10, 100, true),
            new OnlineReport.Sum("minute", 9, 90, false));
    RunFacts facts =
        new RunFacts(
            seconds(60, i -> 5), List.of(), RunFacts.Machine.NONE, REQUESTED, 1, 0, 0, sums);
    Judgement judgement = Judge.of(facts, Limits.DEFAULT);
    assertThat(failed(judgement)).containsExactly("the sums agree");
    assertThat(judgement.criteria().getLast().measured()).isEqualTo("not in minute");
  }

  @Test
  void aBacklogThatGrowsFailsBeforeAnyLimitIsHit() {
    // 15 rows of 1,000 are not taken each second. No write is a second late yet.
    List<Series.Second> seconds = seconds(60, i -> 15 * i);
    assertThat(failed(judge(seconds, List.of()))).containsExactly("the backlog does not grow");
  }

  @Test
  void aBacklogThatGrowsByExactlyOnePercentPasses() {
    assertThat(doesNotGrow(seconds(90, i -> 10 * i))).isTrue();
    assertThat(doesNotGrow(seconds(90, i -> 10.1 * i))).isFalse();
    assertThat(judge(seconds(90, i -> 20 * i), List.of()).criteria().getLast().measured())
        .isEqualTo("grows by 2 % of the load, at least 2 %");
  }

  @Test
  void noiseAroundASteadyBacklogDoesNotFailAShortRun() {
    int failed = 0;
    for (int seed = 0; seed < 400; seed++) {
      Random random = new Random(seed);
      failed += grows(seconds(60, i -> random.nextInt(600))) ? 1 : 0;
    }
    // The slope is at least 0 in half of the runs, and above 1 % in some. 2.5 % of 400 would be 10.
    assertThat(failed).isLessThanOrEqualTo(10);
  }

  /// A queue that empties slowly: each second is much like the one before.
  @ParameterizedTest
  @ValueSource(ints = {36, 60, 120})
  void aBacklogThatWandersButDoesNotGrowDoesNotFail(int seconds) {
    int failed = 0;
    for (int seed = 0; seed < 400; seed++) {
      Random random = new Random(seed);
      double[] queue = {500};
      IntToDoubleFunction wander =
          i -> {
            queue[0] = 500 + 0.9 * (queue[0] - 500) + 50 * random.nextGaussian();
            return Math.max(0, queue[0]);
          };
      failed += grows(seconds(seconds, wander)) ? 1 : 0;
    }
    assertThat(failed).isLessThanOrEqualTo(10);
  }

  /// One client whose writes take as long as that, by Lindley's recursion: what a write takes
  /// beyond its second is the share of the load that is left. Seen so: writes of 0.999 s and what
  /// is around them let the delay climb from 1 to 412 ms in 38 s.
  @Property
  void writesThatTakeALittleLongerThanASecondAreABacklogThatGrows(
      @ForAll @DoubleRange(min = 0.5, max = 1.02) double service,
      @ForAll @IntRange(min = 30, max = 200) int count) {
    List<Series.Second> seconds = new ArrayList<>();
    double delay = 0;
    for (int i = 0; i < count; i++) {
      seconds.add(second(i, Series.StartDelay.of(delay * 1e3)));
      delay = Math.max(0, delay + service - 1);
    }
    double share = Math.max(0, service - 1);
    OnlineReport.Criterion backlog = judge(seconds, List.of()).criteria().getLast();
    if (Math.abs(share - 0.01) > 1e-6) {
      assertThat(backlog.holds()).as(backlog.measured()).isEqualTo(share < 0.01);
    }
    assertThat(backlog.measured())
        .startsWith("grows by " + shown(Math.round(share * 1e5) / 1e3) + " % of the load");
  }

  private static String shown(double percent) {
    return percent == Math.rint(percent) ? "%.0f".formatted(percent) : Double.toString(percent);
  }

  @Test
  void aBacklogIsThatOfAllClientsTogether() {
    // One of 20 clients is late by 100 ms more each second: that is half a percent of the load.
    List<Series.Second> seconds = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      seconds.add(second(i, new Series.StartDelay(100 * i, 5 * i, 0)));
    }
    assertThat(judge(seconds, List.of()).criteria().getLast().measured())
        .isEqualTo("grows by 0.5 % of the load, at least 0.5 %");
  }

  @Test
  void aRunThatIsTooShortIsNotFailedByItsBacklog() {
    Judgement judgement = judge(seconds(29, i -> 20 * i), List.of());
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
    Judgement judgement = judge(seconds(600, i -> 5), List.of());
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
            seconds(60, i -> 5),
            windows,
            RunFacts.Machine.NONE,
            requested("minute", "hour", "day"),
            3,
            0,
            0,
            List.of());
    assertThat(Judge.of(facts, Limits.DEFAULT).criteria().get(1).measured())
        .isEqualTo("1 s at most; 0 of 3 aggregates were bad; none of hour, day began");
  }

  /// A process that was stopped for 7 seconds: no fault of the target.
  @Test
  void whatTheClientsWereLateByThemselvesIsNoVerdict() {
    List<Series.Second> seconds = new ArrayList<>(seconds(60, i -> 5));
    for (int i = 20; i < 27; i++) {
      double late = (27 - i) * 1_000 + 1;
      seconds.set(i, second(i, new Series.StartDelay(late, late, late - 30)));
    }
    Judgement judgement = judge(seconds, aggregates(1, i -> 1));
    assertThat(judgement.isBroken()).isFalse();
    assertThat(judgement.isInvalid()).isTrue();
    assertThat(judgement.passed()).isFalse();
    assertThat(judgement.criteria().getFirst().measured())
        .isEqualTo(
            "7.001 s at most; 7 of 60 seconds were bad, 7 on end; without what this machine held up"
                + " 0.03 s at most; 0 of 60 seconds were bad");
    RunFacts facts = facts(seconds, List.of());
    assertThat(Judge.isLost(facts, 60, Limits.DEFAULT)).isFalse();
    // What the target is the reason of fails all the same.
    seconds.set(40, second(40, Series.StartDelay.of(1_500)));
    assertThat(judge(seconds, List.of()).isBroken()).isTrue();
  }

  /// Writes of 1.6 s by a server that waits for a processor which others use. The last ones were
  /// never begun.
  private static Judgement heldUp(double share, Series.Pause... pauses) {
    return heldUp(share, 0, pauses);
  }

  private static Judgement heldUp(double share, int writeErrors, Series.Pause... pauses) {
    List<Series.Second> seconds = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      Series.StartDelay delay = Series.StartDelay.of(600.0 * i);
      double took = i < 40 ? 1_600 : 0;
      seconds.add(new Series.Second(i, took > 0 ? 1_000 : 0, 0, delay, took, took, 0, 0));
    }
    List<Series.WindowRun> windows = aggregates(1, i -> 100);
    RunFacts.Machine machine = machine(share, seconds, windows, pauses);
    RunFacts facts =
        new RunFacts(seconds, windows, machine, REQUESTED, 1, writeErrors, 0, List.of());
    return Judge.of(facts, Limits.DEFAULT);
  }

  /// Each write and each aggregate waited for a processor for that share of its time.
  private static RunFacts.Machine machine(
      double share,
      List<Series.Second> seconds,
      List<Series.WindowRun> windows,
      Series.Pause... pauses) {
    return new RunFacts.Machine(
        List.of(pauses),
        share == 0
            ? Map.of()
            : seconds.stream()
                .filter(each -> each.writeMax() > 0)
                .collect(Collectors.toMap(Series.Second::second, each -> share * each.writeMax())),
        windows.stream()
            .collect(Collectors.toMap(Function.identity(), each -> share * each.seconds())));
  }

  @Test
  void aTargetThatWaitedForAProcessorWhichOthersUsedIsNotJudged() {
    Judgement mostly = heldUp(0.5);
    assertThat(mostly.isBroken()).isFalse();
    assertThat(mostly.isInvalid()).isTrue();
    assertThat(mostly.criteria())
        .filteredOn(OnlineReport.Criterion::isInvalid)
        .extracting(OnlineReport.Criterion::name)
        .containsExactly(
            "writes start on time", "aggregates finish on time", "the backlog does not grow");
    assertThat(mostly.criteria().getFirst().measured())
        .endsWith("without what this machine held up 0 s at most; 0 of 60 seconds were bad");
    // A pause of this process is none of the target's time either.
    assertThat(heldUp(0.3, new Series.Pause(0, 90, true)).isBroken()).isFalse();
    // Writes that failed were late by that.
    assertThat(heldUp(0.9, 3).criteria().getFirst().isBroken()).isTrue();
    // It would be too slow without the others, too.
    assertThat(heldUp(0.2).criteria())
        .filteredOn(OnlineReport.Criterion::isBroken)
        .extracting(OnlineReport.Criterion::name)
        .containsExactly(
            "writes start on time", "aggregates finish on time", "the backlog does not grow");
    assertThat(heldUp(0).isInvalid()).isFalse();
  }

  @Test
  void anAggregateIsNotSlowByAPauseOfThisProcess() {
    List<Series.WindowRun> windows = aggregates(3, i -> i == 1 ? 75 : 2);
    List<Series.Pause> pauses = List.of(new Series.Pause(50, 40, false));
    RunFacts facts =
        new RunFacts(
            seconds(200, i -> 5),
            windows,
            new RunFacts.Machine(pauses, Map.of(), Map.of()),
            REQUESTED,
            3,
            0,
            0,
            List.of());
    // 30 of the 40 seconds lie within it.
    Judgement judgement = Judge.of(facts, Limits.DEFAULT);
    assertThat(judgement.criteria().get(1).isInvalid()).isTrue();
    RunFacts without =
        new RunFacts(
            seconds(200, i -> 5), windows, RunFacts.Machine.NONE, REQUESTED, 3, 0, 0, List.of());
    assertThat(Judge.of(without, Limits.DEFAULT).criteria().get(1).isBroken()).isTrue();
  }

  /// No delay of their own makes a run fail that passes without it, and none lets one pass.
  @Property
  void aVerdictIsNotValidOnlyIfTheTargetsPartWouldPass(
      @ForAll @Size(min = 30, max = 200) List<@IntRange(max = 3) Integer> kinds) {
    List<Series.Second> seconds = new ArrayList<>();
    List<Series.Second> ofTarget = new ArrayList<>();
    for (int i = 0; i < kinds.size(); i++) {
      double all = kinds.get(i) == 0 ? 5 : 1_500;
      double own = kinds.get(i) == 1 ? 1_495 : 0;
      seconds.add(second(i, new Series.StartDelay(all, 5, own)));
      ofTarget.add(second(i, new Series.StartDelay(all - own, 5, 0)));
    }
    OnlineReport.Criterion starts = judge(seconds, List.of()).criteria().getFirst();
    boolean passesByTarget = judge(ofTarget, List.of()).criteria().getFirst().holds();
    assertThat(starts.isBroken()).isEqualTo(!passesByTarget);
    if (starts.holds()) {
      assertThat(passesByTarget).isTrue();
    }
  }

  private static boolean starts(List<Series.Second> seconds) {
    return judge(seconds, List.of()).criteria().getFirst().holds();
  }

  private static boolean finishes(List<Series.WindowRun> windows) {
    return judge(seconds(60, i -> 5), windows).criteria().get(1).holds();
  }

  private static boolean doesNotGrow(List<Series.Second> seconds) {
    return judge(seconds, List.of()).criteria().getLast().holds();
  }

  private static boolean grows(List<Series.Second> seconds) {
    return judge(seconds, List.of()).criteria().getLast().isBroken();
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
        seconds, windows, RunFacts.Machine.NONE, REQUESTED, windows.size(), 0, 0, List.of());
  }

  private static List<Series.Second> seconds(int count, IntToDoubleFunction delayMillis) {
    List<Series.Second> seconds = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      seconds.add(second(i, Series.StartDelay.of(delayMillis.applyAsDouble(i))));
    }
    return seconds;
  }

  private static Series.Second second(int i, Series.StartDelay delay) {
    return new Series.Second(i, 1_000, 0, delay, 20, 40, 0, 0);
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
