package millrace.spark;

import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import millrace.engine.reject.RejectLog.SetAside;
import millrace.engine.remote.Cluster;
import millrace.engine.remote.RemoteRun;
import millrace.engine.remote.SplitDone;
import millrace.fault.Fault;
import millrace.spi.read.Split;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.jspecify.annotations.Nullable;

/// The executors of one application of Spark, which begins when somebody asks for them.
///
/// A split is a job with one task: it is given out when the one before it is done, and what was
/// lost is tried by whoever comes next. Any thread.
final class SparkCluster implements Cluster {

  /// How long executors may take to come once the first is there.
  private static final long GATHER_NANOS = TimeUnit.MILLISECONDS.toNanos(1_500);

  /// How long the first may take.
  private static final long COME_NANOS = TimeUnit.MINUTES.toNanos(2);

  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final Heartbeats heartbeats = new Heartbeats();
  private @Nullable JavaSparkContext context;

  private synchronized JavaSparkContext context() {
    if (context == null) {
      SparkConf conf = new SparkConf();
      // A split that takes long is no reason to copy it twice.
      conf.setIfMissing("spark.speculation", "false");
      conf.setIfMissing("spark.app.name", "millrace");
      Heartbeats.quicken(conf);
      context = new JavaSparkContext(conf);
      context.sc().addSparkListener(heartbeats);
      await(context);
    }
    return context;
  }

  /// Executors come one by one, and how many there are says for how many splits there is room.
  private static void await(JavaSparkContext context) {
    long began = System.nanoTime();
    // The driver is one of them.
    while (context.statusTracker().getExecutorInfos().length < 2 && !context.isLocal()) {
      if (System.nanoTime() - began > COME_NANOS) {
        throw new Fault.Transient(
            "No executor of the cluster has come for two minutes.",
            "Its master's page shows whether it has room: each executor takes"
                + " spark.executor.cores and spark.executor.memory (--conf).",
            0,
            null);
      }
      LockSupport.parkNanos(LOOK_NANOS);
    }
    LockSupport.parkNanos(context.isLocal() ? 0 : GATHER_NANOS);
  }

  @Override
  public int room() {
    return context().defaultParallelism();
  }

  @Override
  public Work begin(RemoteRun run) {
    JavaSparkContext spark = context();
    Packed packed = Packed.apart(run);
    return new SparkWork(
        spark, heartbeats, spark.broadcast(packed.plain()), packed.secrets(), room());
  }

  @Override
  public synchronized void close() {
    if (context != null) {
      context.stop();
    }
  }

  /// What one executor has done.
  private static final class Share {
    private final String host;
    private long splits;
    private long rows;
    private long nanos;

    Share(String host) {
      this.host = host;
    }
  }

  private static final class SparkWork implements Work {
    private final JavaSparkContext spark;
    private final Heartbeats heartbeats;
    private final Broadcast<byte[]> run;
    private final byte[] secrets;
    private final int room;
    private final UUID id = UUID.randomUUID();
    private final long began = System.nanoTime();
    private final SortedMap<String, Share> shares = new TreeMap<>();
    private volatile long ended;
    private volatile boolean cancelled;

    /// @param room on how many cores it is
    SparkWork(
        JavaSparkContext spark,
        Heartbeats heartbeats,
        Broadcast<byte[]> run,
        byte[] secrets,
        int room) {
      this.room = room;
      this.spark = spark;
      this.heartbeats = heartbeats;
      this.run = run;
      this.secrets = secrets;
    }

    @Override
    public SplitDone run(Split split, List<SetAside> recorded, UnderWay underWay) {
      byte[] task = Packed.of(new SplitTask.Sent(split, List.copyOf(recorded), secrets));
      byte[] back;
      try (Heartbeats.Counts counts = heartbeats.counts(spark, underWay)) {
        // Of this thread.
        spark.setJobGroup(id.toString(), "millrace: split " + split.index(), true);
        back =
            spark
                .parallelize(List.of(task), 1)
                .map(new SplitTask(id, run, counts.rows(), counts.bytes()))
                .first();
      } catch (Exception e) {
        throw e instanceof Fault fault ? fault : SparkFaults.of(e, cancelled);
      }
      SplitTask.Back came = Packed.read(back, SplitTask.Back.class);
      count(came);
      return came.done();
    }

    private synchronized void count(SplitTask.Back came) {
      Share share = shares.computeIfAbsent(came.executor(), _ -> new Share(came.host()));
      share.splits += came.done().fault() == null ? 1 : 0;
      share.rows += came.done().rows();
      share.nanos += came.nanos();
    }

    @Override
    public void cancel() {
      cancelled = true;
      spark.cancelJobGroup(id.toString());
    }

    @Override
    public synchronized List<String> notes() {
      return shares.entrySet().stream()
          .map(each -> {
            Share share = each.getValue();
            return String.format(
                Locale.ROOT,
                "executor %s on %s: %,d splits, %,d rows, at work for %.1f s",
                each.getKey(),
                share.host,
                share.splits,
                share.rows,
                share.nanos / 1e9);
          })
          .toList();
    }

    @Override
    public synchronized double atWork() {
      long until = ended == 0 ? System.nanoTime() : ended;
      long worked = shares.values().stream().mapToLong(share -> share.nanos).sum();
      return Math.min(1, worked / ((double) (until - began) * room));
    }

    @Override
    public void close() {
      ended = System.nanoTime();
      run.destroy();
    }
  }
}
