package millrace.spi;

/// Where a target says what took its time while it completes; each becomes a line of the report's
/// table of steps.
public interface PhaseTimer {

  /// Does the work on the calling thread, and notes how long it took, also if it throws.
  ///
  /// @param name what is done, for example `make indexes`
  /// @param concurrency how many threads or connections work at it
  void time(String name, int concurrency, Runnable work);
}
