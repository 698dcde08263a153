package millrace.tuning;

import millrace.text.Amount;

/// Finds out how much to move in one request so that most is moved in a second, if nobody has said
/// how much.
///
/// A request costs something for itself and something for each row, so a larger one moves more in a
/// second, by less and less; at some size it moves less again, since memory, caches or the other
/// end's patience end. So it doubles the unit as long as that brings more than noise, halves it if
/// doubling does not, and rests; later it looks again, after ever longer rests.
///
/// One request is no measure: a unit is judged by several, and by the time that they took together.
/// It knows no clock and no thread: whoever uses it says how long each request took. One thread.
public final class UnitTuner {

  /// What a new unit must gain; twice the unit gains so much while the fixed cost of a request is
  /// more than about a sixteenth of the whole.
  private static final double GAIN = 0.03;

  /// What half a unit must gain: it costs both ends more for each row, so it has to be clear that
  /// large requests are what is slow, and not only a few slow ones among them.
  private static final double GAIN_OF_LESS = 0.1;

  /// A unit is judged by at least so many requests.
  private static final int REQUESTS = 4;

  /// And by those of at least that time.
  private static final long NANOS = 50_000_000L;

  private static final int REST_REQUESTS = 64;
  private static final int REST_REQUESTS_MAX = 1 << 14;

  private enum Phase {
    /// The unit that is best so far is measured.
    KNOWN,
    UP,
    DOWN,
    REST
  }

  private final BestUnit shared;
  private final boolean inBytes;
  private final long least;
  private final long most;
  private long best;
  private long unit;
  private double bestRate;
  private Phase phase = Phase.KNOWN;
  private boolean found;
  private int requests;
  private long moved;
  private long nanos;

  /// A request of this unit could not be as large: a larger unit is no other request.
  private boolean isCut;

  private int rest = REST_REQUESTS;

  /// @param shared what other lanes have found; gets what this one finds
  /// @param first what to begin with if nothing is known; says whether units are bytes or rows
  /// @param least smallest unit to try
  /// @param most largest unit to try
  public UnitTuner(BestUnit shared, Amount first, long least, long most) {
    this.shared = shared;
    this.least = least;
    this.most = most;
    inBytes = first.inBytes();
    best = Math.clamp(shared.first(first).number(), least, most);
    unit = best;
  }

  /// How much to move in the next request.
  public long unit() {
    return unit;
  }

  /// The unit that moved most so far.
  public long best() {
    return best;
  }

  /// A request has been answered. A smaller one than the unit, as the last of all may be, tells
  /// nothing, nor does one that was begun when the unit was twice as large.
  ///
  /// @param amount how much it moved
  /// @param tookNanos how long that took
  public void moved(long amount, long tookNanos) {
    if (amount >= unit && amount < 2 * unit) {
      count(amount, tookNanos);
    }
  }

  /// A request has been answered that could not be larger, whatever the unit is: what is found best
  /// is then no more than such requests moved.
  ///
  /// @param amount how much it moved, less than the unit
  /// @param tookNanos how long that took
  public void cut(long amount, long tookNanos) {
    isCut = true;
    count(amount, tookNanos);
  }

  private void count(long amount, long tookNanos) {
    requests++;
    moved += amount;
    nanos += tookNanos;
    if (phase == Phase.REST) {
      if (requests >= rest) {
        look();
      }
    } else if (requests >= REQUESTS && nanos >= NANOS) {
      unit = Math.clamp(moved / requests, least, unit);
      judge(moved / (double) Math.max(1, nanos));
    }
  }

  private void judge(double rate) {
    boolean isBetter = rate > bestRate * (1 + (phase == Phase.DOWN ? GAIN_OF_LESS : GAIN));
    switch (phase) {
      case KNOWN -> {
        best = unit;
        bestRate = rate;
        attempt(Phase.UP);
      }
      case UP -> {
        if (isBetter) {
          keep(rate);
          attempt(Phase.UP);
        } else if (found) {
          rest();
        } else {
          attempt(Phase.DOWN);
        }
      }
      case DOWN -> {
        if (isBetter) {
          keep(rate);
          attempt(Phase.DOWN);
        } else {
          rest();
        }
      }
      case REST -> {}
    }
  }

  private void keep(double rate) {
    best = unit;
    bestRate = rate;
    found = true;
  }

  /// Tries the next unit that way; if there is none, the other way, or rests.
  private void attempt(Phase way) {
    long up = isCut ? best : Math.min(most, 2 * best);
    long next = way == Phase.UP ? up : Math.max(least, best / 2);
    if (next == best) {
      if (way == Phase.UP && !found) {
        attempt(Phase.DOWN);
      } else {
        rest();
      }
      return;
    }
    phase = way;
    begin(next);
  }

  private void rest() {
    rest = found ? REST_REQUESTS : Math.min(REST_REQUESTS_MAX, 2 * rest);
    phase = Phase.REST;
    shared.found(new Amount(best, inBytes));
    begin(best);
  }

  private void look() {
    found = false;
    phase = Phase.KNOWN;
    begin(best);
  }

  private void begin(long next) {
    unit = next;
    isCut = false;
    requests = 0;
    moved = 0;
    nanos = 0;
  }
}
