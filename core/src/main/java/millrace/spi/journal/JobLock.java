package millrace.spi.journal;

/// The capability of a target that keeps two processes from doing the same copy at once. On the
/// target's thread.
public interface JobLock {

  /// Takes a job up: nobody else can while the target is open. Waits a while for what a killed
  /// process has left under way.
  ///
  /// @throws millrace.fault.Fault.User if that very job is being run by somebody else
  void take(String job);

  /// Waits a while until nobody is at work at a job; meanwhile others may begin with it.
  default void awaitFree(String job) {
    // Who can't tell does not wait.
  }

  /// Whether nobody is at work at a job just now, as far as the system tells.
  default boolean isFree(String job) {
    return true;
  }
}
