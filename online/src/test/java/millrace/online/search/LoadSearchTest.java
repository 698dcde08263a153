package millrace.online.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import millrace.online.search.SearchConfig.Rates;
import millrace.online.search.SearchResult.Finding;
import millrace.online.search.Trial.Kind;
import millrace.online.search.Verdict.Outcome;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

/// The search, on servers of which the highest rate is known.
final class LoadSearchTest {

  private static final SearchConfig CONFIG = SearchConfig.of(new Rates(10_000, 1_000, 10_000_000));

  /// Whether a trial passes.
  private interface Server {
    boolean passes(Trial trial);
  }

  @Test
  void aSharpServerIsFoundWithinTheWidth() {
    LoadSearch search = run(CONFIG, trial -> trial.rate() <= 100_000);
    SearchResult result = search.result();
    assertThat(result.finding()).isEqualTo(Finding.FOUND);
    assertThat(result.isConfirmed()).isTrue();
    assertAround(result, 100_000);
    assertThat(search.history()).hasSizeLessThanOrEqualTo(15);
    assertThat(rates(search).subList(0, 6))
        .containsExactly(10_000L, 20_000L, 40_000L, 80_000L, 160_000L, 160_000L);
  }

  @Property
  void theBoundsContainTheRateOfASharpServer(
      @ForAll @LongRange(min = 1, max = 3_000_000) long highest,
      @ForAll @LongRange(min = 1, max = 1_000_000) long initial,
      @ForAll @DoubleRange(min = 0.01, max = 0.5) double width) {
    SearchConfig config =
        new SearchConfig(
            new Rates(initial, 1, 4_000_000),
            width,
            Duration.ofSeconds(20),
            Duration.ofMinutes(1),
            0.005,
            3,
            200,
            true);
    SearchResult result = run(config, trial -> trial.rate() <= highest).result();
    assertThat(result.finding()).isEqualTo(Finding.FOUND);
    long lower = result.lower().orElseThrow();
    long upper = result.upper().orElseThrow();
    assertThat(highest).isBetween(lower, upper - 1);
    assertThat(upper == lower + 1 || (double) upper / lower - 1 <= width).isTrue();
  }

  /// They say nothing about the rate: the same is tried again, and bounds are as without them.
  @Test
  void trialsThatAreNotValidAreMadeAgain() {
    LoadSearch search = LoadSearch.of(CONFIG);
    int made = 0;
    for (Optional<Trial> next = search.next(); next.isPresent(); next = search.next()) {
      Trial trial = next.get();
      if (made++ % 3 == 0) {
        search = search.with(new Verdict(Outcome.INVALID, 0, trial.duration(), List.of()));
        assertThat(search.next()).contains(trial);
      } else {
        search = search.with(verdict(trial, trial.rate() <= 100_000, 1));
      }
    }
    assertThat(search.result().finding()).isEqualTo(Finding.FOUND);
    assertAround(search.result(), 100_000);
  }

  @Test
  void aSearchWhoseTrialsAreNeverValidEnds() {
    LoadSearch search = LoadSearch.of(CONFIG);
    while (search.next().isPresent()) {
      search =
          search.with(
              new Verdict(Outcome.INVALID, 0, search.next().orElseThrow().duration(), List.of()));
    }
    assertThat(search.history()).hasSize(3);
    assertThat(search.result().finding()).isEqualTo(Finding.NOT_VALID);
    assertThat(search.result().lower()).isEmpty();
  }

  /// Whatever a server does, the search ends.
  @Property
  void thereAreNeverMoreTrialsThanAllowed(
      @ForAll long seed,
      @ForAll @DoubleRange(min = 0, max = 1) double passes,
      @ForAll @IntRange(min = 1, max = 60) int trialsMax,
      @ForAll @IntRange(min = 2, max = 5) int perRate) {
    Random random = new Random(seed);
    SearchConfig config = config(CONFIG.rates(), perRate, trialsMax);
    LoadSearch search = LoadSearch.of(config);
    Optional<Trial> next = search.next();
    while (next.isPresent()) {
      assertThat(next.get().rate()).isBetween(1_000L, 10_000_000L);
      double ran = random.nextInt(4) == 0 ? 0.5 : 1;
      search = search.with(verdict(next.get(), random.nextDouble() < passes, ran));
      next = search.next();
    }
    assertThat(search.history()).hasSizeLessThanOrEqualTo(trialsMax);
    SearchResult result = search.result();
    assertThat(result.finding()).isNotIn(Finding.SEARCHING, Finding.STOPPED);
    Map<Long, Integer> counts = new HashMap<>();
    search.history().stream()
        .filter(each -> each.trial().kind() == Kind.SEARCH)
        .forEach(each -> counts.merge(each.trial().rate(), 1, Integer::sum));
    assertThat(counts.values()).allMatch(count -> count <= perRate);
    if (result.lower().isPresent() && result.upper().isPresent()) {
      assertThat(result.lower().getAsLong()).isLessThan(result.upper().getAsLong());
    }
  }

  @Property(tries = 100)
  void theSameAnswersGiveTheSameSearch(@ForAll long seed) {
    assertThat(run(CONFIG, noisy(seed, 100_000, 0.2)))
        .isEqualTo(run(CONFIG, noisy(seed, 100_000, 0.2)));
  }

  @Test
  void aNoisyServerIsFoundNearItsRate() {
    int near = 0;
    for (int seed = 0; seed < 200; seed++) {
      SearchResult result = run(CONFIG, noisy(seed, 100_000, 0.1)).result();
      double lower = result.lower().orElse(0);
      near += lower > 80_000 && lower < 120_000 ? 1 : 0;
    }
    assertThat(near).isGreaterThan(180);
  }

  @Test
  void oneSpikeOnTheWayDoesNotLowerTheResult() {
    int[] trials = {0};
    LoadSearch search = run(CONFIG, trial -> ++trials[0] != 2 && trial.rate() <= 100_000);
    assertThat(search.result().finding()).isEqualTo(Finding.FOUND);
    assertAround(search.result(), 100_000);
    assertThat(rates(search).subList(0, 5))
        .containsExactly(10_000L, 20_000L, 20_000L, 20_000L, 40_000L);
  }

  @Test
  void aServerThatNeverPassesIsNotFound() {
    LoadSearch search = run(CONFIG, trial -> false);
    SearchResult result = search.result();
    assertThat(result.finding()).isEqualTo(Finding.NOT_FOUND);
    assertThat(result.lower()).isEmpty();
    assertThat(result.upper()).hasValue(1_000);
    assertThat(rates(search))
        .containsExactly(
            10_000L, 10_000L, 5_000L, 5_000L, 2_500L, 2_500L, 1_250L, 1_250L, 1_000L, 1_000L);
  }

  @Test
  void aServerThatFailsTheFirstRateIsFoundByHalving() {
    SearchResult result = run(CONFIG, trial -> trial.rate() <= 3_000).result();
    assertThat(result.finding()).isEqualTo(Finding.FOUND);
    assertAround(result, 3_000);
  }

  @Test
  void aServerThatTakesAllThatTheGeneratorOffersIsAtTheLimit() {
    SearchConfig config = SearchConfig.of(new Rates(10_000, 1_000, 70_000));
    LoadSearch search = run(config, trial -> true);
    assertThat(search.result().finding()).isEqualTo(Finding.AT_LIMIT);
    assertThat(search.result().lower()).hasValue(70_000);
    assertThat(search.result().isConfirmed()).isTrue();
    assertThat(search.result().upper()).isEmpty();
    assertThat(search.history())
        .extracting(Measured::trial)
        .last()
        .isEqualTo(new Trial(70_000, Duration.ofMinutes(10), Kind.CONFIRM));
  }

  @Test
  void anIrregularServerIsToldByTheProbe() {
    // It fails from 30,000 to 50,000 only: there the batches are of an unlucky size.
    Server server =
        trial -> trial.rate() < 30_000 || (trial.rate() > 50_000 && trial.rate() < 90_000);
    LoadSearch search = run(CONFIG, server);
    assertThat(search.result().finding()).isEqualTo(Finding.IRREGULAR);
    assertAround(search.result(), 29_999);
    assertThat(search.result().isConfirmed()).isTrue();
    assertThat(search.history().getLast().trial())
        .isEqualTo(new Trial(80_000, Duration.ofMinutes(2), Kind.PROBE));
  }

  @Test
  void theConfirmationMayTakeABoundBack() {
    // What it takes for two minutes, it does not take for ten.
    Server server = trial -> trial.rate() <= (trial.kind() == Kind.CONFIRM ? 60_000 : 100_000);
    LoadSearch search = run(CONFIG, server);
    SearchResult result = search.result();
    assertThat(result.finding()).isEqualTo(Finding.FOUND);
    assertThat(result.isConfirmed()).isTrue();
    assertAround(result, 60_000);
    assertThat(search.history()).hasSizeLessThanOrEqualTo(25);
  }

  @Test
  void aBoundThatIsTakenBackDownToTheLeastRateIsNotFound() {
    SearchResult result = run(CONFIG, trial -> trial.kind() != Kind.CONFIRM).result();
    assertThat(result.finding()).isEqualTo(Finding.NOT_FOUND);
    assertThat(result.lower()).isEmpty();
  }

  @Test
  void trialsThatContradictEachOtherLeaveARateUndecided() {
    // Between 70,000 and 130,000 every second trial passes.
    Map<Long, Integer> seen = new HashMap<>();
    Server server =
        trial -> {
          boolean isOdd = seen.merge(trial.rate(), 1, Integer::sum) % 2 == 0;
          return trial.rate() < 70_000 || (trial.rate() < 130_000 && isOdd);
        };
    SearchResult result = run(config(CONFIG.rates(), 2, 40), server).result();
    assertThat(result.finding()).isEqualTo(Finding.UNDECIDED);
    assertThat(result.lower().orElseThrow()).isBetween(65_000L, 70_000L);
    assertThat(result.upper()).hasValue(160_000);
    assertThat(result.rates())
        .filteredOn(rate -> rate.bound() == Bound.UNDECIDED && rate.rate() < 160_000)
        .isNotEmpty();
  }

  @Test
  void withThreeTrialsTheMajorityDecides() {
    assertThat(run(config(CONFIG.rates(), 3, 40), noisy(5, 100_000, 0.3)).result().finding())
        .isNotEqualTo(Finding.UNDECIDED);
  }

  @Test
  void aSearchThatRunsOutOfTrialsSaysWhatItKnows() {
    SearchResult result =
        run(config(CONFIG.rates(), 3, 7), trial -> trial.rate() <= 100_000).result();
    assertThat(result.finding()).isEqualTo(Finding.OUT_OF_TRIALS);
    assertThat(result.lower()).hasValue(80_000);
    assertThat(result.isConfirmed()).isFalse();
    assertThat(result.upper()).hasValue(160_000);
  }

  @Test
  void aTrialThatIsStoppedEndsTheSearch() {
    LoadSearch search = LoadSearch.of(CONFIG);
    search = search.with(verdict(search.next().orElseThrow(), true, 1));
    assertThat(search.result().finding()).isEqualTo(Finding.SEARCHING);
    search = search.with(new Verdict(Outcome.STOPPED, 0, Duration.ofSeconds(3), List.of()));
    assertThat(search.next()).isEmpty();
    assertThat(search.result().finding()).isEqualTo(Finding.STOPPED);
    assertThat(search.result().lower()).hasValue(10_000);
  }

  @Test
  void aConfirmationThatIsStoppedTakesNothingBack() {
    LoadSearch search = LoadSearch.of(CONFIG);
    Trial next = search.next().orElseThrow();
    while (next.kind() != Kind.CONFIRM) {
      search = search.with(verdict(next, next.rate() <= 100_000, 1));
      next = search.next().orElseThrow();
    }
    search = search.with(new Verdict(Outcome.STOPPED, 0.5, Duration.ofMinutes(9), List.of()));
    assertThat(search.result().finding()).isEqualTo(Finding.STOPPED);
    assertThat(search.result().isConfirmed()).isFalse();
    assertAround(search.result(), 100_000);
  }

  @Test
  void aConfirmationThatEndsEarlyIsRepeated() {
    int[] confirmations = {0};
    LoadSearch search = LoadSearch.of(CONFIG);
    Optional<Trial> next = search.next();
    while (next.isPresent()) {
      boolean isShort = next.get().kind() == Kind.CONFIRM && confirmations[0]++ == 0;
      search = search.with(verdict(next.get(), next.get().rate() <= 100_000, isShort ? 0.5 : 1));
      next = search.next();
    }
    assertThat(confirmations[0]).isEqualTo(2);
    assertThat(search.result().finding()).isEqualTo(Finding.FOUND);
    assertThat(search.result().isConfirmed()).isTrue();
  }

  @Test
  void aPassWithTooMuchBadTimeIsNone() {
    LoadSearch search =
        LoadSearch.of(CONFIG)
            .with(new Verdict(Outcome.PASSED, 0.006, Duration.ofMinutes(2), List.of()));
    assertThat(search.next().orElseThrow().rate()).isEqualTo(10_000);
    search = search.with(new Verdict(Outcome.PASSED, 0.006, Duration.ofMinutes(2), List.of()));
    assertThat(search.next().orElseThrow().rate()).isEqualTo(5_000);
  }

  @Test
  void theProbeIsTheLastTrialAndMayBeLeftOut() {
    LoadSearch search = run(CONFIG, trial -> trial.rate() <= 100_000);
    assertThat(search.history().getLast().trial().kind()).isEqualTo(Kind.PROBE);
    assertThat(search.history().getLast().trial().rate()).isEqualTo(320_000);
    SearchConfig without =
        new SearchConfig(
            CONFIG.rates(), 0.05, CONFIG.trial(), CONFIG.confirmation(), 0.005, 3, 40, false);
    assertThat(run(without, trial -> trial.rate() <= 100_000).history())
        .extracting(each -> each.trial().kind())
        .doesNotContain(Kind.PROBE)
        .endsWith(Kind.CONFIRM);
  }

  @Test
  void aConfirmationHasToBeLongerThanATrial() {
    assertThatIllegalArgumentException()
        .isThrownBy(() ->
            new SearchConfig(CONFIG.rates(), 0.05, CONFIG.trial(), CONFIG.trial(), 0, 3, 40, true));
  }

  private static void assertAround(SearchResult result, long highest) {
    long lower = result.lower().orElseThrow();
    long upper = result.upper().orElseThrow();
    assertThat(highest).isBetween(lower, upper - 1);
    assertThat((double) upper / lower - 1).isLessThanOrEqualTo(0.05);
  }

  /// The nearer a rate is to the highest one, the more it is left to chance.
  private static Server noisy(long seed, double highest, double width) {
    Random random = new Random(seed);
    return trial -> trial.rate() <= highest * (1 + width * random.nextGaussian() / 2);
  }

  private static SearchConfig config(Rates rates, int perRate, int trialsMax) {
    return new SearchConfig(
        rates,
        0.05,
        Duration.ofMinutes(2),
        Duration.ofMinutes(10),
        0.005,
        perRate,
        trialsMax,
        true);
  }

  private static LoadSearch run(SearchConfig config, Server server) {
    LoadSearch search = LoadSearch.of(config);
    Optional<Trial> next = search.next();
    while (next.isPresent()) {
      search = search.with(verdict(next.get(), server.passes(next.get()), 1));
      next = search.next();
    }
    return search;
  }

  private static Verdict verdict(Trial trial, boolean passes, double ran) {
    Duration duration = Duration.ofNanos((long) (trial.duration().toNanos() * ran));
    return passes
        ? new Verdict(Outcome.PASSED, 0.001, duration, List.of())
        : new Verdict(Outcome.FAILED, 0.2, duration.dividedBy(10), List.of());
  }

  private static List<Long> rates(LoadSearch search) {
    List<Long> rates = new ArrayList<>();
    search.history().forEach(each -> rates.add(each.trial().rate()));
    return rates;
  }
}
