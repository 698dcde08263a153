package millrace.spi.journal;

import org.jspecify.annotations.Nullable;

/// What stands now where runs have put their rows: what only the system itself can say. On the
/// target's thread.
public interface Looks {

  /// How to name the target in messages.
  String name();

  /// What the system calls a table, whatever its name is; null if there is none of that name; empty
  /// if it can't tell tables apart, or if its journal goes with them.
  ///
  /// @param staging where rows wait, as {@link Entry.Begun} names it; empty for the target itself
  default @Nullable String tableId(String staging) {
    return "";
  }

  /// Whether there is no row in a table, as far as this user sees all that is in it.
  ///
  /// @param staging see {@link #tableId}
  default boolean isEmptied(String staging) {
    return false;
  }

  /// How many rows are in a table; -1 if this user can't tell. Asked only if {@link
  /// Ledger.Guarantees#countsStaged}, and at the end of a run that others have joined.
  ///
  /// @param staging see {@link #tableId}
  default long stagedRows(String staging) {
    return -1;
  }

  /// How what was named at the end of a run has changed since, as a sentence without its end; empty
  /// if it has not. For targets that are files.
  default String change(Entry.Sealing sealing) {
    return "";
  }

  /// Whether some of what a run has staged has its name already where nothing was, so that it stays
  /// whatever comes.
  default boolean hasAppeared(Entry.Begun begun, Entry.Sealing sealing) {
    return false;
  }
}
