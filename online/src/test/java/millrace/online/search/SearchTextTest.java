package millrace.online.search;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import millrace.online.report.OnlineReport.Criterion;
import millrace.online.report.ProcessorUse;
import millrace.online.search.SearchResult.Finding;
import org.junit.jupiter.api.Test;

/// A search as text and as JSON.
final class SearchTextTest {

  private static final Measured FAILED =
      new Measured(
          new Trial(65_500, Duration.ofMinutes(10), Trial.Kind.CONFIRM),
          new Verdict(
              Verdict.Outcome.FAILED,
              0.004,
              Duration.ofSeconds(405),
              List.of(
                  Criterion.of("no write error", "none", "none", true),
                  Criterion.of("the sums agree", "exactly", "not in raw", false))));

  private static final Optional<ProcessorUse> USE = Optional.of(new ProcessorUse(0.5, 0.25, 0.125));

  private static final SearchResult RESULT =
      new SearchResult(
          Finding.FOUND,
          OptionalLong.of(62_381),
          true,
          OptionalLong.of(65_500),
          List.of(new SearchResult.Rate(65_500, Bound.UPPER, List.of(FAILED))));

  @Test
  void aTrialSaysWhatItHasNotHeld() {
    assertThat(SearchText.line(FAILED))
        .isEqualTo(
            "confirm 65,500 rows/s for 600 s: failed after 405 s, 0.4 % bad,"
                + " failed by: the sums agree (not in raw)");
  }

  @Test
  void whatClientsOfferOnABusyMachineIsToldAsThat() {
    assertThat(SearchText.offered(80_000, true, Optional.empty()))
        .isEqualTo("They offer 80,000 rows/s.");
    assertThat(SearchText.offered(2_000, false, Optional.of(0.978)))
        .isEqualTo(
            "They begin late by themselves at 2,000 rows/s already. Other programs took 98 % of"
                + " this machine's processors meanwhile: without them it may be more.");
  }

  @Test
  void theEndSaysBothBounds() {
    assertThat(SearchText.sentence(RESULT, USE))
        .isEqualTo("Found: 62,381 rows/s passes, 65,500 rows/s fails.");
    SearchResult none =
        new SearchResult(
            Finding.SEARCHING, OptionalLong.empty(), false, OptionalLong.empty(), List.of());
    assertThat(SearchText.sentence(none, USE)).isEqualTo("Stopped: none passes, none fails.");
    assertThat(SearchText.past(82))
        .hasValue(
            "All runs began with the same past, which was filled in once: 82 rows of each of their"
                + " devices.");
    assertThat(SearchText.past(0)).isEmpty();
    assertThat(SearchJson.of(none, 82, Optional.empty()))
        .hasToString(
            "{\"search\":{\"finding\":\"stopped\",\"passes_rows_per_s\":null,\"confirmed\":false,"
                + "\"fails_rows_per_s\":null,\"past_rows_per_device\":82,\"processors\":null,\"rates\":[]}}");
  }

  @Test
  void jsonHasEachTrialWithAllCriteria() {
    assertThat(SearchJson.of(RESULT, 82, USE))
        .hasToString(
            "{\"search\":{\"finding\":\"found\",\"passes_rows_per_s\":62381,\"confirmed\":true,"
                + "\"fails_rows_per_s\":65500,\"past_rows_per_device\":82,"
                + "\"processors\":{\"busy_percent\":87.5,\"own_percent\":50.0,\"target_percent\":25.0,"
                + "\"others_percent\":12.5},\"rates\":[{\"rows_per_s\":65500,\"bound\":\"upper\","
                + "\"trials\":[{\"kind\":\"confirm\",\"rows_per_s\":65500,\"duration_s\":600,"
                + "\"ran_s\":405,\"result\":\"failed\",\"bad_share\":0.004,\"criteria\":[{\"name\":\"no"
                + " write"
                + " error\",\"limit\":\"none\",\"measured\":\"none\",\"result\":\"holds\",\"passed\":true},{\"name\":\"the"
                + " sums agree\",\"limit\":\"exactly\",\"measured\":\"not in"
                + " raw\",\"result\":\"broken\",\"passed\":false}]}]}]}}");
  }

  /// The clients offer no more, or the time was over: nobody knows how much it would be.
  @Test
  void aSearchThatNeverMetALimitSaysAtLeast() {
    SearchResult all =
        new SearchResult(
            Finding.AT_LIMIT, OptionalLong.of(80_000), true, OptionalLong.empty(), List.of());
    assertThat(SearchText.sentence(all, USE))
        .isEqualTo(
            "No limit was met, as the clients offer no more: at least 80,000 rows/s passes, none"
                + " fails. This machine's processors were 88 % busy: Millrace took 50 %, the"
                + " target's server 25 %, other programs 13 %.");
    SearchResult some =
        new SearchResult(
            Finding.OUT_OF_TRIALS, OptionalLong.of(80_000), true, OptionalLong.empty(), List.of());
    assertThat(SearchText.sentence(some, Optional.empty()))
        .isEqualTo(
            "Not found within the number of trials: at least 80,000 rows/s passes, none fails.");
  }

  @Test
  void aTrialThatSaysNothingSaysWhy() {
    Measured undecided =
        new Measured(
            new Trial(10_000, Duration.ofMinutes(2), Trial.Kind.SEARCH),
            new Verdict(
                Verdict.Outcome.INVALID,
                0,
                Duration.ofMinutes(2),
                List.of(
                    Criterion.of("no write error", "none", "none", true),
                    new Criterion(
                        "the backlog does not grow",
                        "1 %",
                        "grows by 0 %",
                        Criterion.Result.UNDECIDED))));
    assertThat(SearchText.line(undecided))
        .isEqualTo(
            "search 10,000 rows/s for 120 s: invalid, 0.0 % bad,"
                + " says nothing by: the backlog does not grow (grows by 0 %)");
  }
}
