package millrace.online.search;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import millrace.online.search.SearchResult.Finding;
import millrace.online.search.Trial.Kind;

/// The search for the highest rate that passes, after MLRsearch (RFC 9971; [SearchGoal] says how
/// its terms map to ours).
///
/// It doubles the rate until one fails (or halves it until one passes), then takes the geometric
/// mean of both bounds until they are close, then confirms the lower one by a longer run. If that
/// fails, the bound is taken back, and only the longer runs count from then on: it steps down by
/// the width, twice the width and so on until one passes, and narrows again. At last, one trial at
/// twice the highest rate shows whether a rate passes that is higher than one that failed.
///
/// What comes next follows from what was measured alone, so a search is a value: it can be kept,
/// compared, and gone on with later.
///
/// @param history what was measured, in order
public record LoadSearch(SearchConfig config, List<Measured> history) {

  /// So many trials on end that are not valid end the search.
  private static final int INVALID_MAX = 3;

  public LoadSearch {
    history = List.copyOf(history);
  }

  /// A search that begins.
  public static LoadSearch of(SearchConfig config) {
    return new LoadSearch(config, List.of());
  }

  /// What to run next; empty if the search has ended.
  public Optional<Trial> next() {
    if (isStopped() || isInvalid() || history.size() >= config.trialsMax()) {
      return Optional.empty();
    }
    TrialHistory tried = tried();
    Optional<Trial> repeated = repeated(tried);
    if (repeated.isPresent()) {
      return repeated;
    }
    return tried.takenBack() == 0 ? search(tried) : descend(tried);
  }

  /// The search with what came of [#next].
  ///
  /// @throws java.util.NoSuchElementException if it has ended
  public LoadSearch with(Verdict verdict) {
    List<Measured> more = new ArrayList<>(history);
    more.add(new Measured(next().orElseThrow(), verdict));
    return new LoadSearch(config, more);
  }

  /// What is known now; final if there is no [#next].
  public SearchResult result() {
    TrialHistory tried = tried();
    OptionalLong lower = lower(tried);
    boolean isConfirmed = lower.isPresent() && tried.bound(lower.getAsLong(), true) == Bound.LOWER;
    OptionalLong upper = tried.upper(lower.orElse(0));
    return new SearchResult(finding(tried), lower, isConfirmed, upper, tried.all());
  }

  private Finding finding(TrialHistory tried) {
    if (isStopped()) {
      return Finding.STOPPED;
    }
    if (isInvalid()) {
      return Finding.NOT_VALID;
    }
    if (next().isPresent()) {
      return Finding.SEARCHING;
    }
    boolean confirming = tried.takenBack() > 0;
    OptionalLong ceiling = tried.ceiling(confirming);
    OptionalLong lower = lower(tried);
    if (lower.isEmpty() && tried.bound(config.rates().least(), false) == Bound.UPPER) {
      return Finding.NOT_FOUND;
    }
    if (tried.isIrregular()) {
      return Finding.IRREGULAR;
    }
    if (ceiling.isPresent() && tried.isGivenUp(ceiling.getAsLong(), confirming)) {
      return Finding.UNDECIDED;
    }
    return byBounds(tried, lower, ceiling);
  }

  private Finding byBounds(TrialHistory tried, OptionalLong lower, OptionalLong ceiling) {
    if (lower.isEmpty() || tried.bound(lower.getAsLong(), true) != Bound.LOWER) {
      return Finding.OUT_OF_TRIALS;
    }
    if (ceiling.isEmpty()) {
      return lower.getAsLong() == config.rates().most() ? Finding.AT_LIMIT : Finding.OUT_OF_TRIALS;
    }
    return isClose(lower.getAsLong(), ceiling.getAsLong()) ? Finding.FOUND : Finding.OUT_OF_TRIALS;
  }

  /// The lower bound that counts now; one that only short trials speak for if there is no other.
  private static OptionalLong lower(TrialHistory tried) {
    OptionalLong confirmed = tried.takenBack() > 0 ? tried.lower(true) : OptionalLong.empty();
    return confirmed.isPresent() ? confirmed : tried.lower(false);
  }

  private boolean isStopped() {
    return history.stream().anyMatch(each -> each.verdict().outcome() == Verdict.Outcome.STOPPED);
  }

  /// Whether the last trials say nothing, so that more of them would not either.
  private boolean isInvalid() {
    int from = history.size() - INVALID_MAX;
    return from >= 0
        && history.subList(from, history.size()).stream()
            .allMatch(each -> each.verdict().outcome() == Verdict.Outcome.INVALID);
  }

  private TrialHistory tried() {
    return new TrialHistory(config, history);
  }

  /// The last trial again, if it did not decide.
  private Optional<Trial> repeated(TrialHistory tried) {
    if (history.isEmpty() || history.getLast().trial().kind() == Kind.PROBE) {
      return Optional.empty();
    }
    Trial last = history.getLast().trial();
    boolean confirming = last.kind() == Kind.CONFIRM;
    boolean isOpen =
        tried.bound(last.rate(), confirming) == Bound.UNDECIDED
            && tried.mayRepeat(last.rate(), confirming);
    return isOpen ? Optional.of(last) : Optional.empty();
  }

  /// By short trials, up to the first confirmation.
  private Optional<Trial> search(TrialHistory tried) {
    if (history.isEmpty()) {
      return trial(config.rates().initial(), Kind.SEARCH);
    }
    long most = config.rates().most();
    if (tried.upper(0).isEmpty() && tried.highest() < most) {
      return trial(twice(tried.highest()), Kind.SEARCH);
    }
    OptionalLong ceiling = tried.ceiling(false);
    OptionalLong lower = tried.lower(false);
    if (ceiling.isEmpty()) {
      return confirm(tried, most);
    }
    long high = ceiling.getAsLong();
    if (lower.isEmpty()) {
      long least = config.rates().least();
      return high == least ? Optional.empty() : trial(Math.max(least, high / 2), Kind.SEARCH);
    }
    long low = lower.getAsLong();
    if (!isClose(low, high)) {
      return trial(between(low, high), Kind.SEARCH);
    }
    Optional<Trial> confirmation = confirm(tried, low);
    return confirmation.isPresent() ? confirmation : probe(tried);
  }

  /// By long trials, after a bound has been taken back.
  private Optional<Trial> descend(TrialHistory tried) {
    long high = tried.ceiling(true).orElseThrow();
    OptionalLong lower = tried.lower(true);
    if (lower.isPresent()) {
      long low = lower.getAsLong();
      return isClose(low, high) ? probe(tried) : trial(between(low, high), Kind.CONFIRM);
    }
    long least = config.rates().least();
    if (high == least) {
      return Optional.empty();
    }
    double step = Math.pow(1 + config.width(), Math.pow(2, tried.takenBack() - 1.0));
    long rate = Math.min(high - 1, (long) Math.ceil(high / step));
    return trial(Math.max(least, rate), Kind.CONFIRM);
  }

  private Optional<Trial> confirm(TrialHistory tried, long rate) {
    return tried.bound(rate, true) == Bound.LOWER ? Optional.empty() : trial(rate, Kind.CONFIRM);
  }

  /// Once, and last of all: too high a rate may leave the target in a state that the next trial
  /// suffers from.
  private Optional<Trial> probe(TrialHistory tried) {
    if (!config.probe() || tried.hasProbe() || tried.highest() == config.rates().most()) {
      return Optional.empty();
    }
    return trial(twice(tried.highest()), Kind.PROBE);
  }

  private long twice(long rate) {
    long most = config.rates().most();
    return rate > most / 2 ? most : rate * 2;
  }

  private boolean isClose(long low, long high) {
    return high - low <= 1 || (double) high / low - 1 <= config.width();
  }

  /// The geometric mean: both halves are the same factor wide.
  private static long between(long low, long high) {
    long mean = Math.round(Math.sqrt((double) low * high));
    return Math.clamp(mean, low + 1, high - 1);
  }

  private Optional<Trial> trial(long rate, Kind kind) {
    Duration duration =
        switch (kind) {
          case SEARCH, PROBE -> config.trial();
          case CONFIRM -> config.confirmation();
        };
    return Optional.of(new Trial(rate, duration, kind));
  }
}
