package millrace.spi;

import java.util.List;
import millrace.fault.Fault;
import org.jspecify.annotations.Nullable;

/// What an end of a run counts: what crossed its connections, and what its server did. The engine
/// reads them before the first row and after the last, and reports the difference.
///
/// One thread, that of the target's and source's own methods. Reading them must not move them: a
/// connection of its own asks the server.
public interface Counters extends AutoCloseable {

  /// How far a counter looks.
  enum Scope {
    /// Only what this run did.
    RUN("this run"),
    /// All that happened in the database meanwhile, by whomever.
    DATABASE("whole database"),
    /// All that happened on the server meanwhile, by whomever.
    SERVER("whole server");

    private final String label;

    Scope(String label) {
      this.label = label;
    }

    /// As reports name it.
    public String label() {
      return label;
    }
  }

  /// What it means if a counter moves during a run, for a trouble that a user can mend.
  ///
  /// @param perMinuteMax how often it may move in a minute without being worth a word
  /// @param what what has happened so often, in the plural: `checkpoints before their time`
  /// @param help why, and what would help, as the end of a sentence
  record Alarm(double perMinuteMax, String what, String help) {}

  /// One counter.
  ///
  /// @param group what it is read from, for example `wire` or `pg_stat_wal`
  /// @param name its name there; units as there
  /// @param scope how far it looks
  /// @param value now; it only grows, unless somebody resets it
  /// @param alarm what it means if it moves; null for those that just count
  record Count(String group, String name, Scope scope, long value, @Nullable Alarm alarm) {

    /// One that just counts.
    public Count(String group, String name, Scope scope, long value) {
      this(group, name, scope, value, null);
    }
  }

  /// The counters at one moment.
  ///
  /// @param counts in the order in which they should be shown
  /// @param missing what could not be read and why, one sentence without its end each
  record Reading(List<Count> counts, List<String> missing) {

    public Reading {
      counts = List.copyOf(counts);
      missing = List.copyOf(missing);
    }
  }

  /// The counters as they are now. All that the run has done so far stands in them: one that lacks
  /// some of it is left out, and not waited for. Never throws for a right that is missing or a
  /// server that is gone: the reading says so.
  Reading read();

  /// What the server's processes that have something to do for this end wait for at this moment,
  /// one element a process; empty if nobody can tell.
  ///
  /// Asked again and again while rows move, by one thread of its own, but never while something is
  /// read. It moves no counter by more than it must.
  ///
  /// @throws Fault if the server does not answer any more; it is not asked again
  default List<ServerWait> waits() {
    return List.of();
  }

  @Override
  void close();
}
