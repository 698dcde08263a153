package millrace.connectors.postgres.net;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;
import millrace.fault.Fault;
import org.jspecify.annotations.Nullable;

/// Work for the server that several connections take off one queue. The first failure stops all of
/// them.
public final class SideBySide {

  /// How often one connection is tried alone if none was opened.
  private static final int ALONE_MAX = 5;

  private static final long ALONE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final Queue<Consumer<Session>> queue;
  private final List<Session> sessions = new CopyOnWriteArrayList<>();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private final AtomicReference<@Nullable Fault> notOpened = new AtomicReference<>();

  public SideBySide(List<Consumer<Session>> works) {
    queue = new ConcurrentLinkedQueue<>(works);
  }

  /// Does all of it, and returns when every connection is closed again. If some can't be opened,
  /// the others do their part.
  ///
  /// @throws RuntimeException the first failure
  public void run(int connections, Supplier<Session> connect) {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < connections; i++) {
      threads.add(Thread.ofPlatform().name("indexes-" + i).start(() -> work(connect)));
    }
    threads.forEach(SideBySide::join);
    // A server counts those that it is about to refuse, too, and so may refuse all that come at
    // once.
    for (int tries = 0;
        tries < ALONE_MAX && sessions.isEmpty() && notOpened.get() != null;
        tries++) {
      LockSupport.parkNanos(ALONE_NANOS);
      work(connect);
    }
    if (!queue.isEmpty()) {
      failure.compareAndSet(null, notOpened.get());
    }
    switch (failure.get()) {
      case null -> {}
      case Error e -> throw e;
      case RuntimeException e -> throw e;
      case Throwable e -> throw new IllegalStateException(e);
    }
  }

  private void work(Supplier<Session> connect) {
    try (Session session = open(connect)) {
      if (session == null) {
        return;
      }
      sessions.add(session);
      // Looked at after the session can be found: whoever fails cancels it, or it sees the failure.
      for (Consumer<Session> work = next(); work != null; work = next()) {
        work.accept(session);
      }
    } catch (RuntimeException | Error e) {
      if (failure.compareAndSet(null, e)) {
        sessions.forEach(Session::cancel);
      }
    }
  }

  private @Nullable Session open(Supplier<Session> connect) {
    try {
      return connect.get();
    } catch (Fault.Transient e) {
      notOpened.compareAndSet(null, e);
      return null;
    }
  }

  private @Nullable Consumer<Session> next() {
    return failure.get() == null ? queue.poll() : null;
  }

  private static void join(Thread thread) {
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException _) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
