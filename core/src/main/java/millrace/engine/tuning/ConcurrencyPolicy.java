package millrace.engine.tuning;

/// Says how many lanes a run should have.
///
/// The lane pool asks it for every batch that a lane has read, from one thread at a time.
public interface ConcurrencyPolicy {

  /// How many lanes there should be from now on.
  ///
  /// @param complete whether there are now just as many as it said last, none more or fewer
  /// @param bytes of the source that all lanes have read so far
  /// @param nanos a clock's time now, from any start
  int lanes(boolean complete, long bytes, long nanos);

  /// There can't be more than that many, whatever would be best.
  void limit(int most);
}
