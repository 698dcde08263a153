package millrace.online.load;

import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/// A thread that does something now and then, until somebody ends it. It is never interrupted:
/// drivers of databases and channels of files take an interrupt for an error. Any thread may end
/// it.
public final class ClockThread {

  private final Thread thread;
  private volatile boolean over;

  private ClockThread(String name, Consumer<ClockThread> task) {
    thread = Thread.ofPlatform().name(name).unstarted(() -> task.accept(this));
  }

  /// Starts one.
  ///
  /// @param task ends soon after {@link #sleepUntil} has said so
  public static ClockThread start(String name, Consumer<ClockThread> task) {
    ClockThread clock = new ClockThread(name, task);
    clock.thread.start();
    return clock;
  }

  /// Waits until a moment of {@link System#nanoTime}. For the thread itself.
  ///
  /// @return false if it is to end
  public boolean sleepUntil(long nanos) {
    return Schedule.sleepUntil(nanos, () -> over);
  }

  /// Makes it end once it has done what it does at the moment.
  public void end() {
    over = true;
    LockSupport.unpark(thread);
  }

  /// Waits until it has ended.
  public void join() throws InterruptedException {
    thread.join();
  }
}
