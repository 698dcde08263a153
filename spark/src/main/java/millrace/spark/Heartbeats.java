package millrace.spark;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import millrace.engine.remote.Cluster.UnderWay;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.scheduler.AccumulableInfo;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerExecutorMetricsUpdate;
import org.apache.spark.util.LongAccumulator;
import scala.collection.Iterator;

/// Hears how far splits are: executors send what tasks under way have counted with each heartbeat.
/// Spark's own threads bring it.
final class Heartbeats extends SparkListener {

  private static final String INTERVAL = "spark.executor.heartbeatInterval";

  /// What one split is counted by, from {@link #counts} until it is closed.
  final class Counts implements AutoCloseable {
    private final LongAccumulator rows;
    private final LongAccumulator bytes;
    private final UnderWay underWay;

    private Counts(LongAccumulator rows, LongAccumulator bytes, UnderWay underWay) {
      this.rows = rows;
      this.bytes = bytes;
      this.underWay = underWay;
    }

    LongAccumulator rows() {
      return rows;
    }

    LongAccumulator bytes() {
      return bytes;
    }

    @Override
    public void close() {
      byRows.remove(rows.id());
    }
  }

  private final Map<Long, Counts> byRows = new ConcurrentHashMap<>();

  /// Has executors send them each second, unless the user has said how often. One that reaches no
  /// driver gives up after as long as it would have: ten minutes.
  static void quicken(SparkConf conf) {
    if (!conf.contains(INTERVAL)) {
      conf.set(INTERVAL, "1s");
      conf.setIfMissing("spark.executor.heartbeat.maxFailures", "600");
    }
  }

  Counts counts(JavaSparkContext spark, UnderWay underWay) {
    Counts counts =
        new Counts(spark.sc().longAccumulator(), spark.sc().longAccumulator(), underWay);
    byRows.put(counts.rows.id(), counts);
    return counts;
  }

  @Override
  public void onExecutorMetricsUpdate(SparkListenerExecutorMetricsUpdate update) {
    update
        .accumUpdates()
        .foreach(task -> {
          told(task._4().iterator());
          return null;
        });
  }

  /// @param infos of one task, which works off one split
  private void told(Iterator<AccumulableInfo> infos) {
    Map<Long, Long> values = new HashMap<>();
    while (infos.hasNext()) {
      AccumulableInfo info = infos.next();
      if (info.update().isDefined() && info.update().get() instanceof Long value) {
        values.put(info.id(), value);
      }
    }
    values.forEach((id, rows) -> {
      Counts counts = byRows.get(id);
      if (counts != null) {
        counts.underWay.tell(rows, values.getOrDefault(counts.bytes.id(), 0L));
      }
    });
  }
}
