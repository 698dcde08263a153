package millrace.engine.tuning;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Finds out how many lanes move most bytes in a second, by trying one more and one fewer.
///
/// It knows nothing of threads or clocks: it is told what has been moved by when, and answers how
/// many lanes there should be. What it compares are windows of as many bytes each. By time they
/// would end wherever the lanes happen to wait; a window of bytes holds the same work, and its time
/// is what that work takes. Nothing counts until all lanes are there that should be, and each has
/// moved about a split: connections open, and the exchanges fill or run empty.
///
/// A trial is a window with the new number after one with the old. A large difference decides. A
/// small one may be noise, so both get another window, the new number first: old, new, new, old, in
/// which a rate that only grows with time favours neither. What is kept has to be faster by more
/// than noise; of equals the old number stays. Steps are of one lane up to four, then of half the
/// number: one more of many makes less of a difference than noise does.
///
/// A window that came in a burst does not count, since it says what the source had ready.
///
/// After a search it rests, each time longer, and looks again when the rate has changed for long.
public final class LaneTuner implements ConcurrencyPolicy {

  /// What was measured with a number of lanes, when it was last compared with another.
  ///
  /// @param lanes how many
  /// @param bytesPerS bytes of the source that they read in a second
  public record LaneRate(int lanes, double bytesPerS) {}

  /// The gain that a new number must bring over all its windows.
  private static final double NOISE = 0.04;

  /// A difference that one window is enough for.
  private static final double CLEAR = 0.15;

  /// The JVM compiles the hot code in the first seconds; rates mean little until then.
  private static final long WARM_UP_NANOS = 3_000_000_000L;

  /// A window has the bytes of about this time, and at least a split of each lane.
  private static final long WINDOW_NANOS = 1_500_000_000L;

  /// With fewer windows than this to come, what a search may cost could not be won back.
  private static final int SEARCH_WINDOWS = 6;

  /// A rest that follows a change; one without a change doubles the next.
  private static final int REST_WINDOWS = 16;

  private static final int REST_WINDOWS_MAX = 1024;

  /// A rate that is this far from the one at the beginning of the rest, for this many windows on
  /// end, means that something else has changed.
  private static final double CHANGED = 0.25;

  private static final int CHANGED_WINDOWS = 4;

  /// A window that is faster than all before by this factor, or than more lanes could make it, was
  /// not read but had been read ahead, or lay in the system's cache: it says nothing of the lanes.
  private static final double BURST = 3;

  private static final double BURST_OF_LANES = 1.5;

  /// If so many on end are as fast, the source has become so.
  private static final int BURSTS_MAX = 3;

  /// For so many lanes, the next number tried is one further off.
  private static final int LANES_PER_STEP = 2;

  private enum Phase {
    /// The old number, until it is time to look for another.
    REST,
    FIRST_NEW,
    SECOND_NEW,
    SECOND_OLD
  }

  /// What was moved in one window, or in several with the same number of lanes.
  private record Moved(long bytes, long nanos) {

    Moved and(Moved other) {
      return new Moved(bytes + other.bytes, nanos + other.nanos);
    }

    double bytesPerS() {
      return bytes * 1e9 / Math.max(1, nanos);
    }
  }

  private static final Moved NOTHING = new Moved(0, 0);

  private final long splitBytes;
  private final long bytesInAll;
  private final Moved[] movedWith;
  private int most;

  private Phase phase = Phase.REST;
  private int wanted;
  private int old;
  private Moved oldMoved = NOTHING;
  private Moved newMoved = NOTHING;
  private boolean upwards = true;
  private boolean found;

  /// One at the beginning of a run: the first search needs something to go by.
  private int restWindows = 1;

  private int rested;
  private int changed;
  private int bursts;
  private double restBytesPerS;

  private long startNanos = -1;
  private boolean counting;
  private long settledBytes;
  private long windowBytes;
  private long fromBytes;
  private long fromNanos;
  private long nowBytes;

  /// @param first how many lanes there are at the beginning
  /// @param most lanes that may be tried
  /// @param splitBytes about how many bytes of the source a split has
  /// @param bytesInAll how many bytes the source has, or -1 if unknown
  public LaneTuner(int first, int most, long splitBytes, long bytesInAll) {
    this.most = most;
    this.splitBytes = splitBytes;
    this.bytesInAll = bytesInAll;
    wanted = first;
    old = first;
    settledBytes = first * splitBytes;
    movedWith = new Moved[most + 1];
    Arrays.fill(movedWith, NOTHING);
  }

  /// The best number so far; one that is still being tried is none.
  public int best() {
    return old;
  }

  /// What each number of lanes moved in a second in the last trial that it was in: the figures that
  /// the decision went by, and none of other times, when the machine may have been another.
  public List<LaneRate> tried() {
    List<LaneRate> tried = new ArrayList<>();
    for (int lanes = 1; lanes < movedWith.length; lanes++) {
      if (movedWith[lanes].nanos > 0) {
        tried.add(new LaneRate(lanes, movedWith[lanes].bytesPerS()));
      }
    }
    return tried;
  }

  @Override
  public void limit(int count) {
    most = Math.max(1, Math.min(most, count));
    if (old > most) {
      old = most;
    }
    if (wanted > most) {
      rest();
    }
  }

  @Override
  public int lanes(boolean complete, long bytes, long nanos) {
    nowBytes = bytes;
    if (startNanos < 0) {
      startNanos = nanos;
    }
    if (!complete) {
      counting = false;
      settledBytes = bytes + wanted * splitBytes;
    } else if (!counting) {
      begin(bytes, nanos);
    } else {
      Moved window = new Moved(bytes - fromBytes, nanos - fromNanos);
      if (window.bytes >= windowBytes || isHopeless(window)) {
        bursts = isBurst(window, nanos) && bursts < BURSTS_MAX ? bursts + 1 : 0;
        if (bursts == 0) {
          end(window);
        }
        fromBytes = bytes;
        fromNanos = nanos;
      }
    }
    return wanted;
  }

  /// Begins to count, once the lanes have settled and the JVM is warm.
  private void begin(long bytes, long nanos) {
    if (bytes < settledBytes || nanos - startNanos < WARM_UP_NANOS) {
      return;
    }
    counting = true;
    fromBytes = bytes;
    fromNanos = nanos;
    if (windowBytes == 0) {
      windowBytes = windowBytes(new Moved(bytes, nanos - startNanos));
    }
  }

  private long windowBytes(Moved rate) {
    long splits = splitBytes * Math.max(old, wanted);
    return Math.max(splits, (long) (rate.bytesPerS() * WINDOW_NANOS / 1e9));
  }

  /// Whether the new number is clearly slower already: in the time in which the old one moved a
  /// whole window it has not moved nearly as much, and need not go on to the end. Sooner nothing is
  /// clear, because a source may give what it has in pieces.
  private boolean isHopeless(Moved window) {
    double expected = window.nanos / 1e9 * oldMoved.bytesPerS();
    return phase == Phase.FIRST_NEW
        && expected >= windowBytes
        && window.bytes < expected * (1 - CLEAR);
  }

  private boolean isBurst(Moved window, long nanos) {
    boolean isNew = phase == Phase.FIRST_NEW || phase == Phase.SECOND_NEW;
    double most =
        isNew
            ? BURST_OF_LANES * Math.max(1, (double) wanted / old) * oldMoved.bytesPerS()
            : BURST
                * new Moved(nowBytes - window.bytes, nanos - startNanos - window.nanos).bytesPerS();
    return window.bytesPerS() > most;
  }

  private void end(Moved window) {
    switch (phase) {
      case REST -> rested(window);
      case FIRST_NEW -> {
        newMoved = window;
        double gain = gain();
        if (Math.abs(gain) >= CLEAR) {
          decide(gain > 0);
        } else {
          phase = Phase.SECOND_NEW;
        }
      }
      case SECOND_NEW -> {
        newMoved = newMoved.and(window);
        phase = Phase.SECOND_OLD;
        want(old);
      }
      case SECOND_OLD -> {
        oldMoved = oldMoved.and(window);
        decide(gain() > NOISE);
      }
    }
  }

  private double gain() {
    return newMoved.bytesPerS() / oldMoved.bytesPerS() - 1;
  }

  private void rested(Moved window) {
    oldMoved = window;
    rested++;
    double rate = window.bytesPerS();
    if (restBytesPerS == 0) {
      restBytesPerS = rate;
    }
    boolean off = Math.abs(rate / restBytesPerS - 1) > CHANGED;
    changed = off ? changed + 1 : 0;
    if (rested < restWindows && changed < CHANGED_WINDOWS) {
      return;
    }
    found = false;
    upwards = true;
    if (!isWorthwhile() || !(tryOne() || tryDownwards())) {
      rest();
    }
  }

  private boolean isWorthwhile() {
    return bytesInAll < 0 || bytesInAll - nowBytes >= SEARCH_WINDOWS * windowBytes;
  }

  private void decide(boolean isBetter) {
    int tried = trial();
    movedWith[old] = oldMoved;
    movedWith[tried] = newMoved;
    if (isBetter) {
      old = tried;
      oldMoved = newMoved;
      found = true;
    }
    boolean triesMore = isBetter ? tryOne() : tryDownwards();
    if (!triesMore) {
      rest();
    }
  }

  /// Fewer lanes are only worth a look if more brought nothing.
  private boolean tryDownwards() {
    if (!upwards || found) {
      return false;
    }
    upwards = false;
    return tryOne();
  }

  /// Begins a trial of the next number; false if there is none.
  private boolean tryOne() {
    int next = trial();
    if (next == old) {
      return false;
    }
    phase = Phase.FIRST_NEW;
    want(next);
    windowBytes = windowBytes(oldMoved);
    return true;
  }

  private int trial() {
    int step = Math.max(1, old / LANES_PER_STEP);
    return upwards ? Math.min(most, old + step) : Math.max(1, old - step);
  }

  private void rest() {
    boolean isFirst = restWindows == 1;
    restWindows = found || isFirst ? REST_WINDOWS : Math.min(REST_WINDOWS_MAX, 2 * restWindows);
    phase = Phase.REST;
    rested = 0;
    changed = 0;
    restBytesPerS = 0;
    want(old);
  }

  private void want(int lanes) {
    if (lanes != wanted) {
      wanted = lanes;
      counting = false;
      settledBytes = nowBytes + lanes * splitBytes;
    }
  }
}
