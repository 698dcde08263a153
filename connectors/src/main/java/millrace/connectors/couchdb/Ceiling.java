package millrace.connectors.couchdb;

/// The most that passes in one request, as far as failures have shown: half of what failed, and
/// half as much again after a while, which is longer after each failure that has cost a wait: a
/// request that is never answered costs all the patience that there is. What a server has called
/// too large stays too large.
///
/// The lanes of one end share it. Any thread.
final class Ceiling {

  /// Requests that pass before the next may be larger: at first, and at most.
  private static final int PASSES = 10;

  private static final int PASSES_MAX = 10_000;

  private volatile long limit = Long.MAX_VALUE;
  private long most = Long.MAX_VALUE;
  private int passed;
  private int passesWanted = PASSES;
  private boolean failing;

  /// The most that one request should move. Asked for each document.
  long limit() {
    return limit;
  }

  /// A request has passed.
  synchronized void passed() {
    failing = false;
    passed++;
    if (passed >= passesWanted && limit < most) {
      passed = 0;
      limit = Math.min(most, limit > most / 2 ? most : limit + Math.max(1, limit / 2));
    }
  }

  /// A request of so much was never answered, or broke off. Failures in a row, on the way down to
  /// what passes, make the wait for a larger one twice as long once.
  ///
  /// @param waited whether it took long until that was known
  synchronized void failed(long amount, boolean waited) {
    if (lowered(amount) && waited && !failing) {
      passesWanted = Math.min(2 * passesWanted, PASSES_MAX);
      failing = true;
    }
  }

  /// A request of so much was refused as too large.
  synchronized void tooLarge(long amount) {
    most = Math.max(1, Math.min(most, amount - amount / 8));
    lowered(amount);
  }

  /// Whether that is news: a request that was begun before the last failure tells nothing more.
  private boolean lowered(long amount) {
    long half = Math.max(1, amount / 2);
    boolean isLess = half < limit;
    if (isLess) {
      limit = half;
      passed = 0;
    }
    return isLess;
  }
}
