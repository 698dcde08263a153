package millrace.connectors.postgres;

import millrace.spi.StepTimer;

/// What a load has when its lanes are done.
///
/// @param session the target's own connection
/// @param rows how many have been sent
/// @param steps where it says what takes long
record Ending(Session session, long rows, StepTimer steps) {

  /// The step of the report in which keys and indexes are made.
  private static final String MAKE_INDEXES = "make indexes";

  /// Makes indexes, on that many connections at once.
  void makeIndexes(int connections, Runnable work) {
    steps.time(MAKE_INDEXES, connections, work);
  }
}
