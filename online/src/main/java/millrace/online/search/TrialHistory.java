package millrace.online.search;

import java.util.ArrayList;
import java.util.List;
import java.util.Map.Entry;
import java.util.OptionalLong;
import java.util.TreeMap;

/// All that was tried, by rate, and what it says about each. Not changed once it is made. A trial
/// that was stopped or was not valid says nothing and is left out.
///
/// There are two goals. The first is for trials: three of them make its duration sum, so that the
/// majority decides. The second is for the confirmation: one such run decides.
final class TrialHistory {

  /// A trial that fails is repeated, because one spike must not halve the result. Two that fail are
  /// the majority.
  private static final int TRIALS = 3;

  private final SearchConfig config;
  private final SearchGoal brief;
  private final SearchGoal confirmed;
  private final TreeMap<Long, List<Measured>> rates = new TreeMap<>();

  TrialHistory(SearchConfig config, List<Measured> history) {
    this.config = config;
    double trial = config.trial().toNanos() / 1e9;
    double confirmation = config.confirmation().toNanos() / 1e9;
    brief = new SearchGoal(trial, TRIALS * trial, config.badShareMax());
    confirmed = new SearchGoal(confirmation, confirmation, config.badShareMax());
    for (Measured each : history) {
      if (each.verdict().outcome() == Verdict.Outcome.STOPPED
          || each.verdict().outcome() == Verdict.Outcome.INVALID) {
        continue;
      }
      rates.computeIfAbsent(each.trial().rate(), rate -> new ArrayList<>()).add(each);
    }
  }

  /// What is known of a rate.
  ///
  /// @param confirming whether a pass has to be one of a confirmation run
  Bound bound(long rate, boolean confirming) {
    List<Measured> trials = rates.getOrDefault(rate, List.of());
    Bound byConfirmed = confirmed.classify(trials);
    Bound byBrief = brief(trials);
    if (byBrief == Bound.UPPER || byConfirmed == Bound.UPPER) {
      return Bound.UPPER;
    }
    return confirming ? byConfirmed : byBrief;
  }

  /// On the way, a rate at which nothing failed is a lower bound at once: to repeat what passes
  /// would double the time, and the confirmation makes up for it.
  private Bound brief(List<Measured> trials) {
    boolean nothingFailed =
        trials.stream().anyMatch(brief::isFull)
            && trials.stream().allMatch(each -> each.passed(config.badShareMax()));
    return nothingFailed ? Bound.LOWER : brief.classify(trials);
  }

  /// Whether a rate is undecided and has had all the trials that it may have.
  boolean isGivenUp(long rate, boolean confirming) {
    return bound(rate, confirming) == Bound.UNDECIDED && !mayRepeat(rate, confirming);
  }

  /// Whether a rate may have another trial of this kind.
  boolean mayRepeat(long rate, boolean confirming) {
    Trial.Kind kind = confirming ? Trial.Kind.CONFIRM : Trial.Kind.SEARCH;
    long trials =
        rates.getOrDefault(rate, List.of()).stream()
            .filter(each -> each.trial().kind() == kind)
            .count();
    return trials < config.trialsPerRate();
  }

  /// The relevant lower bound of RFC 9971: the highest rate that passes below the least that fails.
  OptionalLong lower(boolean confirming) {
    long below = upper(0).orElse(Long.MAX_VALUE);
    return rates.headMap(below, false).descendingKeySet().stream()
        .mapToLong(Long::longValue)
        .filter(rate -> bound(rate, confirming) == Bound.LOWER)
        .findFirst();
  }

  /// The relevant upper bound of RFC 9971: the least rate that fails, from this one on.
  OptionalLong upper(long from) {
    return rates.tailMap(from).keySet().stream()
        .mapToLong(Long::longValue)
        .filter(rate -> bound(rate, false) == Bound.UPPER)
        .findFirst();
  }

  /// The least rate above the lower bound that failed or was given up: narrowing stops at it.
  OptionalLong ceiling(boolean confirming) {
    long above = lower(confirming).orElse(0);
    return rates.tailMap(above, false).keySet().stream()
        .mapToLong(Long::longValue)
        .filter(rate -> bound(rate, confirming) == Bound.UPPER || isGivenUp(rate, confirming))
        .findFirst();
  }

  /// Whether a rate passed that is higher than one that failed. Only trials of the same length are
  /// compared: what fails a confirmation may be lower than what passes a shorter trial.
  boolean isIrregular() {
    boolean hasFailed = false;
    for (List<Measured> each : rates.values()) {
      List<Measured> trials =
          each.stream().filter(one -> one.trial().kind() != Trial.Kind.CONFIRM).toList();
      if (hasFailed && brief(trials) == Bound.LOWER) {
        return true;
      }
      hasFailed |= brief(trials) == Bound.UPPER;
    }
    return false;
  }

  long highest() {
    return rates.lastKey();
  }

  /// How many rates have had a confirmation run that failed, or that said nothing.
  long takenBack() {
    return rates.keySet().stream()
        .filter(rate -> bound(rate, true) != Bound.LOWER && hasKind(rate, Trial.Kind.CONFIRM))
        .count();
  }

  boolean hasProbe() {
    return rates.keySet().stream().anyMatch(rate -> hasKind(rate, Trial.Kind.PROBE));
  }

  private boolean hasKind(long rate, Trial.Kind kind) {
    return rates.getOrDefault(rate, List.of()).stream()
        .anyMatch(each -> each.trial().kind() == kind);
  }

  /// All rates, for the result.
  List<SearchResult.Rate> all() {
    List<SearchResult.Rate> all = new ArrayList<>();
    for (Entry<Long, List<Measured>> each : rates.entrySet()) {
      all.add(new SearchResult.Rate(each.getKey(), bound(each.getKey(), false), each.getValue()));
    }
    return all;
  }
}
