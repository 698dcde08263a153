package millrace.online.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import millrace.online.report.OnlineReport.Criterion;
import millrace.online.report.OnlineReport.Limits;
import millrace.online.report.OnlineReport.Outcome;
import millrace.online.report.OnlineReport.State;
import org.junit.jupiter.api.Test;

final class OnlineTextTest {

  @Test
  void theFirstLineIsTheVerdict() {
    assertThat(OnlineText.lines(Made.passed()).getFirst())
        .isEqualTo("PASSED: all of 4 criteria hold");
    assertThat(OnlineText.lines(Made.failed()).getFirst())
        .isEqualTo("FAILED by: aggregates end in time; no aggregate fails");
    assertThat(OnlineText.lines(Made.running(30)).getFirst()).isEqualTo("RUNNING");
    List<String> untested = OnlineText.lines(Made.untested());
    assertThat(untested.getFirst())
        .isEqualTo("NOT PASSED, since not tested: aggregates end in time");
    assertThat(String.join("\n", untested))
        .containsPattern("aggregates end in time .* none +not tested\n");
  }

  @Test
  void aRunThatPassesAndGrowsSaysWhenTheLimitIsMet() {
    assertThat(OnlineText.lines(Made.growing()).getFirst())
        .isEqualTo(
            "PASSED, but the write time grows: the limit of 1 s is met after about 16 minutes");
  }

  @Test
  void theTablesSayWhatWasMeasured() {
    assertThat(String.join("\n", OnlineText.lines(Made.failed())))
        .contains(
            "12,000,000 rows acknowledged in 20:00, 10,000 rows/s",
            "late rows   144 of 12,000,000 (0.001 %)",
            "forecast    Aggregate time of minutes does not grow.",
            "note        The clock of the data began")
        .containsPattern("no aggregate fails +0 errors +1 error +NO\n")
        .containsPattern("time \\(ms\\) +writes +p50 +p90 +p99 +p99.9 +max\n")
        .containsPattern("start delay +24,000 +0.41 +1.92 +14.6 +288 +4,000\n")
        .containsPattern("aggregates +count +again +failed +running +mean s +max s\n")
        .containsPattern("minute +21 +2 +1 +0 +4.43 +61.20\n")
        .contains("minute 2019-04-02 00:06:00 failed: Memory limit exceeded")
        .containsPattern("raw +12,000,000 +6,003,481,220 +0 +0 +yes\n")
        .containsPattern("day +10,000 +6,003,480,811 +0 +0 +NO$");
  }

  /// Aggregating what is left takes its time, too.
  @Test
  void aRateIsThatOfTheTimeBesideIt() {
    OnlineReport report = Made.report(State.PASSED, Made.series(600, 10), 727);
    assertThat(OnlineText.lines(report).get(2))
        .endsWith(" rows acknowledged in 10:00, 10,000 rows/s");
  }

  @Test
  void whatIsUndecidedIsNotSaidToHold() {
    OnlineReport untested = Made.untested();
    assertThat(OnlineText.verdict(untested))
        .isEqualTo("NOT PASSED, since not tested: aggregates end in time");
    List<Criterion> criteria = new ArrayList<>(untested.outcome().criteria());
    criteria.add(
        new Criterion("the backlog does not grow", "1 %", "0 %", Criterion.Result.UNDECIDED));
    OnlineReport undecided = Made.with(untested, criteria);
    assertThat(OnlineText.verdict(undecided))
        .isEqualTo(
            "NOT PASSED, since not tested: aggregates end in time;"
                + " undecided: the backlog does not grow");
    assertThat(OnlineText.lines(undecided))
        .anyMatch(line -> line.matches(" +the backlog does not grow +1 % +0 % +undecided"));
    criteria.remove(1);
    assertThat(OnlineText.verdict(Made.with(untested, criteria)))
        .isEqualTo("NOT PASSED, since undecided: the backlog does not grow");
  }

  @Test
  void aServersTextCantMoveTheCursor() {
    Series.WindowRun run =
        new Series.WindowRun("minute", "w", 1, 1, 0, false, false, "bad\u001b[2J\nPASSED");
    OnlineReport report =
        Made.report(State.FAILED, new Series(List.of(), List.of(run), List.of()), 1);
    assertThat(OnlineText.lines(report))
        .contains("  minute w failed: bad [2J PASSED")
        .noneMatch(line -> line.contains("\u001b") || line.contains("\n"));
  }

  @Test
  void aRunThatHasNotBegunIsToldToo() {
    OnlineReport report = empty();
    assertThat(OnlineText.lines(report))
        .containsExactly(
            "RUNNING", "  t", "  0 rows acknowledged in 0:00, 0 rows/s", "  late rows   none");
    assertThat(OnlineText.progress(report))
        .isEqualTo(
            "0:00  0 rows/s, start delay 0.00 ms, backlog 0, windows 0 done, 0 running, bad seconds"
                + " 0.00 %");
  }

  static OnlineReport empty() {
    return new OnlineReport(
        "t",
        Map.of(),
        0,
        0,
        new Outcome(
            State.RUNNING,
            List.of(),
            new Limits(1000, Double.NaN),
            List.of(),
            List.of(),
            List.of()),
        new Series(List.of(), List.of(), List.of()),
        List.of(),
        List.of());
  }

  @Test
  void theProgressTellsOfTheLastTenSecondsAndOfAllBadSeconds() {
    List<Series.Second> seconds =
        IntStream.range(0, 20)
            .mapToObj(i ->
                new Series.Second(
                    i, i < 10 ? 50 : 100, 0, Series.StartDelay.of(i == 3 ? 2000 : i), 5, 9, i, 0))
            .toList();
    List<Series.WindowRun> windows =
        List.of(
            new Series.WindowRun("minute", "a", 1, 2, 10, false, false, ""),
            new Series.WindowRun("minute", "b", 5, 2, 10, false, false, "broken"),
            new Series.WindowRun("hour", "c", 6, 2, 0, false, true, ""));
    OnlineReport report = Made.report(State.RUNNING, new Series(seconds, windows, List.of()), 3725);
    assertThat(OnlineText.progress(report))
        .isEqualTo(
            "1:02:05  100 rows/s, start delay 19.0 ms, backlog 19, windows 1 done, 1 running, 1"
                + " failed, bad seconds 5.00 %");
  }
}
