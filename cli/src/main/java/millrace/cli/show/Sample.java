package millrace.cli.show;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Locale;
import millrace.endpoint.Endpoints;
import millrace.engine.Run;
import millrace.engine.meter.Meter;
import millrace.plan.Plan;
import millrace.report.ReportText;
import millrace.spi.Stage;
import org.jspecify.annotations.Nullable;

/// How far a run is at one moment.
///
/// @param percent how much is done, 0 to 99, or -1 if nobody knows how much there is
/// @param rows rows that the target has taken
/// @param rejects records set aside
/// @param rowsPerSecond over the last seconds
/// @param bytesPerSecond over the last seconds, of the source, or of the target if the source
///   counts none
/// @param secondsLeft how long it will take at this rate, or -1 if nobody knows
/// @param doing what is done at that moment
record Sample(
    int percent,
    long rows,
    long rejects,
    double rowsPerSecond,
    double bytesPerSecond,
    long secondsLeft,
    Doing doing) {

  private static final double MB = 1024 * 1024;

  /// What is done at one moment.
  ///
  /// @param lanes how many lanes work
  /// @param stage what most of them are doing
  /// @param step what is done before or after rows move, and no lane is at work; empty while they
  ///   move
  /// @param endWaits what one of the ends waits for while no row moves; empty if nobody can say
  /// @param waiting the lane that waits longest before it tries again, or null if none does
  record Doing(
      int lanes, Stage stage, String step, String endWaits, Meter.@Nullable Waiting waiting) {

    /// In words that fit a line.
    private String words() {
      if (waiting != null) {
        return "waiting "
            + waiting.secondsLeft()
            + " s, then try "
            + waiting.tries()
            + ": "
            + Endpoints.redact(waiting.why());
      }
      if (!step.isEmpty()) {
        return step;
      }
      if (!endWaits.isEmpty()) {
        return Endpoints.redact(endWaits);
      }
      String what =
          switch (stage) {
            case READ -> "read";
            case DECOMPRESS -> "decompress";
            case PARSE -> "parse";
            case FILTER -> "wait for filter";
            case CONVERT -> "convert";
            case REJECT -> "set bad records aside";
            case ENCODE -> "encode";
            case COMPRESS -> "compress";
            case SEND -> "send";
            case SERVER_WAIT -> "wait for server";
            case COMMIT -> "commit";
            case TURN, QUEUE_WAIT -> "start";
          };
      return lanes == 1 ? "1 lane: " + what : lanes + " lanes " + what;
    }
  }

  /// What was counted at one moment.
  record Count(long nanos, long rows, long bytes) {

    static Count of(Meter meter) {
      long bytes = meter.sourceBytes();
      return new Count(meter.elapsedNanos(), meter.rows(), bytes > 0 ? bytes : meter.targetBytes());
    }

    /// What has come since an earlier moment; nothing if more was taken back meanwhile.
    Count since(Count before) {
      return new Count(
          nanos - before.nanos, Math.max(0, rows - before.rows), Math.max(0, bytes - before.bytes));
    }
  }

  /// The state now, rates since an earlier moment.
  ///
  /// @param lately what the lanes were doing when it was last asked; still true while all of them
  ///   happen to wait for each other
  static Sample of(Plan plan, Run run, Count before, Count now, Stage lately) {
    Meter meter = run.meter();
    String step = run.currentStep();
    Stage busiest = meter.busiestNow();
    Count moved = now.since(before);
    double seconds = Math.max(1e-9, moved.nanos / 1e9);
    double rowsPerSecond = moved.rows / seconds;
    double bytesPerSecond = moved.bytes / seconds;
    Total total = Total.of(plan);
    double done = total.inRows ? meter.rowsBefore() + now.rows : meter.sourceBytes();
    double rate = total.inRows ? rowsPerSecond : bytesPerSecond;
    boolean known = total.amount > 0;
    boolean moving = step.isEmpty();
    return new Sample(
        known ? (int) Math.min(99, 100 * done / total.amount) : -1,
        now.rows,
        meter.rejects(),
        rowsPerSecond,
        bytesPerSecond,
        moving && known && rate > 0 ? Math.round(Math.max(0, total.amount - done) / rate) : -1,
        new Doing(
            meter.lanes(),
            busiest == Stage.QUEUE_WAIT ? lately : busiest,
            step,
            run.endWaits(),
            meter.waiting()));
  }

  /// How much there is to do; an amount of -1 if nobody knows.
  private record Total(long amount, boolean inRows) {

    static final Total UNKNOWN = new Total(-1, true);

    static Total of(Plan plan) {
      boolean filtered = plan.job().selection().filters();
      long limit = plan.job().selection().limit();
      if (!filtered && plan.source().size().rows() >= 0) {
        return new Total(Math.min(limit, plan.source().size().rows()), true);
      }
      boolean allIsRead = limit == Long.MAX_VALUE && (!filtered || plan.filters());
      return allIsRead ? new Total(plan.source().size().bytes(), false) : UNKNOWN;
    }
  }

  /// The state as a line that fits a terminal of 80 characters.
  String line() {
    StringBuilder line = new StringBuilder();
    if (percent >= 0) {
      line.append(String.format(Locale.ROOT, "%2d %%  ", percent));
    }
    if (secondsLeft >= 0) {
      line.append(ReportText.clock(secondsLeft)).append(" left  ");
    }
    line.append(String.format(Locale.ROOT, "%,d rows", rows));
    if (rejects > 0) {
      line.append(String.format(Locale.ROOT, ", %,d failed", rejects));
    }
    double megabytes = bytesPerSecond / MB;
    line.append(
        String.format(
            Locale.ROOT,
            megabytes < 100 ? "  %,.0f/s  %,.1f MB/s  " : "  %,.0f/s  %,.0f MB/s  ",
            rowsPerSecond,
            megabytes));
    return line.append(doing.words()).toString();
  }

  /// The state as an object.
  ObjectNode json() {
    ObjectNode line = JsonNodeFactory.instance.objectNode();
    line.put("event", "progress");
    if (percent >= 0) {
      line.put("percent", percent);
    }
    line.put("rows", rows);
    line.put("failed", rejects);
    line.put("rows_per_s", Math.round(rowsPerSecond));
    line.put("bytes_per_s", Math.round(bytesPerSecond));
    if (doing.step.isEmpty()) {
      line.put("lanes", doing.lanes);
      line.put("stage", doing.stage.label());
    } else {
      line.put("step", doing.step);
    }
    if (!doing.endWaits.isEmpty()) {
      line.put("stands_still", Endpoints.redact(doing.endWaits));
    }
    if (secondsLeft >= 0) {
      line.put("left_s", secondsLeft);
    }
    Meter.Waiting waiting = doing.waiting;
    if (waiting != null) {
      line.put("waiting_s", waiting.secondsLeft());
      line.put("waiting_for", Endpoints.redact(waiting.why()));
      line.put("try", waiting.tries());
    }
    return line;
  }
}
