package millrace.spi;

import java.util.List;
import millrace.fault.Fault;

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

  /// One counter.
  ///
  /// @param group what it is read from, for example `wire` or `pg_stat_wal`
  /// @param name its name there; units as there
  /// @param scope how far it looks
  /// @param value now; it only grows, unless somebody resets it
  record Count(String group, String name, Scope scope, long value) {}

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

  /// The counters as they are now, once what the run has done so far stands in them. Never throws
  /// for a right that is missing or a server that is gone: the reading says so.
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
