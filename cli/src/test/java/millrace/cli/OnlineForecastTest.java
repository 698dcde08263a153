package millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import millrace.connectors.Connectors;
import millrace.endpoint.Endpoints;
import millrace.online.forecast.Forecast;
import millrace.online.forecast.Forecast.Finding;
import millrace.online.forecast.ForecastConfig;
import millrace.online.forecast.Forecaster;
import millrace.online.forecast.Growth;
import millrace.online.job.JobFile;
import millrace.online.job.OnlineJob;
import millrace.online.report.OnlineReport;
import millrace.online.report.OnlineReport.Sum;
import millrace.online.report.Series;
import millrace.online.run.OnlineRun;
import millrace.online.run.OnlineStores;
import millrace.testkit.PostgresServer;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/// Forecasts of runs against a PostgreSQL that is made slower on purpose: each statement waits for
/// a time of its own, and for so much longer for each row that the active partition has.
@Timeout(180)
@Execution(ExecutionMode.CONCURRENT)
final class OnlineForecastTest {

  private static final int ROWS = 200;
  private static final int PARTITION_SECONDS = 12;

  /// Three partitions, and windows of two seconds.
  private static String job(String target) {
    return """
    target: "%s"
    load:
      rows: %d
      clients: 1
      duration: 36s
      clock: 2019-04-01 23:59:48
      prefill: no
    windows:
      - {name: small, length: 2s, delay: 1s}
      - {name: large, length: 12s, delay: 1s}
    tables: {partition: %ds, ahead: 20s}
    pass: {write_start: 1m, aggregate: 1m, bad_share: 100 %%, bad_run: 1h}
    """
        .formatted(target, ROWS, PARTITION_SECONDS);
  }

  /// Waits for a time, and for another for each row of the active partition.
  private static String waits() {
    return """
    CREATE FUNCTION waits() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      stored bigint;
    BEGIN
      SELECT count(*) INTO stored FROM load_per_sec WHERE time_stamp >=
        (SELECT date_bin('%d seconds', max(time_stamp), timestamp '1970-01-01') FROM load_per_sec);
      PERFORM pg_sleep(TG_ARGV[0]::float8 + stored * TG_ARGV[1]::float8);
      RETURN NULL;
    END $$
    """
        .formatted(PARTITION_SECONDS);
  }

  /// The tables are made by the run: what waits is put on them as soon as they are there.
  private static String makes(String writeSlope, String aggregateSlope) {
    return """
    CREATE FUNCTION makes() RETURNS event_trigger LANGUAGE plpgsql AS $$
    DECLARE
      made record;
    BEGIN
      FOR made IN SELECT * FROM pg_event_trigger_ddl_commands() LOOP
        IF made.object_identity = 'public.load_per_sec' THEN
          CREATE TRIGGER waits AFTER INSERT ON load_per_sec EXECUTE FUNCTION waits('0.02', '%s');
        ELSIF made.object_identity = 'public.load_per_sec_small' THEN
          CREATE TRIGGER waits AFTER INSERT ON load_per_sec_small EXECUTE FUNCTION waits('0.1', '%s');
        END IF;
      END LOOP;
    END $$
    """
        .formatted(writeSlope, aggregateSlope);
  }

  private static final String WATCHES =
      "CREATE EVENT TRIGGER watches ON ddl_command_end WHEN TAG IN ('CREATE TABLE')"
          + " EXECUTE FUNCTION makes()";

  /// Runs against a server that waits.
  ///
  /// @param writeSlope seconds that a write takes longer for each row
  /// @param aggregateSlope seconds that an aggregate takes longer
  private static Series run(String writeSlope, String aggregateSlope) {
    PostgresServer server = PostgresServer.embedded();
    String database = server.newDatabase();
    server.execute(database, waits(), makes(writeSlope, aggregateSlope), WATCHES);
    OnlineJob job = JobFile.parse("job.yaml", job(server.url(database)));
    Endpoints endpoints = new Endpoints(Connectors.ALL.all(), Map.of());
    try (OnlineStores stores =
        OnlineStores.open(Connectors.ALL.all(), endpoints.parse(job.target()), job)) {
      OnlineReport report =
          new OnlineRun(
                  job,
                  stores.store(),
                  stores.aggregator(),
                  new OnlineRun.Listener(null, _ -> {}, _ -> {}))
              .execute();
      assertThat(report.sums()).as("%s", report.notes()).isNotEmpty().allMatch(Sum::agrees);
      assertThat(report.series().switches()).hasSize(3);
      return report.series();
    }
  }

  /// Of writes and of aggregates. Points are seconds here: there is no queue that would carry one's
  /// delay to the next.
  private static List<Forecast> forecasts(Series series, double writeMillis, double seconds) {
    return Forecaster.of(series, new ForecastConfig(ROWS, writeMillis, seconds, 1, 4));
  }

  /// 0.1 ms for each row make a write of an empty partition 20 ms, and one of 2,400 rows 260 ms.
  @Test
  void slopesThatAreKnownAreFoundAndWhereTheyLeadTo() {
    Series series = run("0.0001", "0.0002");
    List<Forecast> beyond = forecasts(series, 1_000, 10);
    assertThat(beyond).extracting(Forecast::finding).containsOnly(Finding.BEYOND_PARTITION);
    Growth writes = beyond.getFirst().growth().orElseThrow();
    assertThat(writes.slope()).isCloseTo(0.1, Percentage.withPercentage(25));
    // Others on the machine make each write longer, whatever the rows: the limit is met sooner.
    assertThat(writes.rows()).isPositive().isLessThan(9_800 * 1.25);
    assertThat(writes.partitionRows()).isCloseTo(ROWS * PARTITION_SECONDS, within(2.0 * ROWS));
    Growth aggregates = beyond.getLast().growth().orElseThrow();
    assertThat(aggregates.slope()).isCloseTo(0.0002, Percentage.withPercentage(25));

    List<Forecast> met = forecasts(series, 150, 0.4);
    assertThat(met).extracting(Forecast::finding).containsOnly(Finding.MEETS_LIMIT);
    double rows = met.getFirst().growth().orElseThrow().rows();
    assertThat(writes.rows() - rows).isCloseTo(850 / 0.1, Percentage.withPercentage(25));
    String sentence = met.getFirst().sentence();
    assertThat(sentence).containsPattern("the limit of 150 ms is met at [0-9,]+ rows");
    String shown = sentence.replaceAll("(?s).* is met at ([0-9,]+) rows.*", "$1").replace(",", "");
    assertThat(Double.parseDouble(shown)).isCloseTo(rows, Percentage.withPercentage(1));
  }

  /// Chance alone may show a trend, but none that is near the one above.
  @Test
  void aServerThatIsSlowButNoSlowerWithMoreRowsShowsNoSuchTrend() {
    for (Forecast forecast : forecasts(run("0", "0"), 1_000, 10)) {
      assertThat(forecast.finding())
          .isIn(Finding.NO_TREND, Finding.BEYOND_PARTITION, Finding.UNKNOWN);
      assertThat(forecast.growth().map(Growth::slope).orElse(0.0)).isLessThan(0.02);
    }
  }
}
