package millrace.online.run;

import java.util.List;
import java.util.function.DoubleSupplier;
import millrace.online.load.WriteListener;
import millrace.online.window.Windows;
import millrace.spi.online.OnlineStore.Dirty;

/// Listens to the clients of a run: windows hear which rows are coming, the meter counts them.
///
/// @param windows of the run
/// @param held is told how long each write took
/// @param elapsed seconds since the start
/// @param deaths is told if a client ends before its time
record RunWrites(
    Windows windows,
    RunMeter meter,
    HeldUp held,
    Latencies latencies,
    DoubleSupplier elapsed,
    Deaths deaths)
    implements WriteListener {

  /// Is told if a client ends before its time.
  @FunctionalInterface
  interface Deaths {

    /// One has ended.
    ///
    /// @param rows of its last write: they may be durable or not
    void died(long rows, String why);
  }

  @Override
  public List<Dirty> begins(List<Long> starts) {
    return windows.writeBegins(starts);
  }

  @Override
  public List<Dirty> written(List<Long> starts, List<Dirty> marked) {
    return windows.written(starts, marked);
  }

  @Override
  public void acknowledged(List<Long> starts) {
    windows.acknowledged(starts);
  }

  @Override
  public void starts(int client, long second, StartDelay startDelay) {
    meter.starts(client, second, startDelay);
  }

  @Override
  public void wrote(Write write) {
    held.wrote(write);
    meter.wrote(write);
    if (write.isScheduled()) {
      latencies.add(write.times());
    }
  }

  @Override
  public void failed(long second, String why) {
    meter.writeFailed(second, why, elapsed.getAsDouble());
  }

  @Override
  public void died(int client, long rows, String why) {
    deaths.died(rows, why);
  }
}
