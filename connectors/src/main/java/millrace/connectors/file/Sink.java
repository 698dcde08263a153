package millrace.connectors.file;

import millrace.spi.StageClock;

/// Where the chunks of splits go. Lanes share it; each calls it from its writer's thread.
interface Sink {

  /// Takes the next chunk of a split.
  ///
  /// @param clock the lane's, told what the time goes into
  void write(int split, Chunk chunk, StageClock clock);

  /// The split has no more chunks.
  void finish(int split, StageClock clock);

  /// Takes back what came of a split that is not finished; false where it can't be taken back.
  boolean undo(int split);

  /// Ends every wait; from any thread, never waits itself.
  void cancel();
}
