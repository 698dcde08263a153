package millrace.spi.write;

import millrace.spi.journal.Receipt;

/// What of a split a target would still have if the run ended now; asked after a connection was
/// lost in the middle of it.
public sealed interface CommitStatus {

  /// None of it: the split may be written again from its start.
  record Nothing() implements CommitStatus {}

  /// As much as the receipt says: all of it if the receipt has no rest, else the rest is to be
  /// written.
  record Taken(Receipt receipt) implements CommitStatus {}

  /// The target keeps no journal: only a split of which nothing was committed may be written again.
  record Unknown() implements CommitStatus {}
}
