package millrace.online.forecast;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.Locale;
import millrace.online.forecast.Forecaster.Quantity;

/// The sentences of a forecast.
final class ForecastText {

  private static final double MILLION = 1e6;
  private static final double HOUR = 3600;
  private static final double CAUTION_HOURS = 30 * 24.0;

  /// Shown as 0: no digit of it would say anything.
  private static final double NOTHING = 1e-6;

  /// From so many rows on, they are counted in millions.
  private static final double MILLIONS_FROM = 10 * MILLION;

  private ForecastText() {}

  /// Behind what grows over several partitions.
  static final String NOT_RESET = " A new partition does not make it fall back.";

  /// Behind what was told without them.
  static String partitionsAreOpen(int pointsMin) {
    return " Whether a new partition makes it fall back takes two partitions with %d points each."
        .formatted(pointsMin);
  }

  static String tooFew(Quantity quantity, int points, int needed) {
    return "The %s can't be forecast: that takes %d points over time, and there were %d."
        .formatted(quantity.name(), needed, points);
  }

  static String noSpread(Quantity quantity) {
    return "The %s can't be forecast: partitions are too short to tell rows from time."
        .formatted(quantity.name());
  }

  /// Noise may hide a growth: what the most of it would lead to is told.
  static String steady(Quantity quantity, OverTime growth) {
    String shown =
        "The %s shows no growth over the run: %s %s per hour (%s to %s)"
            .formatted(
                quantity.name(),
                figure(growth.perSecond() * HOUR),
                quantity.unit(),
                figure(growth.low() * HOUR),
                figure(growth.high() * HOUR));
    double hours = growth.secondsLow() / HOUR;
    return hours > CAUTION_HOURS
        ? shown + "."
        : shown
            + "; a growth of %s would meet the limit of %s after about %s."
                .formatted(figure(growth.high() * HOUR), limit(quantity), span(hours));
  }

  static String growsOverTime(Quantity quantity, OverTime growth, double rows) {
    return ("The %s grows by %s %s per hour (%s to %s): the limit of %s is met after about %s (%s"
            + " to %s), at %s, if it continues so.")
        .formatted(
            quantity.name(),
            figure(growth.perSecond() * HOUR),
            quantity.unit(),
            figure(growth.low() * HOUR),
            figure(growth.high() * HOUR),
            limit(quantity),
            span(growth.seconds() / HOUR),
            span(growth.secondsLow() / HOUR),
            span(growth.secondsHigh() / HOUR),
            rows(rows));
  }

  /// Nobody waits so long, and nobody knows what is then.
  static String caution(Quantity quantity, double hours) {
    return hours > CAUTION_HOURS
        ? ""
        : "the %s grows: the limit of %s is met after about %s"
            .formatted(quantity.name(), limit(quantity), span(hours));
  }

  static String contradicts(Quantity quantity, List<Trend> trends) {
    double least = trends.stream().mapToDouble(Trend::slope).min().orElse(0) * MILLION;
    double most = trends.stream().mapToDouble(Trend::slope).max().orElse(0) * MILLION;
    return ("The %s can't be forecast: the partitions contradict each other, from %s to %s %s per"
            + " million rows.")
        .formatted(quantity.name(), figure(least), figure(most), quantity.unit());
  }

  static String noTrend(Quantity quantity, PooledTrend trend) {
    if (trend.high() < 0) {
      return "The %s does not grow with the rows in a partition: it falls."
          .formatted(quantity.name());
    }
    return "The %s does not grow with the rows in a partition: %s %s per million rows (%s to %s)."
        .formatted(
            quantity.name(),
            figure(trend.slope() * MILLION),
            quantity.unit(),
            figure(trend.low() * MILLION),
            figure(trend.high() * MILLION));
  }

  static String grows(Quantity quantity, Growth growth) {
    String trend =
        "The %s grows by %s %s per million rows in a partition (%s to %s): "
            .formatted(
                quantity.name(),
                figure(growth.slope() * MILLION),
                quantity.unit(),
                figure(growth.slopeLow() * MILLION),
                figure(growth.slopeHigh() * MILLION));
    if (growth.rows() == 0) {
      return trend + "the limit of %s is met from the first row on.".formatted(limit(quantity));
    }
    String met =
        "the limit of %s %s met at %s (%s), after %s"
            .formatted(
                limit(quantity),
                growth.rows() <= growth.partitionRows() ? "is" : "would be",
                rows(growth.rows()),
                interval(growth),
                span(growth.hours()));
    return trend + met + end(growth);
  }

  /// If the slope is hardly known, the upper end is a number that nobody wants to read.
  private static String interval(Growth growth) {
    boolean inMillions = growth.rows() >= MILLIONS_FROM;
    String low = count(growth.rowsLow(), inMillions);
    return growth.rowsHigh() > 10 * growth.rows()
        ? low + " or more"
        : low + " to " + count(growth.rowsHigh(), inMillions);
  }

  private static String end(Growth growth) {
    String size = rows(growth.partitionRows());
    if (!growth.isWithinPartition()) {
      return "; partitions end before that, at " + size + ".";
    }
    return growth.rows() <= growth.partitionRows()
        ? "; partitions get " + size + "."
        : "; partitions end at " + size + ", but that is not safe.";
  }

  private static String limit(Quantity quantity) {
    boolean isSecond = quantity.unit().equals("ms") && quantity.limit() >= 1000;
    BigDecimal limit = BigDecimal.valueOf(isSecond ? quantity.limit() / 1000 : quantity.limit());
    return limit.stripTrailingZeros().toPlainString() + " " + (isSecond ? "s" : quantity.unit());
  }

  private static String rows(double rows) {
    boolean inMillions = rows >= MILLIONS_FROM;
    return count(rows, inMillions) + (inMillions ? " million rows" : " rows");
  }

  /// Three digits that say something.
  private static String count(double rows, boolean inMillions) {
    BigDecimal count = new BigDecimal(inMillions ? rows / MILLION : rows);
    return String.format(Locale.ROOT, "%,.0f", count.round(new MathContext(3)));
  }

  private static String span(double hours) {
    if (hours >= 48) {
      return figure(hours / 24) + " days";
    }
    return hours >= 1 ? figure(hours) + " hours" : figure(hours * 60) + " minutes";
  }

  /// Two digits that say something, but no less than whole numbers.
  private static String figure(double value) {
    if (Math.abs(value) < NOTHING || Math.abs(value) >= 100) {
      return String.format(Locale.ROOT, "%,.0f", value);
    }
    return new BigDecimal(value).round(new MathContext(2)).toPlainString();
  }
}
