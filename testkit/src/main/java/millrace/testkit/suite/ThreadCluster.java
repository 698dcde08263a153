package millrace.testkit.suite;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import millrace.engine.reject.RejectLog.SetAside;
import millrace.engine.remote.Cluster;
import millrace.engine.remote.RemoteRun;
import millrace.engine.remote.SplitDone;
import millrace.engine.remote.SplitEnds;
import millrace.fault.Fault;
import millrace.spi.ConnectorRegistry;
import millrace.spi.read.Split;

/// A cluster without processes: each split has ends of its own, and all that would go from one
/// process to another goes as bytes.
final class ThreadCluster implements Cluster {

  /// What becomes of an attempt.
  enum Luck {
    WELL,
    /// Its process is lost when it has committed all, and another begins anew.
    LOST,
    /// It fails in a way that may pass, before it has begun.
    PASSING,
    /// It fails for good.
    FAILED
  }

  private final ConnectorRegistry connectors;
  private final IntFunction<Luck> luck;
  private final AtomicInteger attempts = new AtomicInteger();
  private final AtomicInteger open = new AtomicInteger();

  /// @param luck of each attempt, by its number from 0
  ThreadCluster(ConnectorRegistry connectors, IntFunction<Luck> luck) {
    this.connectors = connectors;
    this.luck = luck;
  }

  /// On how many runs it is at work.
  int open() {
    return open.get();
  }

  @Override
  public int room() {
    return JournaledSuite.LANES;
  }

  @Override
  public Work begin(RemoteRun run) {
    byte[] bytes = bytes(run);
    open.incrementAndGet();
    Queue<SplitEnds> idle = new ConcurrentLinkedQueue<>();
    return new Work() {
      @Override
      public SplitDone run(Split split, List<SetAside> recorded, UnderWay underWay) {
        Luck next = luck.apply(attempts.getAndIncrement());
        if (next == Luck.PASSING) {
          throw new Fault.Transient("an executor was lost", "", 0, null);
        }
        if (next == Luck.FAILED) {
          throw new Fault.External("the cluster is gone", "", null);
        }
        SplitEnds free = idle.poll();
        SplitEnds ends =
            free == null ? new SplitEnds(connectors, (RemoteRun) copy(bytes), "A thread") : free;
        Split given = (Split) copy(bytes(split));
        SplitDone done = (SplitDone) copy(bytes(ends.work(given, recorded, underWay)));
        if (next == Luck.LOST) {
          ends.close();
          return run(split, recorded, underWay);
        }
        idle.add(ends);
        return done;
      }

      @Override
      public double atWork() {
        return 1;
      }

      @Override
      public void cancel() {
        idle.forEach(each -> each.cancel("the run has ended"));
      }

      @Override
      public void close() {
        idle.forEach(SplitEnds::close);
        open.decrementAndGet();
      }
    };
  }

  private static byte[] bytes(Object value) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(value);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  private static Object copy(byte[] bytes) {
    try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
      return in.readObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }
}
