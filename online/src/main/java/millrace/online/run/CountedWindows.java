package millrace.online.run;

import java.util.function.BooleanSupplier;
import millrace.online.report.Series;
import millrace.online.window.WindowListener;

/// Counts what becomes of windows. Any thread.
///
/// @param finishing whether the schedule has ended: what is aggregated then is not on any clock
record CountedWindows(RunMeter meter, HeldUp held, BooleanSupplier finishing)
    implements WindowListener {

  @Override
  public void begins(Series.WindowRun run) {
    if (!finishing.getAsBoolean()) {
      meter.aggregates(run);
    }
    held.aggregates();
  }

  @Override
  public void ended(Series.WindowRun run) {
    held.aggregated(run);
    meter.aggregated(run);
  }

  @Override
  public void incomplete(String level, String window) {
    meter.incomplete();
  }

  @Override
  public long watermark() {
    return meter.watermark();
  }
}
