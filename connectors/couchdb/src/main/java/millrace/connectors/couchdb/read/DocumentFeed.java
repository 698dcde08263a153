package millrace.connectors.couchdb.read;

import millrace.spi.read.Split;
import org.jspecify.annotations.Nullable;

/// The documents of one split, one after the other. One thread reads it; another may cancel it, and
/// the calls that it makes.
interface DocumentFeed extends AutoCloseable {

  /// Goes on to the next document; false if there are no more.
  ///
  /// @throws millrace.fault.Fault if the server can't be read
  boolean next();

  /// The bytes that the document lies in, until the next call.
  byte[] bytes();

  /// Where the document begins.
  int start();

  /// The index after the document.
  int end();

  /// Whether the next document may be long in coming: what has come is better passed on first.
  default boolean mustWait() {
    return false;
  }

  /// What of the split is left behind the last document given; null if it can't be cut there.
  default @Nullable Split rest() {
    return null;
  }

  /// Ends what it waits for beside its calls. From any thread.
  default void cancel() {}

  @Override
  void close();
}
