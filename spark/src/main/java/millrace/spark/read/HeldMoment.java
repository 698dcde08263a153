package millrace.spark.read;

import java.lang.ref.Cleaner;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import millrace.copy.SharedMoment;
import millrace.fault.Fault;
import millrace.spi.Endpoint;
import millrace.spi.read.SourceDescription;
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
/// (`spark.cleaner.periodicGC.interval`). The end of the application lets go of all.
final class HeldMoment {

  private static final Cleaner CLEANER = Cleaner.create();
  private static final Set<Release> HELD = ConcurrentHashMap.newKeySet();

  private final SharedMoment moment;
  private final Cleaner.Cleanable cleanable;

  private HeldMoment(SharedMoment moment) {
    this.moment = moment;
    Release release = new Release(moment);
    if (HELD.isEmpty()) {
      SparkContext.getOrCreate().addSparkListener(new LastRelease());
    }
    HELD.add(release);
    cleanable = CLEANER.register(this, release);
  }

  /// Takes it.
  ///
  /// @throws Fault.User if several processes can't read the source in one state
  static HeldMoment take(Endpoint end) {
    return new HeldMoment(Opening.opener().moment(end));
  }

  /// The source as each task opens it.
  Endpoint end() {
    return moment.end();
  }

  /// Has to be called before tasks read the source.
  ///
  /// @throws Fault.User if several processes can't read it in one state; it is let go of then
  void check(SourceDescription source) {
    try {
      moment.check(source);
    } catch (Fault.User e) {
      cleanable.clean();
      throw e;
    }
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
