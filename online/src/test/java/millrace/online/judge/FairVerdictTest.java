package millrace.online.judge;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.IntToDoubleFunction;
import java.util.stream.Collectors;
import millrace.online.job.OnlineJob;
import millrace.online.report.OnlineReport;
import millrace.online.report.OnlineReport.Criterion;
import millrace.online.report.Series;
import org.junit.jupiter.api.Test;

/// Verdicts of runs as they were seen: what a target is the reason of, what nobody can say yet, and
/// what counts as done.
final class FairVerdictTest {

  private static final RunFacts.Requested REQUESTED =
      new RunFacts.Requested(
          1_000, List.of(new OnlineJob.WindowSpec("minute", Duration.ofMinutes(1), Duration.ZERO)));

  private static Judgement judge(
      List<Series.Second> seconds, List<Series.WindowRun> windows, RunFacts.Machine machine) {
    return Judge.of(
        new RunFacts(seconds, windows, machine, REQUESTED, windows.size(), 0, 0, List.of()),
        Limits.DEFAULT);
  }

  private static Judgement judge(List<Series.Second> seconds, List<Series.WindowRun> windows) {
    return judge(seconds, windows, RunFacts.Machine.NONE);
  }

  private static Criterion criterion(Judgement judgement, String name) {
    return judgement.criteria().stream()
        .filter(each -> each.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static List<Series.Second> seconds(int count, IntToDoubleFunction delayMillis) {
    List<Series.Second> seconds = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Series.StartDelay delay = Series.StartDelay.of(delayMillis.applyAsDouble(i));
      seconds.add(new Series.Second(i, 1_000, 0, delay, 20, 40, 0, 0));
    }
    return seconds;
  }

  private static List<Series.WindowRun> aggregates(int count, IntToDoubleFunction took) {
    List<Series.WindowRun> windows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      windows.add(
          new Series.WindowRun(
              "minute", "minute " + i, i * 60, took.applyAsDouble(i), 1_000, false, false, ""));
    }
    return windows;
  }

  /// A table that another session has locked for 3 s of 90. All other writes waited for a processor
  /// for half of their time.
  @Test
  void aWriteThatWaitedForALockIsNotHeldUpByThisMachine() {
    List<Series.Second> seconds = new ArrayList<>();
    Map<Long, Double> held = new HashMap<>();
    for (int i = 0; i < 90; i++) {
      double late = i == 41 ? 2_000 : i == 42 ? 1_080 : i == 43 ? 160 : 5;
      double took = i == 40 ? 3_000 : 80;
      seconds.add(new Series.Second(i, 1_000, 0, Series.StartDelay.of(late), took, took, 0, 0));
      held.put((long) i, i == 40 ? 0.0 : 40.0);
    }
    String starts = "writes start on time";
    Judgement locked = judge(seconds, List.of(), new RunFacts.Machine(List.of(), held, Map.of()));
    assertThat(criterion(locked, starts).isBroken()).isTrue();
    // It would have been in time if that very write had waited.
    held.put(40L, 2_100.0);
    Judgement waited = judge(seconds, List.of(), new RunFacts.Machine(List.of(), held, Map.of()));
    assertThat(criterion(waited, starts).isInvalid()).isTrue();
  }

  /// One waited 70 s for a lock, and all others for a processor.
  @Test
  void anAggregateThatWaitedForALockIsReportedInFull() {
    List<Series.WindowRun> windows = aggregates(10, i -> i == 4 ? 70 : 2);
    Map<Series.WindowRun, Double> held =
        windows.stream()
            .collect(
                Collectors.toMap(Function.identity(), each -> each.seconds() > 10 ? 0.1 : 1.5));
    Criterion finishes =
        criterion(
            judge(seconds(600, _ -> 5), windows, new RunFacts.Machine(List.of(), Map.of(), held)),
            "aggregates finish on time");
    assertThat(finishes.isBroken()).isTrue();
    assertThat(finishes.measured()).startsWith("70 s at most; 1 of 10 aggregates were bad");
  }

  /// As with 90 % of the rows 3 minutes late in a run of 90 s.
  @Test
  void aRateThatWasNotOfferedHasNotPassed() {
    for (int rows : new int[] {0, 100, 949, 950, 1_000}) {
      List<Series.Second> seconds = new ArrayList<>();
      for (int i = 0; i < 90; i++) {
        seconds.add(new Series.Second(i, rows, 0, Series.StartDelay.of(5), 20, 40, 0, 0));
      }
      Judgement judgement = judge(seconds, aggregates(1, _ -> 1));
      Criterion offered = criterion(judgement, "the rate is offered");
      assertThat(offered.isUntested()).isEqualTo(rows < 950);
      assertThat(offered.measured()).isEqualTo((rows / 10.0 + " % of them").replace(".0 ", " "));
      assertThat(judgement.passed()).isEqualTo(rows >= 950);
    }
  }

  /// Tries of one window: when each began, how long it took, and whether it failed.
  private static List<Series.WindowRun> tries(double[]... tries) {
    List<Series.WindowRun> all = new ArrayList<>();
    for (double[] each : tries) {
      String error = each[2] > 0 ? "the lock is held" : "";
      all.add(
          new Series.WindowRun(
              "minute", "23:59:00", each[0], each[1], 0, !all.isEmpty(), false, error));
    }
    return all;
  }

  private static double[] failed(double at, double took) {
    return new double[] {at, took, 1};
  }

  private static double[] done(double at, double took) {
    return new double[] {at, took, 0};
  }

  private static Criterion finishes(List<Series.WindowRun> windows) {
    return criterion(judge(seconds(200, _ -> 5), windows), "aggregates finish on time");
  }

  @Test
  void aWindowIsJudgedFromWhenItWasDueToWhenItWasDone() {
    Criterion late =
        finishes(tries(failed(70, 0.1), failed(100, 0.1), failed(130, 0.1), done(134, 1)));
    assertThat(late.isBroken()).isTrue();
    assertThat(late.measured())
        .isEqualTo(
            "65 s at most; 1 of 1 aggregates were bad;"
                + " 1 aggregate of minute took longer than its window of 60 s (65 s at most)");
    // Another time, since rows came late: that counts by itself.
    Criterion inTime = finishes(tries(failed(70, 0.1), done(100, 2), done(160, 3)));
    assertThat(inTime.holds()).isTrue();
    assertThat(inTime.measured()).isEqualTo("32 s at most; 0 of 2 aggregates were bad");
  }

  @Test
  void aWindowThatWasNeverDoneIsNotOnTime() {
    Criterion never = finishes(tries(failed(70, 0.1), failed(100, 0.1)));
    assertThat(never.isBroken()).isTrue();
    assertThat(never.measured())
        .isEqualTo("30.1 s at most; 1 of 1 aggregates were bad; 1 failed and were not done");
    // A mark of a window that can't be taken away is no window.
    List<Series.WindowRun> mark = new ArrayList<>(tries(done(70, 1)));
    mark.add(
        new Series.WindowRun(
            "mark of minute", "23:59:00", 80, 0, 0, true, false, "the lock is held"));
    assertThat(finishes(mark).measured()).isEqualTo("1 s at most; 0 of 1 aggregates were bad");
  }

  @Test
  void anAggregateThatTakesLongerThanItsWindowIsReportedWhateverTheLimit() {
    Limits lenient = new Limits(1000, 0.005, 5, 600, 0.005, 1, 0.01);
    List<Series.WindowRun> windows = aggregates(5, i -> i == 3 ? 75 : 60);
    RunFacts facts =
        new RunFacts(
            seconds(600, _ -> 5),
            windows,
            RunFacts.Machine.NONE,
            REQUESTED,
            windows.size(),
            0,
            0,
            List.of());
    Judgement judgement = Judge.of(facts, lenient);
    assertThat(judgement.passed()).isTrue();
    assertThat(judgement.cautions())
        .containsExactly(
            "1 aggregate of minute took longer than its window of 60 s (75 s at most)");
    assertThat(criterion(judgement, "aggregates finish on time").measured())
        .endsWith(judgement.cautions().getFirst());
    assertThat(judge(seconds(60, _ -> 5), aggregates(5, _ -> 60)).cautions()).isEmpty();
  }

  private static Criterion backlog(List<Series.Second> seconds) {
    return criterion(judge(seconds, List.of()), "the backlog does not grow");
  }

  @Test
  void aBacklogIsUndecidedIfItsIntervalIsWiderThanTheLimit() {
    Criterion jump = backlog(seconds(36, i -> i >= 30 ? 900 : 5));
    assertThat(jump.isUndecided()).as("%s", jump).isTrue();
    assertThat(jump.measured()).contains(" of the load, at least -", " %, at most ");
    Judgement judgement = judge(seconds(36, i -> i >= 30 ? 900 : 5), aggregates(1, _ -> 1));
    assertThat(judgement.passed()).isFalse();
    assertThat(judgement.isBroken()).isFalse();
    // One that surely becomes less does not grow, however uncertain that is by how much.
    assertThat(backlog(seconds(60, i -> 6_000 - 100 * i + (i % 20 < 10 ? 200 : 0))).holds())
        .isTrue();
    // In a long run the same jump says little.
    assertThat(backlog(seconds(600, i -> i >= 300 && i < 306 ? 900 : 5)).holds()).isTrue();
  }

  @Test
  void sumsThatCouldNotBeComparedAreNotSaidToDiffer() {
    RunFacts facts =
        new RunFacts(
            seconds(60, _ -> 5),
            List.of(),
            RunFacts.Machine.NONE,
            REQUESTED,
            0,
            0,
            0,
            List.of(OnlineReport.Sum.UNKNOWN));
    Criterion sums = criterion(Judge.of(facts, Limits.DEFAULT), "the sums agree");
    assertThat(sums.isBroken()).isTrue();
    assertThat(sums.measured()).isEqualTo("they could not be compared");
  }
}
