package millrace.engine;

import millrace.plan.Plan;
import millrace.spi.read.ReadSession;

/// Tells a source once that no more of its rows will be asked for. One thread.
final class SourceRelease {

  private final ReadSession from;
  private boolean isDone;

  SourceRelease(ReadSession from) {
    this.from = from;
  }

  /// Tells it, unless it knows.
  void letGo() {
    if (!isDone) {
      isDone = true;
      from.allRead();
    }
  }

  /// Some systems wait for all who read before they drop a table, such as a staging table: within
  /// one system the target would wait for the source. Another system may be why the run failed, and
  /// not answer: the target is undone before it is asked.
  void beforeAbort(Plan plan, Throwable cause) {
    if (plan.job().from().scheme().equals(plan.job().to().scheme())) {
      try {
        letGo();
      } catch (RuntimeException e) {
        cause.addSuppressed(e);
      }
    }
  }
}
