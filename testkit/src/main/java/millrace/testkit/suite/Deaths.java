package millrace.testkit.suite;

import millrace.spi.Endpoint;

/// A process that dies, as a database sees it.
public interface Deaths extends AutoCloseable {

  /// The same table, for the copy that is to die.
  Endpoint through(Endpoint table);

  /// How many statements have been carried out.
  long statements();

  /// Has all connections end after so many more, and nobody gets another.
  void dieAfter(long more);

  /// Connections can be opened again.
  void revive();

  @Override
  default void close() {
    revive();
  }
}
