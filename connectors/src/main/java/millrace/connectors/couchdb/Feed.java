package millrace.connectors.couchdb;

/// The documents of one split, one after the other. One thread reads it; another may cancel the
/// calls that it makes.
interface Feed extends AutoCloseable {

  /// Goes on to the next document; false where there are no more.
  ///
  /// @throws millrace.fault.Fault where the server can't be read
  boolean next();

  /// The bytes that the document lies in, until the next call.
  byte[] bytes();

  /// Where the document begins.
  int start();

  /// The index after the document.
  int end();

  @Override
  void close();
}
