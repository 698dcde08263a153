package millrace.spark;

import java.io.Serializable;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import millrace.engine.reject.RejectLog.SetAside;
import millrace.engine.remote.SplitDone;
import millrace.engine.remote.SplitEnds;
import millrace.fault.Fault;
import millrace.spi.read.Split;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.function.Function;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.util.LongAccumulator;

/// What an executor does: works off a split. What goes wrong with it is a result, so that Spark
/// does not try again what can't go well; only a process that is lost has it tried by another.
///
/// @param id names the run
/// @param run what its processes need of it, without passwords
/// @param rows goes with the executor's heartbeats and tells how many it has taken up to now
/// @param bytes tells as much of the source's bytes
record SplitTask(UUID id, Broadcast<byte[]> run, LongAccumulator rows, LongAccumulator bytes)
    implements Function<byte[], byte[]> {

  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  /// What goes with each task.
  ///
  /// @param recorded its bad records that are written down
  /// @param secrets the passwords of its run
  record Sent(Split split, List<SetAside> recorded, byte[] secrets) implements Serializable {}

  /// What comes back.
  ///
  /// @param executor Spark's name for who has done it
  /// @param host where that is
  /// @param nanos how long it took
  record Back(SplitDone done, String executor, String host, long nanos) implements Serializable {}

  @Override
  public byte[] call(byte[] sent) {
    Sent task = Packed.read(sent, Sent.class);
    TaskContext context = TaskContext.get();
    String executor = SparkEnv.get().executorId();
    String host = SparkEnv.get().blockManager().blockManagerId().host();
    long began = System.nanoTime();
    SplitDone done = work(task, context, "Executor " + executor + " on " + host);
    return Packed.of(new Back(done, executor, host, System.nanoTime() - began));
  }

  private SplitDone work(Sent task, TaskContext context, String where) {
    SplitEnds ends;
    try {
      ends = ExecutorEnds.take(id, new Packed(run.value(), task.secrets), where);
    } catch (RuntimeException e) {
      return SplitDone.failed(Fault.of(e));
    }
    // On a thread of its own: Spark interrupts this one, by which a reader would lose its files.
    CompletableFuture<SplitDone> working =
        CompletableFuture.supplyAsync(
                () -> ends.work(task.split, task.recorded, this::tell),
                work -> Thread.ofPlatform().name("split-" + task.split.index()).start(work))
            .exceptionally(lost -> SplitDone.failed(Fault.of(lost)));
    boolean isInterrupted = false;
    while (!working.isDone()) {
      isInterrupted |= Thread.interrupted() || context.isInterrupted();
      if (isInterrupted) {
        ends.cancel("Spark has stopped the task");
      }
      LockSupport.parkNanos(working, LOOK_NANOS);
    }
    SplitDone done = working.join();
    if (done.fault() == null) {
      ExecutorEnds.give(id, ends);
    } else {
      ends.close();
    }
    return done;
  }

  private void tell(long rowsNow, long bytesNow) {
    rows.setValue(rowsNow);
    bytes.setValue(bytesNow);
  }
}
