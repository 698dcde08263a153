package millrace.connectors.kudu;

import millrace.fault.Fault;
import org.apache.kudu.client.KuduException;
import org.apache.kudu.client.KuduSession;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Calls of the client by one thread, which another can cut short: the client has no other way to
/// stop one than to interrupt who waits for it.
public final class KuduCalls {

  private static final Logger LOG = LoggerFactory.getLogger(KuduCalls.class);

  private final String label;
  private @Nullable Thread caller;
  private boolean cancelled;
  private long begunNanos;

  /// What is called.
  @FunctionalInterface
  public interface Call<T extends @Nullable Object> {

    /// Calls.
    T run() throws KuduException;
  }

  /// @param label the table, for faults
  public KuduCalls(String label) {
    this.label = label;
  }

  /// Makes a call that gives something.
  public <T extends @Nullable Object> T get(Call<T> call) {
    begin();
    try {
      return call.run();
    } catch (KuduException e) {
      throw fault(e);
    } catch (RuntimeException e) {
      // Who makes scan tokens hides in one what went wrong.
      throw e.getCause() instanceof KuduException hidden ? fault(hidden) : e;
    } finally {
      end();
    }
  }

  private Fault fault(KuduException e) {
    return isCancelled()
        ? stopped()
        : KuduFaults.tried(KuduFaults.of(e, label), System.nanoTime() - begunNanos);
  }

  private synchronized void begin() {
    if (cancelled) {
      throw stopped();
    }
    caller = Thread.currentThread();
    begunNanos = System.nanoTime();
  }

  /// The interrupt is this object's own, and must not reach what the thread does next.
  private synchronized void end() {
    caller = null;
    if (cancelled) {
      Thread.interrupted();
    }
  }

  /// Whether no more calls are made.
  public synchronized boolean isCancelled() {
    return cancelled;
  }

  private Fault.Cancelled stopped() {
    return new Fault.Cancelled(label + ": it was stopped");
  }

  /// Makes a call that is under way return soon, and refuses all later ones. From any thread.
  public synchronized void cancel() {
    cancelled = true;
    Thread waiting = caller;
    if (waiting != null) {
      waiting.interrupt();
    }
  }

  /// Ends a session. Rows that it still holds belong to a call that has failed or was cut short,
  /// and nobody counts on them: the client sends them, and what becomes of them is not asked. A
  /// client that finds such a session at its own end would fail there, and leave its connections
  /// open.
  public static void end(KuduSession session) {
    try {
      session.close();
    } catch (KuduException e) {
      LOG.debug("rows of a call that had failed were refused", e);
    }
  }
}
