package millrace.online.forecast;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map.Entry;
import java.util.Optional;
import java.util.function.Function;
import millrace.online.forecast.Forecast.Finding;
import millrace.online.report.Series;

/// Says whether a run that passes would go on to pass.
///
/// A server sorts what arrives into the active partition, so times grow with the rows in there, and
/// fall back when the next partition begins. So the time is regressed on the rows, in each
/// partition by itself, and the slopes are put together ([PooledTrend]). A straight line is the
/// simplest guess: what a server does beyond the rows that it was given is not known.
public final class Forecaster {

  private Forecaster() {}

  /// One forecast for the writes, and one for the level of aggregates that ran most often.
  public static List<Forecast> of(Series series, ForecastConfig config) {
    List<Partition> partitions = Partition.of(series);
    List<Forecast> forecasts = new ArrayList<>();
    forecasts.add(
        forecast(
            new Quantity("write time", "ms", config.writeMaxMillis()),
            partitions,
            partition -> Points.writes(partition, config.blockSeconds()),
            config));
    mostFrequent(series.windows())
        .ifPresent(level ->
            forecasts.add(
                forecast(
                    new Quantity(
                        "time of a " + level + " aggregate", "s", config.aggregateMaxSeconds()),
                    partitions,
                    partition -> Points.aggregates(partition, series.windows(), level),
                    config)));
    return forecasts;
  }

  private static Optional<String> mostFrequent(List<Series.WindowRun> windows) {
    return windows.stream()
        .collect(groupingBy(Series.WindowRun::level, counting()))
        .entrySet()
        .stream()
        .max(Entry.<String, Long>comparingByValue().thenComparing(Entry.comparingByKey()))
        .map(Entry::getKey);
  }

  private static Forecast forecast(
      Quantity quantity,
      List<Partition> partitions,
      Function<Partition, Points> measured,
      ForecastConfig config) {
    List<Trend> trends =
        partitions.stream()
            .map(measured)
            .filter(points -> points.count() >= config.pointsMin() && points.hasTrend())
            .map(points -> Trend.of(points.rows(), points.times()))
            .toList();
    if (trends.size() < 2) {
      return result(quantity, Finding.UNKNOWN, ForecastText.tooFew(quantity, trends.size()));
    }
    PooledTrend pooled = PooledTrend.of(trends);
    if (pooled.contradicts()) {
      return result(quantity, Finding.UNKNOWN, ForecastText.contradicts(quantity, trends));
    }
    if (!(pooled.low() > 0)) {
      return result(quantity, Finding.NO_TREND, ForecastText.noTrend(quantity, pooled));
    }
    double most = partitions.stream().mapToDouble(Partition::rows).max().orElse(0);
    Growth growth = growth(pooled, trends, quantity.limit(), config.rowsPerSecond(), most);
    return new Forecast(
        quantity.name(),
        growth.isWithinPartition() ? Finding.MEETS_LIMIT : Finding.BEYOND_PARTITION,
        Optional.of(growth),
        ForecastText.grows(quantity, growth));
  }

  private static Growth growth(
      PooledTrend pooled, List<Trend> trends, double limit, double rowsPerSecond, double most) {
    double points = trends.stream().mapToInt(Trend::points).sum();
    double rows = trends.stream().mapToDouble(each -> each.xMean() * each.points()).sum() / points;
    double time = trends.stream().mapToDouble(each -> each.yMean() * each.points()).sum() / points;
    return Growth.of(pooled, rows, time, limit, rowsPerSecond, most);
  }

  private static Forecast result(Quantity quantity, Finding finding, String sentence) {
    return new Forecast(quantity.name(), finding, Optional.empty(), sentence);
  }

  /// What is forecast, its unit and its limit in that unit.
  record Quantity(String name, String unit, double limit) {}
}
