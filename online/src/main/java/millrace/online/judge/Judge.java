package millrace.online.judge;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import millrace.online.job.OnlineJob;
import millrace.online.report.OnlineReport;
import millrace.online.report.OnlineReport.Criterion;
import millrace.online.report.OnlineReport.Criterion.Result;
import millrace.online.report.Series;

/// Holds what is known of a run against its limits. Pure, and cheap enough for each second of a run
/// that goes on.
public final class Judge {

  private Judge() {}

  /// The judgement of a run so far. The sums are a criterion only if they have been added up. What
  /// does not hold, but would if this machine had not held the run up, says nothing.
  public static Judgement of(RunFacts facts, Limits limits) {
    Judgement judged = strictly(facts, limits);
    Judgement ofTarget = strictly(facts.ofTarget(), limits);
    List<Criterion> criteria = new ArrayList<>();
    for (int i = 0; i < ofTarget.criteria().size(); i++) {
      criteria.add(valid(judged.criteria().get(i), ofTarget.criteria().get(i)));
    }
    return new Judgement(criteria, judged.badShare(), ofTarget.cautions());
  }

  private static Criterion valid(Criterion measured, Criterion ofTarget) {
    boolean isOfMachine = measured.isBroken() && !ofTarget.isBroken();
    return isOfMachine || (measured.isUndecided() && ofTarget.holds())
        ? new Criterion(
            measured.name(),
            measured.limit(),
            measured.measured() + "; without what this machine held up " + ofTarget.measured(),
            Result.NOT_VALID)
        : measured;
  }

  private static Judgement strictly(RunFacts facts, Limits limits) {
    BadCount seconds = seconds(facts.seconds(), limits);
    List<WindowTime> windows = WindowTime.of(facts);
    BadCount aggregates = aggregates(windows, limits);
    List<Criterion> criteria = new ArrayList<>();
    criteria.add(starts(facts, seconds, limits));
    criteria.add(finishes(facts, windows, aggregates, limits));
    criteria.add(writeErrors(facts));
    criteria.add(errors("no aggregate error", facts.aggregates() > 0, facts.aggregateErrors()));
    criteria.add(offered(facts));
    criteria.add(backlog(facts, limits));
    if (!facts.sums().isEmpty()) {
      criteria.add(sums(facts.sums()));
    }
    return new Judgement(
        criteria, Math.max(seconds.share(), aggregates.share()), overlong(facts, windows));
  }

  /// Whether a run will fail, whatever comes in the rest of its time: it has had more bad seconds
  /// already than all of it may have, or an error.
  ///
  /// @param facts of the run so far
  /// @param secondsInAll how long it was to be
  public static boolean isLost(RunFacts facts, long secondsInAll, Limits limits) {
    BadCount soFar = seconds(facts.ofTarget().seconds(), limits);
    BadCount atBest =
        new BadCount(soFar.bad(), (int) Math.max(secondsInAll, soFar.of()), soFar.longestRun());
    return facts.writeErrors() > 0
        || facts.aggregateErrors() > 0
        || !atBest.isWithin(limits.badSecondShareMax(), limits.badSecondRunMax());
  }

  /// A second that is missing from the list had no write; it ends a run of bad ones.
  private static BadCount seconds(List<Series.Second> seconds, Limits limits) {
    BadCount spikes = BadCount.NONE;
    int from = 0;
    for (int i = 1; i <= seconds.size(); i++) {
      boolean ends =
          i == seconds.size() || seconds.get(i).second() != seconds.get(i - 1).second() + 1;
      if (ends) {
        spikes = spikes.plus(BadCount.of(late(seconds.subList(from, i), limits)));
        from = i;
      }
    }
    return spikes;
  }

  private static boolean[] late(List<Series.Second> seconds, Limits limits) {
    boolean[] bad = new boolean[seconds.size()];
    for (int i = 0; i < bad.length; i++) {
      bad[i] = seconds.get(i).startDelayMax() > limits.startDelayMaxMillis();
    }
    return bad;
  }

  /// Of one level on end, of all levels together.
  private static BadCount aggregates(List<WindowTime> windows, Limits limits) {
    Map<String, List<WindowTime>> levels = new LinkedHashMap<>();
    for (WindowTime window : windows) {
      levels.computeIfAbsent(window.level(), _ -> new ArrayList<>()).add(window);
    }
    BadCount spikes = BadCount.NONE;
    for (List<WindowTime> level : levels.values()) {
      boolean[] bad = new boolean[level.size()];
      for (int i = 0; i < bad.length; i++) {
        bad[i] = !level.get(i).isWithin(limits.aggregateMaxSeconds());
      }
      spikes = spikes.plus(BadCount.of(bad));
    }
    return spikes;
  }

  /// Who takes longer for a window than until the next one ends falls further and further behind.
  private static List<String> overlong(RunFacts facts, List<WindowTime> windows) {
    List<String> all = new ArrayList<>();
    for (OnlineJob.WindowSpec level : facts.requested().levels()) {
      double length = level.length().toMillis() / 1e3;
      double[] longer =
          windows.stream()
              .filter(window -> window.level().equals(level.name()) && window.seconds() > length)
              .mapToDouble(WindowTime::seconds)
              .toArray();
      if (longer.length > 0) {
        all.add(
            "%d %s of %s took longer than %s window of %s s (%s s at most)"
                .formatted(
                    longer.length,
                    longer.length == 1 ? "aggregate" : "aggregates",
                    level.name(),
                    longer.length == 1 ? "its" : "their",
                    decimal(length),
                    decimal(Arrays.stream(longer).max().orElse(0))));
      }
    }
    return all;
  }

  private static Criterion starts(RunFacts facts, BadCount spikes, Limits limits) {
    double most =
        facts.seconds().stream().mapToDouble(Series.Second::startDelayMax).max().orElse(0);
    String limit =
        "%s s, but for %s of the seconds and %d on end"
            .formatted(
                decimal(limits.startDelayMaxMillis() / 1000),
                percent(limits.badSecondShareMax()),
                limits.badSecondRunMax());
    return new Criterion(
        "writes start on time",
        limit,
        measured(most / 1000, spikes, "seconds"),
        result(spikes, limits.badSecondShareMax(), limits.badSecondRunMax()));
  }

  private static Criterion finishes(
      RunFacts facts, List<WindowTime> windows, BadCount spikes, Limits limits) {
    double most = windows.stream().mapToDouble(WindowTime::seconds).max().orElse(0);
    long undone = windows.stream().filter(WindowTime::isUndone).count();
    String limit =
        "%s s, but for %s of the aggregates and %d of a level on end"
            .formatted(
                decimal(limits.aggregateMaxSeconds()),
                percent(limits.badAggregateShareMax()),
                limits.badAggregateRunMax());
    List<String> measured = new ArrayList<>();
    measured.add(measured(most, spikes, "aggregates"));
    if (undone > 0) {
      measured.add(undone + " failed and were not done");
    }
    measured.addAll(overlong(facts, windows));
    return new Criterion(
        "aggregates finish on time",
        limit,
        String.join("; ", measured) + without(facts),
        result(spikes, limits.badAggregateShareMax(), limits.badAggregateRunMax()));
  }

  /// The levels that nothing is known of beside others: the clock came to no end of their windows.
  private static String without(RunFacts facts) {
    List<String> ran = facts.windows().stream().map(Series.WindowRun::level).distinct().toList();
    List<String> none =
        facts.requested().levels().stream()
            .map(OnlineJob.WindowSpec::name)
            .filter(level -> !ran.contains(level))
            .toList();
    return ran.isEmpty() || none.isEmpty() ? "" : "; none of " + String.join(", ", none) + " began";
  }

  private static Result result(BadCount spikes, double shareMax, int runMax) {
    if (spikes.of() == 0) {
      return Result.NOT_TESTED;
    }
    return spikes.isWithin(shareMax, runMax) ? Result.HOLDS : Result.BROKEN;
  }

  private static String measured(double seconds, BadCount spikes, String unit) {
    if (spikes.of() == 0) {
      return "there were no " + unit;
    }
    String measured =
        "%s s at most; %d of %d %s were bad"
            .formatted(decimal(seconds), spikes.bad(), spikes.of(), unit);
    return spikes.longestRun() > 1 ? measured + ", " + spikes.longestRun() + " on end" : measured;
  }

  /// What a client tries again by itself is no error; yet who reads "none" should know.
  private static Criterion writeErrors(RunFacts facts) {
    Criterion errors = errors("no write error", facts.hasWrites(), facts.writeErrors());
    return facts.retries() == 0
        ? errors
        : new Criterion(
            errors.name(),
            errors.limit(),
            String.format(
                Locale.ROOT,
                errors.holds()
                    ? "%s, but its client tried %,d times again"
                    : "%s; its client tried %,d times again",
                errors.measured(),
                facts.retries()),
            errors.result());
  }

  private static Criterion errors(String name, boolean isTested, long errors) {
    if (!isTested && errors == 0) {
      return new Criterion(name, "none", "nothing was done", Result.NOT_TESTED);
    }
    return Criterion.of(name, "none", errors == 0 ? "none" : Long.toString(errors), errors == 0);
  }

  /// Rows that come so late that the schedule ends before them are no load: a run that leaves out
  /// many of them has shown nothing of its rate.
  private static Criterion offered(RunFacts facts) {
    String name = "the rate is offered";
    String limit = percent(OnlineJob.OFFERED_MIN) + " of the rows within the run";
    double rows = facts.seconds().stream().mapToDouble(Series.Second::rows).sum();
    double all = (double) facts.requested().rows() * facts.seconds().size();
    if (!(all > 0)) {
      return new Criterion(name, limit, "there were no seconds", Result.NOT_TESTED);
    }
    return new Criterion(
        name,
        limit,
        percent(rows / all) + " of them",
        rows >= OnlineJob.OFFERED_MIN * all ? Result.HOLDS : Result.NOT_TESTED);
  }

  private static Criterion backlog(RunFacts facts, Limits limits) {
    Backlog.Growth growth = Backlog.growth(facts.seconds());
    String name = "the backlog does not grow";
    String limit = percent(limits.backlogGrowthMax()) + " of the load a second, to within as much";
    if (!growth.isKnown()) {
      String why = "that takes " + Backlog.SECONDS_MIN + " s or more";
      return new Criterion(name, limit, why, Result.NOT_TESTED);
    }
    Result result = growth.result(limits.backlogGrowthMax());
    String measured =
        "grows by %s of the load, at least %s"
            .formatted(percent(growth.share()), percent(growth.low()));
    return new Criterion(
        name,
        limit,
        result == Result.UNDECIDED
            ? measured + ", at most " + percent(growth.high()) + "; a longer run can tell"
            : measured,
        result);
  }

  private static Criterion sums(List<OnlineReport.Sum> sums) {
    List<String> different =
        sums.stream().filter(sum -> !sum.agrees()).map(Judge::difference).toList();
    return Criterion.of(
        "the sums agree",
        "exactly",
        different.isEmpty()
            ? "they agree"
            : sums.contains(OnlineReport.Sum.UNKNOWN)
                ? "they could not be compared"
                : "not in " + String.join(", ", different),
        different.isEmpty());
  }

  private static String difference(OnlineReport.Sum sum) {
    return sum.differing() == 0
        ? sum.place()
        : "%s (%d rows differ)".formatted(sum.place(), sum.differing());
  }

  private static String percent(double share) {
    return decimal(share * 100) + " %";
  }

  /// At most three places, and no zeros at the end.
  private static String decimal(double value) {
    String text = String.format(Locale.ROOT, "%.3f", value);
    String shorter = text.replaceAll("\\.?0+$", "");
    return shorter.equals("-0") ? "0" : shorter;
  }
}
