package millrace.spi.load;

/// A place's transaction, and whether it has begun. On the target's thread.
final class OpenTransaction {

  private final Place.Transaction transaction;
  private boolean begun;

  OpenTransaction(Place.Transaction transaction) {
    this.transaction = transaction;
  }

  boolean hasBegun() {
    return begun;
  }

  /// Begins it, unless it has begun.
  void begin() {
    if (!begun) {
      transaction.begin();
      begun = true;
    }
  }

  /// Commits it; it may be tried once more if that fails.
  void commit() {
    transaction.commit();
    begun = false;
  }

  /// Undoes it, if it has begun.
  void rollback() {
    if (begun) {
      begun = false;
      transaction.rollback();
    }
  }
}
