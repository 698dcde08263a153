package millrace.online.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import millrace.online.report.OnlineReport.Criterion;
import millrace.online.report.OnlineReport.Latency;
import millrace.online.report.OnlineReport.Limits;
import millrace.online.report.OnlineReport.Outcome;
import millrace.online.report.OnlineReport.State;
import millrace.online.report.OnlineReport.Sum;
import millrace.online.report.Series.StartDelay;

/// A run as it could have been: writes slow down as a partition fills and are fast again in the
/// next, which begins each five minutes; one spike.
final class Made {

  static final int RATE = 10_000;
  private static final int PARTITION = 300;

  private Made() {}

  /// Twenty minutes that passed.
  static OnlineReport passed() {
    return report(State.PASSED, series(1200, 640), 1200);
  }

  /// Twenty minutes with a spike of 4 seconds and a failed aggregate.
  static OnlineReport failed() {
    Series series = series(1200, 4100);
    List<Series.WindowRun> windows = new ArrayList<>(series.windows());
    windows.removeIf(run -> run.atSecond() == 720);
    windows.add(
        new Series.WindowRun(
            "minute",
            "2019-04-02 00:06:00",
            720,
            61.2,
            0,
            false,
            false,
            "Memory limit exceeded: could not allocate 512.00 MB for HASH_AGG node"));
    return report(State.FAILED, new Series(series.seconds(), windows, series.switches()), 1200);
  }

  /// One in which no aggregate began.
  static OnlineReport untested() {
    OnlineReport passed = passed();
    Outcome was = passed.outcome();
    List<Criterion> criteria = new ArrayList<>(was.criteria());
    Criterion aggregates = criteria.get(1);
    criteria.set(
        1,
        new Criterion(aggregates.name(), aggregates.limit(), "none", Criterion.Result.NOT_TESTED));
    return with(passed, criteria);
  }

  /// The same, held against other criteria, some of which say nothing.
  static OnlineReport with(OnlineReport report, List<Criterion> criteria) {
    Outcome was = report.outcome();
    return with(
        report,
        new Outcome(
            State.UNTESTED,
            criteria,
            was.limits(),
            was.latencies(),
            was.forecasts(),
            was.cautions()));
  }

  /// One that passed, and would not for ever.
  static OnlineReport growing() {
    OnlineReport passed = passed();
    Outcome was = passed.outcome();
    return with(
        passed,
        new Outcome(
            was.state(),
            was.criteria(),
            was.limits(),
            was.latencies(),
            was.forecasts(),
            List.of("the write time grows: the limit of 1 s is met after about 16 minutes")));
  }

  private static OnlineReport with(OnlineReport report, Outcome outcome) {
    return new OnlineReport(
        report.title(),
        report.settings(),
        report.startedMillis(),
        report.elapsedSeconds(),
        outcome,
        report.series(),
        report.sums(),
        report.notes());
  }

  /// One that goes on.
  static OnlineReport running(int seconds) {
    return report(State.RUNNING, series(seconds, 640), seconds);
  }

  static OnlineReport report(State state, Series series, double elapsed) {
    boolean good = state != State.FAILED;
    return new OnlineReport(
        "kudu://meters.example:7051/load_per_sec, 10,000 rows/s by 20 clients",
        settings(),
        1_554_155_700_000L,
        elapsed,
        outcome(state, good),
        series,
        state == State.RUNNING ? List.of() : sums(good),
        List.of(
            "The clock of the data began at 2019-04-01 23:55:00, so that the hour and the day ended"
                + " within the run."));
  }

  private static Map<String, String> settings() {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("target", "kudu://meters.example:7051?table=load_per_sec");
    settings.put("rate", "10,000 rows/s");
    settings.put("clients", "20, each writes 500 rows a second");
    settings.put("partitions", "range of 5 minutes, 4 hash buckets by device_id");
    settings.put("windows", "minute 60 s after its end, hour, day");
    settings.put("duration", "20m");
    return settings;
  }

  private static Outcome outcome(State state, boolean good) {
    return new Outcome(
        state,
        List.of(
            Criterion.of(
                "writes start on time",
                "1 s, but for 0.5 % of the seconds",
                good
                    ? "0.54 s at most; 0 of 1,200 seconds were bad"
                    : "4.00 s at most; 4 of 1,200 seconds (0.33 %) were bad",
                true),
            Criterion.of(
                "aggregates end in time",
                "60 s, but for 1 % of the windows",
                good
                    ? "9.8 s at most; 0 of 22 windows were bad"
                    : "61.2 s at most; 1 of 22 windows (4.5 %) was bad",
                good),
            Criterion.of("no write fails", "0 errors", "0 errors", true),
            Criterion.of("no aggregate fails", "0 errors", good ? "0 errors" : "1 error", good)),
        new Limits(1000, 60),
        List.of(
            new Latency("start delay", 24_000, 0.41, 1.92, 14.6, 288, good ? 540 : 4000),
            new Latency("service time", 24_000, 88.2, 143, 171, 402, good ? 640 : 4100),
            new Latency("response time", 24_000, 88.9, 145, 179, 611, good ? 902 : 6203)),
        List.of(
            "Write time grows by 0.4 ms a second within a partition and falls back at each switch:"
                + " at this rate a partition of 41 minutes would reach 1 s.",
            "Aggregate time of minutes does not grow."),
        List.of());
  }

  private static List<Sum> sums(boolean good) {
    return List.of(
        new Sum("sent", 12_000_000, 6_003_481_220L, true),
        new Sum("raw", 12_000_000, 6_003_481_220L, true),
        new Sum("minute", 200_000, 6_003_481_220L, true),
        new Sum("hour", 10_000, 6_003_481_220L, true),
        new Sum("day", 10_000, good ? 6_003_481_220L : 6_003_480_811L, good));
  }

  /// @param spike the longest write, in milliseconds
  static Series series(int count, double spike) {
    Random random = new Random(7);
    List<Series.Second> seconds = new ArrayList<>();
    List<Series.PartitionSwitch> switches = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      double mean = 40 + 0.4 * (i % PARTITION) + random.nextGaussian() * 4;
      double most = mean * (1.2 + 0.5 * random.nextDouble());
      double delay = Math.abs(random.nextGaussian()) * 6 + (random.nextInt(60) == 0 ? 40 : 0);
      int away = i - 760;
      if (away >= 0 && away < 8) {
        most = spike * Math.exp(-away / 3.0);
        mean = Math.max(mean, most * 0.4);
        delay = Math.max(delay, most - 100);
      }
      int backlog = delay > 300 ? (int) (delay / 200) : 0;
      seconds.add(
          new Series.Second(
              i, RATE, i % 100 == 5 ? 12 : 0, StartDelay.of(delay), mean, most, backlog, 0));
      if (i > 0 && i % PARTITION == 0) {
        int minutes = 23 * 60 + 55 + i / 60;
        switches.add(
            new Series.PartitionSwitch(
                i, String.format("%02d:%02d", minutes / 60 % 24, minutes % 60)));
      }
    }
    return new Series(seconds, windows(count, random), switches);
  }

  private static List<Series.WindowRun> windows(int count, Random random) {
    List<Series.WindowRun> windows = new ArrayList<>();
    for (int i = 1; 60 * i + 60 <= count; i++) {
      int minute = (55 + i - 1) % 60;
      String day = i < 6 ? "2019-04-01 23" : "2019-04-02 00";
      String window = String.format("%s:%02d:00", day, minute);
      int at = 60 * i;
      double seconds = 0.8 + 0.004 * (at % PARTITION) + random.nextDouble() * 0.5;
      windows.add(new Series.WindowRun("minute", window, at, seconds, 10_000, false, false, ""));
      if (i % 8 == 0) {
        windows.add(
            new Series.WindowRun(
                "minute", window, at + 45, seconds * 1.1, 10_000, true, false, ""));
      }
      if (i == 6) {
        windows.add(
            new Series.WindowRun("hour", "2019-04-01 23:00:00", at, 5.4, 10_000, false, false, ""));
      }
      if (i == 7) {
        windows.add(
            new Series.WindowRun("day", "2019-04-01 00:00:00", at, 9.8, 10_000, false, false, ""));
      }
    }
    return windows;
  }
}
