package millrace.spark.read;

import java.io.Serializable;
import java.lang.ref.Cleaner;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import millrace.copy.SharedMoment;
import org.apache.spark.SparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerApplicationEnd;

/// The state in which all tasks of a scan read the source, for example a snapshot that an idle
/// connection of the driver keeps.
///
/// Spark does not say when it has read a scan for the last time: a task that is lost is read again,
/// and so is a `DataFrame` that is used again. So the state lasts as long as anything refers to it,
/// which the scan and the driver's own partitions do, and those of RDDs made of them; then the
/// garbage collector lets go of it. Spark has the driver collect at least each half hour
/// (`spark.cleaner.periodicGC.interval`). The end of the application lets go of all. Executors get
/// an empty one.
final class HeldMoment implements Serializable {

  private static final long serialVersionUID = 1L;

  private static final Cleaner CLEANER = Cleaner.create();
  private static final Set<Release> HELD = ConcurrentHashMap.newKeySet();

  /// Keeps a state until nothing refers to this object any more.
  HeldMoment(SharedMoment moment) {
    Release release = new Release(moment);
    if (HELD.isEmpty()) {
      SparkContext.getOrCreate().addSparkListener(new LastRelease());
    }
    HELD.add(release);
    CLEANER.register(this, release);
  }

  /// Lets go of a state, once. Does not refer to whom the cleaner waits for.
  private record Release(SharedMoment moment) implements Runnable {

    @Override
    public void run() {
      if (HELD.remove(this)) {
        moment.close();
      }
    }
  }

  /// Lets go of all states when the application ends, on the thread of Spark's events.
  private static final class LastRelease extends SparkListener {

    @Override
    public void onApplicationEnd(SparkListenerApplicationEnd end) {
      List.copyOf(HELD).forEach(Release::run);
    }
  }
}
