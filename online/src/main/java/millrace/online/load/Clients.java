package millrace.online.load;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import millrace.fault.Fault;
import millrace.online.job.OnlineJob;
import millrace.spi.online.OnlineStore;
import millrace.spi.online.Window;
import org.jspecify.annotations.Nullable;

/// All clients of a run, a thread each. One thread starts them and waits for them; any may stop
/// them.
public final class Clients {

  private final List<Thread> threads = new ArrayList<>();
  private final AtomicBoolean stopping = new AtomicBoolean();
  private @Nullable Fault fault;

  /// Opens a writer for each client, and starts nothing yet.
  ///
  /// @param pauses of this process, which somebody else watches
  /// @param sent is told of each row that is durable
  public Clients(
      OnlineJob job,
      OnlineStore store,
      Schedule schedule,
      WriteListener listener,
      ProcessPauses pauses,
      SentSums sent) {
    Client.RunContext watched = new Client.RunContext(listener, stopping::get, pauses, sent);
    List<Window> shares = Client.shares(job.load().rows(), job.load().clients());
    for (int i = 0; i < shares.size(); i++) {
      Client client = new Client(i, shares.get(i), job, store, schedule, watched);
      threads.add(Thread.ofPlatform().name("client " + i).unstarted(() -> run(client)));
    }
  }

  private void run(Client client) {
    try {
      client.run();
    } catch (Throwable e) {
      fail(Fault.of(e));
    }
  }

  private synchronized void fail(Fault found) {
    if (fault == null && !(found instanceof Fault.Cancelled)) {
      fault = found;
    }
    stopping.set(true);
  }

  /// Starts them.
  public void start() {
    threads.forEach(Thread::start);
  }

  /// Waits until all have written what they had to.
  ///
  /// @param most how long to wait
  /// @return false if some have not
  public boolean join(Duration most) throws InterruptedException {
    long until = System.nanoTime() + most.toNanos();
    for (Thread thread : threads) {
      long left = Math.max(1, until - System.nanoTime());
      if (!thread.join(Duration.ofNanos(left))) {
        return false;
      }
    }
    return true;
  }

  /// Whether all have ended.
  public boolean haveEnded() {
    return threads.stream().allMatch(each -> each.getState() == Thread.State.TERMINATED);
  }

  /// Makes them end soon: no further second is begun.
  public void stop() {
    stopping.set(true);
  }

  /// What ended one of them; null if nothing did.
  public synchronized @Nullable Fault fault() {
    return fault;
  }
}
