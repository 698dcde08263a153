package millrace.cli;

import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import millrace.fault.Fault;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/// Ctrl-C and SIGTERM: stops the run under way and gives the main thread time to undo what was
/// staged and to say so. The process then ends with 128 + the signal's number, unless all was done
/// before the signal could change anything: that is no stop. At a second signal it ends at once.
public final class Stop {

  /// How long a target may take to undo; a server that does not answer must not keep us.
  private static final long PATIENCE_SECONDS = 30;

  /// After so long the user may want to know that a second Ctrl-C helps.
  private static final long SILENT_SECONDS = 2;

  /// How long the last line may take.
  private static final long SAYING_MILLIS = 200;

  private static final int INTERRUPTED = 128 + 2;
  private static final int TERMINATED = 128 + 15;

  public static final String STOPPED = "Stopped.";

  private final CountDownLatch ended = new CountDownLatch(1);

  /// What the first signal wants the process to end with; 0 if none came.
  private final AtomicInteger signalled = new AtomicInteger();

  private boolean stopping;
  private boolean mustEndItself;
  private @Nullable Consumer<String> cancel;

  /// Takes the signals of this process from now on; `main` calls it once.
  ///
  /// @param console where it says what it waits for
  /// @return false if a signal came before, so that the process is ending already
  boolean install(Console console) {
    try {
      Runtime.getRuntime().addShutdownHook(new Thread(() -> stopUnlessSignalled(console), "stop"));
    } catch (IllegalStateException _) {
      return false;
    }
    Signals.on("INT", () -> signalled(console, INTERRUPTED));
    Signals.on("TERM", () -> signalled(console, TERMINATED));
    return true;
  }

  private void signalled(Console console, int exitCode) {
    if (!noteSignal(exitCode)) {
      sayThatItEndsAtOnce(console);
      Runtime.getRuntime().halt(exitCode);
    }
    if (!stop(console)) {
      System.exit(exitCode);
    }
  }

  /// Whoever started this process holds on to it by a stream, whose end stops it. That is no
  /// signal: a terminal sends one to both of them at the same time.
  void endsWith(InputStream caller, Console console) {
    Thread.ofPlatform()
        .name("caller")
        .daemon()
        .start(() -> {
          try {
            while (caller.read() >= 0) {
              // It says nothing more.
            }
          } catch (IOException e) {
            LoggerFactory.getLogger(Stop.class).debug("the caller is gone", e);
          }
          if (!stop(console)) {
            System.exit(TERMINATED);
          }
        });
  }

  /// Whoever reads standard error may have stopped reading, which must not keep the process.
  private static void sayThatItEndsAtOnce(Console console) {
    Thread saying =
        Thread.ofPlatform()
            .daemon()
            .start(() ->
                console.say(
                    "millrace: ended at once. What was not undone yet is left: tables and files"
                        + " with `millrace` in their names."));
    try {
      saying.join(SAYING_MILLIS);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  /// Remembers the first signal; false if there was one before.
  boolean noteSignal(int exitCode) {
    return signalled.compareAndSet(0, exitCode);
  }

  /// A shutdown that no signal of ours began.
  private void stopUnlessSignalled(Console console) {
    if (signalled.get() == 0) {
      stop(console);
    }
  }

  /// The main thread has nothing left to do or say.
  ///
  /// @param code what it would end with
  /// @return what the process is to end with
  int ended(int code) {
    int exitCode = exitCode(code);
    ended.countDown();
    return exitCode;
  }

  /// What the process is to end with.
  ///
  /// @param code what it would end with if no signal had come
  int exitCode(int code) {
    return code == ExitCode.OK.number() || signalled.get() == 0 ? code : signalled.get();
  }

  /// From now on a stop waits until the main thread has ended: it has something to undo.
  public synchronized void endItself() {
    mustEndItself = true;
    refuseIfStopping();
  }

  /// This is what stops the work under way, until the next is named.
  ///
  /// @param work takes the reason
  /// @throws Fault.Cancelled if the stop came before
  public synchronized void watch(Consumer<String> work) {
    endItself();
    cancel = work;
  }

  /// From now on a stop that has to wait for the main thread ends its waits so; what it does not
  /// wait for ends by itself.
  public synchronized void waits(Consumer<String> wait) {
    cancel = wait;
    refuseIfStopping();
  }

  private void refuseIfStopping() {
    if (stopping) {
      throw new Fault.Cancelled(STOPPED);
    }
  }

  /// Stops the work under way; whether the main thread has come to its end, and ends the process.
  boolean stop(Console console) {
    boolean wait;
    synchronized (this) {
      stopping = true;
      wait = mustEndItself;
      if (cancel != null) {
        cancel.accept(STOPPED);
      }
    }
    try {
      if (!wait) {
        return ended.getCount() == 0;
      }
      if (ended.await(SILENT_SECONDS, TimeUnit.SECONDS)) {
        return true;
      }
      console.say(
          "millrace: stopping; what is not finished is being undone. Ctrl-C again ends at once.");
      if (ended.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        return true;
      }
      console.say("millrace: the target did not undo its work in time.");
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    return false;
  }
}
