package millrace.spark.read;

import java.time.Duration;
import java.util.function.Supplier;
import millrace.connectors.Connectors;
import millrace.copy.EndOpener;
import millrace.engine.retry.RetryPolicy;
import millrace.fault.Fault;
import millrace.plan.FaultMessage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// How the driver and executors open sources, and what Spark's users are told if that fails.
final class Opening {

  private static final Logger LOG = LoggerFactory.getLogger("millrace");

  /// Spark tries a task again that fails; this is for a server that is busy for a moment.
  private static final RetryPolicy RETRY =
      RetryPolicy.of(Duration.ofSeconds(30), Duration.ofMinutes(10));

  private Opening() {}

  /// What opens them. Waits are logged.
  static EndOpener opener() {
    return new EndOpener(Connectors.ALL, RETRY, LOG::info);
  }

  /// Tells the user what is no fault.
  static void note(String sentence) {
    LOG.warn(sentence);
  }

  /// Does something, and tells Spark of a fault in one sentence with what to do: it shows users the
  /// message of an exception alone, and its cause may be of a class that the driver does not have.
  ///
  /// @throws IllegalArgumentException if the user can mend it
  /// @throws IllegalStateException if not
  static <T> T explained(Supplier<T> work) {
    try {
      return work.get();
    } catch (Fault e) {
      String message = (FaultMessage.of(e) + " " + FaultMessage.advice(e)).strip();
      RuntimeException told =
          e instanceof Fault.User
              ? new IllegalArgumentException(message)
              : new IllegalStateException(message);
      told.setStackTrace(e.getStackTrace());
      throw told;
    }
  }
}
