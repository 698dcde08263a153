package millrace.online.search;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import millrace.online.search.Verdict.Outcome;
import org.junit.jupiter.api.Test;

/// The load classification of RFC 9971, by the example of its appendix ("Example Search"), for the
/// two of its goals that have our exceed ratio of 50 %.
final class SearchGoalTest {

  /// "TST009": two trials of 60 s.
  private static final SearchGoal LONG = new SearchGoal(60, 120, 0);

  /// "1s final": 120 trials of 1 s, with 0.5 % loss.
  private static final SearchGoal SHORT = new SearchGoal(1, 120, 0.005);

  @Test
  void theExampleOfTheRfcIsClassifiedAsThere() {
    List<Measured> trials = new ArrayList<>();
    add(trials, 59, 1, 0);
    assertBounds(trials, Bound.UNDECIDED, Bound.UNDECIDED);
    add(trials, 1, 1, 0.01);
    assertBounds(trials, Bound.UNDECIDED, Bound.UNDECIDED);
    add(trials, 58, 1, 0.01);
    assertBounds(trials, Bound.UNDECIDED, Bound.UNDECIDED);
    add(trials, 1, 1, 0.01);
    add(trials, 1, 1, 0);
    assertBounds(trials, Bound.UNDECIDED, Bound.LOWER);
    add(trials, 1, 60, 0.001);
    assertBounds(trials, Bound.UNDECIDED, Bound.LOWER);
    add(trials, 1, 60, 0);
    assertBounds(trials, Bound.LOWER, Bound.LOWER);
  }

  @Test
  void nothingMeasuredIsUndecided() {
    assertThat(LONG.classify(List.of())).isEqualTo(Bound.UNDECIDED);
  }

  @Test
  void shortTrialsMakeAnUpperBoundButNoLowerOne() {
    List<Measured> trials = new ArrayList<>();
    add(trials, 1000, 1, 0);
    assertThat(LONG.classify(trials)).isEqualTo(Bound.UNDECIDED);
    add(trials, 1061, 1, 0.5);
    assertThat(LONG.classify(trials)).isEqualTo(Bound.UPPER);
  }

  @Test
  void aTrialThatFailedEarlyCountsInFull() {
    Trial trial = new Trial(1, Duration.ofSeconds(60), Trial.Kind.SEARCH);
    Measured failed =
        new Measured(trial, new Verdict(Outcome.FAILED, 0, Duration.ofSeconds(3), List.of()));
    assertThat(LONG.classify(List.of(failed, failed))).isEqualTo(Bound.UPPER);
  }

  private static void assertBounds(List<Measured> trials, Bound byLong, Bound byShort) {
    assertThat(LONG.classify(trials)).isEqualTo(byLong);
    assertThat(SHORT.classify(trials)).isEqualTo(byShort);
  }

  private static void add(List<Measured> trials, int count, long seconds, double badShare) {
    Duration duration = Duration.ofSeconds(seconds);
    for (int i = 0; i < count; i++) {
      trials.add(
          new Measured(
              new Trial(1_000_000, duration, Trial.Kind.SEARCH),
              new Verdict(Outcome.PASSED, badShare, duration, List.of())));
    }
  }
}
