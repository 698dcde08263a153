package millrace.testkit.campaign;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/// What strikes a copy while it runs.
public enum Interruption {
  /// SIGKILL for the copy's process.
  KILL,
  /// SIGTERM, as a machine that goes down sends it.
  STOP,
  /// The server goes down at once, as if it had crashed, and comes up again.
  SERVER,
  /// Every connection is reset.
  RESET,
  /// Connections go silent, and stay so until the copy has ended.
  SILENCE,
  /// The target's files may not grow beyond some length, as on a disk that is full.
  FULL_DISK,
  /// SIGKILL for one of the processes of a cluster.
  EXECUTOR;

  /// One that can strike on that route; about half of them are kills.
  static Interruption any(Route route, SplittableRandom random) {
    List<Interruption> possible = new ArrayList<>(List.of(KILL, KILL, KILL, KILL, KILL, STOP));
    if (route.hasNetwork()) {
      possible.addAll(List.of(SERVER, RESET, RESET, SILENCE));
    }
    // DuckDB's library writes itself to a file first, which is longer than any limit for the rows.
    if (route == Route.POSTGRES_TO_CSV) {
      possible.add(FULL_DISK);
    }
    if (route.isOnSpark()) {
      possible.addAll(List.of(EXECUTOR, EXECUTOR, EXECUTOR, EXECUTOR, EXECUTOR));
    }
    return possible.get(random.nextInt(possible.size()));
  }

  /// Whether it strikes what is between processes and not the process itself.
  boolean isNetworkFault() {
    return this == RESET || this == SILENCE || this == SERVER;
  }
}
