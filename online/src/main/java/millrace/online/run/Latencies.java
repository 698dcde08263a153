package millrace.online.run;

import java.io.PrintStream;
import java.util.List;
import java.util.concurrent.TimeUnit;
import millrace.online.load.WriteListener.Times;
import millrace.online.report.OnlineReport.Latency;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;
import org.jspecify.annotations.Nullable;

/// How long writes took, as three histograms in microseconds: the delay from the schedule to the
/// begin, the service, and the response, which is both together. Any thread.
final class Latencies {

  private static final int DIGITS = 3;

  private final Kind startDelay = new Kind("start delay", "start_delay");
  private final Kind service = new Kind("service time", "service");
  private final Kind response = new Kind("response time", "response");
  private final List<Kind> kinds = List.of(startDelay, service, response);
  private final @Nullable HistogramLogWriter log;
  private final long startedMillis;

  /// One of the three.
  private static final class Kind {
    private final String name;
    private final String tag;
    private final Histogram all = new Histogram(DIGITS);
    private final Histogram interval = new Histogram(DIGITS);

    private Kind(String name, String tag) {
      this.name = name;
      this.tag = tag;
    }

    /// Empties the interval. That takes its tag away too, and a line of the log without it could be
    /// of any kind.
    private void begin(long atMillis) {
      interval.reset();
      interval.setTag(tag);
      interval.setStartTimeStamp(atMillis);
    }

    private void add(long nanos) {
      interval.recordValue(TimeUnit.NANOSECONDS.toMicros(nanos));
    }

    private Latency latency() {
      return new Latency(
          name, all.getTotalCount(), at(50), at(90), at(99), at(99.9), all.getMaxValue() / 1e3);
    }

    private double at(double percentile) {
      return all.getValueAtPercentile(percentile) / 1e3;
    }
  }

  /// @param to gets the histograms of each second in the format of HdrHistogram's logs; null if
  ///   nobody wants them
  Latencies(@Nullable PrintStream to, long startedMillis) {
    this.startedMillis = startedMillis;
    kinds.forEach(kind -> kind.begin(startedMillis));
    log = to == null ? null : new HistogramLogWriter(to);
    if (log != null) {
      log.setBaseTime(startedMillis);
      log.outputComment("times of writes in microseconds: start_delay, service, response");
      log.outputLogFormatVersion();
      log.outputBaseTime(startedMillis);
      log.outputStartTime(startedMillis);
      log.outputLegend();
    }
  }

  synchronized void add(Times times) {
    startDelay.add(times.startDelay());
    service.add(times.service());
    response.add(times.response());
  }

  /// A second is over.
  ///
  /// @param elapsedMillis since the start
  synchronized void tick(long elapsedMillis) {
    for (Kind kind : kinds) {
      kind.interval.setEndTimeStamp(startedMillis + elapsedMillis);
      if (log != null && kind.interval.getTotalCount() > 0) {
        log.outputIntervalHistogram(kind.interval);
      }
      kind.all.add(kind.interval);
      kind.begin(startedMillis + elapsedMillis);
    }
  }

  synchronized List<Latency> all() {
    return kinds.stream().map(Kind::latency).toList();
  }
}
