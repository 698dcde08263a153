package millrace.online.run;

import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import millrace.fault.Fault;
import millrace.online.job.OnlineJob;
import millrace.online.load.ClockThread;
import millrace.online.load.Schedule;
import millrace.spi.online.OnlineStore;
import millrace.spi.online.Window;

/// Makes range partitions before rows need them.
final class PartitionMaker {

  private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final OnlineJob.Tables tables;
  private final OnlineStore store;
  private final Consumer<String> says;

  /// @param says is told what went wrong, in a sentence
  PartitionMaker(OnlineJob job, OnlineStore store, Consumer<String> says) {
    tables = job.tables();
    this.store = store;
    this.says = says;
  }

  /// Makes those that are needed from a moment on.
  ///
  /// @param micros of the data's clock
  void make(long micros) {
    store.addPartitions(new Window(micros, micros + tables.ahead().toMillis() * 1_000));
  }

  /// Goes on while the clock does.
  void run(ClockThread self, Schedule schedule) {
    long every = Math.max(SECOND_NANOS, tables.ahead().toNanos() / 4);
    while (!tables.partition().isZero() && self.sleepUntil(System.nanoTime() + every)) {
      try {
        make(schedule.nowMicros());
      } catch (Fault.Cancelled _) {
        return;
      } catch (Fault e) {
        // The next round tries it again; a row that finds none is a write error.
        says.accept("Partitions could not be made ahead: " + e.clause() + ".");
      }
    }
  }
}
