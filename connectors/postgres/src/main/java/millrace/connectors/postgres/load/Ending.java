package millrace.connectors.postgres.load;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import millrace.connectors.postgres.journal.Committed;
import millrace.connectors.postgres.net.Session;
import millrace.connectors.postgres.net.SideBySide;
import millrace.spi.PhaseTimer;

/// What a load has when its lanes are done.
///
/// @param session the target's own connection
/// @param committed how many have been sent; is given how many of them triggers left out
/// @param checkStaged sees to it that a staging table without a log holds all rows still
/// @param steps where it says what takes long
/// @param connect opens another connection
/// @param lanes how many lanes there were, and so how many connections it may use again
public record Ending(
    Session session,
    Committed committed,
    Runnable checkStaged,
    PhaseTimer steps,
    Supplier<Session> connect,
    int lanes) {

  /// The step of the report in which keys and indexes are made.
  private static final String MAKE_INDEXES = "make indexes";

  /// How many rows have been sent.
  long rows() {
    return committed.rows();
  }

  /// Makes indexes on the target's own connection.
  void makeIndexes(Runnable work) {
    steps.time(MAKE_INDEXES, 1, work);
  }

  /// Makes indexes on as many connections as there were lanes, after those that must come first.
  void makeIndexes(List<Consumer<Session>> first, List<Consumer<Session>> sideBySide) {
    int connections = Math.clamp(sideBySide.size(), 1, lanes);
    steps.time(
        MAKE_INDEXES,
        connections,
        () -> {
          first.forEach(work -> work.accept(session));
          if (connections == 1) {
            sideBySide.forEach(work -> work.accept(session));
          } else {
            new SideBySide(sideBySide).run(connections, connect);
          }
        });
  }
}
