package millrace.connectors.postgres;

import millrace.fault.Fault;
import millrace.spi.write.Completed;
import org.jspecify.annotations.Nullable;

/// The end of a load whose rows may be durable before it, as {@link millrace.spi.write.Recoverable}
/// has it: one that is cut off may be called once more, and finds out then whether it had come. On
/// the target's thread.
final class LoadEnd {

  /// What a database does at the end.
  interface Steps {

    /// Makes the rows appear, with the mark that the run is complete.
    void run();

    /// What there is to tell of it, as far as it got.
    Completed told();

    /// Connects anew after it was cut off. Returns whether it had come.
    boolean hasCome();

    /// Whether it can be called again, since it finds out what it has done or changes nothing
    /// twice.
    boolean isRepeatable();
  }

  /// What an end that was cut off would have told; null if none was.
  private @Nullable Completed cutOff;

  /// Runs it, for the first time or once more.
  ///
  /// @throws Fault.Transient if it was cut off; ends the run if it can't be called again
  Completed run(Steps steps) {
    Completed before = cutOff;
    if (before != null) {
      boolean hasCome = steps.hasCome();
      cutOff = null;
      if (hasCome) {
        return before;
      }
    }
    try {
      steps.run();
    } catch (Fault.Transient | Fault.External e) {
      cutOff = steps.told();
      throw e instanceof Fault.Transient passing && !steps.isRepeatable()
          ? Fault.Transient.endingRun(String.valueOf(passing.getMessage()), passing.advice(), e)
          : e;
    }
    return steps.told();
  }
}
