package millrace.connectors.file.output;

import millrace.spi.StageClock;
import millrace.spi.journal.Receipt;

/// Where the chunks of splits go. Lanes share it; each calls it from its writer's thread.
public interface Sink {

  /// Takes the next chunk of a split.
  ///
  /// @param clock the lane's, told what the time goes into
  void write(int split, Chunk chunk, StageClock clock);

  /// The split has been handed on as far as the receipt says.
  ///
  /// @return whether that stays from now on; else it is as if nothing had been said
  boolean reached(Receipt receipt, StageClock clock);

  /// The split has no more chunks.
  void finish(Receipt receipt, StageClock clock);

  /// All splits are finished; what waits still is waited for no more.
  default void end() {}

  /// Takes back what came of a split that is not finished and does not stay; false if it can't be
  /// taken back.
  boolean undo(int split);

  /// Ends every wait; from any thread, never waits itself.
  void cancel();
}
