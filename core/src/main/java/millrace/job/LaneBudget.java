package millrace.job;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// How a job's lanes are shared out: large tables begin first and get lanes by their share of all
/// bytes, small ones one lane each. A value; any thread.
///
/// @param lanes how many lanes work at once in all
/// @param alone whether each table has all of them, one after the other
public record LaneBudget(int lanes, boolean alone) {

  /// A table that is smaller is read by one lane: it has ended before a second would help.
  static final long SMALL_BYTES = 64L << 20;

  private static final int PER_PROCESSOR = 2;
  private static final int LEAST = 4;

  /// What a machine can do if the user leaves it to us: while one lane waits for its server,
  /// another works.
  public static LaneBudget ofMachine() {
    int processors = Runtime.getRuntime().availableProcessors();
    return new LaneBudget(Math.max(LEAST, PER_PROCESSOR * processors), false);
  }

  /// The same, but for copies of which only one can be under way.
  public LaneBudget oneAtATime() {
    return new LaneBudget(lanes, true);
  }

  /// A copy with the lanes that it gets.
  ///
  /// @param lanes how many it takes of the budget
  /// @param requested how many it is told to use; 0 if it finds out by itself
  public record Share(TableCopy copy, int lanes, int requested) {

    /// Whether it is over before figures of servers and of this machine say anything.
    boolean isSmall() {
      return requested == 1 || copy.bytes() < SMALL_BYTES;
    }
  }

  /// All copies with their lanes, in the order in which they begin. One that asks for fewer lanes
  /// than there are gets those.
  public List<Share> shares(List<TableCopy> copies) {
    long all = copies.stream().mapToLong(copy -> Math.max(0, copy.bytes())).sum();
    List<TableCopy> ordered = new ArrayList<>(copies);
    ordered.sort(Comparator.comparingLong(TableCopy::bytes).reversed());
    return ordered.stream().map(copy -> shareOf(copy, all)).toList();
  }

  private Share shareOf(TableCopy copy, long all) {
    if (alone) {
      return new Share(copy, lanes, copy.spec().job().tuning().lanes());
    }
    int requested = copy.spec().job().tuning().lanes();
    int share = requested > 0 && requested < lanes ? requested : lanesOf(copy, all);
    return new Share(copy, share, share);
  }

  private int lanesOf(TableCopy copy, long all) {
    if (copy.bytes() < SMALL_BYTES) {
      return 1;
    }
    double share = (double) copy.bytes() / all * lanes;
    return Math.clamp(Math.round(share), 1, lanes);
  }
}
