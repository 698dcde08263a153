package millrace.spi.write;

import millrace.spi.journal.Receipt;

/// The capability of a session whose run other processes may join, see {@link JoinedSession}. Once
/// it has been told of a receipt of theirs, its end keeps them from committing, and checks that all
/// rows are there once.
public interface JoinableSession {

  /// Another process has taken that. From any thread.
  void taken(Receipt receipt);
}
