package millrace.online.forecast;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map.Entry;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import millrace.online.forecast.Forecast.Finding;
import millrace.online.report.Series;

/// Says whether a run that passes would go on to pass.
///
/// A server sorts what arrives into the active partition, so times grow with the rows in there, and
/// may fall back when the next partition begins. So the time is regressed on the rows, in each
/// partition by itself, and the slopes are put together ([PooledTrend]). Whether it does fall back
/// is asked of the whole run, by a regression on the rows and on the time at once ([OverTime]). A
/// run without partitions, or with too few, has the time alone. A straight line is the simplest
/// guess: what a server does beyond the rows that it was given is not known.
public final class Forecaster {

  /// If a new partition keeps more than this share of the growth in the one before, it has not made
  /// the time fall back. Two partitions that differ by something else look like a growth over time.
  private static final double RETAINED_SHARE = 0.5;

  /// The same of three partitions or more: less of it is noise.
  private static final double RETAINED_SHARE_OF_MANY = 0.1;

  private static final int MANY = 3;

  /// A run that is short says nothing of what comes after so many times its length.
  private static final double REACH = 10;

  private Forecaster() {}

  /// One forecast for the writes, one for the level of aggregates that ran most often, and one for
  /// the start delay if it grows.
  public static List<Forecast> of(Series series, ForecastConfig config) {
    List<Partition> partitions = Partition.of(series);
    Measured run = new Measured(series, partitions, config);
    List<Forecast> forecasts = new ArrayList<>();
    startDelay(series, partitions, config).ifPresent(forecasts::add);
    forecasts.add(
        run.forecast(
            new Quantity("write time", "ms", config.writeMaxMillis()),
            part -> Points.writes(part, config.blockSeconds(), Series.Second::writeMean)));
    mostFrequent(series.windows())
        .ifPresent(level ->
            forecasts.add(
                run.forecast(
                    new Quantity(
                        "time of a " + level + " aggregate", "s", config.aggregateMaxSeconds()),
                    part -> Points.aggregates(part, series.windows(), level))));
    return forecasts;
  }

  /// If it grows by the target: what clients were late by themselves tells of this machine. A run
  /// in which the backlog can be judged has this forecast, too: what is behind may be under all
  /// limits when a short run ends, and above them soon after.
  private static Optional<Forecast> startDelay(
      Series series, List<Partition> partitions, ForecastConfig config) {
    int seconds = series.seconds().size();
    ForecastConfig ofBacklog = config.ofBacklog(seconds);
    Forecast late =
        new Measured(series, partitions, ofBacklog)
            .overTime(
                new Quantity("start delay", "ms", config.writeMaxMillis()),
                part ->
                    Points.writes(
                        part,
                        ofBacklog.blockSeconds(),
                        each -> each.startDelay().ofTarget().behind()));
    boolean isReported =
        late.finding() == Finding.GROWS
            && (ofBacklog.equals(config)
                || late.metAfterSeconds().orElse(Double.POSITIVE_INFINITY) <= REACH * seconds);
    return isReported ? Optional.of(late) : Optional.empty();
  }

  private static Optional<String> mostFrequent(List<Series.WindowRun> windows) {
    return windows.stream()
        .collect(groupingBy(Series.WindowRun::level, counting()))
        .entrySet()
        .stream()
        .max(Entry.<String, Long>comparingByValue().thenComparing(Entry.comparingByKey()))
        .map(Entry::getKey);
  }

  /// A run and its partitions.
  private record Measured(Series series, List<Partition> partitions, ForecastConfig config) {

    Forecast forecast(Quantity quantity, Function<Partition, Points> measured) {
      List<Trend> trends =
          partitions.stream()
              .map(measured)
              .filter(points -> points.count() >= config.pointsMin() && points.hasTrend())
              .map(points -> Trend.of(points.rows(), points.times()))
              .toList();
      if (trends.size() < 2) {
        return overTime(quantity, measured);
      }
      PooledTrend pooled = PooledTrend.of(trends);
      Optional<OverTime> overTime = OverTime.of(points(measured), true, quantity.limit());
      if (overTime.isPresent() && continues(overTime.get(), pooled, trends.size())) {
        return grows(quantity, overTime.get(), ForecastText.NOT_RESET);
      }
      if (pooled.contradicts()) {
        return result(quantity, Finding.UNKNOWN, ForecastText.contradicts(quantity, trends));
      }
      if (!(pooled.low() > 0)) {
        return result(quantity, Finding.NO_TREND, ForecastText.noTrend(quantity, pooled));
      }
      return inPartitions(quantity, pooled, trends);
    }

    /// Whether the time grows from one partition to the next as well.
    private boolean continues(OverTime overTime, PooledTrend pooled, int count) {
      if (!overTime.grows() || !(pooled.low() > 0)) {
        return overTime.grows() && count >= MANY;
      }
      double retained = overTime.perSecond() / (pooled.slope() * config.rowsPerSecond());
      return retained > (count >= MANY ? RETAINED_SHARE_OF_MANY : RETAINED_SHARE);
    }

    private Forecast inPartitions(Quantity quantity, PooledTrend pooled, List<Trend> trends) {
      double most = partitions.stream().mapToDouble(Partition::rows).max().orElse(0);
      Growth growth = growth(pooled, trends, quantity.limit(), config.rowsPerSecond(), most);
      boolean isMet = growth.isWithinPartition();
      return new Forecast(
          quantity.name(),
          isMet ? Finding.MEETS_LIMIT : Finding.BEYOND_PARTITION,
          Optional.of(growth),
          OptionalDouble.empty(),
          ForecastText.grows(quantity, growth),
          isMet ? ForecastText.caution(quantity, growth.hours()) : "");
    }

    /// Of the run as a whole.
    Forecast overTime(Quantity quantity, Function<Partition, Points> measured) {
      Points points = points(measured);
      String open = partitions.isEmpty() ? "" : ForecastText.partitionsAreOpen(config.pointsMin());
      if (points.count() < config.pointsOfRun()) {
        String why = ForecastText.tooFew(quantity, points.count(), config.pointsOfRun());
        return result(quantity, Finding.UNKNOWN, why);
      }
      Optional<OverTime> overTime =
          longest(measured)
              .map(alone -> OverTime.of(alone, false, quantity.limit()))
              .orElseGet(() -> OverTime.of(points, partitions.size() > 1, quantity.limit()))
              .or(() -> OverTime.of(points, false, quantity.limit()));
      if (overTime.isEmpty()) {
        return result(quantity, Finding.UNKNOWN, ForecastText.noSpread(quantity));
      }
      return overTime.get().grows()
          ? grows(quantity, overTime.get(), open)
          : result(
              quantity, Finding.NO_TREND, ForecastText.steady(quantity, overTime.get()) + open);
    }

    /// The only partition that has as many points as a run needs. What is beside it is too short to
    /// tell what grows with its rows from what grows with time: it counts as a run by itself.
    private Optional<Points> longest(Function<Partition, Points> measured) {
      List<Points> enough =
          partitions.stream()
              .map(measured)
              .filter(points -> points.count() >= config.pointsOfRun())
              .toList();
      return enough.size() == 1 ? Optional.of(enough.getFirst().warm()) : Optional.empty();
    }

    private Points points(Function<Partition, Points> measured) {
      List<Partition> parts =
          partitions.isEmpty() ? List.of(Partition.entireRun(series)) : partitions;
      return Points.all(parts.stream().map(measured).toList()).warm();
    }

    private Forecast grows(Quantity quantity, OverTime growth, String more) {
      double rows = growth.seconds() * config.rowsPerSecond();
      return new Forecast(
          quantity.name(),
          Finding.GROWS,
          Optional.empty(),
          OptionalDouble.of(growth.seconds()),
          ForecastText.growsOverTime(quantity, growth, rows) + more,
          ForecastText.caution(quantity, growth.seconds() / 3600));
    }
  }

  private static Growth growth(
      PooledTrend pooled, List<Trend> trends, double limit, double rowsPerSecond, double most) {
    double points = trends.stream().mapToInt(Trend::points).sum();
    double rows = trends.stream().mapToDouble(each -> each.xMean() * each.points()).sum() / points;
    double time = trends.stream().mapToDouble(each -> each.yMean() * each.points()).sum() / points;
    return Growth.of(pooled, rows, time, limit, rowsPerSecond, most);
  }

  private static Forecast result(Quantity quantity, Finding finding, String sentence) {
    return new Forecast(
        quantity.name(), finding, Optional.empty(), OptionalDouble.empty(), sentence, "");
  }

  /// What is forecast, its unit and its limit in that unit.
  record Quantity(String name, String unit, double limit) {}
}
