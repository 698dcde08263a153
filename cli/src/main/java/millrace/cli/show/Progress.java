package millrace.cli.show;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import millrace.cli.Console;
import millrace.cli.option.OutputOptions;
import millrace.engine.Run;
import millrace.engine.meter.Meter;
import millrace.plan.Plan;
import millrace.report.DisplayWidth;
import millrace.spi.Stage;
import org.jspecify.annotations.Nullable;

/// Says how far a run is, from a thread of its own, until it is closed: a line that lives on a
/// terminal, plain lines if standard error is piped, or lines of JSON.
public final class Progress implements AutoCloseable {

  /// Rates are over about this time: shorter jumps, longer lags.
  private static final long WINDOW_NANOS = 3_000_000_000L;

  private enum Style {
    LIVING(250),
    PLAIN(5_000),
    JSON(1_000);

    private final long intervalMillis;

    Style(long intervalMillis) {
      this.intervalMillis = intervalMillis;
    }
  }

  /// What there is to tell at this moment; asked from the progress thread alone.
  public interface Teller {

    /// For people.
    String line();

    /// For programs.
    ObjectNode json();
  }

  private final Teller teller;
  private final Style style;
  private final int columns;
  private final PrintStream stream;
  private final CountDownLatch ended = new CountDownLatch(1);
  private final Thread thread;

  private Progress(Teller teller, Style style, int columns, PrintStream stream) {
    this.teller = teller;
    this.style = style;
    this.columns = columns;
    this.stream = stream;
    thread = Thread.ofPlatform().name("progress").daemon().unstarted(this::printUntilEnded);
  }

  /// Starts to tell, as the user wants it told; null if the user wants to hear nothing.
  ///
  /// @param json where lines of JSON go
  public static @Nullable Progress start(
      Teller teller, OutputOptions output, Console console, PrintStream json) {
    if (output.quiet) {
      return null;
    }
    Style style = console.columns() > 0 ? Style.LIVING : Style.PLAIN;
    Progress progress =
        output.json
            ? new Progress(teller, Style.JSON, 0, json)
            : new Progress(teller, style, console.columns(), console.err());
    progress.thread.start();
    return progress;
  }

  /// What there is to tell of a run.
  public static Teller of(Plan plan, Run run) {
    return new RunTeller(plan, run);
  }

  private static final class RunTeller implements Teller {

    private final Plan plan;
    private final Run run;
    private final Meter meter;
    private final Deque<Sample.Count> window = new ArrayDeque<>();
    private Stage lately = Stage.QUEUE_WAIT;

    private RunTeller(Plan plan, Run run) {
      this.plan = plan;
      this.run = run;
      meter = run.meter();
      window.add(Sample.Count.of(meter));
    }

    private Sample sample() {
      Sample.Count now = Sample.Count.of(meter);
      while (window.size() > 1 && now.nanos() - window.getFirst().nanos() > WINDOW_NANOS) {
        window.removeFirst();
      }
      Sample sample = Sample.of(plan, run, window.getFirst(), now, lately);
      window.addLast(now);
      lately = sample.doing().stage();
      return sample;
    }

    @Override
    public String line() {
      return sample().line();
    }

    @Override
    public ObjectNode json() {
      return sample().json();
    }
  }

  private void printUntilEnded() {
    try {
      while (!ended.await(style.intervalMillis, TimeUnit.MILLISECONDS)) {
        print();
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private void print() {
    switch (style) {
      case LIVING -> {
        stream.print(Console.CLEAR_LINE + DisplayWidth.cut(teller.line(), columns - 1));
        stream.flush();
      }
      case PLAIN -> stream.println(teller.line());
      case JSON -> stream.println(teller.json());
    }
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
      stream.print(Console.CLEAR_LINE);
      stream.flush();
    }
  }
}
