package millrace.online.run;

import java.util.List;
import millrace.online.forecast.Forecast;
import millrace.online.forecast.ForecastConfig;
import millrace.online.forecast.Forecaster;
import millrace.online.job.OnlineJob;
import millrace.online.report.Series;

/// What a run says of a longer one.
final class Forecasts {

  private static final int BLOCK_SECONDS = 10;
  private static final int POINTS_MIN = 30;

  private Forecasts() {}

  /// None while it runs.
  static List<Forecast> of(OnlineJob job, Series series, boolean ended) {
    if (!ended || series.seconds().isEmpty()) {
      return List.of();
    }
    ForecastConfig config =
        new ForecastConfig(
            job.load().rows(),
            job.pass().writeStart().toMillis(),
            job.pass().aggregate().toMillis() / 1e3,
            BLOCK_SECONDS,
            POINTS_MIN);
    return Forecaster.of(series, config);
  }
}
