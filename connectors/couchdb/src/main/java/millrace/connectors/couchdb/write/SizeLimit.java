package millrace.connectors.couchdb.write;

import java.util.Optional;

/// The most that passes in one request, as far as failures have shown: half of what failed, and
/// half as much again after a while, which is longer after each failure that has cost a wait: a
/// request that is never answered costs all the patience that there is. What a server has called
/// too large stays too large.
///
/// The lanes of one end share it. Any thread.
public final class SizeLimit {

  /// Requests that pass before the next may be larger: at first, and at most.
  private static final int PASSES = 10;

  private static final int PASSES_MAX = 10_000;

  private volatile long limit = Long.MAX_VALUE;
  private long most = Long.MAX_VALUE;
  private int passed;
  private int passesWanted = PASSES;
  private boolean failing;
  private int timesLowered;
  private long least = Long.MAX_VALUE;
  private boolean waited;

  /// The most that one request should move. Asked for each document.
  public long limit() {
    return limit;
  }

  /// A request has passed.
  public synchronized void passed() {
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
  public synchronized void failed(long amount, boolean waited) {
    boolean isNews = lowered(amount);
    this.waited |= waited;
    if (isNews && waited && !failing) {
      passesWanted = Math.min(2 * passesWanted, PASSES_MAX);
      failing = true;
    }
  }

  /// A request of so much was refused as too large.
  synchronized void tooLarge(long amount) {
    most = Math.max(1, Math.min(most, amount - amount / 8));
    lowered(amount);
  }

  /// What was refused as too large, less an eighth; Long.MAX_VALUE if nothing was.
  synchronized long most() {
    return most;
  }

  /// What there is to tell of it in the end, if it counts documents and has come down.
  ///
  /// @param what was made smaller, as the beginning of a sentence
  /// @param option by which the user asks for smaller ones
  public synchronized Optional<String> note(String what, String option) {
    if (timesLowered == 0) {
      return Optional.empty();
    }
    String advice = waited ? " " + option + " " + least + " spares such waits." : "";
    return Optional.of(
        what
            + " were made smaller "
            + (timesLowered == 1 ? "once" : timesLowered + " times")
            + ", down to "
            + (least == 1 ? "a document each" : least + " documents")
            + ": larger ones failed, or did not come through in time."
            + advice);
  }

  /// Whether that is news: a request that was begun before the last failure tells nothing more.
  private boolean lowered(long amount) {
    long half = Math.max(1, amount / 2);
    boolean isLess = half < limit;
    if (isLess) {
      limit = half;
      passed = 0;
      timesLowered++;
      least = Math.min(least, half);
    }
    return isLess;
  }
}
