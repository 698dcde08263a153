package millrace.connectors.sql;

import millrace.spi.Blockable;

/// What belongs to one end of a copy at a server, beside its rows: connections aside that are
/// closed with it, and what they can tell. It may be a capability, such as {@link
/// millrace.spi.HasCounters}.
public interface ServerEnd extends AutoCloseable {

  /// Nothing does.
  ServerEnd NONE = new ServerEnd() {};

  /// What tells what the end waits for.
  ///
  /// @param blockable what tells it without a look at the server, and is stopped
  default Blockable waiting(Blockable blockable) {
    return blockable;
  }

  /// A session to it was opened.
  default void opened(SqlSession session) {}

  @Override
  default void close() {}
}
