package millrace.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import millrace.engine.Meter;
import millrace.plan.Plan;
import millrace.report.DisplayWidth;

/// Says how far a run is, from a thread of its own, until it is closed: a line that lives on a
/// terminal, plain lines where standard error is piped, or lines of JSON.
final class Progress implements AutoCloseable {

  private static final ObjectMapper JSON = new ObjectMapper();

  /// Rates are over about this time: shorter jumps, longer lags.
  private static final long WINDOW_NANOS = 3_000_000_000L;

  private static final String CLEAR_LINE = "\r\u001b[K";

  private enum Style {
    LIVING(250),
    PLAIN(5_000),
    JSON(1_000);

    private final long intervalMillis;

    Style(long intervalMillis) {
      this.intervalMillis = intervalMillis;
    }
  }

  private final Plan plan;
  private final Meter meter;
  private final Style style;
  private final int columns;
  private final PrintStream stream;
  private final Deque<Sample.Count> window = new ArrayDeque<>();
  private final CountDownLatch ended = new CountDownLatch(1);
  private final Thread thread;

  private Progress(Plan plan, Meter meter, Style style, int columns, PrintStream stream) {
    this.plan = plan;
    this.meter = meter;
    this.style = style;
    this.columns = columns;
    this.stream = stream;
    thread = Thread.ofPlatform().name("progress").daemon().unstarted(this::tellUntilEnded);
  }

  /// Tells people, on a terminal or in a log.
  static Progress forPeople(Plan plan, Meter meter, Console console) {
    Style style = console.columns() > 0 ? Style.LIVING : Style.PLAIN;
    return started(new Progress(plan, meter, style, console.columns(), console.err()));
  }

  /// Tells programs.
  static Progress asJson(Plan plan, Meter meter, PrintStream stream) {
    return started(new Progress(plan, meter, Style.JSON, 0, stream));
  }

  private static Progress started(Progress progress) {
    progress.window.add(Sample.Count.of(progress.meter));
    progress.thread.start();
    return progress;
  }

  private void tellUntilEnded() {
    try {
      while (!ended.await(style.intervalMillis, TimeUnit.MILLISECONDS)) {
        tell(sample());
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private Sample sample() {
    Sample.Count now = Sample.Count.of(meter);
    while (window.size() > 1 && now.nanos() - window.getFirst().nanos() > WINDOW_NANOS) {
      window.removeFirst();
    }
    Sample sample = Sample.of(plan, meter, window.getFirst(), now);
    window.addLast(now);
    return sample;
  }

  private void tell(Sample sample) {
    switch (style) {
      case LIVING -> {
        stream.print(CLEAR_LINE + DisplayWidth.cut(sample.line(), columns - 1));
        stream.flush();
      }
      case PLAIN -> stream.println(sample.line());
      case JSON -> stream.println(json(sample));
    }
  }

  private static ObjectNode json(Sample sample) {
    ObjectNode line = JSON.createObjectNode();
    line.put("event", "progress");
    if (sample.percent() >= 0) {
      line.put("percent", sample.percent());
    }
    line.put("rows", sample.rows());
    line.put("failed", sample.rejects());
    line.put("rows_per_s", Math.round(sample.rowsPerSecond()));
    line.put("bytes_per_s", Math.round(sample.bytesPerSecond()));
    line.put("lanes", sample.lanes());
    line.put("stage", sample.stage().label());
    if (sample.secondsLeft() >= 0) {
      line.put("left_s", sample.secondsLeft());
    }
    return line;
  }

  /// Falls silent and clears the living line, so that what comes next starts on a line of its own.
  @Override
  public void close() {
    ended.countDown();
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException _) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    if (style == Style.LIVING) {
      stream.print(CLEAR_LINE);
      stream.flush();
    }
  }
}
